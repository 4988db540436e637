// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

namespace mpiaudit {

/// Memory of a node that its ranks share, zeros at first: what one of them writes the others see
/// without the MPI library, also when it hangs.
class SharedMemory {
  public:
    /// Collective over the ranks of one node. Where they cannot share, each has its own.
    SharedMemory(MPI_Comm node, std::size_t bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    bool is_shared() const { return is_shared_; }
    /// Aligned to a page.
    void* get() const { return memory_; }

  private:
    void map(const char* name, int flags);

    std::size_t bytes_;
    void* memory_ = nullptr;
    bool is_shared_ = false;
};

}  // namespace mpiaudit
