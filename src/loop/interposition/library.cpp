// SPDX-License-Identifier: BSD-3-Clause
#include "interposition/library.h"

#include <link.h>
#include <sys/auxv.h>
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "operations/operations.h"
#include "text/console.h"

namespace mpiaudit::interposition {
namespace {

/// Returns whether the file name of a loaded object begins with one of the names.
bool is_one_of(const dl_phdr_info* object, std::initializer_list<std::string_view> names) {
    const std::string_view path = object->dlpi_name;
    return std::ranges::any_of(names, [name = path.substr(path.rfind('/') + 1)](auto each) {
        return name.starts_with(each);
    });
}

int add_mpi_library(dl_phdr_info* object, std::size_t, void* data) {
    if (is_one_of(object, {"libmpi.so", "libmpich.so", "libmpi_cray.so", "libmpi_abi.so"}))
        static_cast<std::vector<std::string>*>(data)->push_back(object->dlpi_name);
    return 0;
}

/// Returns whether the library has the standard binary interface (ABI) of MPI 5.0. Such a library
/// translates calls for another MPI library.
bool is_standard(const std::string& path) {
    return path.find("libmpi_abi.so") != path.npos;
}

#if defined(MPI_ABI_VERSION) && !defined(OPEN_MPI) && !defined(MPICH_VERSION)
constexpr bool are_we_standard = true;
#else
constexpr bool are_we_standard = false;
#endif

/// Returns whether the library is of the kind that this code was compiled for: all versions of Open
/// MPI share their handles, and so do those of MPICH.
bool is_of_our_kind(const std::string& path) {
#if defined(OPEN_MPI)
    constexpr bool is_open_mpi = true;
#else
    constexpr bool is_open_mpi = false;
#endif
    void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return true;
    const bool has_handles_of_open_mpi = dlsym(library, "ompi_mpi_comm_world") != nullptr;
    dlclose(library);
    return has_handles_of_open_mpi == is_open_mpi;
}

/// Returns the kind of MPI library that this code was compiled for.
const char* own_library() {
#if defined(OPEN_MPI)
    return "Open MPI";
#elif defined(MPICH_VERSION)
    return "MPICH";
#else
    return are_we_standard ? "libraries with the binary interface of MPI 5.0"
                           : "another MPI library";
#endif
}

struct Range {
    std::uintptr_t begin, end;
};

/// Code ranges of the loaded Fortran libraries of MPI.
struct FortranCode {
    unsigned long long objects = 0;  ///< number of libraries loaded until the ranges were read
    std::vector<Range> ranges;
};

bool holds(const FortranCode& code, std::uintptr_t address) {
    return std::ranges::any_of(code.ranges, [address](const Range& range) {
        return address >= range.begin && address < range.end;
    });
}

int add_object(dl_phdr_info* object, std::size_t, void* data) {
    FortranCode& code = *static_cast<FortranCode*>(data);
    code.objects = object->dlpi_adds;
    const bool is_wanted =
        is_one_of(object, {"libmpi_mpifh", "libmpi_usempi", "libmpichfort", "libmpifort"});
    for (int i = 0; is_wanted && i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        code.ranges.push_back({begin, begin + segment.p_memsz});
    }
    return 0;
}

/// Reads the ranges of the Fortran libraries that are loaded now. The result is never freed.
const FortranCode* scan() {
    auto* code = new FortranCode;
    dl_iterate_phdr(add_object, code);
    return code;
}

}  // namespace

void* next_function(const char* name, void* asking) {
    void* found = dlsym(RTLD_NEXT, name);
    if (found != nullptr && found != asking) return found;
    remark("the program calls {}, which the loaded MPI library does not have", name);
    std::_Exit(EXIT_FAILURE);
}

extern "C" bool mpiaudit_library_has(const char* name) {
    return dlsym(RTLD_NEXT, name) != nullptr;
}

std::optional<std::string> foreign_library() {
    std::vector<std::string> loaded;
    dl_iterate_phdr(add_mpi_library, &loaded);
    const auto standard = std::ranges::find_if(loaded, is_standard);
    if (standard != loaded.end()) return are_we_standard ? std::nullopt : std::optional(*standard);
    if (are_we_standard) return loaded.empty() ? std::nullopt : std::optional(loaded.front());
    const auto foreign = std::ranges::find_if_not(loaded, is_of_our_kind);
    return foreign == loaded.end() ? std::nullopt : std::optional(*foreign);
}

void end_in_foreign_program(const char* command) {
    const auto foreign = foreign_library();
    if (!foreign) return;
    remark(
        "{}: this library is for {}, and the program uses {}; use an mpiaudit for the program's "
        "library (the mpiaudit of a binary archive is for the library whose mpirun starts it)",
        command, own_library(), *foreign);
    std::_Exit(2);
}

std::optional<std::string> function_of_program(const std::vector<std::string>& names) {
    Dl_info program{};
    dladdr(reinterpret_cast<void*>(getauxval(AT_ENTRY)), &program);
    for (const std::string& name : names) {
        void* const found = dlsym(RTLD_DEFAULT, name.c_str());
        Dl_info info{};
        void* entry = nullptr;
        if (found == nullptr || dladdr1(found, &info, &entry, RTLD_DL_SYMENT) == 0) continue;
        // If a program takes the address of a function, its symbol is undefined but has an address.
        const auto* const symbol = static_cast<const ElfW(Sym)*>(entry);
        const bool is_defined = symbol == nullptr || symbol->st_shndx != SHN_UNDEF;
        if (info.dli_fbase == program.dli_fbase && is_defined) return name;
    }
    return std::nullopt;
}

void end_where_calls_are_hidden(const char* command) {
    std::vector<std::string> names = {"MPI_Init", "MPI_Init_thread"};
    for (const MpiOperation& each : mpi_operations) {
        const std::string name(each.name.substr(std::string_view("MPI_").size()));
        names.push_back("MPI_" + name);
        names.push_back("MPI_I" + std::string(1, static_cast<char>(std::tolower(name[0]))) +
                        name.substr(1));
    }
    const auto hidden = function_of_program(names);
    if (!hidden) return;
    remark(
        "{}: the program itself defines {}, as a tool for MPI's profiling interface does, so that "
        "calls of it do not arrive here; link the program without the tool, or make the tool a "
        "shared library and preload it",
        command, *hidden);
    std::_Exit(2);
}

std::string library_in_use() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(text, &length);
    return {text, std::strcspn(text, "\n")};
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_in_fortran_library(const void* address) {
    // Never freed: another thread may still read ranges that are replaced after a library was
    // opened.
    static std::atomic<const FortranCode*> known{scan()};
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const FortranCode* code = known.load(std::memory_order_acquire);
    if (holds(*code, number)) return true;
    unsigned long long objects = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* data) {
            *static_cast<unsigned long long*>(data) = object->dlpi_adds;
            return 1;
        },
        &objects);
    if (objects == code->objects) return false;
    code = scan();
    known.store(code, std::memory_order_release);
    return holds(*code, number);
}

}  // namespace mpiaudit::interposition
