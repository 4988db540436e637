// SPDX-License-Identifier: BSD-3-Clause
#include "repair/repair.h"

#include <gmock/gmock.h>

#include "repair/found_settings.h"
#include "repair/selection.h"
#include "repair/slow_library.h"

namespace mpiaudit::repair {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Settings, ComeFromConfirmedViolationsOnly) {
    SlowLibrary library;
    library.add(vector_of("MPI_Bcast", 10), {{"MPI_Bcast[linear](m)", 2.0}});
    EXPECT_EQ(settings_of(library.report).size(), 1U);
    EXPECT_EQ(find_repairs(library.report, {}).confirmed, 1U);
    library.report.checks[0].launches.resize(6);
    EXPECT_THAT(settings_of(library.report), IsEmpty());
    EXPECT_EQ(settings_of(library.report, {.launches = 6}).size(), 1U);
    library.report.checks[0].kind = CheckKind::remark;
    EXPECT_THAT(settings_of(library.report, {.launches = 6}), IsEmpty());
}

TEST(Settings, EqualNumbersOfBytesAreNotToldApart) {
    SlowLibrary library;
    library.add(vector_of("MPI_Allreduce", 10), {{"MPI_Allreduce[linear](m)", 2.0}});
    library.add(
        {.collective = "MPI_Allreduce", .counts = {5, 0, 0, 0}, .element = "double", .op = "max"},
        {{"MPI_Allreduce[linear](m)", 0.5}});
    EXPECT_THAT(settings_of(library.report), IsEmpty());
}

TEST(Settings, ForceAnAlgorithmThatIsSlowerNowhere) {
    SlowLibrary library;
    const std::string first =
        library.add(vector_of("MPI_Allreduce", 10),
                    {{"MPI_Allreduce[nonoverlapping](m)", 2.0}, {"MPI_Allreduce[linear](m)", 3.0}});
    library.add(vector_of("MPI_Allreduce", 100),
                {{"MPI_Allreduce[nonoverlapping](m)", 1.0}, {"MPI_Allreduce[linear](m)", 0.5}});
    const Repairs repairs = find_repairs(library.report, {});
    ASSERT_EQ(repairs.settings.size(), 1U);
    const std::vector<Setting>& settings = repairs.settings[0];
    ASSERT_EQ(settings.size(), 2U);
    EXPECT_EQ(settings[0].collective, "MPI_Allreduce");
    EXPECT_THAT(settings[0].variables, ElementsAre("OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                                                   "OMPI_MCA_coll_tuned_allreduce_algorithm=2"));
    EXPECT_THAT(settings[0].problems, ElementsAre(first));
    // Otherwise a file of rules selects the algorithm, for this number of ranks and these bytes
    // only.
    EXPECT_EQ(tuned_rules_file({settings[0], settings[1]}),
              "1 # collectives\n2 # MPI_Allreduce\n3\n0 1\n0 0 0 0\n4 3 # ranks\n0 0 0 0\n"
              "40 1 0 0\n41 0 0 0\n5 1\n0 0 0 0\n");
}

TEST(Settings, HaveNoSizesThatOnlySomeRanksKnow) {
    SlowLibrary library;
    library.add({.collective = "MPI_Gather", .counts = {1, 1, 1, 1}},
                {{"MPI_Gather[linear](m)", 2.0}});
    EXPECT_EQ(settings_of(library.report).at(0).size(), 1U);
    library.add({.collective = "MPI_Gather", .counts = {9, 9, 9, 9}},
                {{"MPI_Gather[linear](m)", 0.5}});
    EXPECT_THAT(settings_of(library.report), IsEmpty());
    EXPECT_THAT(obstacles_of(library.report),
                HasSubstr("MPI_Gather: no setting: linear is slower or cannot run on 2-x/b=1"));
    // A setting that the audit is not sure of is tried.
    library.report.checks.back().samples->judgement.ratio.high = 0.96;
    EXPECT_EQ(settings_of(library.report).size(), 1U);
}

TEST(Settings, ReorderingNeedsCommutativeOperators) {
    SlowLibrary library;
    library.add(vector_of("MPI_Allreduce", 10), {{"MPI_Allreduce[ring](m)", 2.0}});
    EXPECT_THAT(settings_of(library.report), IsEmpty());
    EXPECT_THAT(obstacles_of(library.report), HasSubstr("--assume-commutative"));
    EXPECT_EQ(settings_of(library.report, {.assumes_commutative = true}).size(), 1U);
    // An application's operators are known.
    library.report.header.application.emplace();
    EXPECT_EQ(settings_of(library.report).size(), 1U);
    application::SelectedProblem affine;
    affine.collective = "MPI_Allreduce";
    affine.op = "user-affine";
    library.report.header.application->problems = {affine};
    EXPECT_THAT(settings_of(library.report), IsEmpty());
}

TEST(Settings, DoNotChangeWhatWasNotAudited) {
    SlowLibrary library;
    library.add(vector_of("MPI_Bcast", 10), {{"MPI_Bcast[linear](m)", 2.0}});
    application::LeftOutProblem& left_out =
        library.report.header.application.emplace().left_out.emplace_back();
    left_out = {.collective = "MPI_Bcast", .is_elsewhere = true};
    // The rules are for this number of ranks, for all bytes or for the audited bytes.
    const auto settings = settings_of(library.report);
    ASSERT_THAT(settings, ElementsAre(testing::SizeIs(2)));
    EXPECT_EQ(
        tuned_rules_file({settings[0][0]}),
        "1 # collectives\n7 # MPI_Bcast\n3\n0 1\n0 0 0 0\n4 1 # ranks\n0 1 0 0\n5 1\n0 0 0 0\n");
    EXPECT_THAT(settings[0][0].variables, IsEmpty());
    EXPECT_EQ(settings[0][0].algorithms, "linear on 4 ranks");
    EXPECT_THAT(tuned_rules_file({settings[0][1]}),
                HasSubstr("\n4 3 # ranks\n0 0 0 0\n40 1 0 0\n"));
    // No setting for this number of ranks either, since communicators of other ranks also have this
    // number.
    left_out.is_placed_otherwise = true;
    EXPECT_THAT(settings_of(library.report), IsEmpty());
    EXPECT_THAT(obstacles_of(library.report), HasSubstr("calls that were not audited"));
    left_out = {.collective = "MPI_Bcast", .is_here = true};
    const auto sized = settings_of(library.report);
    ASSERT_EQ(sized.size(), 1U);
    EXPECT_THAT(sized[0], ElementsAre(Field(&Setting::selected, testing::SizeIs(1))));
    EXPECT_EQ(sized[0][0].selected[0].to, 40);
}

TEST(Settings, SelectByRanksIfOtherNumbersOfRanksAreAudited) {
    SlowLibrary library;
    library.add({.collective = "MPI_Gather", .counts = {1, 1, 1, 1}},
                {{"MPI_Gather[linear](m)", 2.0}});
    EXPECT_EQ(settings_of(library.report).at(0).at(0).file, SelectionFile::none);
    const auto settings = settings_of(library.report, {.has_other_ranks = true});
    ASSERT_THAT(settings, ElementsAre(testing::SizeIs(1)));
    EXPECT_EQ(settings[0][0].file, SelectionFile::tuned_rules);
    EXPECT_EQ(settings[0][0].selected[0].from, 0);
    EXPECT_EQ(settings[0][0].selected[0].to, any_size);
    // A recorded application tells on how many ranks it calls the operation.
    library.report.header.application.emplace();
    EXPECT_EQ(settings_of(library.report, {.has_other_ranks = true}).at(0).at(0).file,
              SelectionFile::none);
    // A version whose rules nobody has tried.
    library.report.header.application.reset();
    library.report.header.mpi.library = "Open MPI v7.0.0";
    EXPECT_THAT(settings_of(library.report, {.has_other_ranks = true}), IsEmpty());
}

TEST(Settings, FileOfSeveralNumbersOfRanks) {
    const SelectedAlgorithm linear{.algorithm = "linear", .number = 1};
    using enum SelectionFile;
    EXPECT_EQ(tuned_rules_file({in_file(tuned_rules, "MPI_Scatter", 8, {linear}),
                                in_file(tuned_rules, "MPI_Bcast", 4, {{40, 400, "chain", 2}}),
                                {.collective = "MPI_Reduce", .ranks = 4},
                                in_file(tuned_rules, "MPI_Bcast", 3, {linear}),
                                in_file(tuned_rules, "MPI_Bcast", 7,
                                        {{8, 80, "chain", 2}, {81, 90, "linear", 1}})}),
              "2 # collectives\n"
              "7 # MPI_Bcast\n6\n0 1\n0 0 0 0\n3 1 # ranks\n0 1 0 0\n"
              "4 3 # ranks\n0 0 0 0\n40 2 0 0\n401 0 0 0\n5 1\n0 0 0 0\n"
              "7 4 # ranks\n0 0 0 0\n8 2 0 0\n81 1 0 0\n91 0 0 0\n8 1\n0 0 0 0\n"
              "15 # MPI_Scatter\n3\n0 1\n0 0 0 0\n8 1 # ranks\n0 1 0 0\n9 1\n0 0 0 0\n");
    EXPECT_EQ(tuned_rules_file({in_file(tuned_rules, "MPI_Reduce_scatter", 8, {linear}),
                                in_file(tuned_rules, "MPI_Bcast", 4, {{40, 400, "chain", 2}})},
                               "Open MPI v6.0.0rc2, package"),
              R"({"rule_file_version": 3, "module": "tuned", "collectives": {
 "bcast": [
  {"comm_size_min": 4, "comm_size_max": 4, "rules": [{"msg_size_min": 40, "msg_size_max": 400, "alg": "chain"}]}],
 "reduce_scatter": [
  {"comm_size_min": 8, "comm_size_max": 8, "rules": [{"msg_size_min": 0, "msg_size_max": "inf", "alg": "linear"}]}]}}
)");
    EXPECT_TRUE(has_tuned_rules("Open MPI v6.0.0rc2, package", "MPI_Gather"));
}

TEST(Settings, CompareBytesAsTheLibraryDoes) {
    EXPECT_EQ(tuned_size("MPI_Allgather", 10, 4), 40);
    EXPECT_EQ(tuned_size("MPI_Allgatherv", 40, 4), 10);
    EXPECT_EQ(tuned_size("MPI_Bcast", 10, 4), 10);
    EXPECT_FALSE(tuned_size("MPI_Gather", 10, 4));
    EXPECT_FALSE(tuned_size("MPI_Gatherv", 10, 4));
    EXPECT_TRUE(has_tuned_rules("Open MPI v4.1.4, package", "MPI_Gather"));
    EXPECT_FALSE(has_tuned_rules("Open MPI v4.1.4, package", "MPI_Gatherv"));
}

TEST(Settings, OtherNumbersOfRanksAreNotForced) {
    SlowLibrary library;
    library.add(vector_of("MPI_Gather", 10), {{"MPI_Gather[two_proc](m)", 2.0}});
    // A file limits the setting to this number of ranks.
    EXPECT_THAT(settings_of(library.report).at(0),
                ElementsAre(Field(&Setting::file, SelectionFile::tuned_rules)));
    library.report.header.mpi.library = "Open MPI v7.0.0";
    EXPECT_THAT(settings_of(library.report), IsEmpty());
    EXPECT_THAT(obstacles_of(library.report), HasSubstr("fails on other numbers of ranks"));
}

TEST(Objection, UntilEveryProblemIsMendedAndNothingElseIsBroken) {
    SlowLibrary library;
    const std::string id = library.add(vector_of("MPI_Bcast", 10),
                                       {{"MPI_Bcast[linear](m)", 2.0}, {"linear_Bcast(m)", 3.0}});
    library.add(vector_of("MPI_Scan", 10), {{"linear_Scan(m)", 1.0}});
    library.add(vector_of("MPI_Scatter", 10), {{"MPI_Bcast(m)", 1.0}});
    const Setting setting = settings_of(library.report).at(0).at(0);
    Report under = library.report, without = library.report;
    const auto said = [&] {
        return objection(setting, {setting}, library.report, {under, without});
    };
    EXPECT_THAT(said(),
                testing::Optional(AllOf(HasSubstr(id), HasSubstr("not shown to be faster"))));
    under.checks[0].verdict = under.checks[1].verdict = judge::Verdict::skipped;
    EXPECT_THAT(said(), testing::Optional(HasSubstr("not measured within --budget")));
    under.checks[0].verdict = judge::Verdict::undecided;
    EXPECT_TRUE(said());
    // Still slower than the best way, but no longer than the algorithm that was forced.
    under.checks[0].verdict = judge::Verdict::holds;
    EXPECT_FALSE(said());
    under.checks[2].verdict = judge::Verdict::violated;
    // If the audited side is as fast as before, the other side was faster by chance.
    EXPECT_FALSE(said());
    under.checks[2].samples->judgement.left.median *= 2;
    EXPECT_THAT(said(), testing::Optional(HasSubstr("held before")));
    // The check does not hold without the setting either, or the whole problem is slower now.
    without.checks[2].verdict = judge::Verdict::undecided;
    EXPECT_FALSE(said());
    without.checks[2].verdict = judge::Verdict::skipped;
    EXPECT_TRUE(said());
    without = library.report;
    under.problems[1].contestants[1].statistics->median *= 2;
    EXPECT_FALSE(said());
    under.problems[1].contestants[1].statistics->median /= 2;
    // Another setting answers for a finding about it.
    EXPECT_FALSE(objection(setting, {setting, {.collective = "MPI_Scan"}}, library.report,
                           {under, without}));
    // The right side has become faster.
    under.checks[2].verdict = judge::Verdict::holds;
    under.checks[3].verdict = judge::Verdict::violated;
    under.checks[3].samples->judgement.left.median *= 2;
    EXPECT_FALSE(said());
    under.checks[2].verdict = judge::Verdict::holds;
    under.problems[1].contestants[0].wrong = Fault{{}, "5, not 7"};
    EXPECT_THAT(said(),
                testing::Optional(HasSubstr("MPI_Scan(m) gives a wrong result on 2-x/b=1")));
    library.report.problems[1].contestants[0].wrong = Fault{{}, "5, not 7"};
    EXPECT_FALSE(said());
    under.checks.erase(under.checks.begin(), under.checks.begin() + 2);
    under.checks[0].verdict = judge::Verdict::holds;
    EXPECT_TRUE(said());
}

}  // namespace
}  // namespace mpiaudit::repair
