// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "collectives/datatypes/layout.h"

namespace mpiaudit {

/// alpha/beta of the linear model in bytes, at which a message takes twice the time of an empty
/// one; pipelines cut their data by this length. One value for all machines, since otherwise each
/// audit would have other algorithms. The best number of segments grows with the root of the value,
/// and near the best number the time hardly changes.
inline constexpr double half_rate_bytes = 8192;

/// Returns the best number n of equal segments of `bytes` for a pipeline of n + `filling` rounds,
/// each alpha + beta bytes/n; at least 1 and at most the number of elements.
inline int pipeline_segments(std::int64_t bytes, std::int64_t elements, int filling) {
    const double best = std::sqrt(static_cast<double>(bytes) * filling / half_rate_bytes);
    const auto most = static_cast<double>(std::max<std::int64_t>(elements, 1));
    return static_cast<int>(std::clamp(std::round(best), 1.0, std::min(most, 1e6)));
}

inline int pipeline_segments(const TypedBuffer& vector, int filling) {
    return pipeline_segments(vector.count * type_bytes(vector.type), vector.count, filling);
}

/// Returns the best number of segments for each half of a vector that two pipelines carry.
inline int half_vector_segments(const TypedBuffer& vector, int filling) {
    return pipeline_segments(vector.count * type_bytes(vector.type) / 2, vector.count / 2, filling);
}

/// Limits of the MPICH2004 algorithms, in bytes of the whole vector (R. Thakur, W. D. Gropp,
/// "Improving the Performance of Collective Operations in MPICH", 2003; section given).
namespace MPICH2004_limits {
inline constexpr std::int64_t long_allgather = 512 * 1024;               // 4.1, from here on
inline constexpr std::int64_t long_bcast = 12 * 1024;                    // 4.2, from here on
inline constexpr std::int64_t very_long_bcast = 512 * 1024;              // 4.1 and 4.2
inline constexpr std::int64_t long_reduce_scatter = 512 * 1024;          // 4.3, from here on
inline constexpr std::int64_t long_noncommutative_reduce_scatter = 512;  // 4.3, from here on
inline constexpr std::int64_t short_reduce = 2 * 1024;                   // 4.4, up to here
}  // namespace MPICH2004_limits

}  // namespace mpiaudit
