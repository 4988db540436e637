// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit::judge {

/// Collects the rounds of one check and tells whether the left side is slower only because of the
/// calls that ran before it. A repeat round (Repeats in timing/rounds.h) calls each side twice in a
/// row and times the second call. So in repeat rounds both sides follow themselves; in all other
/// rounds they follow whatever the random order put before them.
class OrderProcess {
  public:
    /// \param coin_seed as of EvidenceProcess
    /// \throws std::invalid_argument when the rule is not as described
    OrderProcess(const Rule& rule, std::uint64_t coin_seed);

    /// The times of both sides in the next round, in seconds.
    void add(double left_s, double right_s, bool is_repeat);

    /// Whether a check that is violated by the evidence of all rounds keeps this verdict or loses
    /// the verdict whatever the next repeat rounds bring.
    bool is_clear() const;
    /// The least number of repeat rounds after which is_clear() may change to true.
    int repeats_until_clear() const;
    /// Whether is_clear() may still change to true in `further` repeat rounds, as
    /// EvidenceProcess::has_prospects().
    bool has_prospects(int further) const;

  private:
    friend bool depends_on_order(std::span<const OrderProcess> launches);

    EvidenceProcess repeats_;               ///< of the repeat rounds alone, at level alpha
    double boundary_;                       ///< ln(1 / alpha)
    std::vector<double> repeated_, mixed_;  ///< left / right in repeat rounds, in other rounds
};

/// Whether a check that is violated by the evidence of all rounds depends on the order of calls, so
/// that it is no violation. It does when the repeat rounds
/// - show that left is no slower (their mirrored e-value reaches 1 / alpha), or
/// - do not speak for a violation (their e-value is below 1) although there are at least 7, or
/// - do not show a violation (their e-value is below 1 / alpha), and left / right is larger in the
///   other rounds (Wilcoxon's rank-sum test at level 0.01).
/// The e-values of launches are multiplied, their ratios are pooled. False without repeat rounds.
bool depends_on_order(std::span<const OrderProcess> launches);

/// One round of a check: the times in seconds, and the contestant whose call ran just before the
/// timed call; empty where that is not known. In a repeat round each side follows itself.
struct OrderedRound {
    double left_s, right_s;
    std::string_view before_left, before_right;
    bool is_repeat;
};

/// What the order changes: the left side is slower, or the right side is faster, after the call of
/// `predecessor`; after several others where there is none.
struct OrderEffect {
    bool is_of_right;
    std::optional<std::string_view> predecessor;
};

/// Finds the effect in the rounds of a check that depends on the order. A contestant counts as a
/// cause when at least 3 calls followed it, and their median time differs by more than the
/// tolerance from that in the repeat rounds. \param rounds at least one of them a repeat round
/// \throws std::invalid_argument when there is no repeat round
OrderEffect find_order_effect(std::span<const OrderedRound> rounds, double tolerance);

}  // namespace mpiaudit::judge
