// SPDX-License-Identifier: BSD-3-Clause
#include "measure/verification.h"

#include <fmt/format.h>
#include <mpi.h>

#include "mpi/texts.h"
#include "problem/contents.h"

namespace mpiaudit {

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
    return text_of_lowest_rank(error, instance.comm);
}

}  // namespace mpiaudit
