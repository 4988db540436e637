// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

namespace mpiaudit {

/// What a linear model says of nodes, each with the same number of consecutive ranks. Messages that
/// leave a node at a time share what its network card carries, and so do those that come to it;
/// those within a node share its memory.
struct NodeModel {
    /// What a message takes of the processors at its two ends, seconds; part of its alpha.
    struct Overhead {
        double send = 0;
        double receive = 0;
    };

    int ranks_per_node = 1;
    double alpha = 0;   ///< of a message within a node
    double beta = 0;    ///< likewise, of one alone
    double memory = 1;  ///< so many messages within a node go at a time without delay
    Overhead within = {};
    Overhead between = {};
    /// Up to here a message leaves its sender before the receiver has asked for it.
    std::int64_t eager_bytes = 8192;
};

/// The linear transmission model of Träff 2017, section 1, and of Thakur & Gropp 2003, section 3: a
/// message of m units takes alpha + beta m, the reduction of m units on one rank gamma m, and local
/// copies nothing. A rank sends one message and receives one at a time, both at once if need be.
/// Where nodes are known, alpha and beta are those of a message between two of them.
struct LinearModel {
    double alpha;
    double beta;
    double gamma = 0;
    std::optional<NodeModel> nodes = {};
};

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
    void start_send(int rank, int to, std::int64_t bytes) {
        if (to != rank) add(rank, Action::send, to, bytes);
    }
    void start_receive(int rank, int from) {
        if (from != rank) add(rank, Action::receive, from, 0);
    }
    /// Until all that `rank` has started is done; until its send, or its receive, of this number
    /// is.
    void wait(int rank) { add(rank, Action::wait, rank, 0); }
    void wait_for_send(int rank, int number) { add(rank, Action::wait_for_send, rank, number); }
    void wait_for_receive(int rank, int number) {
        add(rank, Action::wait_for_receive, rank, number);
    }
    /// `rank` reduces this many bytes of operands with as many others.
    void reduce(int rank, std::int64_t bytes) {
        if (bytes > 0) add(rank, Action::reduce, rank, bytes);
    }

    /// Lets `rank` have done nothing.
    void forget(int rank) { programs_[static_cast<std::size_t>(rank)].clear(); }

    std::int64_t messages_sent(int rank) const {
        return std::ranges::count(program(rank), Action::send, &Operation::action);
    }
    std::int64_t bytes_sent(int rank) const {
        std::int64_t bytes = 0;
        for (const Operation& each : program(rank))
            if (each.action == Action::send) bytes += each.amount;
        return bytes;
    }

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
