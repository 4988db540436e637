// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kind_of_address.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace mpiaudit {
namespace {

/// cuPointerGetAttribute, which also knows the memory of programs that have the runtime library of
/// CUDA linked into them.
using AskCuda = int(void* value, int attribute, std::uint64_t address);
constexpr int memory_type = 2, is_managed = 8;  // CU_POINTER_ATTRIBUTE_...
constexpr unsigned type_device = 2;             // CU_MEMORYTYPE_DEVICE

/// hipPointerAttribute_t, whose size differs between versions. Memory of a device has no address
/// for the host.
struct HipAttributes {
    int type, device;
    void *of_device, *of_host;
    int is_managed;
    char more[64];
};
/// hipPointerGetAttributes.
using AskHip = int(HipAttributes* attributes, const void* address);

struct LoadedVendors {
    AskCuda* cuda = nullptr;
    AskHip* hip = nullptr;
    unsigned long long loads = 0;  ///< libraries that had been loaded when these were looked for
};
LoadedVendors loaded;

/// What a walk over the loaded libraries finds.
struct Walk {
    unsigned long long loads_before, loads = 0;
    std::string cuda = {}, hip = {};  ///< paths of the libraries
};

int visit_library(dl_phdr_info* library, std::size_t, void* result) {
    auto& walk = *static_cast<Walk*>(result);
    walk.loads = library->dlpi_adds;
    if (walk.loads == walk.loads_before) return 1;  // ends the walk
    const std::string_view path(library->dlpi_name);
    const std::string_view file = path.substr(path.rfind('/') + 1);
    if (file.starts_with("libcuda.so")) walk.cuda = path;
    if (file.starts_with("libamdhip64.so")) walk.hip = path;
    return 0;
}

template <class F>
void find(const std::string& library, const char* name, F*& function) {
    if (library.empty() || function != nullptr) return;
    // The process keeps the library.
    if (void* const known = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD))
        function = reinterpret_cast<F*>(dlsym(known, name));
}

/// Looks for the libraries again if the process has loaded any library since the last call.
void find_vendors() {
    Walk walk{.loads_before = loaded.loads};
    dl_iterate_phdr(visit_library, &walk);
    if (walk.loads == loaded.loads) return;
    loaded.loads = walk.loads;
    find(walk.cuda, "cuPointerGetAttribute", loaded.cuda);
    find(walk.hip, "hipPointerGetAttributes", loaded.hip);
}

}  // namespace

MemoryKind kind_of_address(const void* address) {
    find_vendors();
    constexpr int success = 0;
    if (loaded.cuda != nullptr) {
        const auto number = reinterpret_cast<std::uintptr_t>(address);
        unsigned value = 0;
        if (loaded.cuda(&value, is_managed, number) == success && value != 0)
            return MemoryKind::managed;
        if (loaded.cuda(&value, memory_type, number) == success && value == type_device)
            return MemoryKind::cuda;
    }
    if (loaded.hip != nullptr) {
        HipAttributes attributes{};
        if (loaded.hip(&attributes, address) == success && attributes.of_device != nullptr &&
            attributes.of_host == nullptr)
            return MemoryKind::hip;
    }
    return MemoryKind::host;
}

}  // namespace mpiaudit
