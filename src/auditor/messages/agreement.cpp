// SPDX-License-Identifier: BSD-3-Clause
#include "messages/agreement.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

constexpr int agreement_tag = 7;

int byte_count(std::size_t values, std::size_t each) {
    return static_cast<int>(values * each);
}

/// Reduces to rank 0. `choose` combines two values.
template <class T, class Choose>
void reduce(std::span<T> values, MPI_Comm between, Choose choose) {
    const int rank = messages::rank_in(between), ranks = messages::size_of(between);
    const int bytes = byte_count(values.size(), sizeof(T));
    std::vector<T> other(values.size());
    for (int mask = 1; mask < ranks; mask *= 2) {
        if (rank & mask) {
            messages::send(values.data(), bytes, MPI_BYTE, rank - mask, agreement_tag, between);
            return;
        }
        if (rank + mask >= ranks) continue;
        messages::receive(other.data(), bytes, MPI_BYTE, rank + mask, agreement_tag, between);
        std::ranges::transform(values, other, values.begin(), choose);
    }
}

/// Broadcasts from rank 0 along a binomial tree.
template <class T>
void spread(std::span<T> values, MPI_Comm between) {
    const int rank = messages::rank_in(between), ranks = messages::size_of(between);
    const int bytes = byte_count(values.size(), sizeof(T));
    int mask = 1;
    while (mask < ranks && !(rank & mask)) mask *= 2;
    if (rank > 0)
        messages::receive(values.data(), bytes, MPI_BYTE, rank - mask, agreement_tag, between);
    for (mask /= 2; mask > 0; mask /= 2) {
        if (rank + mask < ranks)
            messages::send(values.data(), bytes, MPI_BYTE, rank + mask, agreement_tag, between);
    }
}

constexpr auto larger = [](auto a, auto b) { return std::max(a, b); };

template <class T, class Choose>
void on_all_ranks(std::span<T> values, MPI_Comm comm, Choose choose) {
    const under_test::InHarness in_harness;
    const MPI_Comm between = private_communicator(comm);
    reduce(values, between, choose);
    spread(values, between);
}

template <class Choose>
std::vector<double> on_rank_0(std::vector<double> values, MPI_Comm comm, Choose choose) {
    const under_test::InHarness in_harness;
    const MPI_Comm between = private_communicator(comm);
    reduce(std::span(values), between, choose);
    if (messages::rank_in(between) != 0) values.clear();
    return values;
}

}  // namespace

void take_largest(std::span<double> values, MPI_Comm comm) {
    on_all_ranks(values, comm, larger);
}

void take_largest(std::span<int> values, MPI_Comm comm) {
    on_all_ranks(values, comm, larger);
}

double total_of_ranks(double value, MPI_Comm comm) {
    on_all_ranks(std::span(&value, 1), comm, std::plus());
    return value;
}

int decided_by_rank_0(int value, MPI_Comm comm) {
    const under_test::InHarness in_harness;
    spread(std::span(&value, 1), private_communicator(comm));
    return value;
}

std::vector<double> largest_on_rank_0(std::vector<double> values, MPI_Comm comm) {
    return on_rank_0(std::move(values), comm, larger);
}

std::vector<double> smallest_on_rank_0(std::vector<double> values, MPI_Comm comm) {
    return on_rank_0(std::move(values), comm, [](double a, double b) { return std::min(a, b); });
}

}  // namespace mpiaudit
