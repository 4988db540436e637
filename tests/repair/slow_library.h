// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit::repair {

/// An audit of a library on 4 ranks of two hosts, in 7 launches. Problems are added one by one.
struct SlowLibrary {
    Report report;

    SlowLibrary() {
        report.is_complete = true;
        report.header.mpi.library = "Open MPI v4.1.4, package: x\nanother line";
        report.header.machine.ranks = 4;
        report.header.machine.hosts.resize(2);
        report.header.machine.hosts[0].ranks = {0, 1, 2};
        report.header.machine.hosts[1].ranks = {3};
        for (const auto& [name, number] :
             {std::pair{"linear", 1}, {"nonoverlapping", 2}, {"ring", 4}, {"two_proc", 9}}) {
            for (const auto& [operation, lower] :
                 {std::pair{"Allreduce", "allreduce"}, {"Bcast", "bcast"}, {"Gather", "gather"}}) {
                record::Implementation& made = report.header.implementations.emplace_back();
                made.name = fmt::format("MPI_{}[{}]", operation, name);
                made.written_as = fmt::format(
                    "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_{}_algorithm={}",
                    lower, number);
            }
        }
    }

    struct Size {
        std::string collective;
        std::vector<std::int64_t> counts;
        std::string element = "int", op = "sum";
        int root = 0;
    };
    /// The ways take as long as the library divided by these factors; one above 1.05 is a
    /// violation. Returns the problem's id.
    std::string add(const Size& size, const std::vector<std::pair<std::string, double>>& ways) {
        constexpr double library_s = 1e-3;
        ReportedProblem& problem = report.problems.emplace_back();
        record::ProblemDescription& is = problem.problem;
        is.distribution = fmt::format("{}-x", report.problems.size());
        is.id = is.distribution + "/b=1";
        is.ranks = 4;
        is.root = size.root;
        is.element = size.element;
        is.element_bytes = size.element == "double" ? 8 : 4;
        is.op = size.op;
        is.total = std::accumulate(size.counts.begin(), size.counts.end(), std::int64_t{0});
        is.smallest = *std::ranges::min_element(size.counts);
        is.largest = *std::ranges::max_element(size.counts);
        record::DistributionRecord& distribution = report.header.distributions.emplace_back();
        distribution.name = is.distribution;
        distribution.counts = size.counts;
        const auto measure = [&](const std::string& name, double median_s) {
            ReportedContestant& made = problem.contestants.emplace_back();
            made.name = name;
            made.forced = name.find('[') != name.npos;
            made.statistics.emplace().median = median_s;
        };
        const std::string call = size.collective + "(m)";
        measure(call, library_s);
        for (const auto& [name, factor] : ways) {
            measure(name, library_s / factor);
            JudgedCheck& check = report.checks.emplace_back();
            check.guideline = call + "<=" + name;
            check.problem = is.id;
            check.left = call;
            check.right = name;
            check.verdict = factor > 1.05 ? judge::Verdict::violated : judge::Verdict::holds;
            judge::Judgement& judgement = check.samples.emplace().judgement;
            judgement.verdict = check.verdict;
            judgement.left.median = library_s;
            judgement.factor = factor;
            judgement.ratio = {factor, factor, factor, 0.96};
            check.launches.resize(7);
        }
        return is.id;
    }
};

}  // namespace mpiaudit::repair
