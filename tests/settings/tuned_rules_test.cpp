// SPDX-License-Identifier: BSD-3-Clause
#include "settings/tuned_rules.h"

#include <gtest/gtest.h>

#include "../error_message.h"

namespace mpiaudit::settings {
namespace {

constexpr const char* open_mpi_4 = "Open MPI v4.1.4";
constexpr const char* open_mpi_6 = "Open MPI v6.0.0rc2";

std::string refusal(const std::string& text, const std::string& library = open_mpi_4) {
    return error_message([&] { read_tuned_rules(text, library); });
}

TEST(TunedRules, AFileHasTheRulesThatOpenMpiTakes) {
    const auto all = read_tuned_rules(
        "2 # collectives\n7 # MPI_Bcast\n2 # sizes of communicators\n"
        "4 2 # ranks\n0 0 0 0\n1024 6 0 0\n8 1\n0 3 0 0\n"
        "9 1 0 1 0 0x3 0 0\n",
        open_mpi_4);
    ASSERT_EQ(all.size(), 2U);
    const RulesOfCollective& bcast = all.front();
    EXPECT_EQ(bcast.collective->name, "MPI_Bcast");
    EXPECT_EQ(bcast.rule(4, 1023), nullptr);
    EXPECT_EQ(bcast.rule(7, 1024)->algorithm, 6);
    EXPECT_EQ(bcast.rule(8, 1)->algorithm, 3);
    EXPECT_EQ(bcast.rule(2, 1024)->algorithm, 6) << "the first entry holds for fewer ranks";
    EXPECT_EQ(bcast.find(2)->written, 4);
    EXPECT_EQ(all.back().collective->name, "MPI_Gather");
    EXPECT_EQ(all.back().rule(2, 0)->algorithm, 3);
}

TEST(TunedRules, SizesAreThoseThatOpenMpiCompares) {
    const auto mean = read_tuned_rules("1 1 1 2 2 0 0 0 0 100 2 0 0", open_mpi_4);
    EXPECT_EQ(mean.front().rule(4, 399), nullptr);
    EXPECT_EQ(mean.front().rule(4, 400)->algorithm, 2);
    const auto none = read_tuned_rules("1 6 1 2 2 0 0 0 0 1 2 0 0", open_mpi_4);
    EXPECT_EQ(none.front().rule(4, 400), nullptr) << "MPI_Barrier has size 0";
}

TEST(TunedRules, TheLastEntryOfACollectiveCounts) {
    const auto all = read_tuned_rules("2 7 1 2 1 0 1 0 0 7 1 2 1 0 3 0 0", open_mpi_4);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().rule(2, 1)->algorithm, 3);
}

TEST(TunedRules, AFileThatOpenMpiIgnoresIsRefusedWithTheReason) {
    EXPECT_EQ(refusal("rule-file-version-2\n1 7 1 2 1 0 1 0 0 0"),
              "it begins with rule-file-version-2, which Open MPI knows from 4.1.8 and 5.0.7 on");
    EXPECT_EQ(refusal("1\n7\n1\n2 1\n4 6 0 0\n"),
              "line 5: the first size of a number of ranks must be 0, is 4");
    EXPECT_EQ(refusal("1\n7\n1\n2 2\n0 6 0 0\n"), "the file ends before size in bytes (line 6)");
    EXPECT_EQ(refusal("1\n40\n"), "line 2: 40 is no number of a collective");
    EXPECT_EQ(refusal("-1"), "line 1: -1 is no number of collectives");
    EXPECT_EQ(refusal(""), "the file ends before number of collectives (line 1)");
    EXPECT_EQ(refusal("{\"rule_file_version\": 3}"),
              "it is a file in JSON, which Open MPI knows from 6.0 on");
    EXPECT_EQ(refusal("1 7 1 2 1 0 1 0 0", open_mpi_6), "Open MPI 6.0 takes a file in JSON");
}

TEST(TunedRules, NewerVersionsReadASecondVersion) {
    for (const char* library : {"Open MPI v4.1.8", "Open MPI v5.0.7", "Open MPI v5.1.0"}) {
        const auto all =
            read_tuned_rules("rule-file-version-2\n1\n3\n1\n2 2\n0 1 0 0 8\n64 2 0 0\n", library);
        EXPECT_EQ(all.front().rule(2, 64)->algorithm, 2) << library;
    }
    EXPECT_NE(refusal("rule-file-version-2\n1", "Open MPI v5.0.6"), "");
}

TEST(TunedRules, JsonNamesAlgorithms) {
    const auto all = read_tuned_rules(
        R"({"rule_file_version": 3, "collectives": {"allreduce": [{"comm_size_min": 4,
        "comm_size_max": 8, "rules": [{"msg_size_min": 512, "msg_size_max": "inf",
        "alg": "recursive_doubling"}, {"alg": 2}]}]}})",
        open_mpi_6);
    const RulesOfCollective& allreduce = all.front();
    EXPECT_EQ(allreduce.rule(4, 512)->name, "recursive_doubling");
    EXPECT_EQ(allreduce.rule(8, 511)->algorithm, 2);
    EXPECT_EQ(allreduce.find(9), nullptr);
    EXPECT_EQ(refusal(R"({"collectives": {"reducescatter": []}})", open_mpi_6),
              "it names an unknown collective: reducescatter");
}

}  // namespace
}  // namespace mpiaudit::settings
