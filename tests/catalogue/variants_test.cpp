// SPDX-License-Identifier: BSD-3-Clause
// Right results do not show whether an operation was called in the way that its name says.
#include "catalogue/variant.h"

#include <gmock/gmock.h>
#include <mpi.h>

#include <set>

#include "../world.h"
#include "catalogue/catalogue.h"
#include "collectives/patterns/node_communicators.h"
#include "guidelines/guideline.h"
#include "measure/verification.h"
#include "messages/kept_with.h"
#include "problem/operator.h"

namespace mpiaudit {
namespace {

/// Frees kept communicators before MPI_Finalize, as the program does.
class ForgetsAtTheEnd : public testing::Environment {
  public:
    void TearDown() override { forget_kept(MPI_COMM_WORLD); }
};
const testing::Environment* const forgets = testing::AddGlobalTestEnvironment(new ForgetsAtTheEnd);

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

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

/// The arguments with which the operation of an arrow was called.
struct Seen {
    MPI_Comm comm = MPI_COMM_NULL;
    int root = -1;
    MPI_Op op = MPI_OP_NULL;
    int parts = 0;
};
Seen seen;

Step look(const Instance& instance, const Place& from, Layout to) {
    seen = {instance.comm, instance.root(), instance.op(), instance.called_as->parts};
    Place result = from;
    result.layout = to;
    return {[] {}, result};
}

class Variants : public testing::Test {
  protected:
    Variants() {
        problem_.counts = std::vector<Count>(static_cast<std::size_t>(ranks_of_world()), 2);
        problem_.root = ranks_of_world() - 1;
        problem_.element = &int_;
        problem_.op = &sum_;
    }
    /// Returns the arguments of the operation that is called as `name`.
    Seen called(const std::string& name) {
        const auto found = find_arrows(name, Argument::whole);
        EXPECT_EQ(found.size(), 1U) << name;
        Arrow arrow = *found.front();
        arrow.prepare = look;
        Path path{name, {{&arrow, false, false}}, {}};
        Workspace workspace(problem_, own_rank(), path.needs());
        seen = {};
        path.prepare({workspace, MPI_COMM_WORLD});
        return seen;
    }

    const Element int_{"int"};
    const Operator sum_{"sum"};
    Problem problem_;
};

TEST_F(Variants, RunOnTheirCommunicatorWithTheSameRoot) {
    for (const auto& [name, origin] : {std::pair{"dup", Origin::duplicate},
                                       {"split", Origin::split},
                                       {"create_group", Origin::create_group},
                                       {"merged", Origin::merged},
                                       {"world", Origin::world},
                                       {"reversed", Origin::reversed},
                                       {"rotated", Origin::rotated},
                                       {"shuffled", Origin::shuffled}}) {
        const Seen found = called(std::string("MPI_Bcast[") + name + "]");
        EXPECT_EQ(found.comm, communicator(MPI_COMM_WORLD, origin)) << name;
        EXPECT_EQ(found.root, position(origin, problem_.root, problem_.ranks(), {})) << name;
        EXPECT_EQ(found.op, sum_.op()) << name;
    }
}

TEST_F(Variants, HaveTheirOperatorAndNumberOfParts) {
    EXPECT_EQ(called("MPI_Allreduce[order kept]").op, sum_.op(OperatorForm::order_kept));
    EXPECT_EQ(called("MPI_Allreduce[user function]").op, sum_.op(OperatorForm::user_function));
    EXPECT_EQ(called("MPI_Allreduce[order kept]").comm, MPI_COMM_WORLD);
    EXPECT_EQ(called("MPI_Ibcast[4 parts]").parts, 4);
}

/// An operation that is prepared by its name.
struct Ready {
    Ready(const Problem& problem, const std::string& name, MPI_Comm comm = MPI_COMM_WORLD)
        : path{name, {{find_arrows(name, Argument::whole).front(), false, false}}, {}},
          workspace{problem, own_rank(), path.needs()},
          instance{workspace, comm},
          step{path.prepare(instance)} {}

    Path path;
    Workspace workspace;
    Instance instance;
    Step step;
};

/// The communicator of the last blocking broadcast.
MPI_Comm blocking_broadcasts_on = MPI_COMM_NULL;

/// Counts of the calls of MPI.
int broadcasts = 0;
int counted_elements = 0;

TEST_F(Variants, PartsAreAsManyCallsThatTogetherHaveAllElements) {
    problem_.counts = std::vector<Count>(problem_.counts.size(), 5);
    const Ready parts(problem_, "MPI_Ibcast[4 parts]");
    broadcasts = counted_elements = 0;
    parts.step.call();
    EXPECT_EQ(broadcasts, 4);
    EXPECT_EQ(counted_elements, 5 * problem_.ranks());
}

int freed_requests = 0;

TEST_F(Variants, WhatIsUsedOnceIsFreedInEveryCall) {
    constexpr const char* once = "MPI_Bcast_init[once]";
    if (find_arrows(once, Argument::whole).front()->needs & not_in_this_mpi) GTEST_SKIP();
    const Ready ready(problem_, once);
    freed_requests = 0;
    ready.step.call();
    ready.step.call();
    EXPECT_EQ(freed_requests, 2);
}

TEST_F(Variants, TheFirstHalfBroadcastsAmongItself) {
    problem_.root = 0;
    const Ready half(problem_, "MPI_Bcast[first half]");
    blocking_broadcasts_on = MPI_COMM_NULL;
    half.step.call();
    const bool is_first = own_rank() < problem_.first_half();
    EXPECT_EQ(
        blocking_broadcasts_on,
        is_first ? communicator_of_first(MPI_COMM_WORLD, problem_.first_half()) : MPI_COMM_NULL);
}

TEST_F(Variants, SayWhatTheyNeed) {
    const auto obstacle = [&](const char* name) {
        return find_arrows(name, Argument::whole).front()->obstacle(problem_, false);
    };
    const Operator affine("user-affine");
    problem_.counts = std::vector<Count>(6, 1);
    problem_.root = 0;
    EXPECT_THAT(obstacle("MPI_Bcast[relayed]"), Optional(HasSubstr("--root")));
    EXPECT_EQ(obstacle("MPI_Bcast[folded]"), std::nullopt);
    EXPECT_EQ(obstacle("MPI_Ibcast[4 parts]"), std::nullopt);
    EXPECT_THAT(obstacle("MPI_Ibcast[8 parts]"), Optional(HasSubstr("too few elements")));
    EXPECT_THAT(obstacle("MPI_Igatherv[2 parts]"), Optional(HasSubstr("too few elements")));
    EXPECT_EQ(obstacle("MPI_Bcast[first half]"), std::nullopt);
    EXPECT_EQ(obstacle("MPI_Bcast[rows and columns]"), std::nullopt);
    EXPECT_THAT(obstacle("MPI_Bcast[node by node]"), Optional(HasSubstr("several nodes")));
    problem_.nodes = 2;
    constexpr std::array nodes{0, 0, 0, 1, 1, 1};
    problem_.node_of_rank = nodes;
    EXPECT_THAT(obstacle("MPI_Bcast[node by node]"), Optional(HasSubstr("in this order already")));
    EXPECT_EQ(obstacle("MPI_Bcast[round-robin over nodes]"), std::nullopt);
    problem_.root = 3;
    EXPECT_THAT(obstacle("MPI_Bcast[first half]"), Optional(HasSubstr("first half")));
    problem_.counts = std::vector<Count>(7, 1);
    EXPECT_EQ(obstacle("MPI_Bcast[first half]"), std::nullopt);
    EXPECT_THAT(obstacle("MPI_Bcast[rows and columns]"), Optional(HasSubstr("no prime")));
    problem_.graph = std::make_shared<const Graph>(make_graph("5-point", 7));
    EXPECT_THAT(obstacle("MPI_Neighbor_alltoall[Cartesian]"), Optional(HasSubstr("torus of at")));
    EXPECT_EQ(obstacle("MPI_Neighbor_alltoall"), std::nullopt);
    problem_.graph = std::make_shared<const Graph>(make_graph("ring", 7));
    EXPECT_EQ(obstacle("MPI_Neighbor_alltoall[Cartesian]"), std::nullopt);
    problem_.root = 1;
    problem_.counts = std::vector<Count>(8, 1);
    problem_.op = &affine;
    EXPECT_EQ(obstacle("MPI_Bcast[relayed]"), std::nullopt);
    EXPECT_THAT(obstacle("MPI_Bcast[folded]"), Optional(HasSubstr("power of two")));
    EXPECT_THAT(obstacle("MPI_Reduce[order kept]"), Optional(HasSubstr("predefined operator")));
    EXPECT_THAT(obstacle("MPI_Reduce[reversed]"), Optional(HasSubstr("commutative operator")));
    EXPECT_EQ(obstacle("MPI_Gatherv[reversed]"), std::nullopt);
    problem_.op = &sum_;
    EXPECT_EQ(obstacle("MPI_Reduce[order kept]"), std::nullopt);
    EXPECT_EQ(obstacle("MPI_Allreduce[by MPI_Allgather]"), std::nullopt);
    problem_.counts = std::vector<Count>(8, Count{64 << 20} / 4 / 8 / 8 + 1);
    EXPECT_THAT(obstacle("MPI_Allreduce[by MPI_Allgather]"), Optional(HasSubstr("64 MiB")));
}

}  // namespace
}  // namespace mpiaudit

/// Replaces the function of the library.
extern "C" int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                          MPI_Request* request) {
    ++mpiaudit::broadcasts;
    mpiaudit::counted_elements += count;
    return PMPI_Ibcast(buffer, count, type, root, comm, request);
}

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    mpiaudit::blocking_broadcasts_on = comm;
    return PMPI_Bcast(buffer, count, type, root, comm);
}

extern "C" int MPI_Request_free(MPI_Request* request) {
    ++mpiaudit::freed_requests;
    return PMPI_Request_free(request);
}
