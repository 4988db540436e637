// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <new>
#include <stdexcept>

#include "messages/kept_with.h"
#include "messages/recorder.h"
#include "messages/replayed_calls.h"
#include "messages/scratch.h"
#include "zero_copy/persistent_requests.h"

namespace mpiaudit {
namespace {

constexpr int tag = 1;

void send_number(int number, int to) {
    messages::send(&number, 1, MPI_INT, to, tag, MPI_COMM_SELF);
}

int received_number(int from) {
    int number = 0;
    messages::receive(&number, 1, MPI_INT, from, tag, MPI_COMM_SELF);
    return number;
}

TEST(Recording, EveryRankSeesItself) {
    int sum = 0;
    replay_calls(5, [&](int rank) {
        EXPECT_EQ(messages::rank_in(MPI_COMM_SELF), rank);
        EXPECT_EQ(messages::size_of(MPI_COMM_SELF), 5);
        sum += rank;
    });
    EXPECT_EQ(sum, 10);
    EXPECT_EQ(messages::rank_in(MPI_COMM_SELF), 0);
    EXPECT_EQ(messages::recorder, nullptr);
}

TEST(Recording, DataOfUsersAreNotedOnly) {
    const Trace trace = replay_calls(2, [](int rank) {
        const Scratch data(1 << 20);
        messages::exchange(data.get(), 3, MPI_INT, 1 - rank, tag, data.get(), 3, MPI_INT, 1 - rank,
                           tag, MPI_COMM_SELF);
        messages::reduce_local(data.get(), data.get() + 12, 3, MPI_INT, MPI_SUM);
        messages::copy(data.get() + 100, data.get(), 100);
    });
    for (const int rank : {0, 1})
        EXPECT_EQ(trace.program(rank), (Operations{{0, 1 - rank, Action::receive},
                                                   {12, 1 - rank, Action::send},
                                                   {0, rank, Action::wait},
                                                   {12, rank, Action::reduce},
                                                   {100, rank, Action::copy}}));
}

TEST(Recording, MessagesOverAbsoluteAddressesAreDataOfUsers) {
    const Trace trace = replay_calls(2, [](int rank) {
        if (rank == 0) messages::send(MPI_BOTTOM, 1, MPI_INT, 1, tag, MPI_COMM_SELF);
        if (rank == 1) messages::receive(MPI_BOTTOM, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
    });
    EXPECT_EQ(trace.bytes_sent(0), 4);
}

/// Rank 0 comes first and needs a message that the last rank sends after the rank before has sent
/// to it.
TEST(Recording, WhatSteersTheRanksIsDelivered) {
    int runs = 0;
    const Trace trace = replay_calls(4, [&](int rank) {
        ++runs;
        if (rank == 0) {
            send_number(5, 1);
            EXPECT_EQ(received_number(3), 8);
        } else {
            const int number = received_number(rank - 1);
            send_number(number + 1, (rank + 1) % 4);
        }
    });
    EXPECT_EQ(runs, 5);
    EXPECT_EQ(trace.program(0), (Operations{{4, 1, Action::send},
                                            {0, 0, Action::wait},
                                            {0, 3, Action::receive},
                                            {0, 0, Action::wait}}));
    EXPECT_EQ(trace.time({1, 0}), 4);
}

TEST(Recording, MessagesWithTheSameTagComeInTheirOrder) {
    replay_calls(2, [](int rank) {
        for (int i = 0; i < 3; ++i) {
            if (rank == 1) send_number(i, 0);
            if (rank == 0) {
                EXPECT_EQ(received_number(1), i);
            }
        }
    });
}

TEST(Recording, TagsAreToldApart) {
    replay_calls(2, [](int rank) {
        int one = 1, two = 2;
        if (rank == 1) {
            messages::send(&one, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
            messages::send(&two, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        } else {
            messages::receive(&one, 1, MPI_INT, 1, 2, MPI_COMM_SELF);
            messages::receive(&two, 1, MPI_INT, 1, 1, MPI_COMM_SELF);
            EXPECT_EQ(one, 2);
            EXPECT_EQ(two, 1);
        }
    });
}

TEST(Recording, DatatypesMayBeFreedBeforeTheWait) {
    replay_calls(2, [](int rank) {
        std::array<int, 4> numbers = {rank, rank, rank, rank};
        MPI_Datatype every_other = MPI_DATATYPE_NULL;
        MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
        MPI_Type_commit(&every_other);
        messages::Requests requests;
        if (rank == 0)
            requests.start_receive(numbers.data(), 1, every_other, 1, tag, MPI_COMM_SELF);
        else
            requests.start_send(numbers.data(), 1, every_other, 0, tag, MPI_COMM_SELF);
        MPI_Type_free(&every_other);
        requests.wait_for_all();
        if (rank == 0) {
            EXPECT_EQ(numbers, (std::array{1, 0, 1, 0}));
        }
    });
}

TEST(Recording, RanksThatWaitForEachOtherAreAnError) {
    const auto blocked = [](int rank) {
        const int number = received_number(1 - rank);
        send_number(number, 1 - rank);
    };
    EXPECT_THROW(replay_calls(2, blocked), std::logic_error);
    EXPECT_EQ(messages::recorder, nullptr);
}

TEST(Recording, EndsAfterAsManyStepsAsAreAllowed) {
    const auto record = [](std::int64_t most_steps) {
        const auto prepare = [](int rank) {
            return [rank] {
                send_number(rank, 1 - rank);
                received_number(1 - rank);
            };
        };
        replay(2, prepare, 0, most_steps);
    };
    // Two messages, and three runs of two ranks: the first has to wait for the second.
    EXPECT_NO_THROW(record(8));
    EXPECT_THROW(record(7), TooLong);
    EXPECT_EQ(messages::recorder, nullptr);
}

TEST(Recording, ARankThatSendsSomethingElseWhenItRunsAgainIsAnError) {
    int runs = 0;
    const auto fickle = [&](int rank) {
        send_number(++runs, 1 - rank);
        received_number(1 - rank);
    };
    EXPECT_THROW(replay_calls(2, fickle), std::logic_error);
}

TEST(Recording, ErrorsOfTheCallEndTheRecording) {
    EXPECT_THROW(replay_calls(2, [](int) { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(messages::recorder, nullptr);
}

TEST(Recording, MessagesFromAnybodyAreOneStepInTheOrderOfTheRanks) {
    const Trace trace = replay_calls(4, [](int rank) {
        int number = rank;
        if (rank > 0) return send_number(rank, 0);
        for (int i = 0; i < 3; ++i) {
            const int source = messages::receive_from_any(&number, 1, MPI_INT, tag, MPI_COMM_SELF);
            EXPECT_EQ(source, number);
        }
    });
    EXPECT_EQ(trace.program(0), (Operations{{0, 1, Action::receive},
                                            {0, 2, Action::receive},
                                            {0, 3, Action::receive},
                                            {0, 0, Action::wait}}));
}

TEST(Recording, AWaitNamesWhatItWaitsFor) {
    const Trace trace = replay_calls(2, [](int rank) {
        std::byte* const data = phantom(8);
        messages::Requests requests;
        for (int i = 0; i < 2; ++i) {
            if (rank == 0) requests.start_receive(data, 1, MPI_INT, 1, tag, MPI_COMM_SELF);
            if (rank == 1) requests.start_send(data, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
        }
        requests.wait(1);
        requests.wait(1);
        requests.wait_for_all();
    });
    EXPECT_EQ(trace.program(0), (Operations{{0, 1, Action::receive},
                                            {0, 1, Action::receive},
                                            {1, 0, Action::wait_for_receive},
                                            {0, 0, Action::wait}}));
    EXPECT_EQ(trace.program(1)[2], (Trace::Operation{1, 1, Action::wait_for_send}));
}

TEST(Recording, MessagesToOneselfAreCopiesAndMessagesToNobodyAreNotNoted) {
    const Trace trace = replay_calls(1, [](int) {
        int number = 7, copy = 0;
        messages::exchange(&number, 1, MPI_INT, 0, tag, &copy, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
        EXPECT_EQ(copy, 7);
        send_number(1, MPI_PROC_NULL);
    });
    EXPECT_EQ(trace.program(0), (Operations{{4, 0, Action::copy}}));
}

TEST(Recording, WhatIsPreparedIsNoPartOfTheTrace) {
    const Trace trace = replay(2, [](int rank) -> std::function<void()> {
        std::byte* const data = phantom(8);
        messages::exchange(&rank, 1, MPI_INT, 1 - rank, tag, data, 1, MPI_INT, 1 - rank, tag,
                           MPI_COMM_SELF);
        const auto requests = std::make_shared<PersistentRequests>();
        if (rank == 0)
            requests->add_send(data, 2, MPI_INT, 1, tag, MPI_COMM_SELF);
        else
            requests->add_receive(data, 2, MPI_INT, 0, tag, MPI_COMM_SELF);
        return [requests] {
            for (int i = 0; i < 2; ++i) {
                requests->start(0, 1);
                requests->wait(0, 1);
            }
        };
    });
    EXPECT_EQ(trace.program(0), (Operations{{8, 1, Action::send},
                                            {0, 0, Action::wait},
                                            {8, 1, Action::send},
                                            {0, 0, Action::wait}}));
}

TEST(Recording, ScratchIsPhantomUnlessItIsForWhatSteers) {
    replay_calls(1, [](int) {
        EXPECT_TRUE(messages::recorder->phantom_memory().contains(Scratch(4).get()));
        {
            const OnControlData here;
            const Scratch scratch(4);
            ASSERT_FALSE(messages::recorder->phantom_memory().contains(scratch.get()));
            *scratch.get() = std::byte{1};
        }
        EXPECT_TRUE(messages::recorder->phantom_memory().contains(Scratch(4).get()));
    });
    const Scratch scratch(4);
    scratch.get()[3] = std::byte{1};
}

TEST(Recording, PackingPhantomDataMovesThePositionAndIsACopy) {
    const Trace trace = replay_calls(1, [](int) {
        int position = 0;
        messages::pack(phantom(8), 2, MPI_INT, phantom(8), 8, &position, MPI_COMM_SELF);
        EXPECT_EQ(position, 8);
        position = 4;
        messages::unpack(phantom(8), 8, &position, phantom(4), 1, MPI_INT, MPI_COMM_SELF);
        EXPECT_EQ(position, 8);
    });
    EXPECT_EQ(trace.program(0), (Operations{{8, 0, Action::copy}, {4, 0, Action::copy}}));
}

}  // namespace
}  // namespace mpiaudit
