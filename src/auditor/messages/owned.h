// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace mpiaudit {

/// Owns an MPI handle and frees it once. Move-only: copying a communicator is a collective call and
/// must be visible in the code. Empty after a move and when default constructed; std::optional
/// avoids null constants, which are no constant expressions in Open MPI.
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
    /// Frees the handle unless MPI has been finalized: state kept with MPI_COMM_WORLD may be
    /// deleted during MPI_Finalize, when freeing is too late.
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

/// Returns the size of a datatype (MPI_Type_size), in bytes.
inline std::int64_t type_bytes(MPI_Datatype type) {
    MPI_Count bytes = 0;
// MPI 4.1 deprecates MPI_Type_size_x, which all libraries have; some lack MPI_Type_size_c.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    MPI_Type_size_x(type, &bytes);
#pragma GCC diagnostic pop
    return bytes;
}

}  // namespace mpiaudit
