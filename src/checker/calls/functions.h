// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "calls/properties.h"

namespace mpiaudit::calls {

/// One side of a call, as its arguments describe the side.
struct SideArguments {
    void* buffer = nullptr;
    int count = 0;  ///< elements of `type`, where all blocks are equal
    std::vector<int> counts = {}, displacements = {};  ///< displacements in extents of `type`
    std::vector<MPI_Aint> displacements_bytes = {};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::vector<MPI_Datatype> types = {};

    bool operator==(const SideArguments&) const = default;
};

/// The arguments of a collective operation. The function that is called takes what it needs.
struct Arguments {
    SideArguments sent, received;
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    MPI_Comm comm = MPI_COMM_NULL;

    /// The same counts and displacements, in the types of functions for large counts.
    struct Large {
        std::vector<MPI_Count> sent_counts, received_counts;
        std::vector<MPI_Aint> sent_displacements, received_displacements;
    };
    Large large = {};
    /// Copies the counts and displacements into `large`.
    void widen();

    /// Whether a call has left all arrays of counts, displacements and types as they were.
    bool has_same_arrays_as(const Arguments& before) const;
};

// Each returns the error code of the MPI function. \param operation index into mpi_operations

int call_blocking(std::size_t operation, const Arguments& arguments);
int call_large_count(std::size_t operation, const Arguments& arguments);
int start_nonblocking(std::size_t operation, const Arguments& arguments, MPI_Request* request);
int initialise_persistent(std::size_t operation, const Arguments& arguments, MPI_Request* request);

/// Whether this library has persistent operations, and functions for large counts.
bool has_persistent();
bool has_large_counts();

}  // namespace mpiaudit::calls
