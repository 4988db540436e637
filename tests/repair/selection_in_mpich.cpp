// SPDX-License-Identifier: BSD-3-Clause
// MPICH reads what it selects by when it starts, and ends the program where it meets a word that it
// does not know of a collective. So here it is with the branches that mpiaudit writes for all
// collectives, called inside and outside of them: `selection_in_mpich ALGORITHM...`, one for each
// collective in turn. That it is obeyed shows where the order of additions does.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "repair/selection.h"

namespace {

using mpiaudit::repair::Setting;

constexpr int from = 64, to = 128;  ///< bytes
constexpr std::array collectives = {"MPI_Bcast",    "MPI_Allreduce", "MPI_Reduce",
                                    "MPI_Alltoall", "MPI_Allgather", "MPI_Reduce_scatter_block"};
/// Those that are selected for all sizes, with an algorithm of each.
constexpr std::array<std::pair<const char*, const char*>, 8> without_sizes = {
    {{"MPI_Allgatherv", "ring"},
     {"MPI_Alltoallv", "scattered"},
     {"MPI_Alltoallw", "scattered"},
     {"MPI_Barrier", MPICH_NUMVERSION < 40100000 ? "dissemination" : "nb"},
     {"MPI_Gather", "binomial"},
     {"MPI_Reduce_scatter", "pairwise"},
     {"MPI_Scan", "recursive_doubling"},
     {"MPI_Scatter", "binomial"}}};
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

/// Blocks are equal, as what may differ is not selected by.
void move_irregularly(int count) {
    const auto blocks = static_cast<std::size_t>(ranks);
    const std::vector<int> counts(blocks, count);
    std::vector<int> displacements(blocks);
    for (std::size_t i = 1; i < blocks; ++i) displacements[i] = displacements[i - 1] + count;
    std::vector<int> own(static_cast<std::size_t>(count * ranks), rank), all = own;
    MPI_Allgatherv(own.data(), count, MPI_INT, all.data(), counts.data(), displacements.data(),
                   MPI_INT, MPI_COMM_WORLD);
    expect(all.front() == 0 && all.back() == ranks - 1, "MPI_Allgatherv", 4 * count);
    all.assign(all.size(), -1);
    MPI_Alltoallv(own.data(), counts.data(), displacements.data(), MPI_INT, all.data(),
                  counts.data(), displacements.data(), MPI_INT, MPI_COMM_WORLD);
    expect(all.front() == 0 && all.back() == ranks - 1, "MPI_Alltoallv", 4 * count);
    MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, all.data(), counts.data(),
                  displacements.data(), MPI_INT, MPI_COMM_WORLD);
    expect(all.front() == rank && all.back() == rank, "MPI_Alltoallv in place", 4 * count);
    std::vector<int> bytes = displacements;
    for (int& each : bytes) each *= 4;
    const std::vector<MPI_Datatype> types(blocks, MPI_INT);
    MPI_Alltoallw(own.data(), counts.data(), bytes.data(), types.data(), all.data(), counts.data(),
                  bytes.data(), types.data(), MPI_COMM_WORLD);
    expect(all.front() == 0 && all.back() == ranks - 1, "MPI_Alltoallw", 4 * count);
}

void move_from_and_to_root(int count) {
    std::vector<int> own(static_cast<std::size_t>(count), rank), all(own.size() * 4, -1);
    // What does not count differs between ranks.
    if (rank == 0) {
        std::fill_n(all.begin(), count, 0);
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), count, MPI_INT, 0,
                   MPI_COMM_WORLD);
        expect(all.front() == 0 && all.back() == ranks - 1, "MPI_Gather", 4 * count);
        MPI_Scatter(all.data(), count, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0,
                    MPI_COMM_WORLD);
    } else {
        MPI_Gather(own.data(), count, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        own.assign(own.size(), -1);
        MPI_Scatter(nullptr, 0, MPI_DATATYPE_NULL, own.data(), count, MPI_INT, 0, MPI_COMM_WORLD);
        expect(own.front() == rank && own.back() == rank, "MPI_Scatter", 4 * count);
    }
    MPI_Barrier(MPI_COMM_WORLD);
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
    const std::vector<int> counts(static_cast<std::size_t>(ranks), count);
    MPI_Reduce_scatter(own.data(), sum.data(), counts.data(), MPI_INT, op, MPI_COMM_WORLD);
    expect(sum[0] == expected, "MPI_Reduce_scatter", 4 * count * ranks);
    // On the last rank it is that of all.
    MPI_Scan(own.data(), sum.data(), count, MPI_INT, op, MPI_COMM_WORLD);
    expect(rank != ranks - 1 || (sum[0] == expected && sum[last] == expected), "MPI_Scan",
           4 * count);
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

Setting setting(const char* collective, mpiaudit::repair::SelectedAlgorithm selected) {
    return {.collective = collective,
            .ranks = 4,
            .file = mpiaudit::repair::SelectionFile::selection,
            .selected = {std::move(selected)}};
}

std::string selection(const std::string& own, int count, char** algorithms) {
    std::vector<Setting> settings;
    for (std::size_t i = 0; i < collectives.size(); ++i)
        settings.push_back(
            setting(collectives[i], {from, to, algorithms[static_cast<int>(i) % count], 0}));
    const bool is_nb = count == 1;
    for (const auto& [collective, algorithm] : without_sizes)
        settings.push_back(setting(collective, {.algorithm = is_nb ? "nb" : algorithm}));
    return mpiaudit::repair::selection_file(own, settings);
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
        move_irregularly(bytes / 4);
        move_from_and_to_root(bytes / 4);
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
