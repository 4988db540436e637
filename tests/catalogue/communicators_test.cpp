// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/variant.h"

#include <gmock/gmock.h>
#include <mpi.h>

#include <array>
#include <set>

#include "../world.h"
#include "collectives/patterns/node_communicators.h"
#include "guidelines/guideline.h"
#include "messages/messages.h"
#include "problem/operator.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;

constexpr std::array all_origins{Origin::given,      Origin::world,        Origin::duplicate,
                                 Origin::split,      Origin::create_group, Origin::merged,
                                 Origin::session,    Origin::rectangle,    Origin::reversed,
                                 Origin::rotated,    Origin::shuffled,     Origin::node_by_node,
                                 Origin::round_robin};

/// Returns the nodes of ranks: three nodes with 1, 2 and 4 of 7 ranks, dealt out in turn; further
/// ranks are on the last node.
std::vector<int> dealt_out(int ranks) {
    std::vector<int> nodes{0, 1, 2, 1, 2, 2, 2};
    nodes.resize(static_cast<std::size_t>(ranks), 2);
    return nodes;
}

using messages::rank_in;

int compare(MPI_Comm one, MPI_Comm other) {
    int result = -1;
    MPI_Comm_compare(one, other, &result);
    return result;
}

TEST(Communicators, HaveAllRanksAtTheirPositions) {
    const int ranks = ranks_of_world();
    for (const Origin origin : all_origins) {
        if (!is_available(origin)) continue;
        const MPI_Comm made = communicator(MPI_COMM_WORLD, origin);
        EXPECT_EQ(rank_in(made), position(origin, own_rank(), ranks, {}));
        const bool is_itself = origin == Origin::given || origin == Origin::world;
        const bool keeps_order = !renumbers(origin) || is_by_nodes(origin) || ranks == 1;
        EXPECT_EQ(messages::size_of(made), ranks);
        EXPECT_EQ(communicator(MPI_COMM_WORLD, origin), made) << "made once";
        // MPI may not compare objects of two sessions: Open MPI 6 aborts.
        if (origin == Origin::session) continue;
        const int relation = compare(MPI_COMM_WORLD, made);
        if (is_itself)
            EXPECT_EQ(relation, MPI_IDENT);
        else if (keeps_order)
            EXPECT_EQ(relation, MPI_CONGRUENT);
        else
            EXPECT_TRUE(relation == MPI_SIMILAR || relation == MPI_CONGRUENT);
    }
}

TEST(Communicators, PositionsAreAPermutation) {
    for (const Origin origin : all_origins) {
        for (const int ranks : {1, 2, 3, 7, 128}) {
            std::set<int> positions;
            for (int rank = 0; rank < ranks; ++rank)
                positions.insert(position(origin, rank, ranks, dealt_out(ranks)));
            EXPECT_EQ(positions.size(), static_cast<std::size_t>(ranks));
            EXPECT_EQ(*positions.begin(), 0);
            EXPECT_EQ(*positions.rbegin(), ranks - 1);
        }
    }
    EXPECT_EQ(position(Origin::reversed, 1, 4, {}), 2);
    EXPECT_EQ(position(Origin::rotated, 2, 5, {}), 0);
    EXPECT_EQ(position(Origin::rotated, 1, 5, {}), 4);
}

TEST(Communicators, OrdersByNodes) {
    const std::vector<int> nodes = dealt_out(7);
    const auto positions = [&](Origin origin) {
        std::vector<int> all;
        for (int rank = 0; rank < 7; ++rank) all.push_back(position(origin, rank, 7, nodes));
        return all;
    };
    EXPECT_THAT(positions(Origin::node_by_node), ElementsAre(0, 1, 3, 2, 4, 5, 6));
    // The first rank of each node, then the second rank of the two nodes that have one.
    EXPECT_THAT(positions(Origin::round_robin), ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_TRUE(renumbers(Origin::node_by_node, nodes));
    EXPECT_FALSE(renumbers(Origin::round_robin, nodes));
    const std::vector<int> consecutive{0, 0, 1, 1, 2};
    EXPECT_FALSE(renumbers(Origin::node_by_node, consecutive));
    EXPECT_TRUE(renumbers(Origin::round_robin, consecutive));
    EXPECT_EQ(position(Origin::round_robin, 1, 5, consecutive), 3);
    EXPECT_EQ(position(Origin::round_robin, 4, 5, consecutive), 2);
}

TEST(Communicators, RowsOfTheRectanglePassForNodes) {
    const int ranks = ranks_of_world();
    const MPI_Comm made = communicator(MPI_COMM_WORLD, Origin::rectangle);
    const int rows = rows_nearest_to_square(ranks);
    EXPECT_EQ(node_split(made).nodes, rows);
    EXPECT_EQ(node_split(made).ranks_per_node, ranks / rows);
    EXPECT_EQ(node_communicators(made).place, own_rank() % (ranks / rows));
}

TEST(Communicators, TheFirstHalfHasAllOfTheFirst) {
    const int ranks = ranks_of_world();
    const int half = (ranks + 1) / 2;
    const MPI_Comm made = communicator_of_first(MPI_COMM_WORLD, half);
    const bool is_first = own_rank() < half;
    EXPECT_EQ(messages::size_of(made), is_first ? half : ranks - half);
    EXPECT_EQ(rank_in(made), is_first ? own_rank() : own_rank() - half);
}

TEST(Communicators, AreFreedWithTheirs) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    communicator(comm, Origin::reversed);
    folded_communicator(comm, 0);
    communicator_without_first(comm);
    EXPECT_EQ(MPI_Comm_free(&comm), MPI_SUCCESS);
}

TEST(Folds, OneOfEveryPairTakesPart) {
    for (int ranks = 1; ranks <= 9; ++ranks) {
        for (int root = 0; root < ranks; ++root) {
            std::set<int> new_ranks;
            for (int rank = 0; rank < ranks; ++rank) {
                if (stands_for_pair(rank, root, ranks)) new_ranks.insert(folded_rank(rank, ranks));
                if (is_of_a_pair(rank, ranks)) {
                    EXPECT_NE(stands_for_pair(rank, root, ranks),
                              stands_for_pair(rank ^ 1, root, ranks));
                }
            }
            EXPECT_TRUE(stands_for_pair(root, root, ranks));
            EXPECT_EQ(new_ranks.size(), std::bit_floor(static_cast<unsigned>(ranks)));
            EXPECT_EQ(*new_ranks.rbegin() + 1, static_cast<int>(new_ranks.size()));
        }
    }
    const int ranks = ranks_of_world();
    const MPI_Comm folded = folded_communicator(MPI_COMM_WORLD, ranks / 2);
    if (stands_for_pair(own_rank(), ranks / 2, ranks)) {
        EXPECT_EQ(rank_in(folded), folded_rank(own_rank(), ranks));
    }
}

TEST(OperatorForms, DoTheSameAndSayWhetherTheyCommute) {
    const Element element("int");
    for (const std::string name : {"sum", "max", "bor"}) {
        const Operator op(name);
        for (const OperatorForm form :
             {OperatorForm::plain, OperatorForm::user_function, OperatorForm::order_kept}) {
            auto left = static_cast<int>(op.contributions(element, 0)(5));
            auto right = static_cast<int>(op.contributions(element, 1)(5));
            MPI_Reduce_local(&left, &right, 1, MPI_INT, op.op(form));
            EXPECT_EQ(right, static_cast<int>(op.reductions(element, 1)(5))) << name;
            int commutes = -1;
            MPI_Op_commutative(op.op(form), &commutes);
            EXPECT_EQ(commutes != 0, form != OperatorForm::order_kept) << name;
            EXPECT_EQ(op.op(form) == op.op(), form == OperatorForm::plain) << name;
        }
    }
}

}  // namespace
}  // namespace mpiaudit
