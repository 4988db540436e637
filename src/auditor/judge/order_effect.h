// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit::judge {

/// Collects the rounds of one check and tests whether the left side is slower only because of the
/// preceding calls. A repeat round (Repeats in timing/rounds.h) calls each side twice in a row and
/// times the second call, so both sides follow themselves; in all other rounds they follow a random
/// contestant.
class OrderProcess {
  public:
    /// \param coin_seed as for EvidenceProcess
    /// \throws std::invalid_argument if the rule is not as described
    OrderProcess(const Rule& rule, std::uint64_t coin_seed);

    /// Adds the times of both sides in the next round (s).
    void add(double left_s, double right_s, bool is_repeat);

    /// Returns true if depends_on_order() is settled, whatever the next repeat rounds bring.
    bool is_clear() const;
    /// Returns the least number of repeat rounds after which is_clear() may become true.
    int repeats_until_clear() const;
    /// Returns true if is_clear() may still become true within `further` repeat rounds, like
    /// EvidenceProcess::has_prospects().
    bool has_prospects(int further) const;

  private:
    friend bool depends_on_order(std::span<const OrderProcess> launches);

    EvidenceProcess repeats_;               ///< of the repeat rounds alone, at level alpha
    double boundary_;                       ///< ln(1 / alpha)
    std::vector<double> repeated_, mixed_;  ///< left / right in repeat rounds, in other rounds
};

/// Returns true if a check that is violated by the evidence of all rounds depends on the order of
/// calls, so that the check is no violation. A check depends on the order if the repeat rounds
/// - show that left is no slower (their mirrored e-value reaches 1 / alpha), or
/// - do not speak for a violation (their e-value is below 1) although there are at least 7, or
/// - do not show a violation (their e-value is below 1 / alpha), and left / right is larger in the
/// other rounds (Wilcoxon's rank-sum test at level 0.01).
/// The e-values of launches are multiplied, their ratios are pooled. Returns false without repeat
/// rounds.
bool depends_on_order(std::span<const OrderProcess> launches);

/// One round of a check: the times (s) and the contestant that ran just before each timed call; ""
/// if unknown. Each side follows itself in a repeat round.
struct OrderedRound {
    double left_s, right_s;
    std::string_view before_left, before_right;
    bool is_repeat;
};

/// Effect of the order: the left side is slower, or the right side faster, after the call of
/// `predecessor`; nullopt if several contestants have the effect.
struct OrderEffect {
    bool is_of_right;
    std::optional<std::string_view> predecessor;
};

/// Finds the effect in the rounds of a check that depends on the order. A contestant is a cause if
/// at least 3 calls followed it and their median time differs from that in the repeat rounds by
/// more than the tolerance. \param rounds at least one of them a repeat round
/// \throws std::invalid_argument if there is no repeat round
OrderEffect find_order_effect(std::span<const OrderedRound> rounds, double tolerance);

}  // namespace mpiaudit::judge
