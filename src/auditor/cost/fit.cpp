// SPDX-License-Identifier: BSD-3-Clause
// Declared in cost/prediction.h.
#include "cost/prediction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "collectives/barrier/barrier.h"
#include "collectives/bcast/bcast.h"
#include "collectives/patterns/node_communicators.h"
#include "messages/messages.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

constexpr std::array message_bytes = {1, 1024, 8 * 1024, 64 * 1024, 512 * 1024};
constexpr double time_per_size_s = 0.04;  // for the ping-pong of one message size
constexpr int most_round_trips = 200;
constexpr double time_of_local_work_s = 0.01;  // for all reductions, and for all copies
// Ends the loop in a simulation, where reductions and copies take no time.
constexpr int most_local_runs = 1000;
constexpr int local_bytes = 64 * 1024;  // of a reduction or copy

/// The tag tells the partner, which reads no clock, whether another message follows.
enum Tag : int { another_follows, last };

/// Returns half of the fastest round trip of `bytes` (s). Runs on rank 0; the partner runs pong().
double ping(std::vector<std::byte>& buffer, int bytes, int partner, MPI_Comm comm) {
    const double end = steady_time_s() + time_per_size_s;
    double fastest_s = std::numeric_limits<double>::infinity();
    for (int i = 1;; ++i) {
        const double start = steady_time_s();
        const int tag = i == most_round_trips || start > end ? last : another_follows;
        MPI_Send(buffer.data(), bytes, MPI_BYTE, partner, tag, comm);
        MPI_Recv(buffer.data(), bytes, MPI_BYTE, partner, 0, comm, MPI_STATUS_IGNORE);
        fastest_s = std::min(fastest_s, (steady_time_s() - start) / 2);
        if (tag == last) return fastest_s;
    }
}

void pong(std::vector<std::byte>& buffer, int bytes, MPI_Comm comm) {
    MPI_Status status{};
    do {
        MPI_Recv(buffer.data(), bytes, MPI_BYTE, 0, MPI_ANY_TAG, comm, &status);
        MPI_Send(buffer.data(), bytes, MPI_BYTE, 0, 0, comm);
    } while (status.MPI_TAG != last);
}

/// Returns seconds per byte of the fastest run of `work`, which works on local_bytes.
template <class Work>
double fastest_per_byte(Work work) {
    const double end = steady_time_s() + time_of_local_work_s;
    double fastest_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_local_runs; ++i) {
        const double start = steady_time_s();
        if (start > end) break;
        work();
        fastest_s = std::min(fastest_s, steady_time_s() - start);
    }
    return std::isfinite(fastest_s) ? std::max(fastest_s, 0.0) / local_bytes : 0.0;
}

/// Fits gamma to mpiaudit's own arithmetic: the library's MPI_Reduce_local is not verified yet and
/// may crash. gamma is 0 if `op` is not defined for the elements.
void fit_local_work(LinearModel& model, const Element& element, const Operator& op) {
    std::vector<std::byte> input(local_bytes), output(local_bytes);
    model.copying =
        fastest_per_byte([&] { messages::copy(output.data(), input.data(), local_bytes); });
    if (!op.is_defined_for(element)) return;
    const auto count = static_cast<int>(local_bytes / element.data_bytes());
    model.gamma =
        fastest_per_byte([&] { op.reduce_here(input.data(), output.data(), count, element); });
}

/// Fits alpha and beta of messages between rank 0 and the partner; valid on rank 0.
LinearModel fit_transmissions(int partner, MPI_Comm comm) {
    const int rank = messages::rank_in(comm);
    // Other ranks allocate nothing: thousands of simulated ranks share one memory.
    const bool takes_part = rank == 0 || rank == partner;
    std::vector<std::byte> buffer(takes_part ? message_bytes.back() : 0);
    dissemination_Barrier(comm);
    std::vector<Transmission> transmissions;
    for (const int bytes : message_bytes) {
        if (rank == 0)
            transmissions.push_back(
                {static_cast<double>(bytes), ping(buffer, bytes, partner, comm)});
        else if (rank == partner)
            pong(buffer, bytes, comm);
    }
    return rank == 0 ? fit_line(transmissions) : LinearModel{};
}

// Messages of a burst, and repetitions of which the fastest counts.
constexpr int burst = 16, repetitions = 20;
constexpr int most_peers = 4;

/// The ranks that exchange short messages with rank 0: consecutive ones, from `first` on.
struct Peers {
    int first, number;
    bool contains(int rank) const { return rank >= first && rank < first + number; }
};

/// Posts a receive of a byte from each peer, again and again until the burst is complete.
std::vector<MPI_Request> expect_from(const Peers& peers, int messages, std::vector<char>& bytes,
                                     MPI_Comm comm) {
    std::vector<MPI_Request> requests(static_cast<std::size_t>(messages));
    for (int k = 0; k < messages; ++k)
        MPI_Irecv(&bytes[static_cast<std::size_t>(k)], 1, MPI_BYTE, peers.first + k % peers.number,
                  another_follows, comm, &requests[static_cast<std::size_t>(k)]);
    return requests;
}

void complete(std::vector<MPI_Request>& requests) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// Returns the seconds in which rank 0 sends a burst that its peers expect, by message. Valid on
/// rank 0. Each peer gets the same number of messages.
double time_to_send(const Peers& peers, int messages, MPI_Comm comm) {
    const int rank = messages::rank_in(comm);
    std::vector<char> bytes(static_cast<std::size_t>(messages));
    char ready = 0;
    if (peers.contains(rank)) {
        auto requests = expect_from({0, 1}, messages / peers.number, bytes, comm);
        MPI_Send(&ready, 1, MPI_BYTE, 0, last, comm);
        complete(requests);
    }
    if (rank != 0) return 0;
    for (int k = 0; k < peers.number; ++k)
        MPI_Recv(&ready, 1, MPI_BYTE, peers.first + k, last, comm, MPI_STATUS_IGNORE);
    std::vector<MPI_Request> requests(bytes.size());
    const double start = steady_time_s();
    for (int k = 0; k < messages; ++k)
        MPI_Isend(&bytes[static_cast<std::size_t>(k)], 1, MPI_BYTE, peers.first + k % peers.number,
                  another_follows, comm, &requests[static_cast<std::size_t>(k)]);
    complete(requests);
    return (steady_time_s() - start) / messages;
}

/// Returns the seconds from the moment when rank 0 asks for messages that it expects from all peers
/// at once until it has all. Valid on rank 0.
double time_to_receive(const Peers& peers, int messages, MPI_Comm comm) {
    const int rank = messages::rank_in(comm);
    char ask = 0;
    if (peers.contains(rank)) {
        MPI_Recv(&ask, 1, MPI_BYTE, 0, last, comm, MPI_STATUS_IGNORE);
        for (int k = 0; k < messages / peers.number; ++k)
            MPI_Send(&ask, 1, MPI_BYTE, 0, another_follows, comm);
    }
    if (rank != 0) return 0;
    std::vector<char> bytes(static_cast<std::size_t>(messages));
    auto requests = expect_from(peers, messages, bytes, comm);
    const double start = steady_time_s();
    for (int k = 0; k < peers.number; ++k) MPI_Send(&ask, 1, MPI_BYTE, peers.first + k, last, comm);
    complete(requests);
    return steady_time_s() - start;
}

/// Returns the seconds of a short message that rank 0 receives after the sender has sent another
/// one behind it. Valid on rank 0.
double time_to_receive_late(int sender, MPI_Comm comm) {
    const int rank = messages::rank_in(comm);
    char byte = 0;
    if (rank == sender) {
        MPI_Recv(&byte, 1, MPI_BYTE, 0, last, comm, MPI_STATUS_IGNORE);
        for (int k = 0; k < burst; ++k) MPI_Send(&byte, 1, MPI_BYTE, 0, another_follows, comm);
        MPI_Send(&byte, 1, MPI_BYTE, 0, last, comm);
    }
    if (rank != 0) return 0;
    MPI_Send(&byte, 1, MPI_BYTE, sender, last, comm);
    MPI_Recv(&byte, 1, MPI_BYTE, sender, last, comm, MPI_STATUS_IGNORE);
    const double start = steady_time_s();
    for (int k = 0; k < burst; ++k)
        MPI_Recv(&byte, 1, MPI_BYTE, sender, another_follows, comm, MPI_STATUS_IGNORE);
    return (steady_time_s() - start) / burst;
}

/// The costs (s) of a short message between rank 0 and some ranks: core time at both ends, and a
/// receive that begins after the message was sent.
struct ShortMessage {
    NodeModel::Overhead overhead = {};
    double late = 0;
};

/// Measures short messages with several in flight. The overhead of a receiver is the time by which
/// a burst from several senders takes longer than one message from each of them: latencies overlap,
/// and a single sender could be slower than the receiver. Valid on rank 0.
/// \param alpha start-up (s) of such a message
ShortMessage fit_short_message(const Peers& peers, double alpha, MPI_Comm comm) {
    if (peers.number == 0) return {};
    constexpr double infinite = std::numeric_limits<double>::infinity();
    // Each peer sends as many messages as the others.
    const int many = burst / peers.number * peers.number;
    double send = infinite, one_each = infinite, all = infinite, late = infinite;
    // A loop for each measurement: ranks that are ahead must not send into another measurement.
    for (int i = 0; i < repetitions; ++i) send = std::min(send, time_to_send(peers, many, comm));
    for (int i = 0; i < repetitions; ++i) {
        one_each = std::min(one_each, time_to_receive(peers, peers.number, comm));
        all = std::min(all, time_to_receive(peers, many, comm));
    }
    for (int i = 0; i < repetitions; ++i)
        late = std::min(late, time_to_receive_late(peers.first, comm));
    const double receive = (all - one_each) / (many - peers.number);
    NodeModel::Overhead overhead{std::max(send, 0.0), std::max(receive, 0.0)};
    // Disturbances may have spoiled the overheads, which are parts of alpha.
    const double sum = overhead.send + overhead.receive;
    if (sum > alpha) overhead = {overhead.send * alpha / sum, overhead.receive * alpha / sum};
    return {overhead, std::max(late, 0.0)};
}

/// Returns the number of long messages that the memory of the first node carries at full speed at
/// once: pairs of its ranks exchange messages at the same time.
/// \param processors that copy the messages at one time; 0: one for each rank
double fit_memory(int ranks_per_node, int processors, double alone_s, MPI_Comm comm) {
    constexpr int round_trips = 20;
    const int rank = messages::rank_in(comm);
    const int pairs = ranks_per_node / 2;
    const bool takes_part = rank < 2 * pairs;
    std::vector<std::byte> buffer(takes_part ? message_bytes.back() : 0);
    dissemination_Barrier(comm);
    if (!takes_part) return 1;
    const double start = steady_time_s();
    for (int i = 0; i < 2 * round_trips; ++i) {
        if (i % 2 == rank % 2)
            MPI_Send(buffer.data(), message_bytes.back(), MPI_BYTE, rank ^ 1, last, comm);
        else
            MPI_Recv(buffer.data(), message_bytes.back(), MPI_BYTE, rank ^ 1, last, comm,
                     MPI_STATUS_IGNORE);
    }
    const double together_s = (steady_time_s() - start) / (2 * round_trips);
    if (together_s <= 0) return 1;
    const int most = processors > 0 ? std::min(pairs, processors) : pairs;
    return std::clamp(pairs * alone_s / together_s, 1.0, static_cast<double>(most));
}

/// Returns whether the latency of a short message begins when its receiver asks for it: a late
/// receive then takes the latency, too.
bool waits_to_be_asked(const ShortMessage& message, double alpha) {
    const double latency = alpha - message.overhead.send - message.overhead.receive;
    return message.late > message.overhead.receive + latency / 2;
}

/// Fits the model within and between nodes; equal on all ranks.
/// \param between start-up and bandwidth of messages between the first and the last rank
NodeModel fit_nodes(const NodeSplit& split, const LinearModel& between, double processors_of_a_rank,
                    MPI_Comm comm) {
    const int ranks = messages::size_of(comm);
    // Nodes without consecutive ranks: every rank counts as a node.
    const int width = split.has_rows() ? split.width : split.nodes > 1 ? 1 : ranks;
    const Peers on_node{1, std::min(most_peers, width - 1)};
    const int others = std::min(most_peers, ranks - width);
    const Peers on_other_nodes{ranks - others, others};
    const LinearModel within = on_other_nodes.number == 0 ? between
                               : on_node.number == 0      ? LinearModel{}
                                                          : fit_transmissions(1, comm);
    const ShortMessage near = fit_short_message(on_node, within.alpha, comm);
    const ShortMessage far = fit_short_message(on_other_nodes, between.alpha, comm);
    const bool waits = on_other_nodes.number > 0 ? waits_to_be_asked(far, between.alpha)
                                                 : waits_to_be_asked(near, within.alpha);
    const int processors =
        processors_of_a_rank > 0 && processors_of_a_rank < 1
            ? std::max(1, static_cast<int>(std::lround(width * processors_of_a_rank)))
            : 0;
    const double memory =
        fit_memory(width, processors, within.alpha + within.beta * message_bytes.back(), comm);
    std::array values = {
        within.alpha,         within.beta,           memory,
        near.overhead.send,   near.overhead.receive, far.overhead.send,
        far.overhead.receive, waits ? 1.0 : 0.0,     static_cast<double>(processors)};
    binomial_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, comm);
    NodeModel model;
    model.ranks_per_node = width;
    model.alpha = values[0];
    model.beta = values[1];
    model.memory = values[2];
    model.within = {values[3], values[4]};
    model.between = {values[5], values[6]};
    model.waits_to_be_asked = values[7] > 0;
    model.processors = static_cast<int>(values[8]);
    return model;
}

}  // namespace

LinearModel fit_line(std::span<const Transmission> transmissions) {
    // Weighted least squares with the weights 1 / time^2.
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (const auto& [bytes, time_s] : transmissions) {
        // A coarse clock, or one that was set back, gives no positive time.
        if (time_s <= 0) continue;
        const double weight = 1 / (time_s * time_s);
        w += weight;
        wx += weight * bytes;
        wy += weight * time_s;
        wxx += weight * bytes * bytes;
        wxy += weight * bytes * time_s;
    }
    if (w == 0) return {};
    const double determinant = w * wxx - wx * wx;
    const double beta = determinant > 0 ? (w * wxy - wx * wy) / determinant : 0;
    if (beta <= 0) return {wy / w, 0};
    const double alpha = (wy - beta * wx) / w;
    return alpha >= 0 ? LinearModel{alpha, beta} : LinearModel{0, wxy / wxx};
}

std::optional<LinearModel> fit_model(MPI_Comm comm, const Element& element, const Operator& op,
                                     double processors_of_a_rank) {
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    if (ranks == 1) return std::nullopt;
    LinearModel model = fit_transmissions(ranks - 1, comm);
    if (rank == 0) fit_local_work(model, element, op);
    model.nodes = fit_nodes(node_split(comm), model, processors_of_a_rank, comm);
    std::array values = {model.alpha, model.beta, model.gamma, model.copying};
    binomial_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, comm);
    return LinearModel{values[0], values[1], values[2], model.nodes, values[3]};
}

}  // namespace mpiaudit
