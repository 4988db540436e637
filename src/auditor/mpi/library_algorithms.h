// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpiaudit {

/// An algorithm that the MPI library offers for one of its operations and that an MPI_T control
/// variable selects. Open MPI reads the variable when a communicator is created, MPICH at every
/// call; so each algorithm has a communicator of its own, made while the variable has its value,
/// and is selected again before each call.
struct LibraryAlgorithm {
    std::string operation;  ///< e.g. MPI_Gather
    std::string name;       ///< as the library calls it
    int variable;
    std::string variable_name;
    int value, value_of_user;
    mutable MPI_Comm own_communicator = MPI_COMM_NULL;  ///< once it is made

    /// How a user selects it: coll_tuned_gather_algorithm=2.
    std::string assignment() const { return variable_name + "=" + std::to_string(value); }
    /// The environment in which a whole program runs it, as a shell takes it in front of a command.
    std::string environment() const;

    /// A copy of `comm` on which the operation runs this algorithm while it is selected. Errors on
    /// it are kept for take_refusal() and do not end the audit. Collective at the first call.
    MPI_Comm communicator(MPI_Comm comm) const;
};

using NamedValues = std::vector<std::pair<std::string, int>>;
/// The algorithms that MPICH's description of a control variable names, in its order; the first is
/// "auto". MPICH 4.0 leaves out the ends of the lines: "auto - Internal choicenb - Force ...".
NamedValues described_values(const std::string& description);

/// What the library offers, found by asking it: enumerated control variables of Open MPI's
/// coll/tuned, and those of MPICH, whose descriptions list their values. The automatic choice is
/// among them only where a variable of the environment has forced another one. Empty for a library
/// without such variables. Call between MPI_Init and MPI_Finalize.
std::vector<LibraryAlgorithm> discover_algorithms();

/// Selects an algorithm for the calls that follow, or with nullptr what the library does by itself,
/// or by the environment.
void select_algorithm(const LibraryAlgorithm* algorithm);

/// The text of the MPI error that a forced algorithm has met since the last call, if any: a library
/// says so that the algorithm does not fit the problem, or that it would have run another one.
std::optional<std::string> take_refusal();

/// Environment variables that make a library obey a forced algorithm, where the user has not set
/// them. Before MPI_Init.
void prepare_for_forced_algorithms();

}  // namespace mpiaudit
