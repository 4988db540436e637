// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace.h"

#include <gtest/gtest.h>

#include <bit>
#include <stdexcept>

#include "collectives/allgather/allgather_schedules.h"
#include "collectives/allreduce/allreduce_schedules.h"
#include "collectives/alltoall/alltoall_schedules.h"
#include "collectives/barrier/barrier_schedules.h"
#include "collectives/bcast/bcast_schedules.h"
#include "collectives/gather/gather_cost.h"
#include "collectives/gather/gather_schedules.h"
#include "collectives/reduce/reduce_schedules.h"
#include "collectives/reduce_scatter/reduce_scatter_schedules.h"
#include "collectives/scan/scan_schedules.h"
#include "collectives/scatter/scatter_schedules.h"

namespace mpiaudit {
namespace {

// Whole numbers: all times are exact.
constexpr LinearModel model{1000, 1, 10};
constexpr double alpha = model.alpha, beta = model.beta, gamma = model.gamma;

CostProblem equal_blocks(int ranks, std::int64_t bytes) {
    return {std::vector<std::int64_t>(static_cast<std::size_t>(ranks), bytes)};
}

int ceil_log2(int number) {
    return std::bit_width(static_cast<unsigned>(number) - 1U);
}

TEST(Schedule, MessagesOfARankGoOneAfterTheOther) {
    Trace schedule(3);
    schedule.start_send(0, 1, 5);
    schedule.start_send(0, 2, 7);
    schedule.wait(0);
    schedule.receive(1, 0);
    schedule.receive(2, 0);
    EXPECT_EQ(schedule.time(model), 2 * alpha + 12 * beta);
}

TEST(Schedule, ARankSendsAndReceivesAtOnce) {
    Trace schedule(2);
    schedule.exchange(0, 1, 5, 1);
    schedule.exchange(1, 0, 7, 0);
    EXPECT_EQ(schedule.time(model), alpha + 7 * beta);
}

TEST(Schedule, TheFirstToComeIsServedFirst) {
    Trace schedule(3);
    // Rank 1 is late: although it is expected first, rank 2 is served before it.
    schedule.start_receive(0, 1);
    schedule.start_receive(0, 2);
    schedule.wait(0);
    schedule.reduce(1, 30);
    schedule.send(1, 0, 0);
    schedule.send(2, 0, 0);
    EXPECT_EQ(schedule.time(model), 2 * alpha);
}

TEST(Schedule, AMessageBeginsWhenBothRanksAreThere) {
    Trace schedule(2);
    schedule.send(0, 1, 1);
    schedule.reduce(1, 8);
    schedule.receive(1, 0);
    EXPECT_EQ(schedule.time(model), 8 * gamma + alpha + beta);
}

TEST(Schedule, WaitingForTheFirstReceivesLeavesOthersOpen) {
    Trace schedule(3);
    schedule.start_receive(0, 1);
    schedule.start_receive(0, 2);
    schedule.wait_for_receive(0, 0);
    schedule.start_send(0, 1, 0);
    schedule.wait(0);
    schedule.exchange(1, 0, 0, 0);
    schedule.send(2, 0, 0);
    EXPECT_EQ(schedule.time(model), 2 * alpha);
}

TEST(Schedule, MessagesToOneselfAreFree) {
    Trace schedule(1);
    schedule.message(0, 0, 100);
    EXPECT_EQ(schedule.time(model), 0);
}

TEST(Schedule, UnmatchedAndCircularSchedulesAreErrors) {
    Trace unmatched(2);
    unmatched.send(0, 1, 1);
    EXPECT_THROW(unmatched.time(model), std::logic_error);
    Trace circular(2);
    circular.message(0, 1, 1);
    EXPECT_EQ(circular.time(model), alpha + beta);
    Trace blocked(2);
    blocked.receive(0, 1);
    blocked.receive(1, 0);
    blocked.send(0, 1, 1);
    blocked.send(1, 0, 1);
    EXPECT_THROW(blocked.time(model), std::logic_error);
}

/// The formulas of Thakur & Gropp 2003, sections 4.1 and 4.2, for any number of ranks.
TEST(PublishedCosts, AnyNumberOfRanks) {
    constexpr std::int64_t m = 24;
    for (int p = 1; p <= 33; ++p) {
        SCOPED_TRACE(p);
        const CostProblem problem = equal_blocks(p, m);
        const double n = static_cast<double>(p * m);
        const double all_but_own = static_cast<double>((p - 1) * m) * beta;
        EXPECT_EQ(schedules::ring_allgather(problem).time(model), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(schedules::spreading_simple_allgather(problem).time(model),
                  (p - 1) * alpha + all_but_own);
        EXPECT_EQ(schedules::dissemination_allgather(problem).time(model),
                  ceil_log2(p) * alpha + all_but_own);
        EXPECT_EQ(schedules::binomial_bcast(problem).time(model),
                  ceil_log2(p) * (alpha + n * beta));
        EXPECT_EQ(schedules::linear_bcast(problem).time(model), (p - 1) * (alpha + n * beta));
        EXPECT_EQ(schedules::binomial_reduce(problem).time(model),
                  ceil_log2(p) * (alpha + n * beta + n * gamma));
        EXPECT_EQ(schedules::pairwise_exchange_reduce_scatter(problem).time(model),
                  (p - 1) * alpha + all_but_own + static_cast<double>((p - 1) * m) * gamma);
        EXPECT_EQ(schedules::direct_alltoall(problem).time(model), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(schedules::pairwise_alltoall(problem).time(model), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(schedules::ring_allreduce(problem).time(model),
                  2 * ((p - 1) * alpha + all_but_own) + static_cast<double>((p - 1) * m) * gamma);
        EXPECT_EQ(schedules::linear_scan(problem).time(model),
                  (p - 1) * (alpha + n * beta + n * gamma));
        EXPECT_EQ(schedules::dissemination_barrier(problem).time(model), ceil_log2(p) * alpha);
        EXPECT_EQ(schedules::linear_gather(problem).time(model), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(schedules::linear_scatter(problem).time(model), (p - 1) * alpha + all_but_own);
        // The paper says 2 floor(lg p), which an odd number of ranks exceeds by one: with three,
        // rank 2 exchanges with rank 0, which then passes its block on to rank 1.
        EXPECT_LE(schedules::recursive_doubling_allgather(problem).time({1, 0}),
                  2 * (std::bit_width(static_cast<unsigned>(p)) - 1) + p % 2);
    }
}

/// The same for powers of two, and sections 4.3 and 4.4.
TEST(PublishedCosts, PowersOfTwo) {
    constexpr std::int64_t m = 24;
    for (int p = 1; p <= 64; p *= 2) {
        SCOPED_TRACE(p);
        const CostProblem problem = equal_blocks(p, m);
        const double n = static_cast<double>(p * m);
        const double rounds = ceil_log2(p);
        const double all_but_own = static_cast<double>((p - 1) * m);
        EXPECT_EQ(schedules::recursive_doubling_allgather(problem).time(model),
                  rounds * alpha + all_but_own * beta);
        EXPECT_EQ(schedules::van_de_Geijn_recursive_doubling_bcast(problem).time(model),
                  2 * (rounds * alpha + all_but_own * beta));
        EXPECT_EQ(schedules::recursive_halving_reduce_scatter(problem).time(model),
                  rounds * alpha + all_but_own * (beta + gamma));
        EXPECT_EQ(schedules::recursive_doubling_reduce_scatter(problem).time(model),
                  rounds * alpha + (rounds * n - all_but_own) * (beta + gamma));
        EXPECT_EQ(schedules::Rabenseifner_reduce(problem).time(model),
                  2 * (rounds * alpha + all_but_own * beta) + all_but_own * gamma);
        EXPECT_EQ(schedules::Rabenseifner_allreduce(problem).time(model),
                  2 * (rounds * alpha + all_but_own * beta) + all_but_own * gamma);
        EXPECT_EQ(schedules::recursive_doubling_allreduce(problem).time(model),
                  rounds * (alpha + n * (beta + gamma)));
        EXPECT_EQ(schedules::binomial_gather(problem).time(model),
                  rounds * alpha + all_but_own * beta);
        EXPECT_EQ(schedules::binomial_scatter(problem).time(model),
                  rounds * alpha + all_but_own * beta);
        EXPECT_EQ(schedules::TUW_gather(problem).time(model), rounds * alpha + all_but_own * beta);
        // Träff, Rougier & Hunold 2014, section 2: p/2 blocks in every round.
        EXPECT_EQ(schedules::Bruck_alltoall(problem).time(model),
                  rounds * (alpha + static_cast<double>(p / 2 * m) * beta));
    }
}

/// Träff 2017, Theorem 1: the gather itself costs at most the bound, the construction of the tree
/// at most 2 ceil(log2 p) - 1 messages of constant size.
TEST(PublishedCosts, TreesForIrregularBlocks) {
    for (int p = 2; p <= 33; ++p) {
        for (const int root : {0, p / 2, p - 1}) {
            CostProblem problem = equal_blocks(p, 0);
            problem.root = root;
            for (int rank = 0; rank < p; ++rank)
                problem.blocks[static_cast<std::size_t>(rank)] = rank * 7919 % 101;
            Trace construction(p);
            schedules::construct_ordered_tree(construction, problem);
            EXPECT_LE(construction.time({1, 0}), 2 * ceil_log2(p) - 1);
            // Once the tree is known, no construction precedes the gather or the scatter.
            EXPECT_LE(schedules::TUW_gather(problem).time({1, 0}), ceil_log2(p));
            EXPECT_LE(schedules::TUW_scatter(problem).time({1, 0}), ceil_log2(p));
            const auto tree = schedules::ordered_tree(problem);
            EXPECT_LE(
                schedules::TUW_gatherv(problem).time(model),
                construction.time(model) + gather_cost_bound(tree, problem.blocks, true, model));
        }
    }
}

}  // namespace
}  // namespace mpiaudit
