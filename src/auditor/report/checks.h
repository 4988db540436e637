// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "judge/verdict.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// The subject of a check. A verdict has an operation of the library, or a forced algorithm of the
/// library, on the left side. A remark has a reference algorithm of mpiaudit on the left side: it
/// accuses nobody, is counted apart and fails no gate.
enum class CheckKind { verdict, remark };
inline constexpr judge::Names<CheckKind, 2> kind_names{
    {{{CheckKind::verdict, "verdict"}, {CheckKind::remark, "remark"}}}};

/// The judgement on the samples of both sides of a check, and the bounds for its evidence.
struct JudgedSamples {
    judge::Judgement judgement;
    double bound_violated = 0, bound_holds = 0;  ///< natural logarithms
    bool is_paired = true;                       ///< as judge::Rule::is_paired

    /// Returns false for ratios to a time of zero, which a coarse clock measures; a warning tells
    /// of such a clock.
    bool has_ratio() const {
        return std::isfinite(judgement.factor) && std::isfinite(judgement.ratio.median) &&
               std::isfinite(judgement.ratio.high);
    }
};

/// A check as one of several launches judges it alone.
struct JudgedLaunch {
    int launch = 0;  ///< place in Report::launches, counted from 1
    JudgedSamples samples;
};

/// The way to call instead of the left side of a violated check. The numbers come from rounds with
/// both sides, and from other samples than those that chose this way among all ways.
struct Remedy {
    std::string contestant;  ///< the fastest way to which guidelines lead
    double factor = 1;       ///< median ratio of the left side's time over this way's
    double saved_s = 0;      ///< seconds per call: left_s (1 - 1 / factor)
    double left_s = 0;       ///< median of the left side, seconds
    double instead_s = 0;    ///< median of this way, seconds
    /// The interval of the factor. Rows of the overview show the interval.
    std::optional<judge::MedianInterval> interval = {};
};

struct JudgedCheck {
    CheckKind kind = CheckKind::verdict;
    std::string guideline, problem;  ///< ids
    WayName left, right;             ///< names of contestants
    /// The layouts between which both sides and the remedy run. A name may stand for several
    /// contestants of a problem: for an allgather as it is, and for an allgather as a gather.
    std::string from, to;
    judge::Verdict verdict = judge::Verdict::skipped;
    std::optional<Reason> reason;  ///< why the check is skipped or undecided
    /// The left side is slower only because of the calls that ran before; the verdict is undecided.
    bool depends_on_order = false;
    /// of all launches that measured the check; none if skipped
    std::optional<JudgedSamples> samples;
    std::vector<JudgedLaunch> launches;  ///< empty if one launch measured the check
    bool launches_disagree = false;
    /// The check is violated by a rule that bounds no error, and the evidence does not confirm the
    /// violation. One disturbed sample may be the cause, so the check has no advice.
    bool lacks_evidence = false;
    std::optional<JudgedSamples> young_heap;  ///< --heap both, if the heap changes a side
    /// Only for violated verdicts.
    std::optional<Remedy> remedy;

    std::string reason_in_words() const { return reason ? in_words(*reason) : ""; }
    /// Returns true for a violated verdict. A remark is no violation.
    bool is_violation() const {
        return kind == CheckKind::verdict && verdict == judge::Verdict::violated;
    }
};

}  // namespace mpiaudit
