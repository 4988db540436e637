// SPDX-License-Identifier: BSD-3-Clause
#include "measure/verification.h"

#include <fmt/format.h>
#include <mpi.h>

#include "collectives/allreduce/allreduce.h"
#include "collectives/bcast/bcast.h"
#include "problem/contents.h"
#include "simulation/simulation.h"

namespace mpiaudit {

std::optional<std::string> lowest_error(const std::optional<std::string>& own, MPI_Comm comm) {
    if (simulation::is_running()) return simulation::text_of_lowest_rank(own);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int lowest = own ? rank : ranks;
    recursive_doubling_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, comm);
    if (lowest == ranks) return std::nullopt;
    std::string text = own.value_or("");
    auto length = static_cast<int>(text.size());
    binomial_Bcast(&length, 1, MPI_INT, lowest, comm);
    text.resize(static_cast<std::size_t>(length));
    binomial_Bcast(text.data(), length, MPI_CHAR, lowest, comm);
    return text;
}

std::optional<std::string> verify(const Step& prepared, Layout from, Layout to,
                                  const Instance& instance) {
    const int rank = instance.workspace.rank();
    const Contents contents(instance.problem(), from.holding);
    // In place, the input is where the result will be, and may be overwritten.
    const bool is_in_place = prepared.source.has_value();
    const Place source = prepared.source.value_or(instance.workspace.source(from));
    instance.workspace.clear_targets();
    // The goal of a view is a part of what the path fills: without this, the data of the run before
    // could pass for its result.
    Place result = prepared.result;
    result.layout = to;
    contents.write_stale(result, rank);
    // Afterwards, since a path may leave blocks where they were.
    contents.write(source, rank);
    prepared.call();
    std::optional<std::string> error = contents.find_error(result, rank);
    if (!error && !is_in_place) {
        error = contents.find_error(source, rank);
        if (error) *error += " (the send buffer was changed)";
    }
    if (!error && !instance.workspace.is_intact())
        error = fmt::format("rank {}: wrote behind the end of a buffer", rank);
    return lowest_error(error, instance.comm);
}

}  // namespace mpiaudit
