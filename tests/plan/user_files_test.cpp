// SPDX-License-Identifier: BSD-3-Clause
#include "plan/inputs.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "options/option_table.h"
#include "plan/user_files.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

TEST(Inputs, FilesOfTheUser) {
    const UserFile guidelines("mine.json",
                              R"({"guidelines": [{"id": "me", "statement":
                                 "MPI_Gatherv <= MPI_Gatherv"}]})");
    RunOptions options;
    options.guidelines = {guidelines.path()};
    const UserFile ramp("ramp.json", R"({"name": "ramp", "formula": "k*i",
                                         "parameters": {"k": 1}})");
    options.distributions = {"same", ramp.path() + ":k=3"};
    const Inputs inputs = inputs_of(options);
    EXPECT_THAT(ids(inputs), ElementsAre("me"));
    EXPECT_EQ(inputs.guidelines.front().file, guidelines.path());
    EXPECT_THAT(names(inputs), ElementsAre("same", "ramp:k=3"));
}

TEST(Inputs, FileOfTheUserBesideTheCallerIsNotTakenForAShippedOne) {
    const UserFile file(
        "irregular.json",
        R"({"guidelines": [{"id": "me", "statement": "MPI_Gather <= MPI_Gatherv"}]})");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(std::filesystem::path(file.path()).parent_path());
    RunOptions options;
    options.guidelines = {"irregular.json"};
    const Inputs inputs = inputs_of(options);
    std::filesystem::current_path(before);
    EXPECT_THAT(ids(inputs), ElementsAre("me"));
    EXPECT_EQ(inputs.guidelines.front().file, "./irregular.json");
}

TEST(Inputs, FilesThatCannotBeRead) {
    RunOptions options;
    options.guidelines = {"./"};
    EXPECT_EQ(error_of(options), "./: cannot be read; is it a readable file?");
    options = {};
    options.counts = "5;0";
    EXPECT_EQ(error_of(options),
              "--counts: '5;0' is neither a list of block sizes, such as 5,0,3, nor a file");
}

TEST(Inputs, ErrorsInFilesAreWrongUse) {
    const UserFile file("mine.json", "{\n\"guidelines\": [}\n");
    RunOptions options;
    options.guidelines = {file.path()};
    EXPECT_THROW(inputs_of(options), UsageError);
    EXPECT_THAT(error_of(options), StartsWith(file.path() + ":2:16: syntax error"));
}

}  // namespace
}  // namespace mpiaudit
