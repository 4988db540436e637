// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace mpiaudit
