// SPDX-License-Identifier: BSD-3-Clause
#include "machine/heap.h"

#include <cstdlib>
#include <string_view>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mpiaudit {

#ifdef __GLIBC__

void set_heap(Heap heap) {
    // What malloc starts with, and where its own adaption ends (mallopt(3)); either call ends that.
    const bool is_young = heap == Heap::young;
    mallopt(M_MMAP_THRESHOLD, is_young ? 128 << 10 : 32 << 20);
    mallopt(M_TRIM_THRESHOLD, is_young ? 128 << 10 : 64 << 20);
    // Free memory that stays would serve the blocks that a young process has to ask for.
    if (is_young) malloc_trim(0);
}

bool can_set_heap() {
    for (const char* name : {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_TOP_PAD_",
                             "MALLOC_MMAP_MAX_"}) {
        if (std::getenv(name) != nullptr) return false;
    }
    const char* tunables = std::getenv("GLIBC_TUNABLES");
    return tunables == nullptr ||
           std::string_view(tunables).find("glibc.malloc.") == std::string_view::npos;
}

#else

void set_heap(Heap) {}

bool can_set_heap() {
    return false;
}

#endif

}  // namespace mpiaudit
