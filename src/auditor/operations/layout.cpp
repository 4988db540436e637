// SPDX-License-Identifier: BSD-3-Clause
#include "operations/layout.h"

namespace mpiaudit {

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
