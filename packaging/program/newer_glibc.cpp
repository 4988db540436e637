// SPDX-License-Identifier: BSD-3-Clause
// Functions of newer versions of glibc that Debian 12's static libstdc++ and libgcc call. Programs
// of the binary archive also run with glibc 2.34, so they bring these functions along.
#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

/// Describes the object in the result if the object has the code at dlfo_map_start.
int describe_if_it_has_code(dl_phdr_info* object, std::size_t, void* data) {
    auto* const result = static_cast<dl_find_object*>(data);
    const auto code = reinterpret_cast<std::uintptr_t>(result->dlfo_map_start);
    const ElfW(Phdr)* segment_of_code = nullptr;
    const ElfW(Phdr)* frames = nullptr;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && code >= begin && code < begin + segment.p_memsz)
            segment_of_code = &segment;
        if (segment.p_type == PT_GNU_EH_FRAME) frames = &segment;
    }
    if (segment_of_code == nullptr || frames == nullptr) return 0;
    const auto address = [object](const std::uintptr_t offset) {
        return reinterpret_cast<void*>(object->dlpi_addr + offset);
    };
    result->dlfo_map_start = address(segment_of_code->p_vaddr);
    result->dlfo_map_end = address(segment_of_code->p_vaddr + segment_of_code->p_memsz);
    result->dlfo_eh_frame = address(frames->p_vaddr);
    return 1;
}

}  // namespace

extern "C" {

/// Of glibc 2.36, which std::random_device calls.
std::uint32_t arc4random() noexcept {
    std::uint32_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) std::abort();
    return bits;
}

/// Of glibc 2.35, by which exceptions find their handlers. Returns 0 if an object has the code at
/// the address.
int _dl_find_object(void* address, dl_find_object* result) noexcept {
    *result = {};
    result->dlfo_map_start = address;
    return dl_iterate_phdr(describe_if_it_has_code, result) == 1 ? 0 : -1;
}
}
