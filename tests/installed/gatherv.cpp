// SPDX-License-Identifier: BSD-3-Clause
// MPI_Gatherv replaced by TUW_Gatherv, from outside: rank i contributes i + 1 times the number i.
#include <mpi.h>

#include <mpiaudit/collectives/collectives.h>

#include <numeric>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::vector<int> own(rank + 1, rank);
    std::vector<int> counts(ranks), displacements(ranks, 0);
    std::iota(counts.begin(), counts.end(), 1);
    std::partial_sum(counts.begin(), counts.end() - 1, displacements.begin() + 1);
    std::vector<int> all(displacements.back() + counts.back());
    mpiaudit::TUW_Gatherv(own.data(), rank + 1, MPI_INT, all.data(), counts.data(),
                          displacements.data(), MPI_INT, 0, MPI_COMM_WORLD);
    int wrong = 0;
    for (int i = 0, at = 0; rank == 0 && i < ranks; ++i) {
        for (int k = 0; k <= i; ++k) wrong += all[at++] != i;
    }
    MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong > 0;
}
