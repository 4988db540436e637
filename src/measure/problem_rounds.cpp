// SPDX-License-Identifier: BSD-3-Clause
#include "measure/problem_rounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "collectives/bcast/bcast.h"
#include "measure/affordable.h"
#include "mpi/environment.h"
#include "random/seeds.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

// Before 7 rounds nothing can be decided at the default level (the mirrored process reaches 20 at
// seven equal answers); later, looking every few rounds wastes little.
constexpr int first_batch = 7;
constexpr int later_batch = 4;
// A reduction every so often is negligible, so long rounds are looked at one by one.
constexpr double batch_s = 0.1;
// Of the time that a limit leaves: rounds take longer than the first, and close checks need more.
constexpr double share_of_rounds = 0.8;

/// All checks of the problem that can be measured at all, or those of `selected`.
OpenChecks open_checks(const PreparedProblem& problem, std::uint64_t order_seed,
                       const std::vector<char>* selected) {
    const auto& [planned, guidelines, protocol, prepared] = problem;
    std::vector<OpenChecks::Check> checks;
    for (std::size_t i = 0; i < planned.checks.size(); ++i) {
        const PlannedCheck& check = planned.checks[i];
        if (!prepared.can_run(check.left) || !prepared.can_run(check.right)) continue;
        if (selected != nullptr && !(*selected)[i]) continue;
        const std::uint64_t seed =
            coin_seed(order_seed, planned.problem().id(), guidelines[check.guideline].id);
        checks.push_back({check.left, check.right, {protocol.rule, seed}});
    }
    return {std::move(checks), protocol.rule.criterion};
}

/// What rank 0 decides after each batch, and all ranks follow.
struct Next {
    std::vector<int> active;
    int rounds = 0;  ///< 0: enough

    void broadcast(MPI_Comm comm) {
        int header[2] = {static_cast<int>(active.size()), rounds};
        binomial_Bcast(header, 2, MPI_INT, 0, comm);
        active.resize(static_cast<std::size_t>(header[0]));
        rounds = header[1];
        binomial_Bcast(active.data(), header[0], MPI_INT, 0, comm);
    }
};

/// How far the rounds have come, and how long one takes.
struct Pace {
    double start_s;  ///< of the wall clock
    double limit_s;
    int max_rounds;
    double round_s = batch_s;
    int done = 0;

    int next_batch() const {
        const int wanted = done == 0 ? first_batch : later_batch;
        const int bearable = static_cast<int>(std::clamp(batch_s / round_s, 1.0, 1e6));
        return std::min({wanted, bearable, max_rounds - done});
    }
    bool fits_another_round() const { return wall_time_s() - start_s + round_s <= limit_s; }
};

/// What each contestant takes in a round, from one of all of them; complete on rank 0.
std::vector<double> costs_of_contestants(Rounds& rounds, const std::vector<int>& active,
                                         std::size_t contestants) {
    const double start_s = wall_time_s();
    Batch batch = rounds.run(active, 1);
    const double round_s = wall_time_s() - start_s;
    // Simulated seconds are none of the budget's.
    if (platform().time_stands_still) std::ranges::fill(batch.samples_s, 0.0);
    const double calls_s = std::accumulate(batch.samples_s.begin(), batch.samples_s.end(), 0.0);
    const double beside_s = std::max(0.0, round_s - calls_s) / static_cast<double>(active.size());
    std::vector<double> costs_s(contestants);
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i)
        costs_s[static_cast<std::size_t>(batch.order[i])] = batch.samples_s[i] + beside_s;
    return costs_s;
}

/// The checks that the limit has time for; marks the contestants that none of them needs.
OpenChecks checks_within(const PreparedProblem& problem, std::uint64_t order_seed, Rounds& rounds,
                         double limit_s, RoundsRecord& record) {
    OpenChecks all = open_checks(problem, order_seed, nullptr);
    std::vector<int> active = all.needed();
    if (std::isinf(limit_s) || active.empty()) return all;
    const double end_s = wall_time_s() + limit_s;
    const std::vector<double> costs_s =
        costs_of_contestants(rounds, active, record.samples_s.size());
    const auto selected = affordable_checks(problem.planned, problem.prepared, costs_s,
                                            (end_s - wall_time_s()) * share_of_rounds);
    OpenChecks some = open_checks(problem, order_seed, &selected);
    const std::vector<int> kept = some.needed();
    for (const int each : active)
        record.late[static_cast<std::size_t>(each)] = !std::ranges::binary_search(kept, each);
    return some;
}

/// Half of the limit is for the measured rounds.
WarmUp warm_up(Rounds& rounds, Next next, const Protocol& protocol, double limit_s) {
    next.broadcast(protocol.comm);
    if (next.active.empty()) return {};
    if (!protocol.warmup)
        return warm_up_until_settled(rounds, next.active, protocol.comm, limit_s / 2);
    return warm_up_for(rounds, next.active, protocol.comm, *protocol.warmup, limit_s / 2);
}

std::optional<record::Stopped> reason_to_stop(bool is_decided, bool is_hopeless, const Pace& pace) {
    if (is_decided) return record::Stopped::decided;
    if (is_hopeless || pace.done >= pace.max_rounds) return record::Stopped::rounds;
    if (!pace.fits_another_round()) return record::Stopped::budget;
    return std::nullopt;
}

/// On rank 0.
Next decide(OpenChecks& checks, const Pace& pace, RoundsRecord& record) {
    const bool is_decided = checks.is_decided();
    checks.give_up_hopeless(pace.max_rounds);
    Next next{checks.needed(), pace.next_batch()};
    if (const auto reason = reason_to_stop(is_decided, next.active.empty(), pace)) {
        const bool is_part = std::ranges::count(record.late, 1) > 0;
        record.stopped = is_part ? record::Stopped::budget : *reason;
        next.rounds = 0;
    }
    return next;
}

}  // namespace

RoundsRecord run_rounds(const PreparedProblem& problem, std::uint64_t order_seed, double limit_s,
                        StartWindow* window) {
    const auto& [planned, guidelines, protocol, prepared] = problem;
    const Activity activity("timing " + planned.problem().id());
    int rank = 0;
    MPI_Comm_rank(protocol.comm, &rank);
    RoundsRecord record(planned.contestants.size());
    Rounds rounds(prepared.calls, protocol.comm, protocol.clock, protocol.starts.barrier,
                  rounds_seed(order_seed, planned.problem().id()), prepared.selections);
    if (window != nullptr) rounds.start_in(*window, protocol.keeps_rank_times);
    const double start_s = wall_time_s();
    OpenChecks checks = checks_within(problem, order_seed, rounds, limit_s, record);
    limit_s -= wall_time_s() - start_s;
    Pace pace{.start_s = wall_time_s(), .limit_s = limit_s, .max_rounds = protocol.max_rounds};
    Next next{checks.needed()};
    record.warm_up = warm_up(rounds, next, protocol, limit_s);
    if (record.warm_up.round_s > 0) pace.round_s = record.warm_up.round_s;
    for (;;) {
        if (rank == 0) next = decide(checks, pace, record);
        next.broadcast(protocol.comm);
        if (next.rounds == 0) return record;
        const double batch_start = wall_time_s();
        const Batch batch = rounds.run(next.active, next.rounds);
        pace.round_s = (wall_time_s() - batch_start) / next.rounds;
        if (rank == 0) record.add(batch, checks);
        pace.done += next.rounds;
    }
}

}  // namespace mpiaudit
