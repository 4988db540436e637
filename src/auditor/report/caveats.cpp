// SPDX-License-Identifier: BSD-3-Clause
#include "report/caveats.h"

#include <algorithm>

#include "report/overview_rows.h"

namespace mpiaudit {
namespace {

/// Returns the time of the replacement over that of the operation; nothing unless both were
/// measured.
std::optional<double> ratio_of(const ReportedContestant& replacement,
                               const ReportedContestant& operation, judge::Criterion criterion) {
    if (!replacement.statistics || !operation.statistics) return std::nullopt;
    const double operation_s = compared(*operation.statistics, criterion);
    if (operation_s <= 0.0) return std::nullopt;
    return compared(*replacement.statistics, criterion) / operation_s;
}

bool is_worse(const Caveat& one, const Caveat& other) {
    return std::pair(one.is_wrong, one.factor.value_or(0.0)) >
           std::pair(other.is_wrong, other.factor.value_or(0.0));
}

}  // namespace

bool is_wrong(const record::ContestantDescription& way) {
    return way.wrong || way.known_to_fail ||
           record::is_skipped_by(ReasonKind::fails_in_simulation, way.skipped);
}

WaySet wrong_ways(std::span<const record::Audit> launches) {
    WaySet ways;
    for (const record::Audit& launch : launches)
        for (const record::ProblemRecord& problem : launch.problems)
            for (const record::Contestant& each : problem.contestants)
                if (is_wrong(each)) ways.emplace(each.name, each.from, each.to);
    return ways;
}

bool contains(const WaySet& ways, const record::ContestantDescription& way) {
    return ways.contains({way.name, way.from, way.to});
}

Ways::Ways(const Report& report) : report_{report} {
    for (const ReportedProblem& problem : report.problems)
        for (const ReportedContestant& each : problem.contestants)
            places_[{each.name, each.from, each.to}].emplace_back(&problem, &each);
}

std::vector<Caveat> Ways::caveats_of(const JudgedCheck& check, const WayName& replacement) const {
    const auto found = places_.find({replacement, check.from, check.to});
    const auto operation = places_.find({check.left, check.from, check.to});
    if (found == places_.end() || operation == places_.end()) return {};
    std::map<const ReportedProblem*, const ReportedContestant*> operations(
        operation->second.begin(), operation->second.end());
    std::map<std::string_view, Caveat> worst;  // by distribution
    for (const auto& [problem, way] : found->second) {
        Caveat caveat{.is_wrong = is_wrong(*way), .problem = problem->problem.id, .factor = {}};
        const auto own = operations.find(problem);
        if (!caveat.is_wrong && own != operations.end())
            caveat.factor = ratio_of(*way, *own->second, report_.header.rule.criterion);
        if (!caveat.is_wrong && caveat.factor.value_or(0.0) <= clear_ratio) continue;
        const auto [known, is_new] = worst.try_emplace(problem->problem.distribution, caveat);
        if (!is_new && is_worse(caveat, known->second)) known->second = caveat;
    }
    std::vector<Caveat> caveats;
    for (const auto& [distribution, caveat] : worst) caveats.push_back(caveat);
    std::ranges::stable_sort(caveats, is_worse);
    return caveats;
}

/// Returns "on two-blocks at 8 B", or for the blocks of the check's problem "at 8 B".
}  // namespace mpiaudit
