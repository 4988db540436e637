// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

namespace mpiaudit {

/// The side of a buffer on which a protected page follows without a gap.
enum class Flush { behind, before };

/// Memory between protected pages, 64 KiB on each side; touching them raises SIGSEGV. One end of
/// the buffer touches protected pages (see Flush); the other end has a gap, because the memory is a
/// whole number of pages.
struct GuardedMemory {
    std::shared_ptr<std::byte> data;
    std::size_t before = 0, behind = 0;  ///< bytes between the buffer and the protected pages
};

/// Allocates a guarded buffer. Throws std::bad_alloc.
GuardedMemory guarded_memory(std::size_t bytes, Flush flush);

/// The side of a buffer on which a protected address lies.
enum class ProtectedPlace { none, before_buffer, behind_buffer };
/// Returns `none` also for an address inside a buffer.
ProtectedPlace protected_place(const void* address) noexcept;

/// Makes the protected pages on both sides of the buffer to which `address` belongs accessible, so
/// that the access succeeds when a signal handler returns. Returns false if the address belongs to
/// no guarded buffer, or if the system refuses.
bool open_protected_pages(const void* address) noexcept;

}  // namespace mpiaudit
