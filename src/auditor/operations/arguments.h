// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mpiaudit {

/// Counts or displacements of all ranks: of int, or of the 64 bits that MPI_Count and MPI_Aint
/// have.
class NumbersOfRanks {
  public:
    NumbersOfRanks() = default;
    NumbersOfRanks(const int* numbers) : narrow_(numbers) {}
    template <class Wide>
    NumbersOfRanks(const Wide* numbers) : wide_(reinterpret_cast<const char*>(numbers)) {
        static_assert(sizeof(Wide) == sizeof(std::int64_t));
    }

    std::int64_t operator[](std::size_t rank) const {
        if (narrow_ != nullptr) return narrow_[rank];
        std::int64_t number = 0;
        std::memcpy(&number, wide_ + rank * sizeof number, sizeof number);
        return number;
    }
    bool is_there() const { return narrow_ != nullptr || wide_ != nullptr; }
    /// Null for numbers of 64 bits.
    const int* ints() const { return narrow_; }

  private:
    const int* narrow_ = nullptr;
    const char* wide_ = nullptr;
};

/// The arguments of a call of a collective operation, by their names in the MPI standard. Arguments
/// that the operation does not have keep these values.
struct Arguments {
    const void* sendbuf = nullptr;
    const void* recvbuf = nullptr;
    const void* buffer = nullptr;
    std::int64_t count = 0, sendcount = 0, recvcount = 0;
    NumbersOfRanks sendcounts, recvcounts, displs, sdispls, rdispls;
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

}  // namespace mpiaudit
