// SPDX-License-Identifier: BSD-3-Clause
#include "interposition/fortran_callers.h"

#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace mpiaudit::interposition {
namespace {

constexpr std::string_view fortran_libraries[] = {"libmpi_mpifh", "libmpi_usempi", "libmpichfort",
                                                  "libmpifort"};

struct Range {
    std::uintptr_t begin, end;
};

/// The code of the Fortran libraries that were there when `objects` had been loaded.
struct Code {
    unsigned long long objects = 0;
    std::vector<Range> ranges;
};

bool holds(const Code& code, std::uintptr_t address) {
    return std::ranges::any_of(code.ranges, [address](const Range& range) {
        return address >= range.begin && address < range.end;
    });
}

int add_object(dl_phdr_info* object, std::size_t, void* data) {
    Code& code = *static_cast<Code*>(data);
    code.objects = object->dlpi_adds;
    const char* slash = std::strrchr(object->dlpi_name, '/');
    const std::string_view name = slash == nullptr ? object->dlpi_name : slash + 1;
    const bool is_wanted = std::ranges::any_of(
        fortran_libraries, [name](std::string_view each) { return name.starts_with(each); });
    for (int i = 0; is_wanted && i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        code.ranges.push_back({begin, begin + segment.p_memsz});
    }
    return 0;
}

int count_objects(dl_phdr_info* object, std::size_t, void* data) {
    *static_cast<unsigned long long*>(data) = object->dlpi_adds;
    return 1;
}

const Code* scan() {
    auto* code = new Code;
    dl_iterate_phdr(add_object, code);
    return code;
}

}  // namespace

bool is_in_fortran_library(const void* address) {
    // Never freed: another thread may be reading the one that is replaced, which happens when a
    // library has been opened since.
    static std::atomic<const Code*> known{scan()};
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const Code* code = known.load(std::memory_order_acquire);
    if (holds(*code, number)) return true;
    unsigned long long objects = 0;
    dl_iterate_phdr(count_objects, &objects);
    if (objects == code->objects) return false;
    code = scan();
    known.store(code, std::memory_order_release);
    return holds(*code, number);
}

}  // namespace mpiaudit::interposition
