// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "interposition/arguments.h"

namespace mpiaudit::repairer {

/// The data that a rank has where a call puts its result, so that the call can be made twice.
class Received {
  public:
    Received(interposition::Shape shape, const interposition::Arguments& call, bool is_exclusive);

    /// What is there now. Restored, it is there again, but for the gaps in types, where no call
    /// writes.
    std::string contents() const;
    void restore(const std::string& contents) const;
    /// The part of it that the call defines.
    std::string result() const;

  private:
    struct Piece {
        void* address;
        std::int64_t count;
        MPI_Datatype type;
    };
    void add(const void* buffer, std::int64_t displacement, std::int64_t count, MPI_Datatype type);
    void add_all(const void* buffer, std::int64_t count, MPI_Datatype type, int blocks);
    std::string packed(std::size_t first, std::size_t pieces) const;

    MPI_Comm comm_;
    std::vector<Piece> pieces_;
    std::size_t defined_ = 0;  ///< of the pieces, the first ones
};

}  // namespace mpiaudit::repairer
