// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "network/network.h"

namespace mpiaudit {

/// Reads a network file (analysis/network.schema.json; docs/grid-allgather.md). Matrices are given
/// for hosts, or for sites, whose diagonal then is about the hosts of one site. Throws
/// std::invalid_argument that names `origin`, the key, the pair and the remedy.
Network parse_network(const std::string& text, const std::string& origin);

/// The title alone, empty where there is none. Throws std::invalid_argument for what is no JSON.
std::string network_title(const std::string& text, const std::string& origin);

/// What a file says about itself.
struct Provenance {
    std::string title;
    std::string measured;  ///< when, ISO 8601
    std::string how;
};
/// The text of a file; negative numbers on the diagonals are left open in it.
std::string network_file(const Network& network, const Provenance& provenance);

}  // namespace mpiaudit
