// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "../recorded_calls.h"
#include "alltoall_problem.h"
#include "messages/private_communicator.h"
#include "zero_copy/zero_copy.h"

namespace mpiaudit {
namespace {

int persBruckV_twice(const void* sendbuf, const int sendcounts[], const int sdispls[],
                     MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    PersistentAlltoall* handle = nullptr;
    persBruckV_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                              recvtype, comm, &handle);
    for (int use = 0; use < (sendbuf == MPI_IN_PLACE ? 1 : 2); ++use) {
        persBruckV_Alltoallv_start(handle);
        persBruckV_Alltoallv_wait(handle);
    }
    return persBruckV_Alltoallv_free(&handle);
}

/// Counts and displacements of one side.
struct Side {
    /// `multiple` blocks of the type pair for each rank, the last rank's first, two elements apart.
    void append(int rank, const MappedBlock& block, int multiple) {
        counts[rank] = multiple * block.count;
        displacements[rank] = next;
        next += counts[rank] + 2;
    }

    explicit Side(int ranks) : counts(ranks), displacements(ranks) {}
    std::vector<int> counts;
    std::vector<int> displacements;
    int next = 1;
};

}  // namespace

const std::vector<NamedAlltoallv>& alltoallv_algorithms() {
    static const std::vector<NamedAlltoallv> algorithms = {
        {"zeroBruckV", zeroBruckV_Alltoallv},
        {"persBruckV", persBruckV_twice},
        {"direct", direct_Alltoallv},
        {"pairwise", pairwise_Alltoallv},
        {"windowed", windowed_Alltoallv},
        {"two_phase_Bruck", two_phase_Bruck_Alltoallv},
        {"root_radix_Bruck", root_radix_Bruck_Alltoallv},
        {"padded_Bruck", padded_Bruck_Alltoallv},
        {"chosen_Bruck", chosen_Bruck_Alltoallv},
    };
    return algorithms;
}

const std::vector<NamedDistribution>& distributions() {
    static const std::vector<NamedDistribution> all = {
        {"equal", [](int, int, int) { return 3; }, true},
        {"nothing", [](int, int, int) { return 0; }, true},
        {"irregular", [](int i, int j, int) { return (3 * i + 5 * j) % 4; }, false},
        {"symmetric", [](int i, int j, int) { return (i + j) * i * j % 5; }, true},
        {"one sender", [](int i, int j, int p) { return i == p - 1 ? j + 1 : 0; }, false},
        {"one receiver", [](int i, int j, int) { return j == 0 ? i % 3 : 0; }, false},
        {"one large", [](int i, int j, int p) { return i == p / 2 && j == p - 1 ? 200 : 1; },
         false},
        {"to itself", [](int i, int j, int) { return i == j ? i : 0; }, true},
    };
    return all;
}

void check_alltoallv(const NamedAlltoallv& algorithm, const TypePair& types,
                     const NamedDistribution& distribution, bool is_in_place, MPI_Comm comm) {
    int ranks = 0;
    int rank = 0;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    const MappedBlock send = types.send_of(rank);
    const MappedBlock receive = types.receive_of(rank);
    Side send_side{ranks};
    Side receive_side{ranks};
    for (int other = ranks - 1; other >= 0; --other) {
        send_side.append(other, send, distribution.count(rank, other, ranks));
        receive_side.append(other, receive, distribution.count(other, rank, ranks));
    }
    PoisonedBuffer sent;
    PoisonedBuffer received;
    PoisonedBuffer expected;
    for (int other = 0; other < ranks; ++other) {
        const MappedBlock outgoing{send.mapped, send_side.counts[other]};
        const MappedBlock incoming{receive.mapped, receive_side.counts[other]};
        if (is_in_place)
            received.write(incoming, receive_side.displacements[other], rank, other);
        else
            sent.write(outgoing, send_side.displacements[other], rank, other);
        expected.write(incoming, receive_side.displacements[other], other, rank);
    }
    const PoisonedBuffer sent_before = sent;

    private_communicator(comm);  // stays with comm
    const test::OpenHandles before = test::open_handles();
    const int result =
        is_in_place
            ? algorithm.run(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, received.origin(),
                            receive_side.counts.data(), receive_side.displacements.data(),
                            receive.mapped->type.get(), comm)
            : algorithm.run(sent.origin(), send_side.counts.data(), send_side.displacements.data(),
                            send.mapped->type.get(), received.origin(), receive_side.counts.data(),
                            receive_side.displacements.data(), receive.mapped->type.get(), comm);
    const std::string problem = algorithm.name + ", " + types.name + ", " + distribution.name +
                                ", " + std::to_string(ranks) + " ranks" +
                                (is_in_place ? ", in place" : "");
    EXPECT_EQ(result, MPI_SUCCESS) << problem;
    EXPECT_TRUE(received == expected) << problem;
    EXPECT_TRUE(sent == sent_before) << problem;
    EXPECT_EQ(test::open_handles(), before) << problem;
}

}  // namespace mpiaudit
