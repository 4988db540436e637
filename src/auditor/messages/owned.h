// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace mpiaudit {

/// Owns one MPI handle and frees it once. Move-only: copying a communicator would be a collective
/// call and must be visible where it happens. Empty after a move and when default constructed; the
/// optional spares us null constants, which Open MPI does not offer as constant expressions.
template <class Handle, int (*Free)(Handle*)>
class Owned {
  public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_{handle} {}
    Owned(Owned&& other) noexcept : handle_{std::exchange(other.handle_, std::nullopt)} {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    /// What is kept with MPI_COMM_WORLD may be deleted while MPI finalizes, when freeing is too
    /// late.
    ~Owned() {
        if (!handle_) return;
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (!finalized) Free(&*handle_);
    }
    Handle get() const { return *handle_; }
    explicit operator bool() const { return handle_.has_value(); }

  private:
    std::optional<Handle> handle_;
};

using OwnedComm = Owned<MPI_Comm, MPI_Comm_free>;
using OwnedDatatype = Owned<MPI_Datatype, MPI_Type_free>;
using OwnedOp = Owned<MPI_Op, MPI_Op_free>;

/// Bytes of data in one instance of a datatype.
inline std::int64_t type_bytes(MPI_Datatype type) {
    MPI_Count bytes = 0;
#if MPI_VERSION >= 4  // of which 4.1 warns of the other
    MPI_Type_size_c(type, &bytes);
#else
    MPI_Type_size_x(type, &bytes);
#endif
    return bytes;
}

}  // namespace mpiaudit
