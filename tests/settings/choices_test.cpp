// SPDX-License-Identifier: BSD-3-Clause
#include "settings/choices.h"

#include <gtest/gtest.h>

#include <tuple>

#include "../error_message.h"
#include "settings/tuned_rules.h"

namespace mpiaudit::settings {
namespace {

const ChoiceContext on_open_mpi{"Open MPI v4.1.4", 4, 4}, on_mpich{"MPICH 4.0.2", 4, 4};

using Row = std::tuple<std::string, std::int64_t, std::int64_t, int, std::string>;

std::vector<Row> rows(const std::string& text, const ChoiceContext& context) {
    std::vector<Row> all;
    for (const Choice& each : choices_in(text, context))
        all.emplace_back(each.collective, each.from_bytes, each.to_bytes, each.number,
                         each.algorithm);
    return all;
}

std::string refusal_of(const std::string& text, const ChoiceContext& context) {
    return error_message([&] { choices_in(text, context); });
}

TEST(Choices, RulesOfOpenMpiForThisNumberOfRanks) {
    EXPECT_EQ(rows("2 7 2 4 3 0 0 0 0 1024 6 0 0 4096 3 0 0 8 1 0 1 0 0 1 1 2 2 0 0 0 0 100 2 0 0",
                   on_open_mpi),
              (std::vector<Row>{{"MPI_Bcast", 1024, 4095, 6, ""},
                                {"MPI_Bcast", 4096, any_bytes, 3, ""},
                                // Open MPI compares the mean of the blocks.
                                {"MPI_Allgatherv", 400, any_bytes, 2, ""}}));
}

TEST(Choices, OnlyTheFirstRuleActsOnACollectiveWithoutSizes) {
    EXPECT_EQ(rows("1 6 1 2 2 0 3 0 0 64 1 0 0", on_open_mpi),
              (std::vector<Row>{{"MPI_Barrier", 0, any_bytes, 3, ""}}));
}

TEST(Choices, ATreeOfMpich) {
    const char* const tree = R"({"collective=bcast": {"comm_type=intra": {
        "avg_msg_size<=1600": {"algorithm=MPIR_Bcast_intra_binomial": {}},
        "avg_msg_size=any": {"comm_avg_ppn<=2": {"algorithm=MPIR_Bcast_intra_smp": {}}}}}})";
    EXPECT_EQ(rows(tree, on_mpich), (std::vector<Row>{{"MPI_Bcast", 0, 1600, 0, "binomial"}}));
    EXPECT_EQ(refusal_of(tree, on_open_mpi),
              "it is a file of MPICH, and this library is Open MPI v4.1.4");
}

TEST(Choices, OtherFilesAndLibrariesAreRefused) {
    EXPECT_EQ(refusal_of("1 7 1 2 1 0 6 0 0", on_mpich),
              "it is no JSON file of MPICH (\"collective=...\"), and this library is MPICH 4.0.2");
    EXPECT_EQ(refusal_of("1 7 1 2 1 4 6 0 0", on_open_mpi),
              "line 1: the first size of a number of ranks must be 0, is 4");
    EXPECT_EQ(refusal_of("", {"Intel(R) MPI Library 2021", 4, 4}),
              "files with rules are known of Open MPI and MPICH, and this library is Intel(R) MPI "
              "Library 2021");
}

TEST(Choices, BlockSizesShowEachRange) {
    const auto sizes = [](std::int64_t from, std::int64_t to) {
        return block_sizes_for({{"MPI_Bcast", from, to, 6, ""}}, on_open_mpi, 1 << 20);
    };
    using Sizes = std::vector<std::int64_t>;
    // An element on each of four ranks has 16 bytes.
    EXPECT_EQ(sizes(1600, 160000), (Sizes{100, 1000, 10000}));
    EXPECT_EQ(sizes(1600, any_bytes), (Sizes{100, 400, 1600}));
    EXPECT_EQ(sizes(0, any_bytes), (Sizes{1, 32, 1024}));
    EXPECT_EQ(sizes(1 << 19, any_bytes), (Sizes{32768, 46340, 65536}));
    EXPECT_EQ(sizes(1 << 21, any_bytes), Sizes{}) << "beyond the largest size";
}

}  // namespace
}  // namespace mpiaudit::settings
