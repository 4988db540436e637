// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <mpi.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "../world.h"
#include "algorithms/algorithms.h"
#include "collectives/patterns/node_communicators.h"
#include "guidelines/guideline.h"
#include "measure/verification.h"
#include "messages/under_test.h"
#include "mpi/texts.h"
#include "problem/workspace.h"

namespace mpiaudit {
namespace {

using Finding = std::optional<Fault>;

using testing::Optional;
using testing::StartsWith;

TEST(BarrierVerification, RightBarriers) {
    EXPECT_EQ(
        find_early_leaver([] { MPI_Barrier(MPI_COMM_WORLD); }, MPI_COMM_WORLD, ranks_of_world()),
        std::nullopt);
    for (const int ranks_per_node : {1, ranks_of_world()}) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        divide_into_nodes(comm, ranks_per_node);
        for (const Algorithm& each : algorithms()) {
            if (each.operation != "MPI_Barrier") continue;
            const auto barrier = reinterpret_cast<int (*)(MPI_Comm)>(each.function);
            EXPECT_EQ(find_early_leaver([&] { barrier(comm); }, comm, ranks_of_world()),
                      std::nullopt)
                << each.name << ", " << ranks_per_node << " ranks on each node";
        }
        MPI_Comm_free(&comm);
    }
}

TEST(BarrierVerification, NoBarrierAtAll) {
    if (ranks_of_world() == 1) GTEST_SKIP() << "nobody can be early";
    const auto found = text_of_lowest_rank(
        find_early_leaver([] {}, MPI_COMM_WORLD, ranks_of_world()), MPI_COMM_WORLD);
    EXPECT_THAT(found, testing::Optional(testing::MatchesRegex(
                           "rank 0: rank [0-9]+ left before this rank had entered")));
}

TEST(BarrierVerification, OnlyMembersHaveToWait) {
    if (ranks_of_world() == 1) GTEST_SKIP() << "nobody can be early";
    // Everybody but the last rank tells rank 0, and is told when all have.
    const int members = ranks_of_world() - 1;
    const int rank = own_rank();
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < members ? 0 : 1, rank, &some);
    const auto barrier = [&] { MPI_Barrier(some); };
    const auto found = [&](int waiting) {
        return text_of_lowest_rank(find_early_leaver(barrier, MPI_COMM_WORLD, waiting),
                                   MPI_COMM_WORLD);
    };
    EXPECT_EQ(found(members), std::nullopt);
    EXPECT_NE(found(ranks_of_world()), std::nullopt);
    MPI_Comm_free(&some);
}

/// Verifies a path of MPI_Allreduce on doubles, after `spoil`, which gets the result's place.
Finding verify_allreduce(const char* path, const std::function<void(const Place&)>& spoil) {
    const Element element{"double"};
    const Operator op{"sum"};
    Problem problem;
    problem.distribution = "mine";
    problem.counts = std::vector<Count>(static_cast<std::size_t>(ranks_of_world()), 5);
    problem.element = &element;
    problem.op = &op;
    const Path way = resolve(parse_statement(std::string("MPI_Allreduce(m) <= ") + path)).right;
    Workspace workspace(problem, own_rank(), way.needs());
    const Instance instance{workspace, MPI_COMM_WORLD};
    Step step = way.prepare(instance);
    step.call = [call = step.call, place = step.result, spoil] {
        call();
        spoil(place);
    };
    return verify(step, way.from(), way.to(), instance);
}

TEST(RoundingVerification, RanksHaveToGetTheSameSums) {
    const auto nothing = [](const Place&) {};
    EXPECT_EQ(verify_allreduce("MPI_Reduce(m) + MPI_Bcast(m)", nothing), std::nullopt);
    EXPECT_EQ(verify_allreduce("ring_Allreduce(m)", nothing), std::nullopt);
    if (ranks_of_world() < 3) GTEST_SKIP() << "two operands have one sum";
    EXPECT_THAT(
        verify_allreduce("census_Allreduce(m)", nothing),
        Optional(testing::Field(&Fault::text, StartsWith("ranks get different sums: element "))));
    // The last bit of one rank, and only where sums are no whole numbers of the other contents.
    const auto spoil_last_bit = [](const Place& result) {
        if (own_rank() != 1) return;
        double first = 0.0;
        std::memcpy(&first, result.data, sizeof first);
        if (first < 1e12) return;
        first = std::nextafter(first, 0.0);
        std::memcpy(result.data, &first, sizeof first);
    };
    EXPECT_THAT(
        verify_allreduce("MPI_Reduce(m) + MPI_Bcast(m)", spoil_last_bit),
        Optional(testing::Field(&Fault::text,
                                StartsWith("ranks get different sums: element 0 of block 0 is "))));
}

TEST(RoundingVerification, CensusIsForExactTypesOnly) {
    const Operator sum{"sum"}, largest{"max"};
    Problem problem;
    problem.counts = std::vector<Count>(static_cast<std::size_t>(ranks_of_world()), 5);
    const Path census = resolve(parse_statement("MPI_Allreduce(m) <= census_Allreduce(m)")).right;
    const auto obstacle = [&](const char* name, const Operator& op) {
        const Element element{name};
        problem.element = &element;
        problem.op = &op;
        return census.obstacle(problem);
    };
    EXPECT_EQ(obstacle("int", sum), std::nullopt);
    EXPECT_EQ(obstacle("double", largest), std::nullopt);
    for (const char* rounding : {"float", "double"})
        EXPECT_EQ(obstacle(rounding, sum),
                  "census_Allreduce gives ranks different results where sums round");
}

TEST(BarrierVerification, OneRankDoesNotWait) {
    const int rank = own_rank();
    if (ranks_of_world() == 1) GTEST_SKIP() << "nobody can be early";
    // Everybody tells rank 0, which waits for nobody.
    const auto barrier = [&] {
        if (rank != 0) MPI_Send(nullptr, 0, MPI_BYTE, 0, 99, MPI_COMM_WORLD);
    };
    const auto found = text_of_lowest_rank(
        find_early_leaver(barrier, MPI_COMM_WORLD, ranks_of_world()), MPI_COMM_WORLD);
    EXPECT_NE(found, std::nullopt);
    for (int source = 1; rank == 0 && source < ranks_of_world(); ++source) {
        const int runs = std::min(ranks_of_world(), 3);
        for (int i = 0; i < runs; ++i)
            MPI_Recv(nullptr, 0, MPI_BYTE, source, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

}  // namespace
}  // namespace mpiaudit
