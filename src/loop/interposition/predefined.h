// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

namespace mpiaudit::interposition {

/// A handle of the library that every program knows by the same name.
struct Predefined {
    std::uint16_t id = 0;   ///< the same on all ranks; 0: not predefined
    std::int32_t size = 0;  ///< of a type, in bytes
};

/// Reads the handles of the library. To be called once, after MPI has started.
void prepare_predefined();

Predefined predefined_type(MPI_Datatype type);
Predefined predefined_op(MPI_Op op);
/// Of an id that is not 0.
const char* type_name(std::uint16_t id);
const char* op_name(std::uint16_t id);
/// Of any type; reads it from the library.
std::int64_t type_bytes(MPI_Datatype type);

}  // namespace mpiaudit::interposition
