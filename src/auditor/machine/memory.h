// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace mpiaudit {

/// What malloc does with large blocks, which a library asks for in many a collective. glibc takes
/// each from the system and gives it back while a process is young, and keeps them once larger ones
/// have been freed: then no page has to be touched for the first time.
enum class Heap {
    young,  ///< blocks from 128 KiB on come from the system, freed memory goes back: first calls
    grown   ///< blocks up to 32 MiB come from the heap, freed memory stays there: repeated calls
};

/// From now on. Does nothing where malloc is not glibc's.
void set_heap(Heap heap);

/// malloc can be told, and the environment has not done it.
bool can_set_heap();

/// Of this process. 0 where it cannot be known.
struct MemoryInUse {
    std::int64_t resident_bytes = 0;   ///< in pages, as the kernel counts them
    std::int64_t allocated_bytes = 0;  ///< by malloc, and not freed; exact
};
MemoryInUse memory_in_use();

/// The most resident memory since the last call of forget_peak(); 0 where it cannot be known.
std::int64_t peak_bytes();
void forget_peak();

}  // namespace mpiaudit
