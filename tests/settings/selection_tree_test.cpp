// SPDX-License-Identifier: BSD-3-Clause
#include "settings/selection_tree.h"

#include <gtest/gtest.h>

#include "../error_message.h"

namespace mpiaudit::settings {
namespace {

const SelectionTree& tree() {
    static const SelectionTree made(R"({"collective=bcast": {
        "comm_type=intra": {"comm_size<8": {"avg_msg_size<=1600": {
            "algorithm=MPIR_Bcast_intra_binomial": {}}, "avg_msg_size=any": {
            "comm_size=pow2": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}},
            "comm_size=any": {"algorithm=MPIR_Bcast_allcomm_nb": {}}}},
        "comm_size=any": {"comm_avg_ppn<=2": {"algorithm=MPIR_Bcast_intra_smp": {}}}}},
        "collective=alltoall": {"comm_type=intra": {"avg_msg_size<=10": {
            "algorithm=MPIR_Alltoall_intra_brucks": {}}, "avg_msg_size=any": {
            "algorithm=MPIR_Alltoall_intra_pairwise": {}}}}})");
    return made;
}

TEST(SelectionTree, AChoiceFollowsTheConditionsInTheirOrder) {
    EXPECT_EQ(tree().choice({"MPI_Bcast", 4, 1600}), "binomial");
    EXPECT_EQ(tree().choice({"MPI_Bcast", 4, 1601}), "scatter_ring_allgather");
    EXPECT_EQ(tree().choice({"MPI_Bcast", 7, 1601}), "nb");
    EXPECT_EQ(tree().choice({"MPI_Alltoall", 2, 20}), "brucks") << "a block has 10 bytes";
    EXPECT_EQ(tree().choice({"MPI_Alltoall", 2, 22}), "pairwise");
    EXPECT_EQ(tree().choice({"MPI_Gather", 2, 22}), "");
}

TEST(SelectionTree, AChoiceThatNeedsMoreIsThePartThatDecides) {
    EXPECT_EQ(tree().choice({"MPI_Bcast", 8, 1}),
              R"({"comm_avg_ppn<=2":{"algorithm=MPIR_Bcast_intra_smp":{}}})");
}

TEST(SelectionTree, NamesCollectivesAndLimits) {
    EXPECT_EQ(tree().collectives(), (std::vector<std::string>{"MPI_Bcast", "MPI_Alltoall"}));
    EXPECT_EQ(tree().limits("MPI_Bcast", 4), std::vector<std::int64_t>{1600});
    EXPECT_EQ(tree().limits("MPI_Alltoall", 4), std::vector<std::int64_t>{40});
}

TEST(SelectionTree, OtherFilesAreRefused) {
    EXPECT_EQ(error_message([] { SelectionTree("1 2"); }), "it is no JSON object");
    EXPECT_EQ(error_message([] { SelectionTree(R"({"bcast": {}})"); }),
              "its key 'bcast' does not begin with collective=");
}

}  // namespace
}  // namespace mpiaudit::settings
