// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>
#include <optional>
#include <string>

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

}  // namespace mpiaudit::interposition
