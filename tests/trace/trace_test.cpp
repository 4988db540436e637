// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mpiaudit {
namespace {

// Whole numbers: all times are exact.
constexpr LinearModel model{1000, 1, 10};
constexpr double alpha = model.alpha, beta = model.beta, gamma = model.gamma;

TEST(Trace, MessagesOfARankGoOneAfterTheOther) {
    Trace trace(3);
    trace.start_send(0, 1, 5);
    trace.start_send(0, 2, 7);
    trace.wait(0);
    trace.receive(1, 0);
    trace.receive(2, 0);
    EXPECT_EQ(trace.time(model), 2 * alpha + 12 * beta);
}

TEST(Trace, ARankSendsAndReceivesAtOnce) {
    Trace trace(2);
    trace.exchange(0, 1, 5, 1);
    trace.exchange(1, 0, 7, 0);
    EXPECT_EQ(trace.time(model), alpha + 7 * beta);
}

TEST(Trace, TheFirstToComeIsServedFirst) {
    Trace trace(3);
    // Rank 1 is late: although it is expected first, rank 2 is served before it.
    trace.start_receive(0, 1);
    trace.start_receive(0, 2);
    trace.wait(0);
    trace.reduce(1, 30);
    trace.send(1, 0, 0);
    trace.send(2, 0, 0);
    EXPECT_EQ(trace.time(model), 2 * alpha);
}

TEST(Trace, AMessageBeginsWhenBothRanksAreThere) {
    Trace trace(2);
    trace.send(0, 1, 1);
    trace.reduce(1, 8);
    trace.receive(1, 0);
    EXPECT_EQ(trace.time(model), 8 * gamma + alpha + beta);
}

TEST(Trace, WaitingForOneReceiveLeavesOthersOpen) {
    Trace trace(3);
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
    Trace trace(1);
    trace.message(0, 0, 100);
    EXPECT_EQ(trace.time(model), 0);
}

TEST(Trace, UnmatchedAndCircularMessagesAreErrors) {
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

TEST(Trace, WaitingForOneSendLeavesOthersOpen) {
    Trace trace(3);
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

}  // namespace
}  // namespace mpiaudit
