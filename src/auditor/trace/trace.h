// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

namespace mpiaudit {

/// The nodes of a linear model, each with an equal number of consecutive ranks: one rank or all
/// ranks, too. A message keeps the cores of its ranks busy for its overheads only, so latencies of
/// several messages overlap (D. Culler et al., "LogP: Towards a realistic model of parallel
/// computation", PPoPP 1993). Messages that leave a node at one time share the bandwidth of its
/// network card, and so do messages that enter; messages within a node share the memory bandwidth.
struct NodeModel {
    /// Core time (s) of a message at its two ends; part of its alpha.
    struct Overhead {
        double send = 0;
        double receive = 0;
    };

    int ranks_per_node = 1;
    double alpha = 0;   ///< start-up of a message within a node (s)
    double beta = 0;    ///< of a single message within a node (s per byte)
    double memory = 1;  ///< number of messages within a node that run at full speed at once
    /// Ranks of a node that work at one time, if the node has fewer processors than ranks; else 0.
    int processors = 0;
    Overhead within = {};
    Overhead between = {};
    /// Up to this size (bytes) the sender of a message does not wait for the receiver.
    std::int64_t eager_bytes = 8192;
    /// The latency of such a message begins when the receiver asks for it; else at once.
    bool waits_to_be_asked = false;
};

/// The linear transmission model of Träff 2017, section 1, and of Thakur & Gropp 2003, section 3: a
/// message of m bytes takes alpha + beta m seconds, the reduction of m bytes on one rank gamma m. A
/// rank sends one message and receives one at a time, also both at once. With `nodes`, alpha and
/// beta describe messages between nodes. Copies are free in the papers.
struct LinearModel {
    double alpha;
    double beta;
    double gamma = 0;
    std::optional<NodeModel> nodes = {};
    double copying = 0;  ///< of memory by one rank (s per byte)
};

/// Thrown if recording the call or computing its time would take too long.
struct TooLong : std::runtime_error {
    TooLong() : std::runtime_error("has too many messages to be recorded") {}
};

/// The messages, reductions and copies of a collective algorithm, without data, in the program
/// order of each rank. Ranks may be added in any order.
class Trace {
  public:
    explicit Trace(int ranks) : programs_(static_cast<std::size_t>(ranks)) {}
    int ranks() const { return static_cast<int>(programs_.size()); }

    /// Adds a non-blocking operation of `rank`. A message of a rank to itself is a copy, and its
    /// receive is ignored.
    void start_send(int rank, int to, std::int64_t bytes) {
        if (to == rank) return copy(rank, bytes);
        add(rank, Action::send, to, bytes);
    }
    void start_receive(int rank, int from) {
        if (from != rank) add(rank, Action::receive, from, 0);
    }
    /// Makes `rank` wait for all operations that it has started, for its send, or for its receive
    /// of this number.
    void wait(int rank) { add(rank, Action::wait, rank, 0); }
    void wait_for_send(int rank, int number) { add(rank, Action::wait_for_send, rank, number); }
    void wait_for_receive(int rank, int number) {
        add(rank, Action::wait_for_receive, rank, number);
    }
    /// Makes `rank` reduce this many bytes of operands with as many others.
    void reduce(int rank, std::int64_t bytes) {
        if (bytes > 0) add(rank, Action::reduce, rank, bytes);
    }

    /// Makes `rank` copy this many bytes.
    void copy(int rank, std::int64_t bytes) {
        if (bytes > 0) add(rank, Action::copy, rank, bytes);
    }

    /// Removes all operations of `rank`.
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

    /// Returns the time (s) at which the last rank finishes if all start at 0. A rank sends its
    /// messages one after the other in the order of their start. A message needs both ranks from
    /// its begin to its end and begins as soon as it has them. Of several messages for one rank the
    /// first to come is served first; of messages that come together, the one whose receive was
    /// started first. Receives match the sends of a pair of ranks in order. If the model has nodes,
    /// messages behave as NodeModel describes. Throws std::logic_error if a message has no match or
    /// the ranks deadlock, and TooLong if very many messages overlap.
    double time(LinearModel model) const;

    enum class Action : std::uint8_t {
        send,
        receive,
        wait,
        wait_for_send,
        wait_for_receive,
        reduce,
        copy
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
