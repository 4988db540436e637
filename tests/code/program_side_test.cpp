// SPDX-License-Identifier: BSD-3-Clause
#include "code/program.h"

#include <gmock/gmock.h>

#include "described_way.h"

namespace mpiaudit {
namespace {

record::ContestantDescription calls_in_a_row(int number) {
    std::string name = "MPI_Allgather(m)", way = "scattered -> MPI_Allgather -> replicated";
    for (int k = 1; k < number; ++k) {
        name += " + MPI_Allgather(m)";
        way += " -> view -> scattered -> MPI_Allgather -> replicated";
    }
    return described_way(name, way);
}

TEST(ProgramSide, IsNotMadeOfMoreStepsThanAProgramHasBuffersFor) {
    EXPECT_TRUE(program_side(calls_in_a_row(1), {}).has_value());
    EXPECT_TRUE(program_side(calls_in_a_row(4), {}).has_value());
    EXPECT_FALSE(program_side(calls_in_a_row(5), {}).has_value());
    EXPECT_FALSE(program_side(calls_in_a_row(8), {}).has_value());
}

}  // namespace
}  // namespace mpiaudit
