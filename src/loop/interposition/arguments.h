// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "operations/arguments.h"
#include "operations/operations.h"

namespace mpiaudit::interposition {

using mpiaudit::Shape;

enum class Mode { blocking, nonblocking, persistent };

using mpiaudit::Arguments;
using Counts = mpiaudit::NumbersOfRanks;

/// Amount of data of a call as far as this rank knows it.
struct Amount {
    enum class Kind { nothing, block, blocks } kind = Kind::nothing;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::int64_t count = 0;  ///< of the block or vector
    Counts counts = {};      ///< of the blocks of all ranks
};

/// Returns the amount of data of a call; reads significant arguments only. Returns Kind::nothing
/// for MPI_Alltoallv/w, and on non-root ranks of MPI_Gatherv and MPI_Scatterv.
inline Amount amount_of(Shape shape, const Arguments& call, bool is_root) {
    using enum Amount::Kind;
    switch (shape) {
        case Shape::vector:
            return {block, call.datatype, call.count};
        case Shape::reduced_block:
            return {block, call.datatype, call.recvcount};
        case Shape::gathered:
            if (!is_root) return {block, call.sendtype, call.sendcount};
            [[fallthrough]];
        case Shape::received:
            return {block, call.recvtype, call.recvcount};
        case Shape::scattered:
            if (!is_root) return {block, call.recvtype, call.recvcount};
            return {block, call.sendtype, call.sendcount};
        case Shape::scattered_blocks:
            if (!is_root) return {};
            return {blocks, call.sendtype, 0, call.sendcounts};
        case Shape::reduced_blocks:
            return {blocks, call.datatype, 0, call.recvcounts};
        case Shape::gathered_blocks:
            if (!is_root) return {};
            [[fallthrough]];
        case Shape::received_blocks:
            return {blocks, call.recvtype, 0, call.recvcounts};
        default:
            return {};
    }
}

}  // namespace mpiaudit::interposition
