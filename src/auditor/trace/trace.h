// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "trace/linear_model.h"

namespace mpiaudit {

/// Nobody waits for the recording of such a call, nor for what it takes in the model.
struct TooLong : std::runtime_error {
    TooLong() : std::runtime_error("has too many messages to be recorded") {}
};

/// What the ranks of a collective operation do, each in its own order: the messages and reductions
/// of an algorithm without their data. Built in any order over the ranks.
class Trace {
  public:
    explicit Trace(int ranks) : programs_(static_cast<std::size_t>(ranks)) {}
    int ranks() const { return static_cast<int>(programs_.size()); }

    /// Non-blocking operations of `rank`; a message of a rank to itself is a copy, which is free.
    void start_send(int rank, int to, std::int64_t bytes);
    void start_receive(int rank, int from);
    /// Until all that `rank` has started is done; until its send, or its receive, of this number
    /// is.
    void wait(int rank);
    void wait_for_send(int rank, int number);
    void wait_for_receive(int rank, int number);
    /// `rank` reduces this many bytes of operands with as many others.
    void reduce(int rank, std::int64_t bytes);

    /// MPI_Send, MPI_Recv and MPI_Sendrecv.
    void send(int rank, int to, std::int64_t bytes);
    void receive(int rank, int from);
    void exchange(int rank, int to, std::int64_t bytes, int from);
    /// send at one rank and receive at the other.
    void message(int from, int to, std::int64_t bytes);

    /// Lets `rank` have done nothing.
    void forget(int rank) { programs_[static_cast<std::size_t>(rank)].clear(); }

    std::int64_t messages_sent(int rank) const;
    std::int64_t bytes_sent(int rank) const;

    /// When the last rank is done if all start at 0. A rank's sends go one after the other in the
    /// order in which they were started; a message needs both ranks from its begin to its end and
    /// begins as soon as it has them; of several for one rank the first to come is served first,
    /// and of those that come together the one whose receive was started first. Receives match the
    /// sends of the same pair in order. Throws std::logic_error when a message has no match, or the
    /// ranks wait for each other for ever. Where the model knows nodes, messages are as NodeModel
    /// says, and TooLong where very many messages are on their way at a time.
    double time(LinearModel model) const;

    enum class Action : std::uint8_t {
        send,
        receive,
        wait,
        wait_for_send,
        wait_for_receive,
        reduce
    };
    struct Operation {
        std::int64_t amount;  ///< bytes, or the number of a send or receive of this rank
        int partner;
        Action action;
        bool operator==(const Operation&) const = default;
    };
    const std::vector<Operation>& program(int rank) const {
        return programs_[static_cast<std::size_t>(rank)];
    }

  private:
    void add(int rank, Action action, int partner, std::int64_t amount) {
        programs_[static_cast<std::size_t>(rank)].push_back({amount, partner, action});
    }
    std::vector<std::vector<Operation>> programs_;
};

}  // namespace mpiaudit
