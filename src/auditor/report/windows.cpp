// SPDX-License-Identifier: BSD-3-Clause
#include "report/windows.h"

#include <fmt/format.h>

#include <algorithm>

namespace mpiaudit {

std::string reason_without_rounds(const record::WindowRecord& window) {
    if (window.dropped_rounds > 0 && window.unclear_rounds == 0)
        return fmt::format(
            "in all {} rounds some rank heard of the start too late (--sync barrier does not need "
            "it)",
            window.dropped_rounds);
    if (window.unclear_rounds == 0) return "";
    const std::string late =
        window.dropped_rounds > 0 ? fmt::format(" and {} began late", window.dropped_rounds) : "";
    return fmt::format(
        "the clocks agree too badly for {} rounds{} (--sync barrier does not need them)",
        window.unclear_rounds, late);
}

std::vector<std::string> warnings_of_windows(std::span<const record::Audit> launches) {
    int problems = 0, instead = 0, unclear = 0;
    double worst_s = 0.0;
    std::string barrier, first, reason;
    for (const record::Audit& launch : launches) {
        for (const record::ProblemRecord& problem : launch.problems) {
            if (!problem.window) continue;
            ++problems;
            unclear += problem.window->unclear_rounds;
            worst_s = std::max(worst_s, problem.window->clock_error_s);
            if (!problem.window->instead) continue;
            ++instead;
            if (!barrier.empty()) continue;
            barrier = *problem.window->instead;
            first = problem.problem.id;
            reason = reason_without_rounds(*problem.window);
        }
    }
    std::vector<std::string> warnings;
    if (instead > 0)
        warnings.push_back(
            fmt::format("{} of {} problems were measured after a barrier ({}) instead of in the "
                        "window of the global clock, {} first: {}",
                        instead, problems, barrier, first, reason));
    if (unclear > 0)
        warnings.push_back(fmt::format(
            "{} rounds were dropped because the ranks' clocks may have been off by more than a "
            "quarter of a sample; the largest error seen is {:.3g} us. --sync barrier needs no "
            "common clock",
            unclear, worst_s * 1e6));
    return warnings;
}

std::optional<double> worst_clock_error_s(std::span<const record::Audit> launches) {
    std::optional<double> worst_s;
    const auto add = [&](double error_s) { worst_s = std::max(worst_s.value_or(0.0), error_s); };
    for (const record::Audit& launch : launches) {
        if (launch.header.clock.global) add(launch.header.clock.global->error_s);
        for (const record::ProblemRecord& problem : launch.problems) {
            if (problem.window) add(problem.window->clock_error_s);
        }
    }
    return worst_s;
}

}  // namespace mpiaudit
