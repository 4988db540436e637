// SPDX-License-Identifier: BSD-3-Clause
#include "calls/transfer.h"

#include <gmock/gmock.h>

#include <map>
#include <numeric>

#include "calls/search.h"
#include "random/random_bits.h"

namespace mpiaudit::calls {
namespace {

using testing::Eq;

/// The groups of a communicator as each rank sees them; nothing for topologies, which need MPI.
std::vector<Group> groups_of(Communicator communicator, int ranks) {
    std::vector<Group> all;
    for (int rank = 0; rank < ranks; ++rank) {
        Group group;
        group.rank = rank;
        group.size = ranks;
        if (communicator == Communicator::inter) {
            const int first = ranks / 2;
            group.is_inter = true;
            group.side = rank < first ? 0 : 1;
            group.rank = group.side == 0 ? rank : rank - first;
            group.size = group.side == 0 ? first : ranks - first;
            group.remote_size = ranks - group.size;
        }
        all.push_back(std::move(group));
    }
    return all;
}

/// Each block that a rank receives is one that its actor sends, with the same number of elements.
void expect_consistent(const ChosenCall& call, const std::vector<Group>& groups) {
    std::map<std::pair<int, int>, std::int64_t> sent;
    std::vector<Transfer> transfers;
    for (const Group& group : groups) {
        transfers.push_back(transfer_of(call, group, 4));
        for (const Block& block : transfers.back().sent)
            sent[{block.actor, block.number}] = block.elements;
    }
    for (const Transfer& each : transfers) {
        if (call.operation().is_reduction()) {
            for (const int actor : each.combined)
                EXPECT_THAT((sent[{actor, 0}]), Eq(each.elements)) << print(call);
            if (!each.received.empty()) {
                EXPECT_LE(each.begin + each.received.front().elements, each.elements);
            }
            continue;
        }
        for (const Block& block : each.received) {
            const auto found = sent.find({block.actor, block.number});
            ASSERT_TRUE(found != sent.end()) << print(call);
            EXPECT_THAT(block.elements, Eq(found->second)) << print(call);
        }
    }
}

TEST(Transfer, BlocksArriveAsTheyAreSent) {
    std::vector<std::uint8_t> operations;
    for (std::size_t i = 0; i < operation_count; ++i)
        if (!mpi_operations[i].is_among_neighbours())
            operations.push_back(static_cast<std::uint8_t>(i));
    for (const int ranks : {1, 2, 3, 4, 5, 7, 8}) {
        const Setting setting{.ranks = ranks};
        for (std::uint64_t k = 0; k < 3000; ++k) {
            ChosenCall call = random_call(setting, operations, mix_bits(k));
            if (call.communicator() != Communicator::inter) call[Property::communicator] = 0;
            expect_consistent(call, groups_of(call.communicator(), ranks));
        }
    }
}

// The counts of MPI_Alltoallv in place are those of the received blocks.
TEST(Transfer, AlltoallIsSymmetric) {
    for (const char* counts : {"some-empty", "increasing", "spike"}) {
        const ChosenCall call = parse_call(std::string("operation=MPI_Alltoallv counts=") + counts);
        for (const Group& group : groups_of(Communicator::duplicate, 5)) {
            const Transfer made = transfer_of(call, group, 1);
            ASSERT_THAT(made.sent.size(), Eq(made.received.size()));
            for (std::size_t k = 0; k < made.sent.size(); ++k)
                EXPECT_THAT(made.sent[k].elements, Eq(made.received[k].elements));
        }
    }
}

TEST(Transfer, ExscanGivesRank0Nothing) {
    const std::vector<Group> groups = groups_of(Communicator::duplicate, 3);
    const ChosenCall call = parse_call("operation=MPI_Exscan");
    EXPECT_TRUE(transfer_of(call, groups[0], 1).received.empty());
    EXPECT_THAT(transfer_of(call, groups[2], 1).combined, testing::ElementsAre(0, 1));
}

}  // namespace
}  // namespace mpiaudit::calls
