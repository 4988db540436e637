// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "record/json_form.h"
#include "small_audit.h"

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
    return record::line_of(problem).dump() + "\n";
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
        try {
            read_samples(path_);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    }
    std::string path_;
};

TEST_F(SamplesFileTest, WhatIsWrittenIsReadBack) {
    SamplesWriter(path_).append(audit_header());
    SamplesWriter(path_).append(first_problem());
    SamplesWriter writer(path_);
    writer.append(problem_record("spikes", {}));
    writer.append(record::End{"2024-01-01T00:01:00Z", {.warnings = {"late"}}});
    // Also while it is still open: an audit may be killed at any time.
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
    // Also when only the end of the line is missing.
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

TEST_F(SamplesFileTest, ProblemThatWasMeasuredBefore) {
    write(header_line() + problem_line(first_problem()) + problem_line(first_problem()));
    EXPECT_EQ(error(), path_ + ":3: id is same/b=10, which was measured before");
}

TEST_F(SamplesFileTest, ASimulationMeasuresAProblemOnceToo) {
    record::Header header = audit_header();
    header.simulated = true;
    header.simulation.emplace();
    write(record::line_of(header).dump() + "\n" + problem_line(first_problem()) +
          problem_line(first_problem()));
    EXPECT_EQ(error(), path_ + ":3: id is same/b=10, which was measured before");
}

TEST_F(SamplesFileTest, NoHeader) {
    write("");
    EXPECT_THAT(error(), StartsWith(path_ + ": has no header"));
    write(header_line().substr(0, 9));
    EXPECT_THAT(error(), StartsWith(path_ + ": has no header"));
}

TEST_F(SamplesFileTest, UnreadableAndUnwritable) {
    EXPECT_EQ(error(), path_ + ": cannot be read (No such file or directory)");
    try {
        SamplesWriter(path_ + "/inside");
        FAIL() << "opened a file in a folder that is not there";
    } catch (const std::runtime_error& failure) {
        EXPECT_EQ(failure.what(), path_ + "/inside: cannot be written (No such file or directory)");
    }
}

TEST_F(SamplesFileTest, FullDiskIsNoticed) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
    SamplesWriter writer("/dev/full");
    EXPECT_THROW(writer.append(first_problem()), std::runtime_error);
}

}  // namespace
}  // namespace mpiaudit
