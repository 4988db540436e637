// SPDX-License-Identifier: BSD-3-Clause
#include "repair/repair.h"

#include <gmock/gmock.h>

#include "repair/found_settings.h"
#include "repair/selection.h"
#include "repair/slow_library.h"

namespace mpiaudit::repair {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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

}  // namespace
}  // namespace mpiaudit::repair
