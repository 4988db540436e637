// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// A place, and room for its blocks in memory of another kind. If the place is in memory of this
/// kind already, both are the same and nothing is copied.
class MovedPlace {
  public:
    /// Allocates the room. Throws std::runtime_error.
    MovedPlace(const Place& place, MemoryKind kind);

    const Place& there() const { return there_; }
    void copy_there() const { copy(here_, there_); }
    void copy_back() const { copy(there_, here_); }

  private:
    void copy(const Place& from, const Place& to) const;

    Place here_, there_;
    MemoryBlocks blocks_;  ///< of `here_`
    std::shared_ptr<std::byte> memory_;
};

/// Prepares a call on buffers in memory of a kind, with copies of the input before the call and of
/// the result behind the call.
/// \param step the prepared call on the given buffers, which is replaced
Step moved(MemoryKind kind, const Instance& instance, const Place& from, Layout to, Step step,
           const Prepare& prepare);

}  // namespace mpiaudit
