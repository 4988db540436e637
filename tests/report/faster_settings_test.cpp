// SPDX-License-Identifier: BSD-3-Clause
#include "answer/answer.h"
#include "report/findings.h"
#include "report/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/judged_audit.h"
#include "report/small_audit.h"
#include "screens/console.h"

namespace mpiaudit {
namespace {

using record::Contestant;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Choices, TheLibrarysOwnChoiceIsThePlainCallOnTheProblemItself) {
    ReportedProblem problem;
    problem.problem.id = "same/b=1";
    const auto add = [&](const char* name, double median_s, bool forced) {
        ReportedContestant& made = problem.contestants.emplace_back();
        made.name = name;
        made.forced = forced;
        made.steps = {{"MPI_Bcast: rooted -> replicated"}};
        made.statistics.emplace().median = median_s;
    };
    add("MPI_Bcast(m)", 2e-6, false);
    add("MPI_Bcast[linear](m)", 3e-6, true);
    add("MPI_Bcast(m+k)", 4e-6, false);
    add("2 MPI_Bcast(m/2)", 5e-6, false);
    add("MPI_Ibcast(m) + MPI_Wait", 6e-6, false);
    const std::vector<Choice> found = choices({problem});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].median_s, 2e-6);
    EXPECT_EQ(found[0].rank, 1U);
    ASSERT_EQ(found[0].algorithms.size(), 1U);
    EXPECT_EQ(found[0].algorithms[0].name, "linear");
    add("MPI_Ibcast[knomial](m) + MPI_Wait", 7e-6, true);
    const std::vector<Choice> both = choices({problem});
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[1].operation, "MPI_Ibcast");
    EXPECT_EQ(both[1].median_s, 6e-6);
    EXPECT_EQ(both[1].algorithms[0].name, "knomial");
}

/// An audit of two sizes: the algorithm is twice as fast as the library's choice at the first size
/// and takes `large_s` at the second one, where the choice takes 4 us.
record::Audit audit_of_algorithms(double large_s, std::uint64_t order_seed) {
    const auto problem = [](const char* distribution, double own_s, double forced_s) {
        Contestant forced = contestant("MPI_Gather[linear_nb](m)", 30, forced_s);
        forced.forced = true;
        forced.steps = {{"MPI_Gather[linear_nb]: scattered -> rooted"}};
        Contestant own = contestant("MPI_Gather(m)", 30, own_s);
        own.steps = {{"MPI_Gather: scattered -> rooted"}};
        return problem_record(distribution, {own, forced});
    };
    record::Audit made = audit({problem("same", 2e-6, 1e-6), problem("spikes", 4e-6, large_s)});
    record::Implementation& known = made.header.implementations.emplace_back();
    known.name = "MPI_Gather[linear_nb]";
    known.written_as = "OMPI_MCA_coll_tuned_gather_algorithm=3";
    set_option(made.header.options, "order-seed", order_seed);
    return made;
}

TEST(FasterSettings, AreThoseThatAnotherLaunchConfirms) {
    const auto report_with = [](std::vector<record::Audit> launches) {
        Report report;
        add_settings_of(make_report(launches), report);
        return report;
    };
    const Report once = report_with({audit_of_algorithms(4e-6, 1)});
    EXPECT_THAT(once.compared_operations, ElementsAre("MPI_Gather"));
    EXPECT_THAT(once.faster_settings, testing::IsEmpty());
    EXPECT_THAT(faster_settings_in_words(once),
                ElementsAre("No other algorithm of the library was faster for MPI_Gather"));
    const Report twice = report_with({audit_of_algorithms(4e-6, 1), audit_of_algorithms(4e-6, 2)});
    ASSERT_EQ(twice.faster_settings.size(), 1U);
    EXPECT_EQ(twice.faster_settings[0].variables, "OMPI_MCA_coll_tuned_gather_algorithm=3");
    EXPECT_EQ(twice.faster_settings[0].family, "linear, nonblocking");
    EXPECT_EQ(twice.faster_settings[0].launches, 2U);
    EXPECT_EQ(in_words(twice.faster_settings[0]),
              "MPI_Gather 2.00 times as fast at 40 B: linear_nb (linear, nonblocking)");
    const Report mixed = report_with({audit_of_algorithms(6e-6, 1), audit_of_algorithms(6e-6, 2)});
    ASSERT_EQ(mixed.faster_settings.size(), 1U);
    EXPECT_THAT(in_words(mixed.faster_settings[0]),
                HasSubstr("; slower at 40 B, up to 1.50 times as long"));
}

}  // namespace
}  // namespace mpiaudit
