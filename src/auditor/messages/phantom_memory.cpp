// SPDX-License-Identifier: BSD-3-Clause
// Defines PhantomMemory of recorder.h.
#include "messages/recorder.h"

#include <new>

#include <sys/mman.h>

namespace mpiaudit {
namespace {

// Sizes of phantom memory: the first that the system grants.
constexpr std::size_t most_bytes = std::size_t{1} << 40U;
constexpr std::size_t least_bytes = std::size_t{1} << 30U;
/// Bytes between buffers: the origin of a datatype may lie outside its data.
constexpr std::size_t gap_bytes = std::size_t{1} << 16U;

}  // namespace

PhantomMemory::PhantomMemory() {
    // The limit on a process's address space (ulimit -v) may be lower.
    for (bytes_ = most_bytes; bytes_ >= least_bytes; bytes_ /= 2) {
        void* const begin =
            mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED) continue;
        begin_ = static_cast<std::byte*>(begin);
        clear();
        return;
    }
    throw std::bad_alloc();
}

PhantomMemory::~PhantomMemory() {
    munmap(begin_, bytes_);
}

std::byte* PhantomMemory::allocate(std::size_t bytes) {
    const std::size_t step = (bytes + 2 * gap_bytes - 1) / gap_bytes * gap_bytes;
    if (step > bytes_ - used_) throw std::bad_alloc();
    std::byte* const place = begin_ + used_;
    used_ += step;
    return place;
}

void PhantomMemory::clear() {
    used_ = gap_bytes;
}

bool PhantomMemory::contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin_) <
           bytes_;
}

}  // namespace mpiaudit
