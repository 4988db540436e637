// SPDX-License-Identifier: BSD-3-Clause
// Open MPI ignores a file of rules with an error in it without a word. So here it is with one that
// mpiaudit writes: on which communicators, for which sizes it is obeyed shows in the order of
// additions.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "repair/selection.h"

namespace {

using mpiaudit::repair::SelectedAlgorithm;
using mpiaudit::repair::Setting;

int failures = 0;

Setting setting(const char* collective, int ranks, SelectedAlgorithm selected) {
    return {.collective = collective,
            .ranks = ranks,
            .file = mpiaudit::repair::SelectionFile::tuned_rules,
            .selected = {std::move(selected)}};
}

/// Every collective has a part of the file, so that an error in any of them shows.
std::string rules() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    MPI_Get_library_version(library.data(), &length);
    const SelectedAlgorithm linear{.algorithm = "basic_linear", .number = 1};
    std::vector<Setting> settings = {
        setting("MPI_Allreduce", 3,
                {.from = 64, .to = 128, .algorithm = "basic_linear", .number = 1}),
        setting("MPI_Allreduce", 4, linear)};
    for (const char* each :
         {"MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Barrier",
          "MPI_Bcast", "MPI_Exscan", "MPI_Gather", "MPI_Reduce", "MPI_Reduce_scatter",
          "MPI_Reduce_scatter_block", "MPI_Scan", "MPI_Scatter"})
        settings.push_back(setting(each, 2, linear));
    return mpiaudit::repair::tuned_rules_file(settings, library.data());
}

/// Numbers whose sum is 1 when they are added from the last to the first, as MPI_Allreduce's
/// linear algorithm does, and 0 when neighbours are, as it does by default where they are few.
double summand(int rank, int ranks) {
    constexpr std::array values = {0.0, 1.0, 1e16, -1e16, 1.0};
    return values.at(static_cast<std::size_t>(ranks == 5 ? rank : rank + 1));
}

/// On the first ranks of MPI_COMM_WORLD.
void expect_linear(bool expected, int ranks, int count) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
    if (some == MPI_COMM_NULL) return;
    const std::vector<double> own(static_cast<std::size_t>(count), summand(rank, ranks));
    std::vector<double> sums(own.size());
    MPI_Allreduce(own.data(), sums.data(), count, MPI_DOUBLE, MPI_SUM, some);
    if ((sums.front() == 1) != expected) {
        std::printf("rank %d of %d: %d B: the sum is %g\n", rank, ranks, 8 * count, sums.front());
        ++failures;
    }
    MPI_Comm_free(&some);
}

}  // namespace

int main() {
    const std::string file = "tuned-" + std::to_string(getpid()) + ".rules";
    std::ofstream(file) << rules();
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", file.c_str(), 1);
    MPI_Init(nullptr, nullptr);
    MPI_Barrier(MPI_COMM_WORLD);
    for (const int count : {1, 7, 8, 16, 17, 100}) {
        expect_linear(count == 8 || count == 16, 3, count);
        expect_linear(true, 4, count);
        expect_linear(false, 5, count);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    unlink(file.c_str());
    MPI_Finalize();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
