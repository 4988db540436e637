// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace mpiaudit::interposition {

/// Returns the next function of this name behind `asking`: that of another tool or of the MPI
/// library. Ends the program with a message if there is none.
void* next_function(const char* name, void* asking);

/// Returns whether the MPI library, or another tool, has the function: wrappers exist for all
/// functions. A program that looks for functions by name calls this.
extern "C" bool mpiaudit_library_has(const char* name);

template <class Function>
Function* next_of(Function* own, const char* name) {
    return reinterpret_cast<Function*>(next_function(name, reinterpret_cast<void*>(own)));
}

/// Returns the path of a loaded MPI library of a kind that this code was not compiled for. The
/// handles of such a library differ, so calls would crash. Returns nullopt if there is no such
/// library.
std::optional<std::string> foreign_library();
/// Ends the program with status 2, and a message that begins with the command, if the program uses
/// a foreign_library().
void end_in_foreign_program(const char* command);

/// Returns the first of these MPI functions that the program itself defines, as it does if a
/// profiling tool is linked into it: calls of that function do not reach the wrappers.
/// Returns nullopt if the program defines none of them.
std::optional<std::string> function_of_program(const std::vector<std::string>& names);
/// Ends the program with status 2, and a message that begins with the command, if the program
/// itself defines MPI_Init or a collective.
void end_where_calls_are_hidden(const char* command);

/// Returns whether the address lies in a library that translates Fortran calls of MPI to C. Open
/// MPI's Fortran library calls PMPI_X, so the wrapper of PMPI_X must handle these calls. The
/// wrapper must not handle calls of PMPI_X inside the MPI library, such as those of MPI-IO.
bool is_in_fortran_library(const void* address);

/// Returns the first line of MPI_Get_library_version.
std::string library_in_use();

/// Returns a variable of the environment; empty if it is not set.
std::string variable(const char* name);

// Functions that each preloaded library defines:

/// Called on all ranks at the end of MPI_Init.
void on_start();
/// Called at the beginning of MPI_Finalize, after call_on_end_at_finalize().
void on_end();

/// Sets an attribute of MPI_COMM_SELF whose deletion, the first action of MPI_Finalize, calls
/// on_end().
void call_on_end_at_finalize();

/// Rank and size of this process in a communicator.
struct RankInComm {
    RankInComm() = default;
    explicit RankInComm(MPI_Comm comm) {
        int is_of_two_groups = 0;
        PMPI_Comm_rank(comm, &rank);
        PMPI_Comm_size(comm, &size);
        PMPI_Comm_test_inter(comm, &is_of_two_groups);
        is_inter = is_of_two_groups != 0;
    }
    int rank = 0, size = 1;
    bool is_inter = false;
};

/// Returns the attribute of the communicator, which is created at the first call and freed with the
/// communicator.
template <class Attribute>
Attribute& attribute_of(MPI_Comm comm) {
    static const int key = [] {
        int made = MPI_KEYVAL_INVALID;
        const auto forget = [](MPI_Comm, int, void* value, void*) -> int {
            delete static_cast<Attribute*>(value);
            return MPI_SUCCESS;
        };
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr);
        return made;
    }();
    void* value = nullptr;
    int is_there = 0;
    PMPI_Comm_get_attr(comm, key, &value, &is_there);
    if (is_there == 0) {
        value = new Attribute(comm);
        PMPI_Comm_set_attr(comm, key, value);
    }
    return *static_cast<Attribute*>(value);
}

/// Returns the ranks in MPI_COMM_WORLD of the communicator's ranks; MPI_UNDEFINED for others.
std::vector<int> world_ranks(MPI_Comm comm);

/// Greater than 0 while a wrapper runs, whose calls of MPI are not the application's.
inline constinit thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;

/// Marks calls of MPI as inner ones during its lifetime.
class Inside {
  public:
    Inside() { ++depth; }
    ~Inside() { --depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

inline std::int64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Returns whether the counter of the core runs at a constant rate.
inline bool has_constant_counter() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

/// Returns the counter of the core if its rate is constant, else nanoseconds; reading the counter
/// takes half the time of clock_gettime. The seconds per tick are computed at the end of the run.
inline std::int64_t ticks() {
#if defined(__x86_64__)
    static const bool is_constant = has_constant_counter();
    if (is_constant) return static_cast<std::int64_t>(__rdtsc());
#endif
    return monotonic_ns();
}

/// A predefined handle of MPI.
struct Predefined {
    std::uint16_t id = 0;   ///< equal on all ranks; 0: not predefined
    std::int32_t size = 0;  ///< bytes of a type
};

/// Reads the predefined handles. To be called once, after MPI has started.
void prepare_predefined();

/// Return id 0 for handles that are not predefined.
Predefined predefined_type(MPI_Datatype type);
Predefined predefined_op(MPI_Op op);
/// Return the name for an id other than 0.
const char* type_name(std::uint16_t id);
const char* op_name(std::uint16_t id);
/// Returns the size of any type, as the MPI library knows it.
std::int64_t type_bytes(MPI_Datatype type);

}  // namespace mpiaudit::interposition

/// Defines wrappers of MPI_X and PMPI_X. `behave` gets a callable that calls the real function. The
/// wrapper of PMPI_X uses `behave` only for calls from the Fortran library.
#define MPIAUDIT_INTERPOSED(function, parameters, arguments, behave)                            \
    extern "C" int function parameters {                                                        \
        static const auto next = mpiaudit::interposition::next_of(&function, #function);        \
        return behave([&] { return next arguments; });                                          \
    }                                                                                           \
    extern "C" int P##function parameters {                                                     \
        static const auto next = mpiaudit::interposition::next_of(&P##function, "P" #function); \
        if (!mpiaudit::interposition::is_in_fortran_library(__builtin_return_address(0)))       \
            return next arguments;                                                              \
        return behave([&] { return next arguments; });                                          \
    }
