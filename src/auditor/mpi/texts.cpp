// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/texts.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "collectives/bcast/bcast.h"
#include "messages/agreement.h"
#include "messages/kept_with.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

constexpr std::uint64_t most_bytes_at_once = 1U << 30U;  // of one message

}  // namespace

std::string broadcast(std::string text, MPI_Comm comm) {
    return broadcast_in_parts(std::move(text), 0, comm, most_bytes_at_once);
}

std::string broadcast_in_parts(std::string text, int root, MPI_Comm comm,
                               std::uint64_t part_bytes) {
    std::uint64_t bytes = text.size();
    binomial_Bcast(&bytes, 1, MPI_UINT64_T, root, comm);
    text.resize(bytes);
    for (std::uint64_t done = 0; done < bytes; done += part_bytes)
        binomial_Bcast(text.data() + done, static_cast<int>(std::min(part_bytes, bytes - done)),
                       MPI_CHAR, root, comm);
    return text;
}

std::optional<std::string> text_of_lowest_rank(const std::optional<std::string>& own,
                                               MPI_Comm comm) {
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    const int lowest = -largest_of_ranks(own ? -rank : -ranks, comm);
    if (lowest == ranks) return std::nullopt;
    return broadcast_in_parts(own.value_or(""), lowest, comm, most_bytes_at_once);
}

std::vector<std::string> gather_texts(const std::string& own, MPI_Comm comm) {
    if (own.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw std::length_error("a text of 2 GiB or more cannot be gathered");
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    const MPI_Comm between = private_communicator(comm);
    if (rank != 0) {
        MPI_Send(own.data(), static_cast<int>(own.size()), MPI_CHAR, 0, 0, between);
        return {};
    }
    std::vector<std::string> texts = {own};
    for (int source = 1; source < ranks; ++source) {
        MPI_Status status{};
        MPI_Probe(source, 0, between, &status);
        int bytes = 0;
        MPI_Get_count(&status, MPI_CHAR, &bytes);
        std::string& text = texts.emplace_back(static_cast<std::size_t>(bytes), '\0');
        MPI_Recv(text.data(), bytes, MPI_CHAR, source, 0, between, MPI_STATUS_IGNORE);
    }
    return texts;
}

}  // namespace mpiaudit
