// SPDX-License-Identifier: BSD-3-Clause
#include "operations/form.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "algorithms/algorithms.h"
#include "catalogue/catalogue.h"
#include "error_message.h"
#include "guidelines/guideline.h"
#include "joined_papers.h"

namespace mpiaudit {
namespace {

using testing::SizeIs;

TEST(Form, EachMemberHasItsPlaceInTheName) {
    for (const auto& [name, form] : std::vector<std::pair<const char*, Form>>{
             {"MPI_Gather", {.operation = "MPI_Gather"}},
             {"MPI_Igather", {.operation = "MPI_Gather", .start = Start::nonblocking}},
             {"MPI_Ireduce_scatter_block",
              {.operation = "MPI_Reduce_scatter_block", .start = Start::nonblocking}},
             {"MPI_Gather_init", {.operation = "MPI_Gather", .start = Start::persistent}},
             {"MPI_Gather_init[once]",
              {.operation = "MPI_Gather", .start = Start::persistent_once}},
             {"MPI_Gatherv_c", {.operation = "MPI_Gatherv", .has_large_counts = true}},
             {"MPI_Gather[in place]", {.operation = "MPI_Gather", .is_in_place = true}},
             {"MPI_Igather[in place]",
              {.operation = "MPI_Gather", .start = Start::nonblocking, .is_in_place = true}},
             {"MPI_Gather[in place with gaps]",
              {.operation = "MPI_Gather", .is_in_place = true, .variant = "with gaps"}},
             {"MPI_Ibcast[4 parts]",
              {.operation = "MPI_Bcast", .start = Start::nonblocking, .parts = 4}},
             {"MPI_Gather[as openmpi-2.0.1]",
              {.operation = "MPI_Gather", .variant = "as openmpi-2.0.1"}},
             {"MPI_Comm_dup[by MPI_Allreduce]",
              {.operation = "MPI_Comm_dup", .variant = "by MPI_Allreduce"}},
             {"TUW_Gatherv_k3", {.operation = "MPI_Gatherv", .algorithm = "TUW_Gatherv_k3"}},
             {"zero fill", {.algorithm = "zero fill"}}}) {
        EXPECT_EQ(form.name(), name);
        EXPECT_EQ(parse_form(name), form) << name;
    }
}

TEST(Form, OtherTextsAreNamesOfFormsToo) {
    for (const std::string text : {"",
                                   "[",
                                   "]",
                                   "[]",
                                   "A[]",
                                   "A[b",
                                   "A]",
                                   "MPI_",
                                   "MPI_I",
                                   "MPI_Ibar",
                                   "MPI_IGather",
                                   "MPI_Gather_init_init",
                                   "MPI_Gather[0 parts]",
                                   "MPI_Gather[1 parts]",
                                   "MPI_Gather[04 parts]",
                                   "MPI_Gather[99999999999 parts]",
                                   "MPI_Gather[in place ]",
                                   "MPI_Gather[in placement]",
                                   "MPI_Gather[once]",
                                   "A[b][c]",
                                   "_Gather",
                                   "Gather"})
        EXPECT_EQ(parse_form(text).name(), text);
}

TEST(Form, OperationOfAnAlgorithmIsInItsName) {
    for (const Algorithm& each : algorithms())
        EXPECT_EQ(parse_form(each.name).operation, each.operation) << each.name;
}

TEST(Form, EachArrowHasTheFormOfItsName) {
    for (const Arrow& each : catalogue()) {
        EXPECT_EQ(each.form.name(), each.name);
        EXPECT_EQ(parse_form(each.name), each.form) << each.name;
    }
}

TEST(Way, NamesOfContestants) {
    const Way way = parse_way("2 MPI_Iallreduce(1) + MPI_Wait + MPI_Gather[in place](m/4) #3");
    ASSERT_THAT(way.terms, SizeIs(2));
    EXPECT_EQ(way.terms[0].form.start, Start::nonblocking);
    EXPECT_EQ(way.terms[0].argument, Argument::one);
    EXPECT_EQ(way.terms[0].completion, "MPI_Wait");
    EXPECT_TRUE(way.terms[1].form.is_in_place);
    EXPECT_EQ(way.scale, (Scale{.parts = 4, .repeats = 2}));
    EXPECT_EQ(way.copy, 3);
    EXPECT_EQ(way.operations(), "2 MPI_Iallreduce + MPI_Wait + MPI_Gather[in place]");
}

TEST(Way, TextThatIsNoNameIsRefusedWithItsPlace) {
    EXPECT_EQ(error_message([] { parse_way("MPI_Gather(m) #1"); }),
              "expected the number of a copy, at least 2, here\n"
              "    MPI_Gather(m) #1\n"
              "                   ^");
    EXPECT_EQ(error_message([] { parse_way("MPI_Gather(m)!"); }),
              "expected '+', '#' or the end here\n"
              "    MPI_Gather(m)!\n"
              "                 ^");
}

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

void expect_round_trip(const std::string& name) {
    EXPECT_EQ(parse_way(name).name(), name);
}

TEST(Way, PrintsTheNamesOfAllGuidelines) {
    for (const auto& file : std::filesystem::directory_iterator(SOURCE_DIR "/guidelines")) {
        if (file.path().extension() != ".json") continue;
        for (const Guideline& each : parse_guidelines(text_of(file), file.path().filename())) {
            expect_round_trip(each.inequality.left.name);
            expect_round_trip(each.inequality.right.name);
        }
    }
    for (const Guideline& each : derive_guidelines(2))
        expect_round_trip(each.inequality.right.name);
}

TEST(Way, PrintsTheNamesOfAllKeptResults) {
    std::istringstream names(text_of(SOURCE_DIR "/tests/data/contestants.txt"));
    int count = 0;
    for (std::string name; std::getline(names, name); ++count) expect_round_trip(name);
    EXPECT_GT(count, 20);
}

}  // namespace
}  // namespace mpiaudit
