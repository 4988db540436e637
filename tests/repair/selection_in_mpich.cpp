// SPDX-License-Identifier: BSD-3-Clause
// MPICH reads what it selects by when it starts, and ends the program where it meets a word that it
// does not know of a collective. So here it is with the branches that mpiaudit writes for all
// collectives, called inside and outside of them: `selection_in_mpich ALGORITHM...`, one for each
// collective in turn. That it is obeyed shows where the order of additions does.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "repair/selection.h"

namespace {

using mpiaudit::repair::Setting;

constexpr int from = 64, to = 128;  ///< bytes
constexpr std::array collectives = {"MPI_Bcast",    "MPI_Allreduce", "MPI_Reduce",
                                    "MPI_Alltoall", "MPI_Allgather", "MPI_Reduce_scatter_block"};
int rank, ranks, failures = 0;

void expect(bool is_right, const char* what, int bytes) {
    if (is_right) return;
    std::printf("rank %d: %s of %d B is wrong\n", rank, what, bytes);
    ++failures;
}

/// Takes the right side: associates, and does not commute.
void take_last(void* in, void* inout, int* count, MPI_Datatype*) {
    // The result is in the second, which is the right one.
    for (int i = 0; i < *count; ++i) {
        int& right = static_cast<int*>(inout)[i];
        if (right < 0) right = static_cast<int*>(in)[i];
    }
}

void move(int count) {
    std::vector<int> own(static_cast<std::size_t>(count * ranks), rank), all = own;
    std::vector<int> sent(static_cast<std::size_t>(count), rank == 0 ? 7 : 0);
    MPI_Bcast(sent.data(), count, MPI_INT, 0, MPI_COMM_WORLD);
    expect(sent.front() == 7 && sent.back() == 7, "MPI_Bcast", 4 * count);
    MPI_Alltoall(own.data(), count, MPI_INT, all.data(), count, MPI_INT, MPI_COMM_WORLD);
    expect(all.front() == 0 && all.back() == ranks - 1, "MPI_Alltoall", 4 * count);
    // A count that does not count.
    MPI_Alltoall(MPI_IN_PLACE, count, MPI_INT, own.data(), count, MPI_INT, MPI_COMM_WORLD);
    expect(own.front() == 0 && own.back() == ranks - 1, "MPI_Alltoall in place", 4 * count);
    own.assign(own.size(), rank);
    all.assign(all.size(), -1);
    MPI_Allgather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, MPI_COMM_WORLD);
    expect(all.front() == 0 && all.back() == ranks - 1, "MPI_Allgather", 4 * count);
}

void reduce(int count, MPI_Op op, int expected) {
    std::vector<int> own(static_cast<std::size_t>(count * ranks), rank), sum = own;
    const auto last = static_cast<std::size_t>(count - 1);
    MPI_Allreduce(own.data(), sum.data(), count, MPI_INT, op, MPI_COMM_WORLD);
    expect(sum[0] == expected && sum[last] == expected, "MPI_Allreduce", 4 * count);
    MPI_Reduce(own.data(), sum.data(), count, MPI_INT, op, 0, MPI_COMM_WORLD);
    expect(rank != 0 || (sum[0] == expected && sum[last] == expected), "MPI_Reduce", 4 * count);
    MPI_Reduce_scatter_block(own.data(), sum.data(), count, MPI_INT, op, MPI_COMM_WORLD);
    expect(sum[0] == expected, "MPI_Reduce_scatter_block", 4 * count * ranks);
}

/// On rank 0, of 1e16 + 1 - 1e16 + 1 in some order.
double block_of_sums(int bytes) {
    constexpr std::array values = {1e16, 1.0, -1e16, 1.0};
    const int count = bytes / 8 / ranks;
    std::vector<double> own(static_cast<std::size_t>(count * ranks), values.at(rank % 4)),
        sum = own;
    MPI_Reduce_scatter_block(own.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum[0];
}

std::string selection(const std::string& own, int count, char** algorithms) {
    std::vector<Setting> settings;
    for (std::size_t i = 0; i < collectives.size(); ++i)
        settings.push_back({.collective = collectives[i],
                            .selected = {{from, to, algorithms[static_cast<int>(i) % count]}}});
    return mpiaudit::repair::selection_file(own, settings, 4);
}

}  // namespace

int main(int argc, char** argv) {
    const auto own = mpiaudit::repair::own_selection();
    if (!own || argc < 2) {
        std::puts("there is no selection in this library");
        return EXIT_FAILURE;
    }
    const std::string file = "selection-" + std::to_string(getpid()) + ".json";
    std::ofstream(file) << selection(*own, argc - 1, argv + 1);
    setenv("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", file.c_str(), 1);
    MPI_Init(nullptr, nullptr);
    unlink(file.c_str());
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Op last = MPI_OP_NULL;
    MPI_Op_create(take_last, 0, &last);
    for (const int bytes : {4, 16, 32, 60, 64, 100, 128, 132, 4096, 400000}) {
        move(bytes / 4);
        reduce(bytes / 4, MPI_SUM, ranks * (ranks - 1) / 2);
        reduce(bytes / 4, last, ranks - 1);
    }
    const bool is_changed = block_of_sums(from) != block_of_sums(from / 2);
    const bool is_expected = ranks == 4 && std::string(argv[argc - 1]) == "pairwise";
    if (rank == 0 && is_changed != is_expected) {
        std::puts("what is selected for MPI_Reduce_scatter_block is not what runs");
        ++failures;
    }
    MPI_Op_free(&last);
    MPI_Finalize();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
