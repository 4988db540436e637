// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

namespace mpiaudit {

/// Memory that the ranks of a node share, initially zero. The ranks see each other's writes without
/// the MPI library, even while the library hangs.
class SharedMemory {
  public:
    /// Allocates the memory; each rank has its own if they cannot share. Collective over the ranks
    /// of one node.
    SharedMemory(MPI_Comm node, std::size_t bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    bool is_shared() const { return is_shared_; }
    /// Returns the address, aligned to a page.
    void* get() const { return memory_; }

  private:
    void map(const char* name, int flags);

    std::size_t bytes_;
    void* memory_ = nullptr;
    bool is_shared_ = false;
};

}  // namespace mpiaudit
