// SPDX-License-Identifier: BSD-3-Clause
#include "comparison/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "collectives/bcast/bcast.h"
#include "judge/order_effect.h"
#include "judge/verdict.h"
#include "messages/messages.h"
#include "messages/owned.h"
#include "messages/under_test.h"
#include "simulation/simulation.h"
#include "timing/clock.h"
#include "timing/pace.h"
#include "timing/rounds.h"

namespace mpiaudit {
namespace {

constexpr std::array both_sides = {0, 1};
// Half of the time is left for measured rounds, as in audits.
constexpr double share_of_warm_up = 0.5;

/// Returns rank 0's value on every rank.
template <class T>
requires std::is_trivially_copyable_v<T> T of_rank_0(T value, MPI_Comm comm) {
    const under_test::InHarness in_harness;
    binomial_Bcast(&value, static_cast<int>(sizeof(T)), MPI_BYTE, 0, comm);
    return value;
}

judge::Rule rule_of(const CompareOptions& options) {
    judge::Rule rule;
    rule.tolerance = options.tolerance;
    rule.alpha = options.alpha;
    rule.deterministic = platform().is_deterministic;
    return rule;
}

/// The samples of both sides and what they show so far; on rank 0.
class Evidence {
  public:
    Evidence(const judge::Rule& rule, std::uint64_t seed)
        : rule_{rule}, seed_{seed}, process_{rule, seed}, order_{rule, seed} {}

    void add(const Batch& batch) {
        for (std::size_t round = 0; round < batch.rounds(); ++round) {
            std::array<double, 2> round_s{};
            for (std::size_t k = 0; k < both_sides.size(); ++k)
                round_s[static_cast<std::size_t>(batch.order_of(round)[k])] =
                    batch.samples_s[round * both_sides.size() + k];
            left_s_.push_back(round_s[0]);
            right_s_.push_back(round_s[1]);
            process_.add(round_s[0], round_s[1]);
            order_.add(round_s[0], round_s[1], batch.repeats[round] != 0);
        }
    }

    /// Returns whether left is slower, and repeat rounds have to show that the order of calls is
    /// not the reason.
    bool awaits_repeats() const {
        return process_.verdict() == judge::Verdict::violated && !rule_.deterministic &&
               !order_.is_clear();
    }

    /// Returns the first round that can conclude; nullopt if none until round `last` can.
    std::optional<int> earliest_conclusion(int last) const {
        if (awaits_repeats()) {
            if (!order_.has_prospects(last - process_.rounds())) return std::nullopt;
            return process_.rounds() + order_.repeats_until_clear();
        }
        if (process_.verdict() != judge::Verdict::undecided || !process_.has_prospects(last))
            return std::nullopt;
        return process_.earliest_decision();
    }

    Comparison comparison() const {
        const judge::Judgement judged = judge::judge(left_s_, right_s_, rule_, seed_);
        Comparison found;
        found.alpha = rule_.alpha;
        found.ratio = judged.ratio.median;
        found.ratio_low = judged.ratio.low;
        found.ratio_high = judged.ratio.high;
        found.left_s = judged.left.median;
        found.right_s = judged.right.median;
        found.rounds = judged.rounds;
        found.p_slower = std::min(1.0, std::exp(-judged.log_e_violated));
        if (judged.verdict == judge::Verdict::holds)
            found.conclusion = Conclusion::left_is_no_slower;
        if (judged.verdict != judge::Verdict::violated) return found;
        found.depends_on_order = depends_on_order(std::span(&order_, 1));
        if (!found.depends_on_order) found.conclusion = Conclusion::left_is_slower;
        return found;
    }

  private:
    judge::Rule rule_;
    std::uint64_t seed_;
    judge::EvidenceProcess process_;
    judge::OrderProcess order_;
    std::vector<double> left_s_, right_s_;
};

struct NextRounds {
    int number = 0;  ///< 0: the end
    Repeats repeats = Repeats::none;
};

/// Decides how to continue; on rank 0. At least one batch runs, however late it is.
NextRounds next_rounds(const Evidence& evidence, const Pace& pace, double elapsed_s) {
    const std::optional<int> earliest = evidence.earliest_conclusion(pace.last());
    if (!earliest || (pace.done() > 0 && !pace.fits_another_round(elapsed_s))) return {};
    const Repeats repeats = platform().is_deterministic ? Repeats::none
                            : evidence.awaits_repeats() ? Repeats::all
                                                        : Repeats::by_chance;
    return {pace.next_batch(earliest), repeats};
}

void require_usable(const std::function<void()>& left, const std::function<void()>& right,
                    const CompareOptions& options) {
    if (!left || !right) throw std::invalid_argument("compare: a callable is empty");
    if (!(std::isfinite(options.tolerance) && options.tolerance >= 0))
        throw std::invalid_argument("compare: tolerance is not finite and at least 0");
    if (!(options.alpha > 0 && options.alpha < 1))
        throw std::invalid_argument("compare: alpha is not between 0 and 1");
    if (!(options.limit_s > 0)) throw std::invalid_argument("compare: limit_s is not above 0");
}

}  // namespace

Comparison compare(const std::function<void()>& left, const std::function<void()>& right,
                   MPI_Comm comm, const CompareOptions& options) {
    require_usable(left, right, options);
    const double start_s = wall_time_s();
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &copy);  // apart from the messages of the callables
    const OwnedComm own(copy);
    const int rank = messages::rank_in(own.get());
    const auto seed = of_rank_0(draw_order_seed(), own.get());
    const std::array<Call, 2> calls = {left, right};
    Rounds rounds(calls, own.get(), *find_clock("mpi"),
                  *find_synchronisation(platform().synchronisation), seed);
    const WarmUp warm_up =
        warm_up_until_settled(rounds, both_sides, own.get(), share_of_warm_up * options.limit_s);
    Evidence evidence(rule_of(options), seed);
    const double left_over_s = std::max(0.0, options.limit_s - (wall_time_s() - start_s));
    Pace pace(platform().max_rounds, left_over_s, left_over_s);
    if (warm_up.round_s > 0) pace.expect_round(warm_up.round_s);
    const double rounds_start_s = wall_time_s();
    for (;;) {
        NextRounds next;
        if (rank == 0) next = next_rounds(evidence, pace, wall_time_s() - rounds_start_s);
        next = of_rank_0(next, own.get());
        if (next.number == 0) break;
        const double batch_start_s = wall_time_s();
        const Batch batch = rounds.run(both_sides, next.number, next.repeats);
        if (rank != 0) continue;
        evidence.add(batch);
        pace.add(next.number, wall_time_s() - batch_start_s);
    }
    return of_rank_0(rank == 0 ? evidence.comparison() : Comparison{}, own.get());
}

std::string Comparison::sentence() const {
    const char* conclusion_in_words =
        conclusion == Conclusion::left_is_slower      ? "left is slower"
        : conclusion == Conclusion::left_is_no_slower ? "left is no slower"
        : depends_on_order ? "undecided, since the difference depends on the order of calls"
                           : "undecided";
    std::array<char, 256> text{};
    int length = std::snprintf(text.data(), text.size(),
                               "left takes %.2f times as long as right (%.2f to %.2f times) in %d "
                               "round%s: %s",
                               ratio, ratio_low, ratio_high, rounds, rounds == 1 ? "" : "s",
                               conclusion_in_words);
    std::string said(text.data(), static_cast<std::size_t>(length));
    if (conclusion == Conclusion::undecided) return said;
    length = std::snprintf(text.data(), text.size(), ", wrong with a probability of at most %g %%",
                           100 * alpha);
    return said.append(text.data(), static_cast<std::size_t>(length));
}

}  // namespace mpiaudit
