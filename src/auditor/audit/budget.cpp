// SPDX-License-Identifier: BSD-3-Clause
#include "audit/budget.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "measure/protocol.h"

namespace mpiaudit {
namespace {

/// A problem that gets less than this share of the time that it needs is left out, so that others
/// get the time. If this holds for all problems, they are measured anyway.
constexpr double smallest_share = 0.1;
/// Share of the budget below which hopeless problems are left out.
constexpr double largest_rest = 0.1;
/// Share of the remaining time that is divided equally between problems. The time of a small
/// problem is not proportional to its bytes, since each contestant has fixed costs.
constexpr double equal_share = 0.5;
/// Time of a call with its synchronisation over the time of a short call alone.
constexpr double with_synchronisation = 2.0;
// If time is left for chosen problems, a planned problem gets share_with_rest of its share, or
// needs_with_rest times the time that it needs if this is more.
constexpr double share_with_rest = 0.5, needs_with_rest = 1.5;
/// The largest part of the remaining time for one problem is 1 / 3 so that a medium, a small and a
/// large size have their turn, or 1 / 6 if time is left for chosen problems.
constexpr std::ptrdiff_t fewest_parts = 3, fewest_parts_with_rest = 6;

/// Returns the seconds of a problem without the rounds beyond good_rounds. Fixed costs such as
/// verification take most of the time of small problems.
double time_of_good_rounds_s(const record::ProblemRecord& record, double elapsed_s) {
    const int warm_up = record.warm_up.rounds;
    std::vector<std::size_t> taken(record.contestants.size());  // samples by contestant
    double beyond_s = 0.0;
    for (std::size_t round = 0; round < record.order.size(); ++round) {
        const bool is_beyond = round + static_cast<std::size_t>(warm_up) >= good_rounds;
        int before = -1;
        for (const int each : record.order[round]) {
            const auto i = static_cast<std::size_t>(each);
            // The first of the two calls of a repeat round has no sample.
            if (std::exchange(before, each) == each) continue;
            const double sample_s = record.contestants[i].samples_s[taken[i]++];
            if (is_beyond) beyond_s += with_synchronisation * sample_s;
        }
    }
    return std::max(0.0, elapsed_s - beyond_s);
}

/// Returns measured contestants over those contestants of the plan that would have been measured
/// with more time.
double share_of_contestants(const record::ProblemRecord& record, int unplanned) {
    double measured = 0.0, late = 0.0;
    for (const record::Contestant& each : record.contestants) {
        measured += each.samples_s.empty() ? 0 : 1;
        late += record::is_skipped_by(ReasonKind::no_time, each.skipped) ? 1 : 0;
    }
    return measured / std::max(1.0, measured + late - unplanned);
}

}  // namespace

Budget::Budget(std::vector<double> works, double total_s, std::vector<double> weights,
               bool leaves_rest)
    : works_{std::move(works)},
      equal_share_{weights.empty() ? equal_share : 0.0},
      weights_{weights.empty() ? works_ : std::move(weights)},
      total_s_{total_s},
      leaves_rest_{leaves_rest} {
    for (const double work : works_) is_open_.push_back(work > 0.0);
}

double Budget::needed_s(std::size_t index) const {
    // Before the first problem was measured, the needed time is not known.
    return needed_work_ > 0.0 ? works_[index] * needed_s_ / needed_work_
                              : std::numeric_limits<double>::infinity();
}

double Budget::limit_s(std::size_t index, double elapsed_s) const {
    const double left_s = total_s_ - elapsed_s;
    if (std::isinf(left_s)) return left_s;
    if (left_s <= 0.0) return 0.0;
    double open_weight = 0.0;
    for (std::size_t i = 0; i < works_.size(); ++i) open_weight += is_open_[i] ? weights_[i] : 0.0;
    const auto open = std::max<std::ptrdiff_t>(std::ranges::count(is_open_, true), 1);
    const double share_of_weight_s =
        open_weight > 0.0 ? left_s * weights_[index] / open_weight : 0.0;
    const double share_s =
        std::max(share_of_weight_s, equal_share_ * left_s / static_cast<double>(open));
    const auto parts =
        std::min<std::ptrdiff_t>(open, leaves_rest_ ? fewest_parts_with_rest : fewest_parts);
    const double most_s = std::max(share_s, left_s / static_cast<double>(parts));
    const double needed = needed_s(index);
    const auto is_hopeless = [&](std::size_t i) {
        return needed_work_ > 0.0 && most_s < smallest_share * needed_s(i);
    };
    if (!leaves_rest_ && is_hopeless(index)) {
        bool are_all = true;
        for (std::size_t i = 0; i < works_.size(); ++i) are_all &= !is_open_[i] || is_hopeless(i);
        if (!are_all || left_s <= largest_rest * total_s_) return 0.0;
    }
    if (leaves_rest_)
        return std::min(std::max(share_with_rest * share_s, needs_with_rest * needed), most_s);
    return std::min(std::max(share_s, needed), most_s);
}

void Budget::measured(std::size_t index, const record::ProblemRecord& record, double elapsed_s,
                      int unplanned) {
    is_open_[index] = false;
    if (record.order.empty()) return;
    needed_work_ += works_[index];
    needed_s_ += time_of_good_rounds_s(record, elapsed_s) / share_of_contestants(record, unplanned);
}

}  // namespace mpiaudit
