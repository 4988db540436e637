// SPDX-License-Identifier: BSD-3-Clause
#include "repair/violations.h"

#include <algorithm>
#include <map>
#include <set>

#include "problem/element.h"
#include "report/judged_check.h"

namespace mpiaudit::repair {
namespace {

const application::SelectedProblem* selected(const Report& report, const std::string& name) {
    if (!report.header.application) return nullptr;
    const auto& problems = report.header.application->problems;
    const auto found = std::ranges::find(problems, name, &application::SelectedProblem::name);
    return found == problems.end() ? nullptr : &*found;
}

std::int64_t bytes_of(const std::string& collective, const record::ProblemDescription& problem) {
    const MpiOperation& operation = *find_collective(collective);
    const bool is_block =
        operation.known_size() == KnownSize::block && operation.shape != Shape::vector;
    return (is_block ? problem.largest : problem.total) * problem.element_bytes;
}

AuditedSize audited_size(const Report& report, const std::string& collective,
                         const ReportedProblem& problem) {
    const record::ProblemDescription& description = problem.problem;
    AuditedSize size{.problem = &problem, .bytes = bytes_of(collective, description)};
    if (const auto* const of_application = selected(report, description.distribution))
        size.calls = static_cast<double>(of_application->calls);
    return size;
}

/// Returns MPI_Gatherv for MPI_Gatherv(m); empty for ways that are no plain call.
std::string collective_of(const Way& way) {
    if (!way.is_one_call() || way.copy > 1) return "";
    const std::string name = way.only()->name();
    return find_collective(name) != nullptr ? name : "";
}

/// Returns the right side of a check if enough launches confirm that the right side is faster, and
/// if it is right and does the whole work; else nullopt.
std::optional<FasterWay> confirmed(const Report& report, const JudgedCheck& check,
                                   const ReportedProblem& problem, const Wishes& wishes) {
    const ReportedContestant* const way = contestant_of(check, check.right, problem);
    const std::size_t launches = std::max<std::size_t>(1, check.launches.size());
    if (!check.is_violation() || !check.samples->has_ratio() || way == nullptr || way->wrong ||
        !check.right.way().scale.is_whole() ||
        (launches < wishes.launches && !report.header.simulated))
        return std::nullopt;
    const judge::Judgement& judgement = check.samples->judgement;
    return FasterWay{check.right, way->forced,
                     judgement.left.median * (1 - 1 / judgement.ratio.median)};
}

/// Returns ranges of indices with equal bytes; sizes are sorted.
std::vector<std::pair<std::size_t, std::size_t>> steps_of(const std::vector<AuditedSize>& sizes) {
    std::vector<std::pair<std::size_t, std::size_t>> steps;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (!steps.empty() && sizes[steps.back().first].bytes == sizes[i].bytes)
            steps.back().second = i;
        else
            steps.emplace_back(i, i);
    }
    return steps;
}

/// Returns the ways that are wanted and faster on all sizes from `first` to `last`.
std::set<std::string> common_ways(const std::vector<AuditedSize>& sizes, std::size_t first,
                                  std::size_t last, const IsWanted& is_wanted) {
    std::set<std::string> common;
    for (std::size_t i = first; i <= last; ++i) {
        std::set<std::string> here;
        for (const FasterWay& way : sizes[i].faster) {
            if (is_wanted(sizes[i], way) && (i == first || common.contains(way.contestant)))
                here.insert(way.contestant);
        }
        common = std::move(here);
    }
    return common;
}

WinningRange best_range(const std::vector<AuditedSize>& sizes, std::size_t first, std::size_t last,
                        const std::set<std::string>& ways) {
    WinningRange best{first, last, {}, -1};
    for (const std::string& way : ways) {
        double saved_s = 0;
        for (std::size_t i = first; i <= last; ++i)
            saved_s += sizes[i].calls * sizes[i].find(way)->saved_s;
        if (saved_s > best.saved_s) best = {first, last, way, saved_s};
    }
    return best;
}

}  // namespace

const FasterWay* AuditedSize::find(const std::string& contestant) const {
    const auto found = std::ranges::find(faster, contestant, &FasterWay::contestant);
    return found == faster.end() ? nullptr : &*found;
}

const MpiOperation* find_collective(std::string_view name) {
    const MpiOperation* const found = find_mpi_operation(name);
    return found == nullptr || found->is_among_neighbours() ? nullptr : found;
}

bool is_left_out(const Report& report, const std::string& collective,
                 bool application::LeftOutProblem::*kind) {
    return report.header.application &&
           std::ranges::any_of(report.header.application->left_out, [&](const auto& each) {
               return each.*kind && each.collective == collective;
           });
}

std::vector<AuditedCollective> audited_collectives(const Report& report, const Wishes& wishes) {
    std::map<std::string, AuditedCollective> all;
    // Sizes by collective and problem.
    std::map<std::pair<std::string, std::string>, AuditedSize> sizes;
    for (const JudgedCheck& check : report.checks) {
        const std::string collective = collective_of(check.left.way());
        const ReportedProblem* const problem = find_problem(report, check.problem);
        if (collective.empty() || problem == nullptr || Element::has_gaps(problem->problem.element))
            continue;
        const auto [size, is_new] = sizes.try_emplace({collective, check.problem});
        if (is_new) size->second = audited_size(report, collective, *problem);
        if (const auto way = confirmed(report, check, *problem, wishes))
            size->second.faster.push_back(*way);
    }
    for (auto& [key, size] : sizes) {
        AuditedCollective& collective = all[key.first];
        collective.name = key.first;
        collective.sizes.push_back(std::move(size));
    }
    std::vector<AuditedCollective> listed;
    for (auto& [name, collective] : all) {
        std::ranges::stable_sort(collective.sizes, {}, &AuditedSize::bytes);
        listed.push_back(std::move(collective));
    }
    return listed;
}

std::vector<WinningRange> winning_ranges(const std::vector<AuditedSize>& sizes,
                                         const IsWanted& is_wanted) {
    const auto steps = steps_of(sizes);
    std::vector<WinningRange> ranges;
    for (std::size_t i = 0; i < steps.size();) {
        const std::size_t first = steps[i].first;
        std::size_t last = steps[i].second;
        std::set<std::string> ways = common_ways(sizes, first, last, is_wanted);
        ++i;
        if (ways.empty()) continue;
        for (; i < steps.size(); ++i) {
            std::set<std::string> longer = common_ways(sizes, first, steps[i].second, is_wanted);
            if (longer.empty()) break;
            ways = std::move(longer);
            last = steps[i].second;
        }
        ranges.push_back(best_range(sizes, first, last, ways));
    }
    return ranges;
}

}  // namespace mpiaudit::repair
