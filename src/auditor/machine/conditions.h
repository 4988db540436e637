// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {

/// Of the node of this rank, as far as the kernel tells. Takes 50 ms, in which the audit's `ranks`
/// on the node are busy waiting.
NodeConditions node_conditions(int ranks);

/// How many processes of others ran while the load average went from `before` to `after`, beside
/// `ranks` busy ones. It is a mean over the past whose weights fall by 1/e in a minute, so that it
/// starts with what ran before; over less than 20 s it says nothing.
double others_between(double before, double after, double seconds, int ranks);

/// Whether other programs ran on the node beside the audit's ranks.
bool is_shared_with_others(const NodeConditions& conditions);

/// What of these conditions makes times less trustworthy, each with its remedy.
std::vector<std::string> condition_warnings(const std::string& host,
                                            const NodeConditions& conditions);

/// How often the kernel has moved this process to another processing unit so far; negative when it
/// does not say.
long migrations();

/// What two processes of this node reach through memory that they share, without the MPI library:
/// what its messages within a node are to be held against. Nothing on a node with one rank, or
/// where processes cannot share memory. On the first rank of the node, elsewhere nothing.
/// Collective over the communicator of the node; takes a few milliseconds.
std::optional<HostSpeed> measure_host_speed(MPI_Comm node);

}  // namespace mpiaudit
