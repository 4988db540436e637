// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mpiaudit::judge {

/// What is known of an operation at one size.
struct AtSize {
    double size;  ///< positive, in any unit
    bool is_violated;
    double ratio = 1.0;   ///< the largest that was found
    double time_s = 0.0;  ///< of a call; 0: not known
};

/// Sizes next to each other at which an operation is violated, by ratios that do not jump, as
/// places among all sizes.
struct Range {
    std::size_t first, last, worst;
};

/// \param sizes ascending
/// A jump is from a ratio below 3 to one that is 3 times as large: something else begins there.
std::vector<Range> violated_ranges(std::span<const AtSize> sizes);

/// Whether a range begins or ends between the two.
inline bool is_edge(const AtSize& below, const AtSize& above) {
    return below.is_violated != above.is_violated;
}

/// How much it would tell to measure a size between two neighbours; 0: nothing more. Most where a
/// range begins or ends, until a factor of 1.1 is between the two; less where the ratio or the time
/// jumps, as something may lie between; least where nothing is known but that the gap is wide.
double worth_between(const AtSize& below, const AtSize& above);

}  // namespace mpiaudit::judge
