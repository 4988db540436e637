// SPDX-License-Identifier: BSD-3-Clause
#include "timing/clock.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

double monotonic() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr std::array clocks = {Clock{"mpi", [] { return MPI_Wtime(); }},
                               Clock{"monotonic", monotonic}};

}  // namespace

double wall_time_s() {
    return monotonic();
}

double steady_time_s() {
    return platform().time_stands_still ? MPI_Wtime() : monotonic();
}

std::optional<Clock> find_clock(std::string_view name) {
    const auto found = std::ranges::find(clocks, name, &Clock::name);
    if (found == clocks.end()) return std::nullopt;
    return *found;
}

std::vector<std::string> clock_names() {
    std::vector<std::string> names;
    for (const Clock& clock : clocks) names.emplace_back(clock.name);
    return names;
}

ClockQuality measure(const Clock& clock) {
    // Enough steps to see the shortest one, few enough that a clock with ticks of 10 ms ends within
    // a second. Such a clock returns equal values for long, so the number of readings is limited,
    // too.
    constexpr int steps_wanted = 1000;
    constexpr int most_readings = 1'000'000;
    double smallest = 0.0;
    bool goes_back = false;
    int steps = 0, readings = 0;
    const double start = clock.now();
    double last = start;
    for (; steps < steps_wanted && readings < most_readings; ++readings) {
        const double now = clock.now();
        const double step = now - last;
        last = now;
        goes_back |= step < 0.0;
        if (step <= 0.0) continue;
        smallest = steps++ == 0 ? step : std::min(smallest, step);
    }
    return {smallest, readings > 0 ? (last - start) / readings : 0.0, goes_back};
}

}  // namespace mpiaudit
