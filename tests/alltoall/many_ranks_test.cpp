// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "alltoall_problem.h"

namespace mpiaudit {
namespace {

/// Runs `check` on communicators of the last 1, 2, ... ranks in falling order; the other ranks
/// wait.
void on_all_sizes(const std::function<void(MPI_Comm)>& check) {
    int ranks = 0;
    int rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int size = 1; size <= ranks; ++size) {
        const bool is_member = rank >= ranks - size;
        MPI_Comm members = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, is_member ? 0 : MPI_UNDEFINED, -rank, &members);
        if (is_member) {
            check(members);
            MPI_Comm_free(&members);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(ManyRanks, alltoall_moves_all_blocks) {
    const TypePairs pairs;
    on_all_sizes([&](MPI_Comm comm) {
        for (const NamedAlltoall& algorithm : alltoall_algorithms()) {
            check_alltoall(algorithm, *pairs.begin(), 1, false, comm);
            check_alltoall(algorithm, *(pairs.end() - 1), 1, false, comm);
        }
    });
}

TEST(ManyRanks, alltoallv_moves_all_blocks) {
    const TypePairs pairs;
    on_all_sizes([&](MPI_Comm comm) {
        for (const NamedAlltoallv& algorithm : alltoallv_algorithms())
            for (const NamedDistribution& distribution : distributions())
                if (!distribution.is_symmetric)
                    check_alltoallv(algorithm, *(pairs.end() - 1), distribution, false, comm);
    });
}

}  // namespace
}  // namespace mpiaudit
