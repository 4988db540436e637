// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// Where the MPICH2004 algorithms change over, in bytes of the whole vector (R. Thakur, W. D.
/// Gropp, "Improving the Performance of Collective Operations in MPICH", 2003; section given).
namespace mpiaudit::MPICH2004_limits {

inline constexpr std::int64_t long_allgather = 512 * 1024;               // 4.1, from here on
inline constexpr std::int64_t long_bcast = 12 * 1024;                    // 4.2, from here on
inline constexpr std::int64_t very_long_bcast = 512 * 1024;              // 4.1 and 4.2
inline constexpr std::int64_t long_reduce_scatter = 512 * 1024;          // 4.3, from here on
inline constexpr std::int64_t long_noncommutative_reduce_scatter = 512;  // 4.3, from here on
inline constexpr std::int64_t short_reduce = 2 * 1024;                   // 4.4, up to here

}  // namespace mpiaudit::MPICH2004_limits
