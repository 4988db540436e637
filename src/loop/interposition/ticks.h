// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace mpiaudit::interposition {

inline std::int64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Whether the processor's counter runs at one rate whatever the processor does.
inline bool has_constant_counter() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

/// The processor's counter where it is a clock, which takes half of the time that the clock of the
/// system takes; else that clock. What a tick is in seconds is known at the end, from both.
inline std::int64_t ticks() {
#if defined(__x86_64__)
    static const bool is_constant = has_constant_counter();
    if (is_constant) return static_cast<std::int64_t>(__rdtsc());
#endif
    return monotonic_ns();
}

}  // namespace mpiaudit::interposition
