// SPDX-License-Identifier: BSD-3-Clause
#include "measure/problem_rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "collectives/bcast/bcast.h"
#include "collectives/gather/gather.h"
#include "measure/measurement.h"
#include "measure/verification.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/texts.h"
#include "random/random_bits.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

// Number of rounds whose median is the collective's duration for --arrivals.
constexpr int rounds_of_own_time = 7;
constexpr int trials_of_own_time = 6;
// Rounds of a batch in a window until starts are in time: after late starts the next rounds are
// announced further ahead.
constexpr int rounds_of_trial = 4;
// The rounds end after this many batches in a row without a usable round, or when dropped rounds
// exceed the wanted ones by a factor of most_rounds_for_one - 1.
constexpr int most_fruitless_batches = 10;
constexpr int most_rounds_for_one = 4;
// Share of the remaining time for the rounds of the chosen checks: rounds take longer than the
// first one, and close checks need more of them.
constexpr double share_of_rounds = 0.8;
// Share of the time limit for one trial call of each contestant. If this does not suffice, rounds
// would not fit either.
constexpr double share_of_costs = 0.25;

/// Marks the contestants that may run: those of the open checks, and those in no check of the plan
/// (remedies that a confirmation measures).
std::vector<bool> may_take_part(const PlannedProblem& planned,
                                const std::vector<OpenChecks::Check>& checks) {
    std::vector<bool> may(planned.contestants.size(), true);
    for (const PlannedCheck& check : planned.checks) may[check.left] = may[check.right] = false;
    for (const OpenChecks::Check& check : checks) may[check.left] = may[check.right] = true;
    return may;
}

/// Adds the rivals of each left side without a reference algorithm: all other contestants between
/// the same two layouts.
void add_rivals(const PreparedProblem& problem, std::uint64_t order_seed,
                std::vector<OpenChecks::Check>& checks) {
    const PlannedProblem& planned = problem.planned;
    const std::vector<bool> may = may_take_part(planned, checks);
    std::set<std::size_t> lefts;
    for (const OpenChecks::Check& check : checks) {
        if (!planned.contestants[check.left].path.has_reference()) lefts.insert(check.left);
    }
    for (const std::size_t left : lefts) {
        const Path& path = planned.contestants[left].path;
        for (std::size_t other = 0; other < planned.contestants.size(); ++other) {
            const Path& way = planned.contestants[other].path;
            const bool is_way = other != left && may[other] && problem.prepared.can_run(other) &&
                                way.from() == path.from() && way.to() == path.to();
            if (!is_way) continue;
            const std::uint64_t seed = coin_seed(order_seed, planned.problem().id(), way.name);
            checks.emplace_back(left, other, problem.protocol.rule, seed, true);
        }
    }
}

/// Returns the checks whose contestants can run, restricted to `selected` unless it is empty, and
/// their rivals. In a problem without checks, all contestants run until the last round.
OpenChecks open_checks(const PreparedProblem& problem, std::uint64_t order_seed,
                       const std::vector<char>& selected) {
    const auto& [planned, guidelines, protocol, workspaces, prepared] = problem;
    std::vector<OpenChecks::Check> checks;
    std::vector<int> unchecked;
    for (std::size_t i = 0; planned.checks.empty() && i < planned.contestants.size(); ++i)
        if (prepared.can_run(i)) unchecked.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < planned.checks.size(); ++i) {
        const PlannedCheck& check = planned.checks[i];
        if (!prepared.can_run(check.left) || !prepared.can_run(check.right)) continue;
        if (!selected.empty() && !selected[i]) continue;
        const std::uint64_t seed =
            coin_seed(order_seed, planned.problem().id(), guidelines[check.guideline].id);
        checks.emplace_back(check.left, check.right, protocol.rule, seed);
    }
    add_rivals(problem, order_seed, checks);
    return {std::move(checks), protocol.rule, std::move(unchecked)};
}

/// The decision of rank 0 after a batch, which all ranks follow.
struct Decision {
    int contestants = 0;  ///< number of active contestants
    int rounds = 0;       ///< rounds of the next batch; 0: end
    int reverified = -1;  ///< contestant to verify before the next rounds; -1: none
    int failed = -1;      ///< contestant that returned an error in the last batch; -1: none
    int signal = 0;       ///< signal that rank 0 has received; 0: none
    int refresh = 0;      ///< 1: refresh the global clock before the next rounds
    Repeats repeats = Repeats::none;
};
struct Next : Decision {
    std::vector<int> active;

    void broadcast(MPI_Comm comm) {
        const under_test::InHarness in_harness;
        contestants = static_cast<int>(active.size());
        binomial_Bcast(static_cast<Decision*>(this), static_cast<int>(sizeof(Decision)), MPI_BYTE,
                       0, comm);
        active.resize(static_cast<std::size_t>(contestants));
        binomial_Bcast(active.data(), contestants, MPI_INT, 0, comm);
    }
};

/// Returns the seconds of one round with this contestant alone, synchronisation included; valid on
/// rank 0.
double cost_of(int contestant, Rounds& rounds) {
    const double start_s = wall_time_s();
    rounds.run(std::span(&contestant, 1), 1);
    return wall_time_s() - start_s;
}

/// Returns the limit in seconds of the rounds. A simulation has one round and has chosen its
/// contestants when it verified them.
double limit_of_rounds(double limit_s) {
    return platform().is_deterministic ? std::numeric_limits<double>::infinity() : limit_s;
}

/// Returns the checks for which the limit has time; sets record.late for contestants that only
/// other checks need.
OpenChecks checks_within(const PreparedProblem& problem, std::uint64_t order_seed, Rounds& rounds,
                         double limit_s, const std::vector<char>& wanted, RoundsRecord& record) {
    OpenChecks all = open_checks(problem, order_seed, wanted);
    std::vector<int> active = all.needed();
    const bool has_checks = !problem.planned.checks.empty();
    if (std::isinf(limit_s) || active.empty() || !has_checks) return all;
    const MPI_Comm comm = problem.protocol.comm;
    const double begin_s = wall_time_s(), end_s = begin_s + limit_s;
    const std::vector<double> costs_s = costs_in_turns(
        problem.planned, problem.prepared, wanted,
        [&](std::size_t contestant) { return cost_of(static_cast<int>(contestant), rounds); },
        [&] { return is_over(begin_s + limit_s * share_of_costs, comm); });
    std::vector<char> selected = affordable_checks(problem.planned, problem.prepared, costs_s,
                                                   (end_s - wall_time_s()) * share_of_rounds);
    for (std::size_t i = 0; i < wanted.size(); ++i) selected[i] = selected[i] && wanted[i];
    OpenChecks some = open_checks(problem, order_seed, selected);
    const std::vector<int> kept = some.needed();
    for (const int each : active)
        record.late[static_cast<std::size_t>(each)] = !std::ranges::binary_search(kept, each);
    return some;
}

/// Warms up for at most half of the limit, so that half is left for measured rounds.
WarmUp warm_up(Rounds& rounds, Next next, const Protocol& protocol, double limit_s) {
    next.broadcast(protocol.comm);
    if (next.active.empty()) return {};
    if (!protocol.options.warmup)
        return warm_up_until_settled(rounds, next.active, protocol.comm, limit_s / 2);
    return warm_up_for(rounds, next.active, protocol.comm, *protocol.options.warmup, limit_s / 2);
}

/// Returns why the rounds end, or nullopt to continue.
/// \param is_decided whether every check is decided
/// \param is_needless whether no contestant has to run again
std::optional<record::Stopped> reason_to_stop(bool is_decided, bool is_needless, const Pace& pace,
                                              double elapsed_s) {
    const bool is_over = is_needless || pace.done() >= pace.last();
    if (!is_over && pace.fits_another_round(elapsed_s)) return std::nullopt;
    if (is_decided) return record::Stopped::decided;
    return is_over ? record::Stopped::rounds : record::Stopped::budget;
}

/// Returns, on rank 0, the fastest and the slowest rank of each contestant; nothing for contestants
/// without kept times. Collective.
std::vector<std::optional<record::RankMedians>> medians_of_ranks(const Rounds& rounds,
                                                                 MPI_Comm comm) {
    if (!rounds.own_times()) return {};
    const under_test::InHarness in_harness;
    std::vector<double> own_s;
    for (const std::vector<double>& each : *rounds.own_times())
        own_s.push_back(each.empty() ? -1.0 : judge::median(each));
    const std::size_t contestants = own_s.size();
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    std::vector<double> all_s(rank == 0 ? contestants * static_cast<std::size_t>(ranks) : 0);
    const auto count = static_cast<int>(contestants);
    binomial_Gather(own_s.data(), count, MPI_DOUBLE, all_s.data(), count, MPI_DOUBLE, 0, comm);
    if (rank != 0) return {};
    std::vector<std::optional<record::RankMedians>> medians(contestants);
    for (std::size_t i = 0; i < contestants; ++i) {
        if (own_s[i] < 0.0) continue;
        record::RankMedians& found = medians[i].emplace(0, 0, own_s[i], own_s[i]);
        for (int other = 1; other < ranks; ++other) {
            const double seconds = all_s[static_cast<std::size_t>(other) * contestants + i];
            if (seconds < found.fastest_s) found.fastest = other, found.fastest_s = seconds;
            if (seconds > found.slowest_s) found.slowest = other, found.slowest_s = seconds;
        }
    }
    return medians;
}

/// Measures the rounds of one problem with one way to start samples.
class ProblemRounds {
  public:
    ProblemRounds(const PreparedProblem& problem, std::uint64_t order_seed, double limit_s,
                  StartWindow* window, const std::vector<char>& selected)
        : problem_{problem},
          rounds_(rounds_of(problem, order_seed)),
          record_{problem.planned.contestants.size()},
          in_window_{window != nullptr},
          begin_s_{wall_time_s()},
          checks_{checks_in_window(window, order_seed, limit_of_rounds(limit_s), selected)},
          start_s_{wall_time_s()},
          pace_{problem.protocol.options.max_rounds,
                problem.protocol.options.time_per_problem->count,
                limit_of_rounds(limit_s) - (start_s_ - begin_s_)},
          has_run_(problem.planned.contestants.size()),
          reverification_{mix_bits(order_seed, hash_bits(problem.planned.problem().id())),
                          problem.prepared.verification_s /
                              static_cast<double>(problem.planned.contestants.size())} {
        MPI_Comm_rank(problem.protocol.comm, &rank_);
    }

    RoundsRecord run() {
        const Protocol& protocol = problem_.protocol;
        Next next{{}, checks_.needed()};
        if (protocol.options.in_a_row)
            rounds_.repeat_in_a_row(record_.warm_up.rounds = protocol.options.warmup.value_or(0));
        else
            record_.warm_up = warm_up(rounds_, next, protocol, pace_.limit_s());
        if (record_.warm_up.round_s > 0) pace_.expect_round(record_.warm_up.round_s);
        if (!platform().ranks_share_memory) rounds_.keep_own_times();
        for (;;) {
            if (rank_ == 0) next = decide();
            next.broadcast(protocol.comm);
            if (next.signal != 0) throw Interrupted{next.signal};
            if (next.failed >= 0) {
                record_failure(rounds_, next.failed, problem_.prepared, protocol.comm);
                checks_.withdraw(static_cast<std::size_t>(next.failed));
            }
            if (next.reverified >= 0) reverify_between_rounds(next);
            if (next.refresh != 0) note_clock_error(protocol.global_clock->refresh());
            if (next.failed >= 0 || next.reverified >= 0 || next.refresh != 0) continue;
            if (next.rounds == 0) break;
            run_batch(next);
        }
        record_.ranks = medians_of_ranks(rounds_, protocol.comm);
        if (protocol.verifies_again()) reverify_all();
        return std::move(record_);
    }

  private:
    OpenChecks checks_in_window(StartWindow* window, std::uint64_t order_seed, double limit_s,
                                const std::vector<char>& selected) {
        if (window != nullptr) start_in(*window, order_seed, limit_s);
        return checks_within(problem_, order_seed, rounds_, limit_s, selected, record_);
    }

    /// Starts the rounds in the window. With --arrivals, first measures the operation's duration
    /// with simultaneous arrival.
    void start_in(StartWindow& window, std::uint64_t order_seed, double limit_s) {
        const Protocol& protocol = problem_.protocol;
        rounds_.start_in(window);
        if (protocol.arrivals == nullptr) return;
        const std::vector<int> active = open_checks(problem_, order_seed, {}).needed();
        warm_up(rounds_, Next{{}, active}, protocol, limit_s / 2);
        double own_s = 0.0;
        // A trial whose starts were all late gives no duration.
        for (int trial = 0; trial < trials_of_own_time && own_s == 0.0; ++trial) {
            const Batch together = rounds_.run(active, rounds_of_own_time);
            if (!together.samples_s.empty()) own_s = judge::median(together.samples_s);
            binomial_Bcast(&own_s, 1, MPI_DOUBLE, 0, protocol.comm);
        }
        record_.window.own_time_s = own_s;
        const Problem& problem = problem_.planned.problem();
        const std::uint64_t seed = mix_bits(order_seed, hash_bits(problem.id()));
        rounds_.delay_by([&pattern = *protocol.arrivals, rank = messages::rank_in(protocol.comm),
                          root = problem.root, own_s, seed](int first, int rounds) {
            return arrival_delays(pattern, rank, root, own_s, seed, first, rounds);
        });
    }

    double elapsed_s() const { return wall_time_s() - start_s_; }

    /// Decides how to continue; on rank 0.
    Next decide() {
        const bool is_decided = checks_.is_decided();
        checks_.give_up_hopeless(pace_.last());
        Next next{{}, checks_.needed()};
        // There is only one batch with --in-a-row.
        next.rounds = problem_.protocol.options.in_a_row
                          ? pace_.last() - pace_.done()
                          : pace_.next_batch(checks_.earliest_decision());
        next.repeats = checks_.repeats();
        next.failed = std::exchange(failed_, -1);
        next.signal = interruption::received();
        if (const auto reason =
                reason_to_stop(is_decided, next.active.empty(), pace_, elapsed_s())) {
            const bool is_part = std::ranges::count(record_.late, 1) > 0;
            record_.stopped = is_part ? record::Stopped::budget : *reason;
            next.rounds = 0;
        } else if (is_fruitless()) {
            record_.stopped = record::Stopped::rounds;
            next.rounds = 0;
        } else if (in_window_ && problem_.protocol.global_clock->is_due()) {
            next.refresh = 1;
        } else if (problem_.protocol.verifies_again()) {
            next.reverified = reverification_.draw(next.active, elapsed_s()).value_or(-1);
        }
        if (in_window_ && (fruitless_batches_ > 0 || record_.order.empty()))
            next.rounds = std::min(next.rounds, rounds_of_trial);
        return next;
    }

    void run_batch(const Next& next) {
        const double batch_start = wall_time_s();
        const Batch batch = rounds_.run(next.active, next.rounds, next.repeats);
        if (rank_ == 0) {
            const auto kept = static_cast<int>(record_.add(batch, checks_));
            // Only rounds of an operation that failed are dropped if there is no window.
            const int dropped = in_window_ ? next.rounds - kept : 0;
            pace_.add(next.rounds, wall_time_s() - batch_start, dropped);
            dropped_ += dropped;
            fruitless_batches_ = dropped == next.rounds ? fruitless_batches_ + 1 : 0;
        }
        for (const int each : next.active) has_run_[static_cast<std::size_t>(each)] = 1;
        failed_ = batch.failed;
    }

    /// Returns whether too few rounds are usable; on rank 0.
    bool is_fruitless() const {
        return fruitless_batches_ >= most_fruitless_batches ||
               dropped_ > (most_rounds_for_one - 1) * pace_.last();
    }

    void note_clock_error(const ClockAgreement& agreement) {
        double& worst_s = record_.window.clock_error_s;
        worst_s = std::max(worst_s, agreement.error_s);
    }

    void reverify_between_rounds(const Next& next) {
        const double start_s = wall_time_s();
        const auto contestant = static_cast<std::size_t>(next.reverified);
        if (!reverify(contestant, {})) checks_.withdraw(contestant);
        // The verification changes the caches; an untimed round restores their usual state.
        rounds_.warm_up(next.active, 1);
        reverification_.add(wall_time_s() - start_s);
    }

    bool reverify(std::size_t contestant, Repetition repetition) {
        return verify_again(contestant, problem_.planned, problem_.workspaces, repetition,
                            problem_.prepared);
    }

    /// Verifies all contestants that were timed and are not wrong, for a share of the time of the
    /// rounds: on a busy machine faults may be rare. Collective.
    void reverify_all() {
        const auto contestants = static_cast<double>(record_.samples_s.size());
        const double rounds_s = elapsed_s();
        // If time is short, one verification of many contestants tells more than many of a few.
        const double least_s = std::isinf(pace_.limit_s()) ? usual_repetition.seconds : 0.0;
        const Repetition often{
            usual_repetition.most_runs,
            std::max(least_s, Reverification::share_of_time * rounds_s / contestants)};
        for (std::size_t i = 0; i < record_.samples_s.size(); ++i) {
            if (!has_run_[i] || !problem_.prepared.can_run(i)) continue;
            end_if_interrupted(problem_.protocol.comm);
            reverify(i, often);
        }
    }

    const PreparedProblem& problem_;
    Rounds rounds_;
    RoundsRecord record_;
    bool in_window_;
    double begin_s_;
    OpenChecks checks_;
    double start_s_;
    Pace pace_;
    std::vector<char> has_run_;  ///< 1 for each contestant with samples
    Reverification reverification_;
    int rank_ = 0;
    // Valid on rank 0:
    int failed_ = -1;
    int dropped_ = 0;            ///< number of dropped rounds
    int fruitless_batches_ = 0;  ///< batches in a row without a usable round
};

}  // namespace

Rounds rounds_of(const PreparedProblem& problem, std::uint64_t order_seed) {
    const Protocol& protocol = problem.protocol;
    return {problem.prepared.calls,
            protocol.comm,
            *protocol.options.clock,
            protocol.barrier(),
            rounds_seed(order_seed, problem.planned.problem().id()),
            problem.prepared.before,
            problem.prepared.sets};
}

void record_failure(Rounds& rounds, int failed, Prepared& prepared, MPI_Comm comm) {
    const auto contestant = static_cast<std::size_t>(failed);
    const int rank = messages::rank_in(comm);
    under_test::look_at(rounds.take_error());
    const Fault error = of_lowest_rank(returned_error(rank), comm)
                            .value_or(Fault{FaultKind::error_returned, "returned an error"});
    if (contestant == prepared.wrong.size()) throw WrongBarrier(error);
    prepared.wrong[contestant] = error;
}

RoundsRecord run_rounds(const PreparedProblem& problem, std::uint64_t order_seed, double limit_s,
                        StartWindow* window, const std::vector<char>& selected) {
    const Activity activity("timing " + problem.planned.problem().id());
    return ProblemRounds(problem, order_seed, limit_s, window, selected).run();
}

}  // namespace mpiaudit
