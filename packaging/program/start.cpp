// SPDX-License-Identifier: BSD-3-Clause
// The program of a binary archive: loads the MPI library and then libmpiaudit-program.so, which is
// everything else. No library is linked by name: MPICH's library is libmpich.so.12 in Debian and
// libmpi.so.12 elsewhere, and may lie where only its launcher leads to. The archive's command names
// the file in MPIAUDIT_MPI_LIBRARY.
#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int exit_internal = 70;  // as in text/exit_code.h

/// The names that are tried without MPIAUDIT_MPI_LIBRARY.
constexpr const char* names[] = {MPIAUDIT_LIBRARY_NAMES};

/// Loads the MPI library so that all later libraries find its functions. Returns whether it is
/// loaded; else dlerror() says why not.
bool load_mpi_library() {
    constexpr int how = RTLD_NOW | RTLD_GLOBAL;
    const char* const file = std::getenv("MPIAUDIT_MPI_LIBRARY");
    if (file != nullptr && *file != '\0') return dlopen(file, how) != nullptr;
    for (const char* const name : names)
        if (dlopen(name, how) != nullptr) return true;
    return false;
}

/// Returns the library beside this program; null if it is not loaded.
void* load_program() {
    constexpr const char* name = "libmpiaudit-program.so";
    char file[PATH_MAX + sizeof "libmpiaudit-program.so"] = "";
    const ssize_t length = readlink("/proc/self/exe", file, PATH_MAX);
    if (length <= 0) return nullptr;
    file[length] = '\0';
    std::strcpy(std::strrchr(file, '/') + 1, name);
    void* const program = dlopen(file, RTLD_NOW);
    if (program != nullptr) return program;
    // A function that this library lacks does not prevent the start: the program may not call it.
    const char* const reason = dlerror();
    std::fprintf(stderr, "mpiaudit: %s\n", reason);
    return dlopen(file, RTLD_LAZY);
}

int fail() {
    std::fprintf(stderr,
                 "mpiaudit: %s\nmpiaudit: bin/mpiaudit of the archive chooses the program and the "
                 "MPI library; "
                 "MPIAUDIT_MPI_LIBRARY=FILE names another library\n",
                 dlerror());
    return exit_internal;
}

}  // namespace

int main(int argc, char** argv) {
    if (!load_mpi_library()) return fail();
    void* const program = load_program();
    if (program == nullptr) return fail();
    const auto real_main = reinterpret_cast<int (*)(int, char**)>(dlsym(program, "main"));
    return real_main == nullptr ? fail() : real_main(argc, argv);
}
