// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace mpiaudit {

/// Addresses without memory, for the data of users while a call is recorded: wide enough for the
/// buffers of any problem, and whoever reads or writes there crashes.
class PhantomMemory {
  public:
    /// Throws std::bad_alloc when not even a GiB of addresses is left.
    PhantomMemory();
    PhantomMemory(const PhantomMemory&) = delete;
    PhantomMemory& operator=(const PhantomMemory&) = delete;
    ~PhantomMemory();

    /// Throws std::bad_alloc when all addresses are given away.
    std::byte* allocate(std::size_t bytes);
    /// Takes all addresses back.
    void clear();
    bool contains(const void* address) const;

  private:
    std::size_t bytes_ = 0;
    std::byte* begin_ = nullptr;
    std::size_t used_ = 0;
};

}  // namespace mpiaudit
