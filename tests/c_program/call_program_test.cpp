// SPDX-License-Identifier: BSD-3-Clause
// cli.programs compiles and runs the programs.
#include "c_program/call_program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "code/filled_text.h"

namespace mpiaudit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The program has one type of elements, one call and one thread.
const std::vector<std::string> without_lines{"sent_type=structure", "received_type=structure",
                                             "meanwhile=same-operation", "meanwhile=thread",
                                             "meanwhile=same-on-duplicate"};

std::string properties_name(const calls::ChosenCall& call, std::size_t property) {
    const calls::PropertyRow& row = calls::properties()[property];
    return row.name + "=" + row.values[call.values[property]].name;
}

TEST(CallProgram, KnowsEveryValueOfEveryProperty) {
    for (std::size_t i = 0; i < calls::property_count; ++i) {
        calls::ChosenCall call;
        for (std::size_t value = 0; value < calls::properties()[i].values.size(); ++value) {
            call.values[i] = static_cast<std::uint8_t>(value);
            if (std::ranges::find(without_lines, properties_name(call, i)) != without_lines.end())
                continue;
            EXPECT_THAT(left_out_of_program(call), IsEmpty())
                << "call_program.inc has no line for this value";
        }
    }
}

TEST(CallProgram, BeginsWithItsRemarksAndItsCommands) {
    const std::string text = program_of_call({}, {"MPI_Gather", "a remark */"}, "mpirun -n 3");
    EXPECT_EQ(text.substr(0, text.find("#include")),
              "/* MPI_Gather\n"
              " * a remark * /\n"
              " *\n"
              " *   mpicc -o reproduce reproduce.c\n"
              " *   mpirun -n 3 ./reproduce\n"
              " */\n");
}

TEST(CallProgram, HasNothingButWhatTheCallNeeds) {
    const std::string barrier =
        program_of_call(calls::parse_call("operation=MPI_Barrier"), {}, "mpirun");
    EXPECT_THAT(barrier, HasSubstr("const int code = MPI_Barrier(comm);"));
    EXPECT_EQ(barrier.find("element"), std::string::npos);
    EXPECT_EQ(barrier.find('@'), std::string::npos);
}

std::string filled(std::string_view text) {
    return filled_text(text, {{"A", "1"}}, [](std::string_view word) { return word == "yes"; });
}

TEST(FilledText, KeepsLinesWhoseConditionsHold) {
    EXPECT_EQ(filled("|yes|a\n|no|b\n|no yes|c\n|yes||!no|d\n|yes||no|e\n|!yes|f\n"), "a\nc\nd\n");
}

TEST(FilledText, KeepsSectionsWhoseConditionsHold) {
    EXPECT_EQ(filled("a\n@@|yes||no|\nb\n@@|yes|\nc\n|no|d\n@@\ne\n"), "a\nc\ne\n");
}

TEST(FilledText, ReplacesWordsInSigns) {
    EXPECT_EQ(filled("x = @A@ @B@;\n"), "x = 1 @B@;\n");
}

}  // namespace
}  // namespace mpiaudit
