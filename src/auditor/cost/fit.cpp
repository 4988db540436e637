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
constexpr double reduction_s = 0.01;  // for all reductions
constexpr int most_reductions =
    1000;  // ends the loop in a simulation, where reductions take no time
constexpr int reduced_bytes = 64 * 1024;

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

/// Returns seconds per byte of a reduction by mpiaudit's own arithmetic: the library's
/// MPI_Reduce_local is not verified yet and may crash. Returns 0 if `op` is not defined for the
/// elements.
double fit_reduction(const Element& element, const Operator& op) {
    if (!op.is_defined_for(element)) return 0.0;
    const auto count = static_cast<int>(reduced_bytes / element.data_bytes());
    std::vector<std::byte> input(reduced_bytes), output(reduced_bytes);
    const double end = steady_time_s() + reduction_s;
    double fastest_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_reductions; ++i) {
        const double start = steady_time_s();
        if (start > end) break;
        op.reduce_here(input.data(), output.data(), count, element);
        fastest_s = std::min(fastest_s, steady_time_s() - start);
    }
    return std::isfinite(fastest_s) ? std::max(fastest_s, 0.0) / reduced_bytes : 0.0;
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

/// Measures the core time (s) that a short message takes from sender and receiver: rank 0 sends a
/// burst, and the partner receives all messages after they have arrived. Valid on rank 0.
NodeModel::Overhead fit_overhead(int partner, MPI_Comm comm) {
    constexpr int burst = 16, repetitions = 20;
    const int rank = messages::rank_in(comm);
    NodeModel::Overhead fastest{std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::infinity()};
    char byte = 0;
    for (int i = 0; i < repetitions; ++i) {
        if (rank == 0) {
            const double start = steady_time_s();
            for (int k = 0; k < burst; ++k)
                MPI_Send(&byte, 1, MPI_BYTE, partner, another_follows, comm);
            fastest.send = std::min(fastest.send, (steady_time_s() - start) / burst);
            MPI_Send(&byte, 1, MPI_BYTE, partner, last, comm);
            double receive_s = 0;
            MPI_Recv(&receive_s, 1, MPI_DOUBLE, partner, last, comm, MPI_STATUS_IGNORE);
            fastest.receive = std::min(fastest.receive, receive_s);
        } else if (rank == partner) {
            MPI_Recv(&byte, 1, MPI_BYTE, 0, last, comm, MPI_STATUS_IGNORE);
            const double start = steady_time_s();
            for (int k = 0; k < burst; ++k)
                MPI_Recv(&byte, 1, MPI_BYTE, 0, another_follows, comm, MPI_STATUS_IGNORE);
            const double receive_s = (steady_time_s() - start) / burst;
            MPI_Send(&receive_s, 1, MPI_DOUBLE, 0, last, comm);
        }
    }
    return {std::max(fastest.send, 0.0), std::max(fastest.receive, 0.0)};
}

/// Returns the number of long messages that the memory of the first node carries at full speed at
/// once: pairs of its ranks exchange messages at the same time.
double fit_memory(int ranks_per_node, double alone_s, MPI_Comm comm) {
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
    return std::clamp(pairs * alone_s / together_s, 1.0, static_cast<double>(pairs));
}

/// Fits the model within and between nodes; equal on all ranks.
NodeModel fit_nodes(const NodeSplit& split, MPI_Comm comm) {
    const int ranks = messages::size_of(comm);
    NodeModel model;
    model.ranks_per_node = split.width;
    // Rank 1 is on another node if every rank has a node of its own.
    const LinearModel within = fit_transmissions(1, comm);
    model.within = fit_overhead(1, comm);
    model.between = fit_overhead(ranks - 1, comm);
    const double memory =
        fit_memory(split.width, within.alpha + within.beta * message_bytes.back(), comm);
    std::array values = {within.alpha,         within.beta,          memory,
                         model.within.send,    model.within.receive, model.between.send,
                         model.between.receive};
    binomial_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, comm);
    model.alpha = values[0];
    model.beta = values[1];
    model.memory = values[2];
    model.within = {values[3], values[4]};
    model.between = {values[5], values[6]};
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

std::optional<LinearModel> fit_model(MPI_Comm comm, const Element& element, const Operator& op) {
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    if (ranks == 1) return std::nullopt;
    const NodeSplit split = node_split(comm);
    LinearModel model = fit_transmissions(ranks - 1, comm);
    if (rank == 0) model.gamma = fit_reduction(element, op);
    if (split.has_rows()) model.nodes = fit_nodes(split, comm);
    std::array<double, 3> values = {model.alpha, model.beta, model.gamma};
    binomial_Bcast(values.data(), 3, MPI_DOUBLE, 0, comm);
    return LinearModel{values[0], values[1], values[2], model.nodes};
}

}  // namespace mpiaudit
