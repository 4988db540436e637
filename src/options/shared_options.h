// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// What the rows of options have in common that more than one command has.
namespace mpiaudit::shared {

inline constexpr const char* of_verdicts = "Verdicts";

inline constexpr const char* length_help =
    "Most operations on the right side of derived guidelines";
inline constexpr const char* clock_help = "Clock: MPI_Wtime or CLOCK_MONOTONIC";
inline constexpr const char* judge_help =
    "What decides: evidence bounds the probability of a wrong verdict, averages and minima are the "
    "plain comparisons of the papers";
inline constexpr const char* outliers_help =
    "What averages, intervals and deviations leave out: samples beyond either of Tukey's fences, "
    "beyond the upper one, or none";
inline constexpr const char* fail_on_help = "Exit with 1 when a guideline is violated";
inline constexpr const char* color_help = "Mark violations in colour";

inline std::vector<std::string> criterion_names() {
    return {"evidence", "averages", "minima"};
}
inline std::vector<std::string> outliers_names() {
    return {"two-sided", "upper", "none"};
}
inline std::vector<std::string> when_names() {
    return {"auto", "always", "never"};
}
inline std::vector<std::string> failure_names() {
    return {"never", "violation"};
}

}  // namespace mpiaudit::shared
