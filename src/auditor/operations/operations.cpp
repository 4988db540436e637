// SPDX-License-Identifier: BSD-3-Clause
#include "operations/operations.h"

#include <algorithm>

namespace mpiaudit {

const MpiOperation* find_mpi_operation(std::string_view name) {
    const auto* const found = std::ranges::find(mpi_operations, name, &MpiOperation::name);
    return found == mpi_operations.end() ? nullptr : found;
}

std::string nonblocking_name(std::string_view blocking) {
    std::string name(blocking);
    const std::size_t initial = std::string_view("MPI_").size();
    name[initial] = static_cast<char>(name[initial] - 'A' + 'a');
    return name.insert(initial, "I");
}

bool is_barrier(Holding target) {
    return target == Holding::together || target == Holding::half_together;
}

bool is_over_graph(Holding holding) {
    return holding == Holding::outgoing_edges || holding == Holding::incoming_edges ||
           holding == Holding::neighbouring;
}

std::string_view name(Holding holding) {
    switch (holding) {
        case Holding::scattered:
            return "scattered";
        case Holding::rooted:
            return "rooted";
        case Holding::replicated:
            return "replicated";
        case Holding::contributed:
            return "contributed";
        case Holding::outgoing:
            return "outgoing";
        case Holding::incoming:
            return "incoming";
        case Holding::prefixed:
            return "prefixed";
        case Holding::exclusively_prefixed:
            return "exclusively prefixed";
        case Holding::outgoing_edges:
            return "outgoing to neighbours";
        case Holding::incoming_edges:
            return "incoming from neighbours";
        case Holding::neighbouring:
            return "replicated at neighbours";
        case Holding::half_contributed:
            return "contributed by the first half";
        case Holding::half_replicated:
            return "replicated in the first half";
        case Holding::grouped:
            return "grouped";
        case Holding::half_together:
            return "together in the first half";
        case Holding::apart:
            return "apart";
        case Holding::together:
            return "together";
    }
    return "?";
}

std::string name(Layout layout) {
    return std::string(layout.packed ? "packed " : "") + (layout.padded ? "padded " : "") +
           std::string(name(layout.holding));
}

}  // namespace mpiaudit
