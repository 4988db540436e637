// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mpiaudit::judge {

/// Findings on an operation at one size.
struct AtSize {
    double size;  ///< positive, in any unit
    bool is_violated;
    double ratio = 1.0;   ///< largest ratio found
    double time_s = 0.0;  ///< time of a call; 0: unknown
};

/// Adjacent sizes at which an operation is violated by similar ratios, as indices among all sizes.
struct Range {
    std::size_t first, last, worst;
};

/// Returns the ranges of violated sizes. A range also ends at a jump, from a ratio below 3 to one
/// more than 3 times as large or back. \param sizes ascending
std::vector<Range> violated_ranges(std::span<const AtSize> sizes);

/// Returns true if a range begins or ends between the two sizes.
inline bool is_edge(const AtSize& below, const AtSize& above) {
    return below.is_violated != above.is_violated;
}

/// Returns the worth of measuring a size between two neighbours; 0: none. The worth is largest at
/// the edge of a range, until the sizes differ by a factor of 1.1; smaller if the ratio or the time
/// jumps; smallest in a gap that is just wide.
double worth_between(const AtSize& below, const AtSize& above);

}  // namespace mpiaudit::judge
