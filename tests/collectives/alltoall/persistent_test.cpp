// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "../../recorded_calls.h"
#include "zero_copy/zero_copy.h"

namespace mpiaudit {
namespace {

struct World {
    World() {
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    int ranks = 0;
    int rank = 0;
};

/// Uses the handle three times with new contents each; three ints for each rank.
void expect_transposed_each_time(PersistentAlltoall* handle, int (*start)(PersistentAlltoall*),
                                 int (*wait)(PersistentAlltoall*), std::vector<int>& input,
                                 const std::vector<int>& output) {
    const World world;
    for (int use = 0; use < 3; ++use) {
        for (int i = 0; i < 3 * world.ranks; ++i) input[i] = 1000 * use + 100 * world.rank + i;
        start(handle);
        wait(handle);
        for (int source = 0; source < world.ranks; ++source)
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(output[3 * source + i], 1000 * use + 100 * source + 3 * world.rank + i)
                    << "use " << use << " from " << source;
    }
}

TEST(PersistentAlltoallTest, sends_what_the_buffer_holds_at_each_start) {
    const World world;
    std::vector<int> input(3 * world.ranks);
    std::vector<int> output(3 * world.ranks);
    PersistentAlltoall* handle = nullptr;
    persBruck_Alltoall_init(input.data(), 3, MPI_INT, output.data(), 3, MPI_INT, MPI_COMM_WORLD,
                            &handle);
    expect_transposed_each_time(handle, persBruck_Alltoall_start, persBruck_Alltoall_wait, input,
                                output);
    persBruck_Alltoall_free(&handle);
    EXPECT_EQ(handle, nullptr);
}

TEST(PersistentAlltoallTest, takes_the_input_in_place_at_each_start) {
    const World world;
    std::vector<int> buffer(3 * world.ranks);
    PersistentAlltoall* handle = nullptr;
    persBruck_Alltoall_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 3, MPI_INT,
                            MPI_COMM_WORLD, &handle);
    expect_transposed_each_time(handle, persBruck_Alltoall_start, persBruck_Alltoall_wait, buffer,
                                buffer);
    persBruck_Alltoall_free(&handle);
}

TEST(PersistentAlltoallTest, irregular_sends_what_the_buffer_holds_at_each_start) {
    const World world;
    std::vector<int> input(3 * world.ranks);
    std::vector<int> output(3 * world.ranks);
    const std::vector<int> counts(world.ranks, 3);
    std::vector<int> displacements;
    for (int i = 0; i < world.ranks; ++i) displacements.push_back(3 * i);
    PersistentAlltoall* handle = nullptr;
    persBruckV_Alltoallv_init(input.data(), counts.data(), displacements.data(), MPI_INT,
                              output.data(), counts.data(), displacements.data(), MPI_INT,
                              MPI_COMM_WORLD, &handle);
    expect_transposed_each_time(handle, persBruckV_Alltoallv_start, persBruckV_Alltoallv_wait,
                                input, output);
    persBruckV_Alltoallv_free(&handle);
    EXPECT_EQ(handle, nullptr);
}

TEST(PersistentAlltoallTest, makes_no_datatypes_in_the_repeated_part) {
    const World world;
    std::vector<int> input(world.ranks);
    std::vector<int> output(world.ranks);
    PersistentAlltoall* handle = nullptr;
    persBruck_Alltoall_init(input.data(), 1, MPI_INT, output.data(), 1, MPI_INT, MPI_COMM_WORLD,
                            &handle);
    const long datatypes = test::datatypes_made();
    const test::OpenHandles before = test::open_handles();
    persBruck_Alltoall_start(handle);
    persBruck_Alltoall_wait(handle);
    EXPECT_EQ(test::datatypes_made(), datatypes);
    EXPECT_EQ(test::open_handles(), before);
    persBruck_Alltoall_free(&handle);
}

}  // namespace
}  // namespace mpiaudit
