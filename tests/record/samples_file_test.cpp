// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "error_message.h"
#include "record/json_form.h"
#include "report/small_audit.h"

namespace mpiaudit {
namespace {

using testing::IsEmpty;
using testing::StartsWith;

std::vector<double> small_times() {
    return {1e-6, 0.1, 1.0 / 3};
}

record::ProblemRecord first_problem() {
    return problem_record("same", {contestant("A", small_times()), contestant("B", {})});
}

std::string header_line() {
    return record::line_of(audit_header()).dump() + "\n";
}

std::string problem_line(const record::ProblemRecord& problem) {
    return line_text(record::line_of(problem));
}

class SamplesFileTest : public testing::Test {
  protected:
    SamplesFileTest()
        : path_{testing::TempDir() + "samples_" +
                testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl"} {
        std::filesystem::remove(path_);
    }
    ~SamplesFileTest() override { std::filesystem::remove(path_); }

    void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
    std::string error() const {
        return error_message<std::runtime_error>([&] { read_samples(path_); });
    }
    std::string path_;
};

TEST_F(SamplesFileTest, WrittenSamplesAreReadBack) {
    write("an audit that is replaced\n");
    start_samples(path_, audit_header());
    GrowingFile(path_).append(problem_line(first_problem()));
    GrowingFile file(path_);
    file.append(problem_line(problem_record("spikes", {})));
    record::End end{"2024-01-01T00:01:00Z", {}};
    end.machine.warnings = {"late"};
    file.append(line_text(record::line_of(end)));
    // A file that is still open can be read, too: an audit may be killed at any time.
    const SamplesFile samples = read_samples(path_);
    const record::Audit& audit = samples.audit;
    EXPECT_EQ(audit.header.mpi.library, "L");
    ASSERT_EQ(audit.problems.size(), 2U);
    EXPECT_EQ(audit.problems[0].contestants[0].samples_s, small_times());
    EXPECT_EQ(audit.problems[1].problem.id, "spikes/b=10");
    ASSERT_EQ(audit.ends.size(), 1U);
    EXPECT_EQ(audit.ends[0].machine.warnings, std::vector<std::string>{"late"});
    EXPECT_TRUE(audit.is_complete());
    EXPECT_FALSE(samples.is_truncated);
    EXPECT_EQ(samples.intact_bytes, std::filesystem::file_size(path_));
}

TEST_F(SamplesFileTest, HalfWrittenLastLineIsLeftOut) {
    const std::string intact = header_line() + problem_line(first_problem());
    std::string last = problem_line(problem_record("spikes", {}));
    last.pop_back();
    // A line of which only the newline is missing is incomplete, too.
    for (std::size_t left = 0; left < last.size(); left += left / 8 + 1) {
        const std::size_t written = last.size() - left;
        write(intact + last.substr(0, written));
        const SamplesFile samples = read_samples(path_);
        ASSERT_EQ(samples.audit.problems.size(), 1U);
        EXPECT_EQ(samples.audit.problems[0].problem.id, "same/b=10");
        EXPECT_TRUE(samples.is_truncated);
        EXPECT_EQ(samples.intact_bytes, intact.size());
    }
}

TEST_F(SamplesFileTest, HeaderAlone) {
    write(header_line());
    EXPECT_THAT(read_samples(path_).audit.problems, IsEmpty());
}

TEST_F(SamplesFileTest, GarbageInTheMiddleIsLocated) {
    for (const char* garbage : {"{\"kind\": \"prob", "", "3", "[]", "{}", "{\"kind\": 3}"}) {
        write(header_line() + garbage + "\n" + problem_line(first_problem()));
        EXPECT_EQ(error(), path_ + ":2: not a line of an audit's samples") << garbage;
    }
}

TEST_F(SamplesFileTest, LinesInTheWrongPlace) {
    write(header_line() + problem_line(first_problem()) + header_line());
    EXPECT_EQ(error(), path_ + ":3: unexpected line of kind 'header'");
    write(problem_line(first_problem()));
    EXPECT_EQ(error(), path_ + ":1: unexpected line of kind 'problem'");
    write(header_line() + "{\"kind\": \"else\"}\n");
    EXPECT_EQ(error(), path_ + ":2: unexpected line of kind 'else'");
}

/// Returns a problem of `all` contestants of which `number` had time.
record::ProblemRecord with_time_for(std::size_t number, std::size_t all) {
    record::ProblemRecord problem = first_problem();
    problem.contestants.resize(all, problem.contestants.front());
    for (std::size_t i = 0; i < all; ++i) {
        problem.contestants[i].samples_s.assign(i < number ? 1 : 0, 1e-6);
        if (i >= number) problem.contestants[i].skipped = Reason{ReasonKind::no_time};
    }
    return problem;
}

/// Returns how many of seven contestants a twice measured problem has; nothing if the second line
/// is refused.
std::optional<std::size_t> of_both(std::size_t first, std::size_t second) {
    record::Audit audit;
    EXPECT_TRUE(add_problem(audit, with_time_for(first, 7)));
    if (!add_problem(audit, with_time_for(second, 7))) return std::nullopt;
    EXPECT_EQ(audit.problems.size(), 1U);
    return audit.problems.front().number_measured();
}

TEST(AddProblem, MeasuresAgainWhatWasCutShort) {
    EXPECT_EQ(of_both(0, 7), 7U);
    EXPECT_EQ(of_both(3, 5), 5U);
    EXPECT_EQ(of_both(3, 2), 3U);
    EXPECT_EQ(of_both(4, 7), std::nullopt);
    EXPECT_EQ(of_both(7, 0), std::nullopt);
}

TEST_F(SamplesFileTest, AProblemLeftOutMayBeMeasuredLater) {
    record::ProblemRecord left_out = first_problem();
    for (record::Contestant& each : left_out.contestants) {
        each.samples_s.clear();
        each.skipped = Reason{ReasonKind::no_time};
    }
    left_out.order.clear();
    left_out.young_heap.reset();
    write(header_line() + problem_line(left_out) + problem_line(first_problem()));
    const record::Audit audit = read_samples(path_).audit;
    ASSERT_EQ(audit.problems.size(), 1U);
    EXPECT_FALSE(audit.problems.front().is_cut_short());
    // The opposite order is refused.
    write(header_line() + problem_line(first_problem()) + problem_line(left_out));
    EXPECT_EQ(error(), path_ + ":3: id is same/b=10, which was measured before");
}

TEST_F(SamplesFileTest, ProblemsThatWereNotPlanned) {
    record::Header header = audit_header();
    header.planned = {"same/b=10", "spikes/b=10"};
    const std::string start = record::line_of(header).dump() + "\n";
    write(start + problem_line(first_problem()) + problem_line(problem_record("random", {})));
    EXPECT_EQ(error(), path_ + ":3: id is random/b=10, which is no problem of this audit");
    // Early versions have only the number of problems.
    write(header_line() + problem_line(first_problem()) +
          problem_line(problem_record("random", {})) + problem_line(problem_record("even", {})));
    EXPECT_EQ(error(), path_ + ":4: id is even/b=10, beyond the 2 problems of this audit");
    header.planned.pop_back();
    write(record::line_of(header).dump() + "\n");
    EXPECT_EQ(error(), path_ + ":1: planned has 1 ids, of 2 planned_problems");
}

TEST_F(SamplesFileTest, TextThatIsNotUtf8IsLocated) {
    std::string line = problem_line(first_problem());
    line[6] = '\xe9';
    write(header_line() + line);
    EXPECT_EQ(error(), path_ + ":2: byte 7 is 0xe9, which is not UTF-8");
}

TEST_F(SamplesFileTest, NestingWithoutEnd) {
    write(header_line() + std::string(300000, '[') + "\n");
    EXPECT_EQ(error(), path_ + ":2: not a line of an audit's samples");
}

TEST_F(SamplesFileTest, SamplesAreRecognised) {
    EXPECT_TRUE(holds_samples("/nowhere/samples.jsonl"));
    EXPECT_FALSE(holds_samples(path_));
    write("{\n");
    EXPECT_FALSE(holds_samples(path_));
    write(header_line());
    EXPECT_TRUE(holds_samples(path_));
}

TEST_F(SamplesFileTest, NoHeader) {
    write("");
    EXPECT_THAT(error(), StartsWith(path_ + ": has no header"));
    write(header_line().substr(0, 9));
    EXPECT_THAT(error(), StartsWith(path_ + ": has no header"));
}

TEST_F(SamplesFileTest, UnreadableAndUnwritable) {
    EXPECT_EQ(error(), path_ + ": cannot be read (No such file or directory)");
    EXPECT_EQ(error_message<std::runtime_error>([&] { GrowingFile(path_ + "/inside"); }),
              path_ + "/inside: cannot be written (No such file or directory)");
}

}  // namespace
}  // namespace mpiaudit
