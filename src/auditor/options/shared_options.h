// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "judge/verdict.h"

/// What the rows of options have in common that more than one command has.
namespace mpiaudit::shared {

inline constexpr const char* of_verdicts = "Verdicts";

inline constexpr const char* length_help =
    "Most operations on the right side of derived guidelines";
inline constexpr const char* clock_help = "Clock: MPI_Wtime or CLOCK_MONOTONIC";
inline constexpr const char* judge_help =
    "What decides: evidence bounds the probability of a wrong verdict, the others are rules of "
    "papers: "
    "averages and minima compare these, intervals those of the means, pgmpi the medians of "
    "several launches (Wilcoxon), with mpiaudit judge";
inline constexpr const char* outliers_help =
    "What averages, intervals and deviations leave out: samples beyond either of Tukey's fences, "
    "beyond the upper one, or none";
inline constexpr const char* fail_on_help =
    "Exit with 1 when the library violates a guideline, or only when its left side takes more than "
    "R times as long as the right one";
inline constexpr const char* fail_on_value = "never|violation|ratio>R";
inline constexpr const char* baseline_help =
    "Fail only for violations that this report (a file, or the folder of an audit) does not have; "
    "without --fail-on for each of these";
inline constexpr const char* junit_help = "Write the checks as JUnit XML, a test case for each";
inline constexpr const char* tables_help =
    "Print the tables of the papers below the answer, and the comparison with the linear model";
inline constexpr const char* color_help = "Mark violations in colour";

inline std::vector<std::string> criterion_names() {
    constexpr auto names = judge::criterion_names.all();
    return {names.begin(), names.end()};
}
inline std::vector<std::string> outliers_names() {
    constexpr auto names = judge::outliers_names.all();
    return {names.begin(), names.end()};
}
inline std::vector<std::string> when_names() {
    return {"auto", "always", "never"};
}

}  // namespace mpiaudit::shared
