// SPDX-License-Identifier: BSD-3-Clause
// What a row advises: in words for every form of MPI, and with the problems where the advice is no
// good.
#include <gmock/gmock.h>

#include "answer/answer.h"
#include "answer/cures.h"
#include "catalogue/catalogue.h"
#include "files/files.h"
#include "files/shipped_files.h"
#include "guidelines/guideline.h"
#include "plan/inputs.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "report/report.h"
#include "report/small_audit.h"
#include "screens/report_json.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::size_t rounds_of_each = 30;

bool is_of_mpi(const Path& path) {
    return std::ranges::all_of(path.steps, [](const PathStep& step) {
        return step.arrow->form.is_of_mpi() || step.arrow->form.is_move();
    });
}

/// A new variant of the catalogue needs words in cures.cpp.
TEST(Cure, EveryVariantOfTheCatalogueHasWords) {
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind == Kind::chosen) continue;
        EXPECT_TRUE(!arrow.form.is_of_mpi() || has_words(arrow.form)) << arrow.name;
    }
}

/// The row of a violated guideline whose sides took 3 s and 1 s.
Report report_of_guideline(const Guideline& guideline) {
    record::ProblemRecord problem =
        problem_record("same", {contestant(guideline.inequality.left.name, rounds_of_each, 3.0),
                                contestant(guideline.inequality.right.name, rounds_of_each, 1.0)});
    for (record::Contestant& each : problem.contestants) {
        const bool is_left = &each == &problem.contestants.front();
        const Path& path = is_left ? guideline.inequality.left : guideline.inequality.right;
        for (const PathStep& step : path.steps)
            each.steps.emplace_back(std::string(step.arrow->name), "scattered", "rooted");
    }
    return make_report(record::Audit{audit_header(), {problem}, {}, {}}, {});
}

TEST(Cure, NoRowSaysThatNoCallHelpsBesideACallThatHelps) {
    std::size_t found = 0;
    for (const std::string& name : shipped_names("guidelines")) {
        if (name == "controls") continue;  // both sides are one operation
        for (const Guideline& each :
             parse_guidelines(read_file(shipped_file("guidelines", name)), name)) {
            if (!is_of_mpi(each.inequality.left) || !is_of_mpi(each.inequality.right)) continue;
            ++found;
            const Report report = report_of_guideline(each);
            const OverviewRow& row = report.overview.at(0);
            EXPECT_THAT(rows_in_words(report).at(0).instead, Not(HasSubstr("no MPI call helps")))
                << each.statement;
            // Such ways put blocks elsewhere.
            const bool is_reported = !leaves_blocks_in_place(parse_way(each.inequality.right.name));
            EXPECT_EQ(row.kind == AdviceKind::report, is_reported) << each.statement;
        }
    }
    EXPECT_GT(found, 300U);
}

std::string cure_of(const char* left, const char* right) {
    return cure(parse_way(left), parse_way(right));
}

TEST(Cure, SaysWhatAProgramDoes) {
    EXPECT_EQ(cure_of("MPI_Iallreduce[computing](m) + MPI_Wait", "MPI_Allreduce[computing](m)"),
              "call MPI_Allreduce, then compute");
    EXPECT_EQ(cure_of("MPI_Reduce[in a row](m)", "MPI_Reduce[in a row with barriers](m)"),
              "MPI_Barrier between the calls");
    EXPECT_EQ(cure_of("MPI_Bcast[new buffers](m)", "MPI_Bcast[beside new buffers](m)"),
              "keep the buffers, and copy");
    EXPECT_EQ(cure_of("MPI_Bcast[new communicator](m)", "MPI_Bcast[beside a new communicator](m)"),
              "keep the communicator");
    EXPECT_EQ(cure_of("MPI_Gather[in place](m)", "MPI_Gather(m)"),
              "MPI_Gather without MPI_IN_PLACE");
    EXPECT_EQ(cure_of("MPI_Scan[order kept](m)", "MPI_Scan[user function](m)"),
              "MPI_Op_create with commute = 1");
    EXPECT_EQ(cure_of("MPI_Gather(m)", "MPI_Gather_init[once](m)"),
              "MPI_Gather_init, MPI_Start, MPI_Wait, MPI_Request_free");
    EXPECT_EQ(cure_of("MPI_Reduce(m)", "MPI_Reduce(m+k)"), "pad the data to the next larger size");
    EXPECT_EQ(cure_of("MPI_Gather[sent as one type](m)", "MPI_Gather(m)"),
              "send a number of elements");
    EXPECT_EQ(cure_of("MPI_Igather(m) + MPI_Wait", "MPI_Gather(m)"), "MPI_Gather");
}

/// A problem on which MPI_Alltoallv takes 3 s, an algorithm 0.5 s and a padded MPI_Alltoall 2 s.
record::ProblemRecord problem_with_reference() {
    const std::string padded = "MPI_Allreduce(1) + MPI_Alltoall(m')";
    record::ProblemRecord problem =
        problem_record("same", {contestant("MPI_Alltoallv(m)", rounds_of_each, 3.0),
                                contestant("linear_Alltoallv(m)", rounds_of_each, 0.5),
                                contestant("MPI_Alltoallv(m) #2", rounds_of_each, 3.0),
                                contestant(padded, rounds_of_each, 2.0)});
    problem.contestants[1].steps = {{"linear_Alltoallv", "outgoing", "incoming"}};
    problem.checks = {{"g0", 0, 1}, {"g1", 0, 3}};
    return problem;
}

TEST(Advice, ARowThatIsReportedNamesTheCallThatHelps) {
    record::ProblemRecord problem = problem_with_reference();
    problem.contestants[1].samples_s = times(rounds_of_each, 0.5);
    // The padded way is clearly slower than the algorithm.
    Report report = make_report(record::Audit{audit_header(), {problem}, {}, {}}, {});
    for (JudgedCheck& check : report.checks) check.remedy.reset();
    report.checks[1].samples->judgement.factor = 1.1;  // no clear ratio: the row shows the other
    report.overview = overview_rows(report);
    EXPECT_EQ(report.overview.at(0).kind, AdviceKind::report);
    EXPECT_EQ(rows_in_words(report).at(0).instead,
              "report it (mpiaudit reproduce); faster: linear; 1.10 times as fast: "
              "MPI_Allreduce(1) + MPI_Alltoall(m')");
}

/// MPI_Alltoallv takes 3 s on equal blocks and on two blocks; a padded MPI_Alltoall takes 1 s, and
/// `elsewhere_s` on two blocks.
record::Audit audit_of_padding(double elsewhere_s) {
    const char* const padded = "MPI_Allreduce(1) + MPI_Alltoall(m')";
    const auto problem = [&](const char* distribution, double padded_s) {
        return problem_record(distribution, {contestant("MPI_Alltoallv(m)", rounds_of_each, 3.0),
                                             contestant(padded, rounds_of_each, padded_s)});
    };
    record::Audit audit{
        audit_header(), {problem("same", 1.0), problem("spikes", elsewhere_s)}, {}, {}};
    audit.problems[1].problem.smallest = 0;
    audit.problems[1].problem.largest = 40;
    return audit;
}

TEST(Advice, APathThatIsSlowOnOtherBlocksHasACaveat) {
    const Report report = make_report(audit_of_padding(27.0), {});
    const OverviewRow& row = report.overview.at(0);
    EXPECT_EQ(row.kind, AdviceKind::calls);
    EXPECT_EQ(rows_in_words(report).at(0).caveat,
              "blocks of equal size only: 9.00 times as long on spikes at 40 B");
    ASSERT_EQ(row.caveats.size(), 1U);
    EXPECT_EQ(row.caveats[0].problem, "spikes/b=10");
    EXPECT_EQ(row.caveats[0].factor, 9.0);
    EXPECT_EQ(checks_in_words(report).at(0).caveat, rows_in_words(report).at(0).caveat);
    EXPECT_THAT(report_json(report), HasSubstr(R"("caveat":"blocks of equal size only: 9.00)"));
    EXPECT_THAT(make_report(audit_of_padding(3.5), {}).overview.at(0).caveats, IsEmpty());
}

TEST(Advice, APathIsSlowAtAnotherSize) {
    record::Audit audit = audit_of_padding(27.0);
    record::ProblemDescription& other = audit.problems[1].problem;
    other = audit.problems[0].problem;
    other.id = "same/b=1";
    other.block_size = 1;
    other.total = 4;
    EXPECT_EQ(rows_in_words(make_report(audit, {})).at(0).caveat, "9.00 times as long at 4 B");
}

TEST(Advice, APathWithWrongResultsIsReportedAndNotAdvised) {
    record::Audit audit = audit_of_padding(1.0);
    record::Contestant& padded = audit.problems[1].contestants[1];
    padded.samples_s.clear();
    padded.wrong = Fault{{}, "element 0 is 5, not 7"};
    const Report report = make_report(audit, {});
    EXPECT_FALSE(report.checks[0].remedy);
    const OverviewRow& row = report.overview.at(0);
    EXPECT_EQ(row.kind, AdviceKind::report);
    EXPECT_EQ(rows_in_words(report).at(0).code, "");
    EXPECT_EQ(rows_in_words(report).at(0).instead,
              "report it; MPI_Allreduce(1) + MPI_Alltoall(m') is faster");
    EXPECT_EQ(rows_in_words(report).at(0).caveat, "wrong results on spikes: see WRONG");
    // A right way takes the place of the wrong one, though it is slower.
    for (record::ProblemRecord& problem : audit.problems) {
        problem.contestants.push_back(contestant("MPI_Alltoallw(m)", rounds_of_each, 1.5));
        problem.checks.push_back({"g1", 0, 2});
    }
    const Report better = make_report(audit, {});
    EXPECT_EQ(better.checks[0].remedy->contestant, "MPI_Alltoallw(m)");
    EXPECT_EQ(better.overview.at(0).contestant, "MPI_Alltoallw(m)");
}

TEST(OverviewRow, TheTimesOfARowAgreeWithItsRatio) {
    record::ProblemRecord problem =
        problem_record("same", {contestant("MPI_Gather(m)", rounds_of_each, 3.0),
                                contestant("MPI_Allgather(m)", rounds_of_each, 2.0),
                                contestant("MPI_Gatherv(m)", rounds_of_each, 1.0)});
    problem.checks.push_back({"g1", 1, 2});
    record::ProblemRecord slower = problem;  // the launch had another pace
    for (record::Contestant& each : slower.contestants)
        for (double& sample_s : each.samples_s) sample_s *= 4;
    slower.contestants[2].samples_s = times(rounds_of_each, 5.0);
    std::vector<record::Audit> launches{{audit_header(), {problem}, {}, {}},
                                        {audit_header(), {slower}, {}, {}}};
    set_option(launches[1].header.options, "order-seed", std::uint64_t{9});
    const OverviewRow row = make_report(launches, {}).overview.at(0);
    // All numbers are of the second launch: the first one has chosen the remedy.
    EXPECT_DOUBLE_EQ(row.takes_s, 12.0);
    EXPECT_DOUBLE_EQ(row.factor.value_or(0), 2.4);
    EXPECT_DOUBLE_EQ(row.instead_s.value_or(0), 5.0);
    EXPECT_DOUBLE_EQ(row.lost_s, 7.0);
    const auto way = [&](const char* name) {
        return find_in(row.ways, name, &OverviewRow::Way::contestant)->time_s;
    };
    EXPECT_DOUBLE_EQ(way("MPI_Gather(m)"), row.takes_s);
    EXPECT_DOUBLE_EQ(way("MPI_Gatherv(m)"), *row.instead_s);
    EXPECT_DOUBLE_EQ(way("MPI_Allgather(m)"), 8.0);
}

TEST(OverviewRow, ACommunicatorHasTheFunctionThatMakesItFaster) {
    const auto report_with = [](const char* right) {
        const record::ProblemRecord problem =
            problem_record("same", {contestant("MPI_Comm_create", rounds_of_each, 4.0),
                                    contestant(right, rounds_of_each, 1.0)});
        return make_report(record::Audit{audit_header(), {problem}, {}, {}}, {});
    };
    const Report report = report_with("MPI_Comm_split");
    const OverviewRow& row = report.overview.at(0);
    EXPECT_EQ(row.kind, AdviceKind::communicator);
    EXPECT_EQ(rows_in_words(report).at(0).instead, "keep the communicator, or MPI_Comm_split");
    EXPECT_FALSE(row.factor);
    EXPECT_EQ(row.contestant, "MPI_Comm_split");
    EXPECT_DOUBLE_EQ(row.takes_s, 4.0);
    EXPECT_DOUBLE_EQ(row.lost_s, 3.0);
    EXPECT_DOUBLE_EQ(row.instead_s.value_or(0), 1.0);
    EXPECT_FALSE(report_with("MPI_Comm_dup[by MPI_Allreduce]").overview.at(0).instead_s);
}

}  // namespace
}  // namespace mpiaudit
