// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "operations/operations.h"

namespace mpiaudit::interposition {

using mpiaudit::Shape;

enum class Mode { blocking, nonblocking, persistent };

/// Counts or displacements of all ranks: of int, or of the 64 bits that MPI_Count and MPI_Aint
/// have.
class Counts {
  public:
    Counts() = default;
    Counts(const int* counts) : narrow_(counts) {}
    template <class Wide>
    Counts(const Wide* counts) : wide_(reinterpret_cast<const char*>(counts)) {
        static_assert(sizeof(Wide) == sizeof(std::int64_t));
    }

    std::int64_t operator[](std::size_t rank) const {
        if (narrow_ != nullptr) return narrow_[rank];
        std::int64_t count = 0;
        std::memcpy(&count, wide_ + rank * sizeof count, sizeof count);
        return count;
    }
    bool is_there() const { return narrow_ != nullptr || wide_ != nullptr; }

  private:
    const int* narrow_ = nullptr;
    const char* wide_ = nullptr;
};

/// What a collective is called with. The names are those of the standard; what a function does not
/// have stays as it is here.
struct Arguments {
    const void* sendbuf = nullptr;
    const void* recvbuf = nullptr;
    const void* buffer = nullptr;
    std::int64_t count = 0, sendcount = 0, recvcount = 0;
    Counts sendcounts, recvcounts, displs, sdispls, rdispls;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    MPI_Datatype sendtype = MPI_DATATYPE_NULL;
    MPI_Datatype recvtype = MPI_DATATYPE_NULL;
    const MPI_Datatype* sendtypes = nullptr;
    const MPI_Datatype* recvtypes = nullptr;
    MPI_Op op = MPI_OP_NULL;
    int root = no_root;
    MPI_Comm comm = MPI_COMM_NULL;

    /// No rank, and none of MPI_PROC_NULL and MPI_ROOT.
    static constexpr int no_root = -1000;

    bool is_in_place() const { return sendbuf == MPI_IN_PLACE || recvbuf == MPI_IN_PLACE; }
};

/// How much data a call has for each rank, where this one knows it.
struct Amount {
    enum class Of { nothing, block, blocks } of = Of::nothing;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::int64_t count = 0;  ///< of the block or vector
    Counts counts = {};      ///< of all ranks
};

/// Only arguments that are significant on this rank are read. What each sends to each is no amount.
inline Amount amount_of(Shape shape, const Arguments& call, bool is_root) {
    using enum Amount::Of;
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
