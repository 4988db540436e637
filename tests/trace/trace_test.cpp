// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mpiaudit {
namespace {

// Whole numbers: all times are exact.
constexpr LinearModel model{1000, 1, 10};
constexpr double alpha = model.alpha, beta = model.beta, gamma = model.gamma;

/// Adds MPI_Send, MPI_Recv and MPI_Sendrecv to a trace.
struct Written : Trace {
    using Trace::Trace;
    void send(int rank, int to, std::int64_t bytes) {
        start_send(rank, to, bytes);
        wait(rank);
    }
    void receive(int rank, int from) {
        start_receive(rank, from);
        wait(rank);
    }
    void exchange(int rank, int to, std::int64_t bytes, int from) {
        start_receive(rank, from);
        send(rank, to, bytes);
    }
    void message(int from, int to, std::int64_t bytes) {
        send(from, to, bytes);
        receive(to, from);
    }
};

TEST(Trace, MessagesOfARankGoOneAfterTheOther) {
    Written trace(3);
    trace.start_send(0, 1, 5);
    trace.start_send(0, 2, 7);
    trace.wait(0);
    trace.receive(1, 0);
    trace.receive(2, 0);
    EXPECT_EQ(trace.time(model), 2 * alpha + 12 * beta);
}

TEST(Trace, ARankSendsAndReceivesAtOnce) {
    Written trace(2);
    trace.exchange(0, 1, 5, 1);
    trace.exchange(1, 0, 7, 0);
    EXPECT_EQ(trace.time(model), alpha + 7 * beta);
}

TEST(Trace, TheFirstToComeIsServedFirst) {
    Written trace(3);
    // Rank 1 is late: rank 2 is served before it, although rank 1 is expected first.
    trace.start_receive(0, 1);
    trace.start_receive(0, 2);
    trace.wait(0);
    trace.reduce(1, 30);
    trace.send(1, 0, 0);
    trace.send(2, 0, 0);
    EXPECT_EQ(trace.time(model), 2 * alpha);
}

TEST(Trace, AMessageBeginsWhenBothRanksAreThere) {
    Written trace(2);
    trace.send(0, 1, 1);
    trace.reduce(1, 8);
    trace.receive(1, 0);
    EXPECT_EQ(trace.time(model), 8 * gamma + alpha + beta);
}

TEST(Trace, WaitingForOneReceiveLeavesOthersOpen) {
    Written trace(3);
    trace.start_receive(0, 1);
    trace.start_receive(0, 2);
    trace.wait_for_receive(0, 0);
    trace.start_send(0, 1, 0);
    trace.wait(0);
    trace.exchange(1, 0, 0, 0);
    trace.send(2, 0, 0);
    EXPECT_EQ(trace.time(model), 2 * alpha);
}

TEST(Trace, MessagesToOneselfAreFree) {
    Written trace(1);
    trace.message(0, 0, 100);
    EXPECT_EQ(trace.time(model), 0);
}

TEST(Trace, UnmatchedAndCircularMessagesAreErrors) {
    Written unmatched(2);
    unmatched.send(0, 1, 1);
    EXPECT_THROW(unmatched.time(model), std::logic_error);
    Written circular(2);
    circular.message(0, 1, 1);
    EXPECT_EQ(circular.time(model), alpha + beta);
    Written blocked(2);
    blocked.receive(0, 1);
    blocked.receive(1, 0);
    blocked.send(0, 1, 1);
    blocked.send(1, 0, 1);
    EXPECT_THROW(blocked.time(model), std::logic_error);
}

TEST(Trace, WaitingForOneSendLeavesOthersOpen) {
    Written trace(3);
    trace.start_send(0, 1, 0);
    trace.start_send(0, 2, 0);
    trace.wait_for_send(0, 0);
    trace.reduce(0, 100);
    trace.wait(0);
    trace.receive(1, 0);
    trace.receive(2, 0);
    // The second message goes while the rank reduces.
    EXPECT_EQ(trace.time(model), alpha + 100 * gamma);
}

TEST(Trace, CopiesTakeTimeOnOneRank) {
    Written trace(2);
    trace.start_receive(1, 0);
    trace.copy(1, 100);
    trace.wait(1);
    trace.start_send(1, 1, 50);  // to itself
    trace.send(0, 1, 0);
    EXPECT_EQ(trace.time(model), alpha);
    LinearModel copying = model;
    copying.copying = 20;
    EXPECT_EQ(trace.time(copying), 100 * 20 + 50 * 20);
}

// Nodes have two ranks. A message between nodes takes 100 + m, including 10 of the sender's core
// and 20 of the receiver's; one within a node takes 10 + m/4, including 1 and 2.
LinearModel on_nodes() {
    NodeModel nodes;
    nodes.ranks_per_node = 2;
    nodes.alpha = 10;
    nodes.beta = 0.25;
    nodes.memory = 1;
    nodes.within = {1, 2};
    nodes.between = {10, 20};
    nodes.eager_bytes = 64;
    return {100, 1, 10, nodes};
}

TEST(TraceOnNodes, MessagesWithinANodeAreFaster) {
    Written within(4), between(4);
    within.message(2, 3, 400);
    between.message(1, 2, 400);
    EXPECT_EQ(within.time(on_nodes()), 10 + 100);
    EXPECT_EQ(between.time(on_nodes()), 100 + 400);
}

TEST(TraceOnNodes, MessagesThatLeaveANodeShareItsCard) {
    Written apart(6), together(6), to_one(6), both_ways(6);
    apart.message(0, 2, 400);
    apart.message(3, 4, 400);
    EXPECT_EQ(apart.time(on_nodes()), 100 + 400);
    together.message(0, 2, 400);
    together.message(1, 4, 400);
    EXPECT_EQ(together.time(on_nodes()), 100 + 2 * 400);
    to_one.message(0, 4, 400);
    to_one.message(2, 5, 400);
    EXPECT_EQ(to_one.time(on_nodes()), 100 + 2 * 400);
    both_ways.message(0, 2, 400);
    both_ways.message(3, 1, 400);
    EXPECT_EQ(both_ways.time(on_nodes()), 100 + 400);
}

TEST(TraceOnNodes, TheRestOfASharedCardIsFast) {
    Written trace(6);
    trace.message(0, 2, 100);
    trace.message(1, 4, 400);
    // The first message takes 200, the rest of the second 300.
    EXPECT_EQ(trace.time(on_nodes()), 100 + 200 + 300);
}

TEST(TraceOnNodes, TheMemoryIsSharedToo) {
    Written trace(4);
    trace.exchange(0, 1, 400, 1);
    trace.exchange(1, 0, 400, 0);
    EXPECT_EQ(trace.time(on_nodes()), 10 + 2 * 100);
    LinearModel wide = on_nodes();
    wide.nodes->memory = 2;
    EXPECT_EQ(trace.time(wide), 10 + 100);
}

TEST(TraceOnNodes, ProcessorsWorkOnOneMessageAfterTheOther) {
    Written scatter(6), gather(6);
    for (const int rank : {2, 3, 4}) {
        scatter.start_send(0, rank, 0);
        scatter.receive(rank, 0);
        gather.send(rank, 0, 0);
        gather.start_receive(0, rank);
    }
    scatter.wait(0);
    gather.wait(0);
    EXPECT_EQ(scatter.time(on_nodes()), 2 * 10 + 100);
    EXPECT_EQ(gather.time(on_nodes()), 100 + 2 * 20);
}

TEST(TraceOnNodes, RanksTakeTurnsOnFewProcessors) {
    Written trace(4);
    for (const int rank : {0, 1, 2}) {
        trace.reduce(rank, 10);
        trace.reduce(rank, 20);
    }
    LinearModel few = on_nodes();
    EXPECT_EQ(trace.time(few), 30 * 10);
    few.nodes->processors = 1;
    EXPECT_EQ(trace.time(few), 2 * 30 * 10);  // rank 2 is on the second node
    few.nodes->ranks_per_node = 4;
    few.nodes->processors = 2;
    EXPECT_EQ(trace.time(few), 2 * 30 * 10);
}

TEST(TraceOnNodes, ASendBeginsWhenItsRankHasAProcessor) {
    Written trace(4);
    trace.reduce(0, 100);
    trace.message(1, 2, 0);
    LinearModel few = on_nodes();
    EXPECT_EQ(trace.time(few), 100 * 10);
    few.nodes->processors = 1;
    EXPECT_EQ(trace.time(few), 100 * 10 + 100);
}

TEST(TraceOnNodes, LongMessagesWaitForTheirReceiver) {
    Written eager(4), rendezvous(4);
    for (Written* const trace : {&eager, &rendezvous}) {
        const std::int64_t bytes = trace == &eager ? 64 : 65;
        trace->send(0, 2, bytes);
        trace->reduce(0, 50);
        trace->reduce(2, 100);
        trace->receive(2, 0);
    }
    EXPECT_EQ(eager.time(on_nodes()), 100 * 10 + 20);
    EXPECT_EQ(rendezvous.time(on_nodes()), 100 * 10 + 70 + 65 + 500);
}

TEST(TraceOnNodes, TheLatencyMayBeginWhenTheReceiverAsks) {
    Written late(4);
    late.send(0, 2, 64);
    late.reduce(2, 100);
    late.receive(2, 0);
    late.send(0, 2, 0);  // the sender does not wait
    late.receive(2, 0);
    LinearModel asks = on_nodes();
    asks.nodes->waits_to_be_asked = true;
    const double first = 100 * 10 + 70 + 64 + 20;
    EXPECT_EQ(late.time(asks), first + 70 + 20);
}

TEST(TraceOnNodes, NobodyWaitsForVeryManyMessagesAtATime) {
    Written trace(400);
    for (int from = 0; from < 400; ++from) {
        for (int distance = 1; distance < 20; ++distance) {
            trace.start_send(from, (from + distance) % 400, 1);
            trace.start_receive(from, (from + 400 - distance) % 400);
        }
        trace.wait(from);
    }
    LinearModel on_large_nodes = on_nodes();
    on_large_nodes.nodes->ranks_per_node = 200;
    EXPECT_THROW(trace.time(on_large_nodes), TooLong);
}

TEST(TraceOnNodes, RanksThatWaitForEverAreFound) {
    Written trace(4);
    trace.receive(0, 1);
    EXPECT_THROW(trace.time(on_nodes()), std::logic_error);
    trace.receive(1, 0);
    trace.send(0, 1, 1);
    trace.send(1, 0, 1);
    EXPECT_THROW(trace.time(on_nodes()), std::logic_error);
}

}  // namespace
}  // namespace mpiaudit
