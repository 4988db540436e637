// SPDX-License-Identifier: BSD-3-Clause
#include "repair/repair.h"

#include <gmock/gmock.h>

#include "repair/selection.h"
#include "repair/slow_library.h"

namespace mpiaudit::repair {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// A vector of this many integers.
SlowLibrary::Size vector_of(const std::string& collective, std::int64_t elements) {
    return {.collective = collective, .counts = {elements, 0, 0, 0}};
}

auto settings_of(const Report& report, const Wishes& wishes = {}) {
    return find_repairs(report, wishes).settings;
}

std::string obstacles_of(const Report& report) {
    std::string text;
    for (const Obstacle& each : find_repairs(report, {}).obstacles)
        text += each.what + ": " + each.why + "\n";
    return text;
}

Setting in_file(SelectionFile file, const std::string& collective, int ranks,
                std::vector<SelectedAlgorithm> selected) {
    return {
        .collective = collective, .ranks = ranks, .file = file, .selected = std::move(selected)};
}

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

/// A library whose variables are MPICH's.
SlowLibrary mpich() {
    SlowLibrary library;
    library.report.header.mpi.library = "MPICH Version: 4.0.2";
    record::Implementation made;
    for (const char* name : {"MPI_Allreduce[nb]", "MPI_Allreduce[reduce_scatter_allgather]",
                             "MPI_Allreduce[smp]", "MPI_Reduce_scatter[pairwise]"}) {
        made.name = name;
        made.written_as = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=1";
        library.report.header.implementations.push_back(made);
    }
    return library;
}

TEST(MpichSelection, IsOfMpichWhereAnAlgorithmIsSlowerSomewhere) {
    SlowLibrary library = mpich();
    library.add(vector_of("MPI_Allreduce", 10),
                {{"MPI_Allreduce[nb](m)", 0.5}, {"MPI_Allreduce[smp](m)", 2.0}});
    library.add(vector_of("MPI_Allreduce", 100),
                {{"MPI_Allreduce[nb](m)", 2.0}, {"MPI_Allreduce[smp](m)", 0.5}});
    const auto settings = settings_of(library.report);
    ASSERT_THAT(settings, ElementsAre(testing::SizeIs(1)));
    const Setting& setting = settings[0][0];
    // An algorithm that is forced already would win.
    EXPECT_THAT(setting.variables, ElementsAre("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=auto",
                                               "MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0"));
    ASSERT_EQ(setting.selected.size(), 1U);
    EXPECT_EQ(setting.selected[0].from, 400);
    EXPECT_EQ(setting.selected[0].to, 400);
    EXPECT_EQ(setting.selected[0].algorithm, "nb");
    EXPECT_THAT(setting.problems, ElementsAre("2-x/b=1"));
}

TEST(MpichSelection, IsNoneOfWhatAbortsInPlace) {
    SlowLibrary library = mpich();
    library.add({.collective = "MPI_Reduce_scatter", .counts = {9, 1, 1, 1}},
                {{"MPI_Reduce_scatter[pairwise](m)", 2.0}});
    EXPECT_THAT(settings_of(library.report), IsEmpty());
    EXPECT_THAT(obstacles_of(library.report), HasSubstr("pairwise aborts in place"));
}

TEST(MpichSelection, BranchesOffTheLibrarysOwnAndLeavesTheRest) {
    const std::string own =
        R"({"collective=bcast":{"comm_type=intra":{"a":{}}},"collective=allreduce":)"
        R"({"comm_type=intra":{"b":{}},"comm_type=inter":{"c":{}}}})";
    const Setting setting = in_file(SelectionFile::selection, "MPI_Allreduce", 4,
                                    {{8, 40, "nb"}, {41, 80, "reduce_scatter_allgather"}});
    std::string text = selection_file(own, {setting});
    std::erase_if(text, [](char letter) { return letter == ' ' || letter == '\n'; });
    const std::string sizes =
        R"({"avg_msg_size<=7":{"b":{}},"avg_msg_size<=40":{"is_op_built_in=yes":)"
        R"({"algorithm=MPIR_Allreduce_allcomm_nb":{}},"is_op_built_in=no":{"b":{}}},)"
        R"("avg_msg_size<=80":{"is_op_built_in=yes":{"count<pow2":{"b":{}},"count=any":)"
        R"({"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather":{}}},)"
        R"("is_op_built_in=no":{"b":{}}},"avg_msg_size=any":{"b":{}}})";
    EXPECT_EQ(text, R"({"collective=bcast":{"comm_type=intra":{"a":{}}},"collective=allreduce":)"
                    R"({"comm_type=intra":{"comm_size<=3":{"b":{}},"comm_size<=4":)" +
                        sizes + R"(,"comm_size=any":{"b":{}}},"comm_type=inter":{"c":{}}}})");
    EXPECT_THROW(selection_file("{}", {setting}), std::invalid_argument);
}

TEST(MpichSelection, SelectsSeveralNumbersOfRanksAndAllSizes) {
    const auto linear_on = [](int ranks) {
        return in_file(SelectionFile::selection, "MPI_Gather", ranks, {{.algorithm = "linear"}});
    };
    std::string text =
        selection_file(R"({"collective=gather":{"comm_type=intra":{"a":{}}}})",
                       {linear_on(8), linear_on(4), linear_on(3), {.collective = "MPI_Bcast"}});
    std::erase_if(text, [](char letter) { return letter == ' ' || letter == '\n'; });
    const std::string linear = R"({"algorithm=MPIR_Gather_intra_linear":{}})";
    EXPECT_EQ(text, R"({"collective=gather":{"comm_type=intra":{"comm_size<=2":{"a":{}},)"
                    R"("comm_size<=3":)" +
                        linear + R"(,"comm_size<=4":)" + linear +
                        R"(,"comm_size<=7":{"a":{}},"comm_size<=8":)" + linear +
                        R"(,"comm_size=any":{"a":{}}}}})");
}

TEST(MpichSelection, SelectsByRanksIfACollectiveIsCalledElsewhere) {
    SlowLibrary library = mpich();
    library.add(vector_of("MPI_Allreduce", 10), {{"MPI_Allreduce[nb](m)", 2.0}});
    EXPECT_EQ(settings_of(library.report).at(0).at(0).file, SelectionFile::none);
    const auto settings = settings_of(library.report, {.has_other_ranks = true});
    ASSERT_EQ(settings.size(), 1U);
    EXPECT_EQ(settings[0][0].file, SelectionFile::selection);
    EXPECT_THAT(settings[0][0].variables, ElementsAre("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=auto",
                                                      "MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0"));
    EXPECT_EQ(settings[0][0].selected.at(0).to, any_size);
}

TEST(MpichSelection, UsesTheConditionsThatMpichKnowsForTheCollective) {
    const std::string own = R"({"collective=alltoall":{"comm_type=intra":{"a":{}}},)"
                            R"("collective=reduce_scatter_block":{"comm_type=intra":{"b":{}}}})";
    using enum SelectionFile;
    const std::string text = selection_file(
        own, {in_file(selection, "MPI_Alltoall", 4, {{8, 40, "pairwise"}}),
              in_file(selection, "MPI_Reduce_scatter_block", 4, {{8, 40, "recursive_halving"}})});
    for (const char* asked : {"is_sendbuf_inplace=no", "is_sendbuf_inplace=yes",
                              "is_commutative=yes", "is_commutative=no"})
        EXPECT_THAT(text, HasSubstr(asked));
    EXPECT_THAT(text, testing::Not(HasSubstr("is_op_built_in")));
}

TEST(MpichSelection, BelievesNoAlgorithmThatNeedsMore) {
    EXPECT_TRUE(is_selectable("MPI_Allgather", "recursive_doubling", 4));
    EXPECT_FALSE(is_selectable("MPI_Allgather", "recursive_doubling", 6));
    EXPECT_TRUE(is_selectable("MPI_Allreduce", "recursive_doubling", 6));
    EXPECT_TRUE(is_selectable("MPI_Gather", "binomial", 4));
    EXPECT_FALSE(is_selectable("MPI_Gatherv", "linear", 4));
    EXPECT_FALSE(is_selectable("MPI_Allgatherv", "recursive_doubling", 6));
    // MPICH hangs without a width of theirs, which an audit does not know.
    EXPECT_FALSE(is_selectable("MPI_Barrier", "k_dissemination", 4));
    EXPECT_FALSE(is_selectable("MPI_Allreduce", "recexch", 4));
    EXPECT_FALSE(is_selectable("MPI_Bcast", "pipelined_tree", 4));
    EXPECT_FALSE(selection_size("MPI_Gather", 10, 4));
    EXPECT_EQ(selection_size("MPI_Allgather", 10, 4), 40);
    EXPECT_EQ(selection_size("MPI_Allreduce", 10, 4), 10);
    EXPECT_FALSE(selection_size("MPI_Scatter", 10, 4));
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
    under.problems[1].contestants[0].wrong = "5, not 7";
    EXPECT_THAT(said(),
                testing::Optional(HasSubstr("MPI_Scan(m) gives a wrong result on 2-x/b=1")));
    library.report.problems[1].contestants[0].wrong = "5, not 7";
    EXPECT_FALSE(said());
    under.checks.erase(under.checks.begin(), under.checks.begin() + 2);
    under.checks[0].verdict = judge::Verdict::holds;
    EXPECT_TRUE(said());
}

}  // namespace
}  // namespace mpiaudit::repair
