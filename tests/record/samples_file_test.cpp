// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples_file.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace mpiaudit {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

const json header = {{"kind", "header"}, {"x", 1}};
const json first = {{"kind", "problem"}, {"id", "same/b=1"}, {"samples_s", {1e-6, 0.1, 1.0 / 3}}};
const json second = {{"kind", "problem"}, {"id", "same/b=10"}};

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
    SamplesWriter(path_).append(header);
    SamplesWriter(path_).append(first);
    SamplesWriter writer(path_);
    writer.append(second);
    // Also while it is still open: an audit may be killed at any time.
    const SamplesFile samples = read_samples(path_);
    EXPECT_EQ(samples.header, header);
    EXPECT_THAT(samples.problems, ElementsAre(first, second));
    EXPECT_FALSE(samples.is_truncated);
    EXPECT_EQ(samples.intact_bytes, std::filesystem::file_size(path_));
}

TEST_F(SamplesFileTest, HalfWrittenLastLineIsLeftOut) {
    const std::string intact = header.dump() + "\n" + first.dump() + "\n";
    const std::string last = second.dump();
    // Also when only the end of the line is missing.
    for (std::size_t written = 1; written <= last.size(); ++written) {
        write(intact + last.substr(0, written));
        const SamplesFile samples = read_samples(path_);
        EXPECT_THAT(samples.problems, ElementsAre(first));
        EXPECT_TRUE(samples.is_truncated);
        EXPECT_EQ(samples.intact_bytes, intact.size());
    }
}

TEST_F(SamplesFileTest, HeaderAlone) {
    write(header.dump() + "\n");
    EXPECT_THAT(read_samples(path_).problems, IsEmpty());
}

TEST_F(SamplesFileTest, GarbageInTheMiddleIsLocated) {
    for (const char* garbage : {"{\"kind\": \"prob", "", "3", "[]", "{}", "{\"kind\": 3}"}) {
        write(header.dump() + "\n" + garbage + "\n" + first.dump() + "\n");
        EXPECT_EQ(error(), path_ + ":2: not a line of an audit's samples") << garbage;
    }
}

TEST_F(SamplesFileTest, LinesInTheWrongPlace) {
    write(header.dump() + "\n" + first.dump() + "\n" + header.dump() + "\n");
    EXPECT_EQ(error(), path_ + ":3: unexpected line of kind 'header'");
    write(first.dump() + "\n");
    EXPECT_EQ(error(), path_ + ":1: unexpected line of kind 'problem'");
    write(header.dump() + "\n{\"kind\": \"else\"}\n");
    EXPECT_EQ(error(), path_ + ":2: unexpected line of kind 'else'");
}

TEST_F(SamplesFileTest, NoHeader) {
    write("");
    EXPECT_THAT(error(), StartsWith(path_ + ": has no header"));
    write(header.dump().substr(0, 9));
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
    EXPECT_THROW(writer.append(first), std::runtime_error);
}

}  // namespace
}  // namespace mpiaudit
