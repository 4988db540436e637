// SPDX-License-Identifier: BSD-3-Clause
#include "audit/confirmation.h"

#include <gmock/gmock.h>

#include "repair/slow_library.h"

namespace mpiaudit {
namespace {

using repair::SlowLibrary;
using testing::ElementsAre;
using testing::IsEmpty;

SlowLibrary::Size vector_of(const std::string& collective, std::int64_t elements) {
    return {.collective = collective, .counts = {elements, 0, 0, 0}};
}

std::vector<std::string> left(const SlowLibrary& library, int wanted) {
    Report audit = library.report;
    for (JudgedCheck& each : audit.checks) each.launches.clear();
    std::vector<std::string> checks;
    for (const LeftToConfirm& each : left_to_confirm(audit, library.report, wanted))
        checks.push_back(each.check.problem + " " + each.check.guideline);
    return checks;
}

/// Makes the problems those of an application, each with its number of calls.
void call(SlowLibrary& library, const std::vector<int>& calls) {
    application::Selection& of = library.report.header.application.emplace();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        application::SelectedProblem problem;
        problem.name = library.report.problems[i].problem.distribution;
        const std::string& name = library.report.problems[i].contestants[0].name;
        problem.collective = name.substr(0, name.find('('));
        problem.calls = calls[i];
        problem.seconds = 1000;
        of.problems.push_back(problem);
    }
}

TEST(LeftToConfirm, ViolationsOfFewerLaunchesThatNoLaunchContradicts) {
    SlowLibrary library;  // with 7 launches
    library.add(vector_of("MPI_Bcast", 10), {{"linear_Bcast(m)", 2.0}, {"ring_Bcast(m)", 1.0}});
    EXPECT_THAT(left(library, 7), IsEmpty());
    EXPECT_THAT(left(library, 8), ElementsAre("1-x/b=1 MPI_Bcast(m)<=linear_Bcast(m)"));
    library.report.checks[0].launches[3].samples.judgement.log_e_violated = -0.1;
    EXPECT_THAT(left(library, 8), IsEmpty());
    // The audit alone measured this check.
    library.report.checks[0].launches.clear();
    EXPECT_THAT(left(library, 1), IsEmpty());
    EXPECT_THAT(left(library, 2), ElementsAre("1-x/b=1 MPI_Bcast(m)<=linear_Bcast(m)"));
}

TEST(LeftToConfirm, TwoWaysOfEachUseThatSaveAnApplicationMost) {
    SlowLibrary library;
    const std::vector<std::pair<std::string, double>> ways = {
        {"linear_Bcast(m)", 2.0},
        {"binomial_Bcast(m)", 2.1},
        {"MPI_Scatterv(m) + MPI_Allgatherv(m)", 2.2},
        {"MPI_Bcast[ring](m)", 1.5}};
    library.add(vector_of("MPI_Bcast", 10), ways);
    library.add(vector_of("MPI_Bcast", 20), {{"linear_Bcast(m)", 8.0}});
    call(library, {10, 1000});
    EXPECT_THAT(left(library, 8),
                ElementsAre("2-x/b=1 MPI_Bcast(m)<=linear_Bcast(m)",
                            "1-x/b=1 MPI_Bcast(m)<=MPI_Scatterv(m) + MPI_Allgatherv(m)",
                            "1-x/b=1 MPI_Bcast(m)<=linear_Bcast(m)",
                            "1-x/b=1 MPI_Bcast(m)<=MPI_Bcast[ring](m)"));
}

}  // namespace
}  // namespace mpiaudit
