// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "settings/in_effect.h"

namespace mpiaudit {

/// An algorithm of the MPI library for one of its operations, selected by an MPI_T control
/// variable. Open MPI reads the variable of a blocking operation when a communicator is created.
/// MPICH, and Open MPI for a nonblocking operation, read the variable at every call. So each
/// algorithm has its own communicator, created while the variable has its value, and is selected
/// again before each call.
struct LibraryAlgorithm {
    std::string operation;  ///< such as MPI_Gather or MPI_Igather
    std::string name;       ///< the library's name of the algorithm
    int variable;
    std::string variable_name;
    int value, value_of_user;
    mutable MPI_Comm own_communicator = MPI_COMM_NULL;  ///< MPI_COMM_NULL until first used

    /// Returns the setting that selects the algorithm: coll_tuned_gather_algorithm=2.
    std::string assignment() const { return variable_name + "=" + std::to_string(value); }
    /// Returns the environment variables that select the algorithm for a whole program, as a shell
    /// takes them in front of a command.
    std::string environment() const;

    /// Returns a copy of `comm` on which the operation runs this algorithm while it is selected.
    /// Errors on this communicator are kept for take_refusal() and do not end the audit. Collective
    /// at the first call.
    MPI_Comm communicator(MPI_Comm comm) const;
};

using NamedValues = std::vector<std::pair<std::string, int>>;
/// Returns the algorithms that MPICH's description of a control variable names, in its order; the
/// first is "auto". MPICH 4.0 drops the ends of the lines: "auto - Internal choicenb - Force ...".
NamedValues described_values(const std::string& description);

/// Returns the control variables of the library with their values, without those of types that have
/// no text; empty for a library without MPI_T. Call this function between MPI_Init and
/// MPI_Finalize.
std::map<std::string, settings::ControlVariable> control_variables();

/// Finds the library's algorithms by its control variables: the enumerated ones of Open MPI's
/// coll/tuned and coll/libnbc, and those of MPICH, whose descriptions list their values. Includes
/// the automatic choice only if an environment variable has forced another one. Returns none for a
/// library without such variables. Call this function between MPI_Init and MPI_Finalize.
std::vector<LibraryAlgorithm> discover_algorithms();

/// Selects an algorithm for the following calls; nullptr: the library's own choice, or the
/// environment's.
void select_algorithm(const LibraryAlgorithm* algorithm);

/// Returns and clears the text of the MPI error of a forced algorithm since the last call, if any:
/// a library reports that the algorithm does not fit, or that it would have run another one.
std::optional<std::string> take_refusal();

/// Sets environment variables that make a library obey forced algorithms, unless the user has set
/// them. Call this function before MPI_Init.
void prepare_for_forced_algorithms();

/// Returns whether prepare_for_forced_algorithms() has set this variable.
bool is_set_by_audit(const std::string& variable);

}  // namespace mpiaudit
