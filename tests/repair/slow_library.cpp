// SPDX-License-Identifier: BSD-3-Clause
#include "repair/slow_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace mpiaudit::repair {
namespace {

constexpr double library_s = 1e-3;

ReportedContestant contestant(const std::string& name, double median_s) {
    ReportedContestant made;
    made.name = name;
    made.forced = name.find('[') != name.npos;
    made.statistics = judge::Summary{};
    made.statistics->median = median_s;
    return made;
}

}  // namespace

SlowLibrary::SlowLibrary() {
    report.is_complete = true;
    report.header.mpi.library = "Open MPI v4.1.4, package: x\nanother line";
    report.header.machine.ranks = 4;
    report.header.machine.hosts.resize(2);
    report.header.machine.hosts[0].ranks = {0, 1, 2};
    report.header.machine.hosts[1].ranks = {3};
    for (const auto& [name, number] :
         {std::pair{"linear", 1}, {"nonoverlapping", 2}, {"ring", 4}, {"two_proc", 9}}) {
        for (const std::string operation : {"Allreduce", "Bcast", "Gather"}) {
            record::Implementation made;
            made.name = fmt::format("MPI_{}[{}]", operation, name);
            std::string lower = operation;
            lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
            made.written_as = fmt::format(
                "OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
                "OMPI_MCA_coll_tuned_{}_algorithm={}",
                lower, number);
            report.header.implementations.push_back(made);
        }
    }
}

std::string SlowLibrary::add(const Size& size,
                             const std::vector<std::pair<std::string, double>>& ways) {
    ReportedProblem problem;
    record::ProblemDescription& is = problem.problem;
    is.distribution = fmt::format("{}-x", report.problems.size() + 1);
    is.id = is.distribution + "/b=1";
    is.ranks = 4;
    is.root = size.root;
    is.element = size.element;
    is.element_bytes = size.element == "double" ? 8 : 4;
    is.op = size.op;
    is.total = std::accumulate(size.counts.begin(), size.counts.end(), std::int64_t{0});
    is.smallest = *std::ranges::min_element(size.counts);
    is.largest = *std::ranges::max_element(size.counts);
    record::DistributionRecord distribution;
    distribution.name = is.distribution;
    distribution.counts = size.counts;
    report.header.distributions.push_back(distribution);
    const std::string call = size.collective + "(m)";
    problem.contestants = {contestant(call, library_s)};
    for (const auto& [name, factor] : ways) {
        problem.contestants.push_back(contestant(name, library_s / factor));
        JudgedCheck check;
        check.guideline = call + "<=" + name;
        check.problem = is.id;
        check.left = call;
        check.right = name;
        check.verdict = factor > 1.05 ? judge::Verdict::violated : judge::Verdict::holds;
        check.samples.emplace();
        check.samples->judgement.verdict = check.verdict;
        check.samples->judgement.left.median = library_s;
        check.samples->judgement.factor = factor;
        check.samples->judgement.ratio = {factor, factor, factor, 0.96};
        check.launches.resize(7);
        report.checks.push_back(check);
    }
    report.problems.push_back(problem);
    return is.id;
}

}  // namespace mpiaudit::repair
