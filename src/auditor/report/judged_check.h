// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "report/caveats.h"
#include "report/report.h"

namespace mpiaudit {

/// A check as one launch measured it.
struct MeasuredCheck {
    const record::ProblemRecord* problem;
    const record::Check* check;
    std::uint64_t order_seed;
    int checks;  ///< the number of checks by which the launch divided alpha
    int launch;  ///< number of the launch, counted from 1
    bool is_confirmation = false;
};

/// Judges a check, without its advice and the command that reproduces the check. If several
/// launches measured the check, judges over all of them; `launches` of the result keep the verdict
/// of each launch. If only one of several audits measured the check, skips it: no launch confirms
/// the check.
/// \param launches at least one, all of the same check
JudgedCheck judged_check(std::span<const MeasuredCheck> launches, const judge::Rule& rule);

/// Returns for each contestant how many guidelines lead to it from `left`: 1 for right sides of
/// checks of `left`, 2 for right sides of checks of these, 0 if no guideline leads to it. A
/// contestant that is only a left side (a call in place, which copies less) does less than `left`
/// and has 0.
std::vector<int> steps_to(const record::ProblemRecord& problem, std::size_t left);

/// Returns the remedy of a violated check: the fastest way on its problem to which guidelines lead
/// from its left side, of the ways that all launches of the check have measured and that a program
/// may call (is_offered_as_replacement()) and that gave no wrong result on any problem. Half of the
/// rounds of the first launch choose the way: of ways that differ by at most `negligible`, a
/// setting of the library if there is one, else one of the fewest steps, and of these the fastest.
/// The numbers of the remedy come from the other launches or, in a single launch, from the other
/// half of the rounds, so that the best of many noisy ways shows no more than its true ratio.
///
/// The evidence of all launches must show that the remedy is faster than the left side, at the
/// level of a verdict, whatever the rule of the report. Returns nothing if a way that was faster by
/// more than `negligible` lacks this evidence. A way that other launches refute is left out.
/// \param launches that measured the check, as for judged_check()
/// \param judged the check, violated
/// \param wrong wrong_ways() of the audit
std::optional<Remedy> find_remedy(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                  const JudgedCheck& judged, const WaySet& wrong);

/// Times that differ by at most this factor count as equal.
inline constexpr double negligible = 1.05;

}  // namespace mpiaudit
