// SPDX-License-Identifier: BSD-3-Clause
#include "alltoall_problem.h"

#include <gtest/gtest.h>

#include "../recorded_calls.h"
#include "messages/private_communicator.h"
#include "zero_copy/zero_copy.h"

namespace mpiaudit {
namespace {

/// The second use finds in the receive buffer what the first has left there, so that it is only
/// the same operation if the input is not in place.
int persBruck_twice(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    PersistentAlltoall* handle = nullptr;
    persBruck_Alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                            &handle);
    for (int use = 0; use < (sendbuf == MPI_IN_PLACE ? 1 : 2); ++use) {
        persBruck_Alltoall_start(handle);
        persBruck_Alltoall_wait(handle);
    }
    return persBruck_Alltoall_free(&handle);
}

}  // namespace

const std::vector<NamedAlltoall>& alltoall_algorithms() {
    static const std::vector<NamedAlltoall> algorithms = {
        {"basicBruck", basicBruck_Alltoall},
        {"basicBruck_ix", basicBruck_ix_Alltoall},
        {"modBruck", modBruck_Alltoall},
        {"modBruck_ix", modBruck_ix_Alltoall},
        {"zeroBruck", zeroBruck_Alltoall},
        {"zeroBruck_blocks", zeroBruck_blocks_Alltoall},
        {"zeroBruck_half", zeroBruck_half_Alltoall},
        {"persBruck", persBruck_twice},
        {"direct", direct_Alltoall},
        {"pairwise", pairwise_Alltoall},
        {"windowed", windowed_Alltoall},
        {"factorised", factorised_Alltoall},
    };
    return algorithms;
}

void check_alltoall(const NamedAlltoall& algorithm, const TypePair& types, int count,
                    bool is_in_place, MPI_Comm comm) {
    int ranks = 0;
    int rank = 0;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    MappedBlock send = types.send_of(rank);
    MappedBlock receive = types.receive_of(rank);
    send.count *= count;
    receive.count *= count;
    PoisonedBuffer sent;
    PoisonedBuffer received;
    PoisonedBuffer expected;
    for (int other = 0; other < ranks; ++other) {
        if (is_in_place)
            received.write(receive, other * receive.count, rank, other);
        else
            sent.write(send, other * send.count, rank, other);
        expected.write(receive, other * receive.count, other, rank);
    }
    const PoisonedBuffer sent_before = sent;

    private_communicator(comm);  // stays with comm
    const test::OpenHandles before = test::open_handles();
    const int result =
        is_in_place
            ? algorithm.run(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received.origin(), receive.count,
                            receive.mapped->type.get(), comm)
            : algorithm.run(sent.origin(), send.count, send.mapped->type.get(), received.origin(),
                            receive.count, receive.mapped->type.get(), comm);
    const std::string problem = algorithm.name + ", " + types.name + ", count " +
                                std::to_string(count) + ", " + std::to_string(ranks) + " ranks" +
                                (is_in_place ? ", in place" : "");
    EXPECT_EQ(result, MPI_SUCCESS) << problem;
    EXPECT_TRUE(received == expected) << problem;
    EXPECT_TRUE(sent == sent_before) << problem;
    EXPECT_EQ(test::open_handles(), before) << problem;
}

}  // namespace mpiaudit
