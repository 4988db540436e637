// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "application/recording.h"
#include "application/selection.h"
#include "error_message.h"
#include "recording/written.h"

namespace mpiaudit::application {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Four ranks on two hosts, in the groups 0-3 and 1,3; no problems.
Recording small_recording() {
    Recording recording;
    recording.library = "L";
    recording.program = "app";
    recording.ranks = 4;
    recording.hosts = {{"a", {0, 1}}, {"b", {2, 3}}};
    recording.threads = "single";
    recording.wall_seconds = 10;
    recording.lost = {3, 0.5};
    recording.groups = {{{0, 1, 2, 3}, 7}, {{1, 3}, 1}};
    return recording;
}

/// A blocking call with integers on all ranks, which takes 2 s over the ranks.
Problem small_problem(const std::string& collective) {
    Problem problem;
    problem.collective = collective;
    problem.mode = "blocking";
    problem.element = Element{"MPI_INT", 4, 4, "predefined"};
    problem.calls = 10;
    problem.seconds = {2.0, 1.5, 0.25, 1e-6, {}, {}};
    return problem;
}

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

TEST(Problems, WrittenProblemsAreReadBack) {
    const Recording recording = recording_of_all_forms();
    const std::string text = problems_file(recording);
    const Recording read = parse_problems(text, "file");
    EXPECT_EQ(problems_file(read), text);
    EXPECT_EQ(read.problems[1].bytes.blocks, recording.problems[1].bytes.blocks);
    EXPECT_EQ(read.problems[3].op->is_commutative, false);
    EXPECT_EQ(read.groups[1].ranks, (Ranks{1, 3}));
    EXPECT_EQ(read.hosts[1].ranks, (Ranks{2, 3}));
}

TEST(Problems, SayWhereTheyAreWrong) {
    const std::string right = problems_file(recording_of_all_forms());
    for (const auto& [replaced, by, said] :
         {std::tuple{"mpiaudit-problems", "mpiaudit-rules", "mpiaudit record"},
          {"\"version\": 1", "\"version\": 2", "reads 1"},
          {"\"blocking\"", "\"later\"", "problems[0].mode must be one of"},
          {"\"group\":1", "\"group\":2", "problems[5].group"},
          {"\"root\":2", "\"root\":4", "problems[0].root"},
          {"[0,8,8,16]", "[0,8,8]", "problems[0].bytes has 3 blocks"},
          {"[0,8,8,16]", "[0,8,8,-1]", "problems[0].bytes.exact[3]"},
          {"[[4,8]]", "[[5,8]]", "problems[1].bytes.runs[0][0]"},
          {"[[4,8]]", "[[4]]", "[number of blocks, bytes]"},
          {"\"1,3\"", "\"1,4\"", "groups[1].ranks must be ranks below"},
          {"\"1,3\"", "\"3-1\"", "groups[1].ranks"},
          {"\"1,3\"", "\"1,2,3\"", "groups[1].ranks has more than 2"},
          {"\"1,3\"", "\"1\"", "groups[1].size"}}) {
        std::string text = right;
        text.replace(text.find(replaced), std::string_view(replaced).size(), by);
        EXPECT_THAT(error_message([&] { parse_problems(text, "file"); }),
                    AllOf(StartsWith("file: "), HasSubstr(said)));
    }
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
                testing::ThrowsMessage<std::invalid_argument>(
                    HasSubstr("groups[15] makes the file too large")));
}

using testing::ElementsAre;
using testing::IsEmpty;

using Counts = std::vector<std::int64_t>;

Selection selected(const Problem& problem, const std::vector<int>& hosts = {5, 5, 9, 9}) {
    Recording recording = small_recording();
    recording.problems = {problem};
    return select(recording, {static_cast<int>(hosts.size()), hosts}, "my problems.json");
}

Problem vector_of(const std::string& collective, const std::string& element, std::int64_t size,
                  std::int64_t bytes) {
    Problem problem = small_problem(collective);
    problem.element = Element{element, size, size, "predefined"};
    problem.bytes.block = bytes;
    return problem;
}

Problem reduced(const std::string& op, const std::string& element, std::int64_t bytes,
                bool is_commutative = true) {
    Problem problem = vector_of("MPI_Allreduce", element, 1, bytes);
    problem.op = Operation{op, is_commutative};
    return problem;
}

SelectedProblem only(const Problem& problem) {
    const Selection selection = selected(problem);
    EXPECT_EQ(selection.problems.size(), 1U)
        << (selection.left_out.empty() ? "" : selection.left_out.front().reason);
    return selection.problems.empty() ? SelectedProblem{} : selection.problems.front();
}

std::string reason(const Problem& problem) {
    const Selection selection = selected(problem);
    return selection.left_out.empty() ? "" : selection.left_out.front().reason;
}

TEST(Selection, BlocksBecomeCounts) {
    Problem problem = small_problem("MPI_Gatherv");
    problem.root = 1;
    problem.bytes.blocks = {0, 8, 8, 16};
    const SelectedProblem made = only(problem);
    EXPECT_EQ(made.name, "1-Gatherv");
    EXPECT_EQ(made.counts, (Counts{0, 2, 2, 4}));
    EXPECT_EQ(made.element, "int");
    EXPECT_EQ(made.op, "");
    EXPECT_EQ(made.root, 1);
    EXPECT_EQ(made.calls, 10);
    EXPECT_EQ(made.seconds, 0.5);
    EXPECT_EQ(made.share, 1.0);
    EXPECT_THAT(made.stand_ins, IsEmpty());
}

TEST(Selection, AVectorIsAllBlocksTogether) {
    EXPECT_EQ(only(reduced("MPI_SUM", "MPI_DOUBLE", 48)).counts, (Counts{2, 2, 1, 1}));
    EXPECT_EQ(only(vector_of("MPI_Alltoall", "MPI_INT", 4, 8)).counts, (Counts{2, 2, 2, 2}));
    EXPECT_EQ(only(small_problem("MPI_Barrier")).counts, (Counts{1, 1, 1, 1}));
}

TEST(Selection, MovedDataKeepTheirType) {
    for (const auto& [name, element] : {std::pair{"MPI_UNSIGNED", "unsigned"},
                                        {"MPI_FLOAT", "float"},
                                        {"MPI_INTEGER", "integer"}})
        EXPECT_EQ(only(vector_of("MPI_Bcast", name, 4, 16)).element, element);
    EXPECT_EQ(only(vector_of("MPI_Bcast", "MPI_CHAR", 1, 3)).element, "char");
}

TEST(Selection, MovedDataMayBeBytes) {
    // The root has another datatype.
    const SelectedProblem made = only(vector_of("MPI_Bcast", "MPI_DOUBLE", 8, 12));
    EXPECT_EQ(made.element, "byte");
    EXPECT_EQ(made.counts, (Counts{3, 3, 3, 3}));
    EXPECT_THAT(made.stand_ins, ElementsAre("MPI_DOUBLE as bytes"));
}

TEST(Selection, OperatorsAndTheirStandIns) {
    const auto is = [](const Problem& problem) {
        const SelectedProblem made = only(problem);
        return std::tuple(made.op, made.element, made.depends_on_order, made.stand_ins);
    };
    using Words = std::vector<std::string>;
    EXPECT_EQ(is(reduced("MPI_SUM", "MPI_DOUBLE", 16)), std::tuple("sum", "double", true, Words{}));
    EXPECT_EQ(is(reduced("MPI_SUM", "MPI_LONG", 16)), std::tuple("sum", "long", false, Words{}));
    EXPECT_EQ(is(reduced("MPI_MIN", "MPI_DOUBLE", 16)),
              std::tuple("min", "double", false, Words{}));
    EXPECT_EQ(is(reduced("MPI_PROD", "MPI_REAL8", 16)),
              std::tuple("prod", "double-precision", true, Words{}));
    EXPECT_EQ(is(reduced("MPI_LAND", "MPI_C_BOOL", 3)),
              std::tuple("land", "c-bool", false, Words{}));
    EXPECT_EQ(is(reduced("MPI_SUM", "MPI_C_DOUBLE_COMPLEX", 32)),
              std::tuple("sum", "c-double-complex", true, Words{}));
    EXPECT_EQ(is(reduced("MPI_MAXLOC", "MPI_DOUBLE_INT", 12)),
              std::tuple("maxloc", "double-int", false, Words{}));
    EXPECT_EQ(is(reduced("MPI_SUM", "MPI_SHORT", 2)), std::tuple("sum", "short", false, Words{}));
    EXPECT_EQ(is(reduced("MPI_PROD", "MPI_COMPLEX", 16)),
              std::tuple("sum", "double", true, Words{"MPI_PROD as sum", "MPI_COMPLEX as double"}));
    EXPECT_EQ(is(reduced("MPI_MAXLOC", "MPI_2REAL", 8)),
              std::tuple("max", "long", false, Words{"MPI_MAXLOC as max", "MPI_2REAL as long"}));
    EXPECT_EQ(is(reduced("", "MPI_DOUBLE", 8)),
              std::tuple("user-sum", "double", true,
                         Words{"the application's own operator as user-sum"}));
    EXPECT_EQ(
        is(reduced("", "MPI_DOUBLE", 8, false)),
        std::tuple("user-affine", "long", true,
                   Words{"the application's own operator as user-affine", "MPI_DOUBLE as long"}));
    EXPECT_EQ(reason(reduced("MPI_SUM", "derived", 2)),
              "no reduction of an audit is defined for derived");
}

TEST(Selection, SaysWhyAProblemIsLeftOut) {
    Problem problem = vector_of("MPI_Bcast", "MPI_INT", 4, 4);
    problem.mode = "persistent";
    EXPECT_EQ(reason(problem), "it is persistent");
    problem = vector_of("MPI_Bcast", "MPI_INT", 4, 0);
    EXPECT_EQ(reason(problem), "all its blocks are empty");
    problem.is_inter = true;
    EXPECT_EQ(reason(problem), "it is on an inter-communicator");
    problem = small_problem("MPI_Gatherv");
    problem.bytes.summary = Summary{1, 1, 0, 4};
    EXPECT_EQ(reason(problem), "only a summary of its block sizes is recorded");
    problem = small_problem("MPI_Alltoallv");
    problem.bytes.rows = Rows{33.5, 16, 1.5};
    EXPECT_THAT(reason(problem), HasSubstr("its ranks send blocks of different sizes"));
    EXPECT_EQ(reason(small_problem("MPI_Neighbor_alltoall")),
              "no guideline is about this collective");
    problem = vector_of("MPI_Bcast", "derived", 4, 4);
    problem.element->kind = "gapped";
    EXPECT_EQ(reason(problem), "its elements have gaps in memory");
}

TEST(Selection, GroupsOfOtherSizesNeedALaunchOfTheirOwn) {
    Problem problem = vector_of("MPI_Bcast", "MPI_INT", 4, 8);
    problem.group = 1;
    const Selection all = selected(problem);
    ASSERT_EQ(all.left_out.size(), 1U);
    EXPECT_EQ(all.left_out[0].reason, "it is on 2 ranks, the audit on 4");
    EXPECT_EQ(all.left_out[0].command, "mpirun -n 2 mpiaudit run --problems 'my problems.json'");
    EXPECT_TRUE(all.left_out[0].is_elsewhere);
    EXPECT_FALSE(all.left_out[0].is_placed_otherwise);
    // The application ran on two hosts, and half of its ranks save time.
    const Selection two = selected(problem, {1, 2});
    ASSERT_EQ(two.problems.size(), 1U);
    EXPECT_EQ(two.problems[0].share, 0.5);
    EXPECT_EQ(selected(problem, {1, 1}).left_out.at(0).reason,
              "it ran with 1+1 ranks on its hosts, the audit with 2");
}

TEST(Selection, ThePlacementOfRanksCounts) {
    const Problem problem = vector_of("MPI_Bcast", "MPI_INT", 4, 8);
    EXPECT_TRUE(selected(problem, {0, 1, 0, 1}).left_out.at(0).is_elsewhere);
    EXPECT_TRUE(selected(problem, {0, 1, 0, 1}).left_out.at(0).is_placed_otherwise);
    EXPECT_EQ(selected(problem, {0, 1, 0, 1}).left_out.at(0).reason,
              "it ran with 2+2 ranks on its hosts, the audit with 2+2 in another order");
    EXPECT_EQ(select(small_recording(), {4, {}}, "").left_out.size(), 0U);
}

TEST(Selection, EqualProblemsAreOne) {
    Recording recording = small_recording();
    recording.problems = {vector_of("MPI_Bcast", "MPI_INT", 4, 8),
                          vector_of("MPI_Bcast", "MPI_INT", 4, 16),
                          vector_of("MPI_Bcast", "MPI_INT", 4, 8)};
    recording.problems[2].is_in_place = true;
    recording.problems[1].seconds.sum = 3;
    const Selection selection = select(recording, {4, {}}, "");
    ASSERT_EQ(selection.problems.size(), 2U);
    EXPECT_EQ(selection.problems[0].name, "1-Bcast");
    EXPECT_EQ(selection.problems[0].calls, 20);
    EXPECT_EQ(selection.problems[0].share, 1.0);
    EXPECT_EQ(selection.problems[0].seconds, 1.0);
    EXPECT_THAT(selection.problems[0].stand_ins, ElementsAre("in place as not in place"));
    EXPECT_EQ(selection.seconds, 1.75);
}

}  // namespace
}  // namespace mpiaudit::application
