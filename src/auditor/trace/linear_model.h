// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

namespace mpiaudit {

/// What a linear model says of nodes, each with the same number of consecutive ranks. Messages that
/// leave a node at a time share what its network card carries, and so do those that come to it;
/// those within a node share its memory.
struct NodeModel {
    /// What a message takes of the processors at its two ends, seconds; part of its alpha.
    struct Overhead {
        double send = 0;
        double receive = 0;
    };

    int ranks_per_node = 1;
    double alpha = 0;   ///< of a message within a node
    double beta = 0;    ///< likewise, of one alone
    double memory = 1;  ///< so many messages within a node go at a time without delay
    Overhead within = {};
    Overhead between = {};
    /// Up to here a message leaves its sender before the receiver has asked for it.
    std::int64_t eager_bytes = 8192;
};

/// The linear transmission model of Träff 2017, section 1, and of Thakur & Gropp 2003, section 3: a
/// message of m units takes alpha + beta m, the reduction of m units on one rank gamma m, and local
/// copies nothing. A rank sends one message and receives one at a time, both at once if need be.
/// Where nodes are known, alpha and beta are those of a message between two of them.
struct LinearModel {
    double alpha;
    double beta;
    double gamma = 0;
    std::optional<NodeModel> nodes = {};
};

}  // namespace mpiaudit
