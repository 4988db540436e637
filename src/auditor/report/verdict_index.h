// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/caveats.h"
#include "report/overview_rows.h"

namespace mpiaudit {

/// The verdicts of a report by operation, and its problems by id.
struct VerdictIndex {
    explicit VerdictIndex(const Report& of) : report{of}, ways{of} {
        for (const ReportedProblem& each : report.problems)
            problems.emplace(each.problem.id, &each);
        for (const JudgedCheck& check : report.checks)
            if (check.kind == CheckKind::verdict)
                checks[check.left.way().operations()].push_back(&check);
    }

    const ReportedProblem& problem_of(const JudgedCheck& check) const {
        return *problems.at(check.problem);
    }

    /// Returns true if the replacement gave no wrong result on any problem of the audit.
    bool is_right(const Pair& pair) const {
        const std::vector<Caveat> caveats = ways.caveats_of(*pair.check, pair.contestant);
        return caveats.empty() || !caveats.front().is_wrong;
    }

    bool is_violated(const std::string& operation, const std::string& problem) const {
        return std::ranges::any_of(checks.at(operation), [&](const JudgedCheck* each) {
            return each->is_violation() && each->problem == problem;
        });
    }

    /// Returns the pair of a violated check. A replacement with wrong results is reported, and not
    /// advised.
    Pair advised(const JudgedCheck& check) const {
        Pair pair = pair_of(report, problem_of(check), check);
        const bool is_advised = pair.kind == AdviceKind::calls || pair.kind == AdviceKind::setting;
        if (!is_advised || is_right(pair)) return pair;
        pair.kind = AdviceKind::report;
        pair.is_offered = false;
        return pair;
    }

    const Report& report;
    Ways ways;
    std::map<std::string_view, const ReportedProblem*> problems;
    std::map<std::string, std::vector<const JudgedCheck*>> checks;
};

}  // namespace mpiaudit
