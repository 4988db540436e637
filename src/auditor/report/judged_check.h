// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// A check as one launch measured it.
struct MeasuredCheck {
    const record::ProblemRecord* problem;
    const record::Check* check;
    std::uint64_t order_seed;
    int checks;  ///< over how many checks the launch divided alpha
    int launch;  ///< its number, counted from 1
    bool is_confirmation = false;
};

/// The check of the report but for advice and the command that reproduces it. Measured in several
/// launches, it is judged over all of them, and its `launches` keep what each of them says alone.
/// If only one of several audits had time for it, it is skipped: no launch confirms that one.
/// \param launches at least one, all of the same check
JudgedCheck judged_check(std::span<const MeasuredCheck> launches, const judge::Rule& rule);

/// For each contestant how many guidelines lead to it from `left`: 1 for the right sides of its
/// checks, 2 for those of the checks of these, and so on; 0 where none do. Whoever is a left side
/// only (a call in place, which copies less) does not do what `left` does: it has 0.
std::vector<int> steps_to(const record::ProblemRecord& problem, std::size_t left);

/// What to do about a violated check: the fastest way on its problem to which guidelines
/// lead from its left side. It has to be faster than the left
/// side by the rule of the audit, at the level of a verdict and in all launches that measured both;
/// nothing where something else was faster by more than `negligible`, yet without that evidence.
/// Of ways that differ by less than that, one of the fewest steps, and of these the one with the
/// largest factor.
/// \param launches that measured the check, as for judged_check()
/// \param problem as reported: its medians are over all launches
std::optional<Remedy> find_remedy(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                  const ReportedProblem& problem, const record::Header& header);

/// Times that differ by no more than this factor are taken for the same.
inline constexpr double negligible = 1.05;

}  // namespace mpiaudit
