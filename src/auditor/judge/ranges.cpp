// SPDX-License-Identifier: BSD-3-Clause
#include "judge/ranges.h"

#include <algorithm>
#include <cmath>

namespace mpiaudit::judge {
namespace {

// Worth of an unmeasured octave at an edge and at a jump; smallest gaps (quotients of sizes) worth
// a measurement at an edge, at a jump and elsewhere.
constexpr double octave_of_edge = 8.0, octave_of_jump = 3.0;
constexpr double narrowest_edge = 1.1, narrowest_jump = 1.4, narrowest_gap = 2.0;
/// An edge counts in full from `large_ratio` on, and at least `least_severity`: close to the
/// tolerance an edge may be chance.
constexpr double large_ratio = 1.5, least_severity = 0.25;
constexpr double jump_of_ratio = 1.5, jump_of_time = 2.0;

// Ratios below 3 and ratios more than 3 times as large are different findings. Among large ratios,
// only the time of the right side differs.
constexpr double another_ratio = 3.0;
bool is_another(const AtSize& below, const AtSize& above) {
    const auto [little, much] = std::minmax(below.ratio, above.ratio);
    return little < another_ratio && much > another_ratio * little;
}

double octaves(double factor) {
    return std::log2(factor);
}

bool has_jump_of_time(const AtSize& below, const AtSize& above) {
    if (below.time_s <= 0.0 || above.time_s <= 0.0) return false;
    const double growth = above.time_s / below.time_s;
    return growth < 1.0 / jump_of_ratio || growth > jump_of_time * above.size / below.size;
}

bool has_jump(const AtSize& below, const AtSize& above) {
    const double jump = above.ratio / below.ratio;
    return has_jump_of_time(below, above) ||
           (below.is_violated && (jump > jump_of_ratio || jump < 1.0 / jump_of_ratio));
}

}  // namespace

std::vector<Range> violated_ranges(std::span<const AtSize> sizes) {
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (!sizes[i].is_violated) continue;
        if (ranges.empty() || ranges.back().last + 1 < i || is_another(sizes[i - 1], sizes[i]))
            ranges.push_back({i, i, i});
        Range& range = ranges.back();
        range.last = i;
        if (sizes[i].ratio > sizes[range.worst].ratio) range.worst = i;
    }
    return ranges;
}

double worth_between(const AtSize& below, const AtSize& above) {
    const double gap = above.size / below.size;
    if (is_edge(below, above)) {
        const double ratio = below.is_violated ? below.ratio : above.ratio;
        const double severity =
            std::clamp(octaves(ratio) / octaves(large_ratio), least_severity, 1.0);
        return gap > narrowest_edge ? octave_of_edge * severity * octaves(gap) : 0.0;
    }
    if (has_jump(below, above) && gap > narrowest_jump) return octave_of_jump * octaves(gap);
    return gap > narrowest_gap ? octaves(gap) : 0.0;
}

}  // namespace mpiaudit::judge
