// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>
#include <mpi.h>
#include <optional>
#include <string>
#include <vector>

namespace mpiaudit::interposition {

/// The function of that name behind the wrapper that asks: of the next tool, or of the MPI library.
/// The program ends with a sentence when there is none.
void* next_function(const char* name, void* asking);

template <class Function>
Function* next_of(Function* own, const char* name) {
    return reinterpret_cast<Function*>(next_function(name, reinterpret_cast<void*>(own)));
}

/// Another MPI library than the one that this code was compiled for, which the process has loaded,
/// by its path. Handles of the two are not the same, and what follows would be a crash.
std::optional<std::string> foreign_library();
/// Ends a program of another library, with a sentence that begins with the command.
void end_in_foreign_program(const char* command);

/// Whether the address lies in one of the libraries that make Fortran's calls of MPI calls of C.
/// Where these call PMPI_X, as in Open MPI, a wrapper of MPI_X never sees the program; a wrapper
/// of PMPI_X does, together with what MPI-IO calls inside the library, which this keeps out.
bool is_in_fortran_library(const void* address);

/// Of the environment; empty where there is none.
std::string variable(const char* name);

// What each library that is loaded before the MPI library defines:

/// MPI has started, in MPI_Init, and so on all ranks.
void on_start();
/// After listen_for_end() the first thing in MPI_Finalize.
void on_end();

/// An attribute of MPI_COMM_SELF, whose deletion is the first thing that MPI_Finalize does.
void listen_for_end();

/// In the order of the communicator; a rank that MPI_COMM_WORLD does not have is MPI_UNDEFINED.
std::vector<int> world_ranks(MPI_Comm comm);

/// Calls of MPI inside a wrapper are not the application's.
inline constinit thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;

class Inside {
  public:
    Inside() { ++depth; }
    ~Inside() { --depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

}  // namespace mpiaudit::interposition
