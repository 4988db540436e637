// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "application/recording.h"
#include "application/small_recording.h"
#include "recording/written.h"

namespace mpiaudit::application {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// One problem of every form.
Recording recording_of_all_forms() {
    Recording recording = small_recording();
    recording.is_synchronised = true;
    recording.part = Part{3, "MPI_Abort"};
    auto& problems = recording.problems;
    problems.assign(7, small_problem("MPI_Gatherv"));
    problems[0].root = 2;
    problems[0].is_in_place = true;
    problems[0].bytes.blocks = {0, 8, 8, 16};
    problems[0].seconds.root = 0.75;
    problems[0].seconds.waiting = 0.5;
    problems[1].bytes.blocks = {8, 8, 8, 8};
    problems[2].collective = "MPI_Allreduce";
    problems[2].op = Operation{"MPI_SUM", true};
    problems[2].bytes.block = 64;
    problems[3].op = Operation{"", false};
    problems[3].bytes.summary = Summary{80, 40, 2, 4};
    problems[4].bytes.rows = Rows{33.5, 16, 1.5};
    problems[5].mode = "nonblocking";
    problems[5].group = 1;
    problems[5].element = {};
    problems[6].is_inter = true;
    problems[6].root = -3;
    return recording;
}

TEST(Problems, WhatIsWrittenIsRead) {
    const Recording recording = recording_of_all_forms();
    const std::string text = problems_file(recording);
    const Recording read = parse_problems(text, "file");
    EXPECT_EQ(problems_file(read), text);
    EXPECT_EQ(read.problems[1].bytes.blocks, recording.problems[1].bytes.blocks);
    EXPECT_EQ(read.problems[3].op->is_commutative, false);
    EXPECT_EQ(read.groups[1].ranks, (Ranks{1, 3}));
    EXPECT_EQ(read.hosts[1].ranks, (Ranks{2, 3}));
}

/// What is said when in the file the one text stands instead of the other.
std::string complaint(const std::string& replaced, const std::string& by) {
    std::string text = problems_file(recording_of_all_forms());
    const std::size_t at = text.find(replaced);
    EXPECT_NE(at, text.npos) << replaced;
    try {
        parse_problems(text.replace(at, replaced.size(), by), "file");
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Problems, SayWhereTheyAreWrong) {
    EXPECT_THAT(complaint("mpiaudit-problems", "mpiaudit-rules"),
                AllOf(StartsWith("file: "), HasSubstr("mpiaudit record")));
    EXPECT_THAT(complaint("\"version\": 1", "\"version\": 2"), HasSubstr("reads 1"));
    EXPECT_THAT(complaint("\"mode\":\"blocking\"", "\"mode\":\"later\""),
                HasSubstr("problems[0].mode must be one of"));
    EXPECT_THAT(complaint("\"group\":1", "\"group\":2"), HasSubstr("problems[5].group"));
    EXPECT_THAT(complaint("\"root\":2", "\"root\":4"), HasSubstr("problems[0].root"));
    EXPECT_THAT(complaint("[0,8,8,16]", "[0,8,8]"), HasSubstr("problems[0].bytes has 3 blocks"));
    EXPECT_THAT(complaint("[0,8,8,16]", "[0,8,8,-1]"), HasSubstr("problems[0].bytes.exact[3]"));
    EXPECT_THAT(complaint("[[4,8]]", "[[5,8]]"), HasSubstr("problems[1].bytes.runs[0][0]"));
    EXPECT_THAT(complaint("[[4,8]]", "[[4]]"), HasSubstr("[how often, bytes]"));
    EXPECT_THAT(complaint("\"1,3\"", "\"1,4\""), HasSubstr("groups[1].ranks must be ranks below"));
    EXPECT_THAT(complaint("\"1,3\"", "\"3-1\""), HasSubstr("groups[1].ranks"));
    EXPECT_THAT(complaint("\"1,3\"", "\"1,2,3\""), HasSubstr("groups[1].ranks has more than 2"));
    EXPECT_THAT(complaint("\"1,3\"", "\"1\""), HasSubstr("groups[1].size"));
}

TEST(Problems, ShortTextsCannotStandForMoreThanThereIsRoomFor) {
    Recording recording = small_recording();
    recording.ranks = 1 << 22;
    std::string groups;
    for (int i = 0; i < 20; ++i)
        groups += R"({"ranks": "0-4194303", "size": 4194304, "communicators": 1},)";
    std::string text = problems_file(recording);
    text.insert(text.find("\"groups\": [") + 11, groups);
    EXPECT_THAT([&] { parse_problems(text, "file"); },
                testing::ThrowsMessage<std::invalid_argument>(HasSubstr("groups[15] is too much")));
}

}  // namespace
}  // namespace mpiaudit::application
