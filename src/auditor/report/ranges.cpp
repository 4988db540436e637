// SPDX-License-Identifier: BSD-3-Clause
// Ranges of violated sizes: ranges_of() is declared in report/findings.h.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "judge/ranges.h"
#include "report/findings.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// An operation on one problem, with its worst violation if there is one.
struct Found {
    const record::ProblemDescription* problem;
    const JudgedCheck* worst = nullptr;
    bool holds = false;
};

/// Operations by distribution, then by size.
using DistributionAndOperation = std::pair<std::string, std::string>;
std::map<DistributionAndOperation, std::map<std::int64_t, Found>> found_in(const Report& report) {
    std::map<std::string_view, const record::ProblemDescription*> problems;
    for (const ReportedProblem& each : report.problems)
        problems.emplace(each.problem.id, &each.problem);
    std::map<DistributionAndOperation, std::map<std::int64_t, Found>> all;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind == CheckKind::remark) continue;
        if (!check.is_violation() && check.verdict != judge::Verdict::holds) continue;
        const record::ProblemDescription* problem = problems.at(check.problem);
        const DistributionAndOperation kind{problem->distribution, check.left.way().operations()};
        Found& found = all[kind].try_emplace(problem->block_size, Found{problem}).first->second;
        if (!check.is_violation())
            found.holds = true;
        else if (found.worst == nullptr || severity(check) > severity(*found.worst))
            found.worst = &check;
    }
    return all;
}

void add_ranges(const std::string& operation, const std::map<std::int64_t, Found>& sizes,
                std::vector<ViolatedRange>& all) {
    std::vector<const Found*> found;
    std::vector<judge::AtSize> at;
    for (const auto& [block_size, each] : sizes) {
        found.push_back(&each);
        at.push_back({static_cast<double>(block_size), each.worst != nullptr,
                      each.worst != nullptr ? severity(*each.worst) : 1.0});
    }
    for (const judge::Range& range : judge::violated_ranges(at)) {
        ViolatedRange& made = all.emplace_back();
        made.operation = operation;
        made.distribution = found[range.first]->problem->distribution;
        made.first = found[range.first]->problem->id;
        made.last = found[range.last]->problem->id;
        if (range.first > 0) made.below = found[range.first - 1]->problem->id;
        if (range.last + 1 < found.size()) made.above = found[range.last + 1]->problem->id;
        made.sizes = range.last - range.first + 1;
        const JudgedCheck& worst = *found[range.worst]->worst;
        made.guideline = worst.guideline;
        made.problem = worst.problem;
        made.factor = severity(worst);
        made.instead = worst.remedy ? worst.remedy->contestant : worst.right;
        for (std::size_t i = range.first; i <= range.last; ++i) {
            const JudgedCheck& check = *found[i]->worst;
            if (check.remedy) made.saved_s = std::max(made.saved_s, check.remedy->saved_s);
        }
    }
}

}  // namespace

std::vector<ViolatedRange> ranges_of(const Report& report) {
    std::vector<ViolatedRange> all;
    for (const auto& [kind, sizes] : found_in(report)) add_ranges(kind.second, sizes, all);
    std::ranges::stable_sort(all, std::ranges::greater{}, &ViolatedRange::factor);
    return all;
}

}  // namespace mpiaudit
