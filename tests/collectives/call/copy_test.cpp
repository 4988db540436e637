// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/copy.h"

#include <gtest/gtest.h>

#include <vector>

#include "collectives/datatypes/layout.h"
#include "made_types.h"

namespace {
int sendrecvs = 0;
}

// Seen through MPI's profiling interface.
int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int to, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int from, int recvtag,
                 MPI_Comm comm, MPI_Status* status) {
    ++sendrecvs;
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, to, sendtag, recvbuf, recvcount, recvtype,
                         from, recvtag, comm, status);
}

namespace mpiaudit::test {
namespace {

/// Copies, and says how many messages it took.
int messages_of_copy(const TypedBuffer& from, const TypedBuffer& to) {
    sendrecvs = 0;
    copy_to_oneself(from, to, Ranks{MPI_COMM_WORLD});
    return sendrecvs;
}

TEST(Copy, BetweenDenseBuffersTakesNoMessage) {
    const std::vector<int> from = {1, 2, 3, 4, 5, 6};
    std::vector<int> to(6);
    EXPECT_EQ(messages_of_copy({from.data(), 6, MPI_INT}, {to.data(), 6, MPI_INT}), 0);
    EXPECT_EQ(to, from);
    to.assign(6, 0);
    const OwnedDatatype threes = contiguous(3, MPI_INT);
    EXPECT_EQ(messages_of_copy({from.data(), 2, threes.get()}, {to.data(), 6, MPI_INT}), 0);
    EXPECT_EQ(to, from);
}

TEST(Copy, OfOneGaplessTypeTakesNoMessageWhateverItsOrder) {
    const std::vector<int> from = {1, 2, 3, 4};
    std::vector<int> to(4);
    const OwnedDatatype swapped = swapped_ints();
    EXPECT_EQ(messages_of_copy({from.data(), 2, swapped.get()}, {to.data(), 2, swapped.get()}), 0);
    EXPECT_EQ(to, from);
}

TEST(Copy, MindsWhereTheDataOfATypeLie) {
    const std::vector<int> from = {1, 2, 3, 4};
    std::vector<int> to(4);
    const OwnedDatatype before = shifted_int(-1024);
    EXPECT_EQ(messages_of_copy({displaced(from.data(), 1024), 4, before.get()},
                               {displaced(to.data(), 1024), 4, before.get()}),
              0);
    EXPECT_EQ(to, from);
}

TEST(Copy, BetweenOrdersIsAMessage) {
    const std::vector<int> from = {1, 2, 3, 4};
    std::vector<int> to(4);
    EXPECT_EQ(messages_of_copy({from.data(), 4, MPI_INT}, {to.data(), 2, swapped_ints().get()}), 1);
    EXPECT_EQ(to, (std::vector<int>{2, 1, 4, 3}));
}

TEST(Copy, LeavesGapsAlone) {
    const std::vector<int> from = {1, 2, 3, 4};
    std::vector<int> to = {-1, -2, -3, -4};
    const OwnedDatatype spread = resized(MPI_INT, 0, 8);
    EXPECT_EQ(messages_of_copy({from.data(), 2, spread.get()}, {to.data(), 2, spread.get()}), 1);
    EXPECT_EQ(to, (std::vector<int>{1, -2, 3, -4}));
}

TEST(Copy, OfNothingTouchesNothing) {
    const OwnedDatatype spread = resized(MPI_INT, 0, 8);
    EXPECT_EQ(messages_of_copy({nullptr, 0, MPI_INT}, {nullptr, 0, MPI_INT}), 0);
    EXPECT_EQ(messages_of_copy({nullptr, 0, spread.get()}, {nullptr, 0, MPI_INT}), 0);
    EXPECT_EQ(messages_of_copy({nullptr, 0, MPI_CHAR}, {nullptr, 0, MPI_INT}), 0);
}

TEST(SendToOneself, IsAMessageWhateverTheTypes) {
    const std::vector<int> from = {1, 2, 3};
    std::vector<int> to(3);
    sendrecvs = 0;
    send_to_oneself({from.data(), 3, MPI_INT}, {to.data(), 3, MPI_INT}, Ranks{MPI_COMM_WORLD});
    EXPECT_EQ(sendrecvs, 1);
    EXPECT_EQ(to, from);
}

}  // namespace
}  // namespace mpiaudit::test
