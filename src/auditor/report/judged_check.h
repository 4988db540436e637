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

/// What to do about a violated check: the fastest way on its problem to which guidelines lead from
/// its left side, of those that all launches of the check have measured and that a program may
/// call (is_offered_as_replacement()). The way is chosen on half of the rounds of the first launch:
/// of ways that differ by no more than `negligible` one of the fewest steps, and of these the
/// fastest. Its numbers are those of the other launches or, of one launch, of the other half of the
/// rounds, so that the best of many noisy ways shows no more than its true ratio.
///
/// The evidence of all launches has to show that it is faster than the left side, at the level of a
/// verdict, whatever the rule of the report. Nothing where a way that was faster by more than
/// `negligible` lacks that evidence; a way that other launches refute is left out.
/// \param launches that measured the check, as for judged_check()
/// \param judged the check, violated
std::optional<Remedy> find_remedy(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                  const JudgedCheck& judged, const record::Header& header);

/// Times that differ by no more than this factor are taken for the same.
inline constexpr double negligible = 1.05;

}  // namespace mpiaudit
