// SPDX-License-Identifier: BSD-3-Clause
#include "cost/fit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "collectives/barrier/barrier.h"
#include "collectives/bcast/bcast.h"

namespace mpiaudit {
namespace {

constexpr std::array message_bytes = {1, 1024, 8 * 1024, 64 * 1024, 512 * 1024};
constexpr double size_s = 0.04;
constexpr int most_round_trips = 200;
constexpr double reduction_s = 0.01;
constexpr int most_reductions = 1000;  // in a simulation they take no time
constexpr int reduced_bytes = 64 * 1024;

/// The tag tells the partner, who does not see the clock, whether another message follows.
enum Tag : int { another_follows, last };

/// Half of the fastest round trip of `bytes`, on the first rank.
double ping(std::vector<std::byte>& buffer, int bytes, int partner, MPI_Comm comm) {
    const double end = MPI_Wtime() + size_s;
    double fastest_s = std::numeric_limits<double>::infinity();
    for (int i = 1;; ++i) {
        const double start = MPI_Wtime();
        const int tag = i == most_round_trips || start > end ? last : another_follows;
        MPI_Send(buffer.data(), bytes, MPI_BYTE, partner, tag, comm);
        MPI_Recv(buffer.data(), bytes, MPI_BYTE, partner, 0, comm, MPI_STATUS_IGNORE);
        fastest_s = std::min(fastest_s, (MPI_Wtime() - start) / 2);
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

/// Seconds per byte of data.
double fit_reduction(MPI_Datatype type, MPI_Op op) {
    int type_bytes = 0;
    MPI_Aint lower_bound = 0, extent = 0;
    MPI_Type_size(type, &type_bytes);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    if (op == MPI_OP_NULL || type_bytes == 0) return 0.0;
    const int count = std::max(1, reduced_bytes / type_bytes);
    std::vector<std::byte> input(static_cast<std::size_t>(count * extent));
    std::vector<std::byte> output(input.size());
    const double end = MPI_Wtime() + reduction_s;
    double fastest_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_reductions; ++i) {
        const double start = MPI_Wtime();
        if (start > end) break;
        MPI_Reduce_local(input.data(), output.data(), count, type, op);
        fastest_s = std::min(fastest_s, MPI_Wtime() - start);
    }
    return fastest_s / (static_cast<double>(count) * type_bytes);
}

}  // namespace

LinearModel fit_line(std::span<const Transmission> transmissions) {
    // Weighted least squares with the weights 1 / time^2.
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (const auto& [bytes, time_s] : transmissions) {
        const double weight = 1 / (time_s * time_s);
        w += weight;
        wx += weight * bytes;
        wy += weight * time_s;
        wxx += weight * bytes * bytes;
        wxy += weight * bytes * time_s;
    }
    const double determinant = w * wxx - wx * wx;
    const double beta = determinant > 0 ? (w * wxy - wx * wy) / determinant : 0;
    if (beta <= 0) return {wy / w, 0};
    const double alpha = (wy - beta * wx) / w;
    return alpha >= 0 ? LinearModel{alpha, beta} : LinearModel{0, wxy / wxx};
}

std::optional<LinearModel> fit_model(MPI_Comm comm, MPI_Datatype type, MPI_Op op) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (ranks == 1) return std::nullopt;
    // Only there: thousands of simulated ranks have one memory.
    const bool takes_part = rank == 0 || rank == ranks - 1;
    std::vector<std::byte> buffer(takes_part ? message_bytes.back() : 0);
    dissemination_Barrier(comm);
    std::vector<Transmission> transmissions;
    for (const int bytes : message_bytes) {
        if (rank == 0)
            transmissions.push_back(
                {static_cast<double>(bytes), ping(buffer, bytes, ranks - 1, comm)});
        else if (rank == ranks - 1)
            pong(buffer, bytes, comm);
    }
    LinearModel model{};
    if (rank == 0) {
        model = fit_line(transmissions);
        model.gamma = fit_reduction(type, op);
    }
    std::array<double, 3> values = {model.alpha, model.beta, model.gamma};
    binomial_Bcast(values.data(), 3, MPI_DOUBLE, 0, comm);
    return LinearModel{values[0], values[1], values[2]};
}

}  // namespace mpiaudit
