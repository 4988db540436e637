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
    // The order is that of the declaration.
    static constexpr std::array names{"scattered",
                                      "rooted",
                                      "replicated",
                                      "contributed",
                                      "outgoing",
                                      "incoming",
                                      "prefixed",
                                      "exclusively prefixed",
                                      "outgoing to neighbours",
                                      "incoming from neighbours",
                                      "replicated at neighbours",
                                      "contributed by the first half",
                                      "replicated in the first half",
                                      "apart",
                                      "together",
                                      "grouped",
                                      "together in the first half"};
    static_assert(names.size() == static_cast<std::size_t>(Holding::half_together) + 1);
    return names[static_cast<std::size_t>(holding)];
}

std::string name(Layout layout) {
    return std::string(layout.packed ? "packed " : "") + (layout.padded ? "padded " : "") +
           std::string(name(layout.holding));
}

}  // namespace mpiaudit
