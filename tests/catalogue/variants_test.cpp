// SPDX-License-Identifier: BSD-3-Clause
// Right results do not show whether an operation was called in the way that its name says.
#include "catalogue/variant.h"

#include <gmock/gmock.h>
#include <mpi.h>

#include "../world.h"
#include "catalogue/catalogue.h"
#include "collectives/patterns/node_communicators.h"
#include "guidelines/guideline.h"
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

using testing::HasSubstr;
using testing::Optional;

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
