// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"
#include "collectives/reduce_scatter/halving_rounds.h"

namespace mpiaudit {
namespace {

int allreduce_in_rounds(HalvingRounds (*rounds_of)(int ranks), const void* sendbuf, void* recvbuf,
                        int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const HalvingRounds rounds = rounds_of(ranks.size);
    const Reduction reduction{count, datatype, op};
    const Blocks result = Blocks::split(recvbuf, count, datatype, ranks.size);
    const Fold all = Fold::none(ranks);
    HalvedVector vector{rounds, sendbuf == MPI_IN_PLACE ? result : result.in(sendbuf), reduction,
                        all, ranks};
    vector.reduce_scatter();
    vector.allgather();
    vector.copy_to(result);
    return MPI_SUCCESS;
}

}  // namespace

int circulant_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm) {
    return allreduce_in_rounds(circulant_rounds, sendbuf, recvbuf, count, datatype, op, comm);
}

int near_first_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm) {
    return allreduce_in_rounds(near_first_rounds, sendbuf, recvbuf, count, datatype, op, comm);
}

}  // namespace mpiaudit
