// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

namespace mpiaudit {

/// At which end of a buffer a protected page follows without a gap.
enum class Flush { behind, before };

/// Memory with pages on both sides that nobody may touch, 64 KiB each: whoever does gets a SIGSEGV.
/// The buffer ends where those behind it begin, or begins where those before it end; on its other
/// side are as many bytes as a whole number of pages has more than the buffer.
struct GuardedMemory {
    std::shared_ptr<std::byte> data;
    std::size_t before = 0, behind = 0;  ///< bytes between the buffer and the protected pages
};

/// Throws std::bad_alloc.
GuardedMemory guarded_memory(std::size_t bytes, Flush flush);

/// Where an address lies that nobody may touch.
enum class ProtectedPlace { none, before_buffer, behind_buffer };
ProtectedPlace protected_place(const void* address) noexcept;

/// Opens the protected pages around the buffer of the address, so that a signal handler can return
/// and the access succeeds. False when the address is in no protected page, or the system refuses.
bool open_protected_pages(const void* address) noexcept;

}  // namespace mpiaudit
