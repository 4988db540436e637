// SPDX-License-Identifier: BSD-3-Clause
#include "audit/budget.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "measure/protocol.h"

namespace mpiaudit {
namespace {

/// With less than this share of what it needs a problem is left out, for others to have the time.
/// Where none needs less, it is taken all the same: as long as more than that share of the whole
/// budget would be left over.
constexpr double smallest_share = 0.1;
constexpr double largest_rest = 0.1;
/// Of the time that is left this share is divided equally. Time is not proportional to bytes: what
/// is done once for each contestant takes as long on small problems, and most problems are small.
constexpr double equal_share = 0.5;
/// To come together for a call takes about as long as a short call does.
constexpr double with_coming_together = 2.0;
/// Where problems are to come that tell more.
constexpr double share_with_rest = 0.5, needs_with_rest = 1.5;

/// Seconds of a problem without those rounds that go beyond good_rounds. What is done once, as
/// verification is, takes most of the time of small problems.
double time_of_good_rounds_s(const record::ProblemRecord& record) {
    const int warm_up = record.warm_up.rounds;
    std::vector<std::size_t> taken(record.contestants.size());  // samples of each
    double beyond_s = 0.0;
    for (std::size_t round = 0; round < record.order.size(); ++round) {
        const bool is_beyond = round + static_cast<std::size_t>(warm_up) >= good_rounds;
        int before = -1;
        for (const int each : record.order[round]) {
            const auto i = static_cast<std::size_t>(each);
            // The first of the two calls of a repeat round has no sample.
            if (std::exchange(before, each) == each) continue;
            const double sample_s = record.contestants[i].samples_s[taken[i]++];
            if (is_beyond) beyond_s += with_coming_together * sample_s;
        }
    }
    return std::max(0.0, record.elapsed_s - beyond_s);
}

/// All contestants for each that was measured, where there was no time for the others.
double share_of_contestants(const record::ProblemRecord& record) {
    double measured = 0.0, late = 0.0;
    for (const record::Contestant& each : record.contestants) {
        measured += each.samples_s.empty() ? 0 : 1;
        late += each.skipped == record::no_time_left ? 1 : 0;
    }
    return measured / (measured + late);
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
    // The first may take what it needs.
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
    const auto waiting = std::min<std::ptrdiff_t>(open, leaves_rest_ ? 6 : 3);
    const double most_s = std::max(share_s, left_s / static_cast<double>(waiting));
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

void Budget::measured(std::size_t index, const record::ProblemRecord& record) {
    is_open_[index] = false;
    if (record.order.empty()) return;
    needed_work_ += works_[index];
    needed_s_ += time_of_good_rounds_s(record) / share_of_contestants(record);
}

}  // namespace mpiaudit
