// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "collectives/gather/gather.h"
#include "messages/owned.h"

namespace mpiaudit {
namespace {

/// One int at an absolute address, elements following each other as those of an array.
OwnedDatatype int_at(const int* place) {
    MPI_Aint address = 0;
    MPI_Get_address(place, &address);
    const int one = 1;
    MPI_Datatype at_address = MPI_DATATYPE_NULL, resized = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &at_address);
    MPI_Type_create_resized(at_address, address, sizeof(int), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&at_address);
    return OwnedDatatype(resized);
}

TEST(Gatherv, takes_buffers_at_absolute_addresses) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int root = ranks / 2;
    const std::vector<int> sent(3, 100 + rank), counts(static_cast<std::size_t>(ranks), 3);
    std::vector<int> received(static_cast<std::size_t>(3 * ranks), -1), displacements, expected;
    for (int i = 0; i < ranks; ++i) {
        displacements.push_back(3 * (ranks - 1 - i));
        expected.insert(expected.end(), 3, 100 + ranks - 1 - i);
    }
    const OwnedDatatype sent_type = int_at(sent.data()), received_type = int_at(received.data());
    for (const auto gatherv : {linear_Gatherv, binomial_Gatherv, TUW_Gatherv}) {
        std::ranges::fill(received, -1);
        gatherv(MPI_BOTTOM, 3, sent_type.get(), MPI_BOTTOM, counts.data(), displacements.data(),
                received_type.get(), root, MPI_COMM_WORLD);
        if (rank == root) {
            EXPECT_EQ(received, expected);
        }
    }
}

}  // namespace
}  // namespace mpiaudit
