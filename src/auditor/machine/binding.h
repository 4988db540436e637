// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/topology.h"

namespace mpiaudit {

/// What `--bind` may do to ranks that the launcher left unbound: a core each, a NUMA node shared
/// with its other ranks, or nothing.
enum class Binding { core, numa, none };
std::optional<Binding> find_binding(std::string_view name);
std::vector<std::string> binding_names();

/// A rank among those of its node.
struct PlaceOnNode {
    int rank = 0;
    int ranks = 1;
};

/// Binds this process if it should be and can be, and says who has bound it: launcher, mpiaudit or
/// nobody.
std::string bind_process(Topology& topology, Binding binding, const PlaceOnNode& place);

}  // namespace mpiaudit
