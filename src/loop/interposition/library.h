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

/// The function of that name behind the wrapper that asks: of the next tool, or of the MPI library.
/// The program ends with a sentence when there is none.
void* next_function(const char* name, void* asking);

template <class Function>
Function* next_of(Function* own, const char* name) {
    return reinterpret_cast<Function*>(next_function(name, reinterpret_cast<void*>(own)));
}

/// Another MPI library than the one that this code was compiled for, which the process has loaded,
/// by its path. Handles of the two are not the same, and what follows would be a crash.
std::optional<std::string> foreign_library();
/// Ends a program of another library, with a sentence that begins with the command.
void end_in_foreign_program(const char* command);

/// The first of these functions of MPI that the program itself defines, as it does if a tool for
/// MPI's profiling interface is linked into it: calls of the function then never arrive here.
std::optional<std::string> function_of_program(const std::vector<std::string>& names);
/// Ends a program that itself defines MPI_Init or a collective, with a sentence that begins with
/// the command.
void end_where_calls_are_hidden(const char* command);

/// Whether the address lies in one of the libraries that make Fortran's calls of MPI calls of C.
/// Where these call PMPI_X, as in Open MPI, a wrapper of MPI_X never sees the program; a wrapper
/// of PMPI_X does, together with what MPI-IO calls inside the library, which this keeps out.
bool is_in_fortran_library(const void* address);

/// The first line of what the MPI library says of itself.
std::string library_in_use();

/// Of the environment; empty where there is none.
std::string variable(const char* name);

// What each library that is loaded before the MPI library defines:

/// MPI has started, in MPI_Init, and so on all ranks.
void on_start();
/// After listen_for_end() the first thing in MPI_Finalize.
void on_end();

/// An attribute of MPI_COMM_SELF, whose deletion is the first thing that MPI_Finalize does.
void listen_for_end();

/// What every look at a communicator begins with.
struct Membership {
    Membership() = default;
    explicit Membership(MPI_Comm comm) {
        int is_of_two_groups = 0;
        PMPI_Comm_rank(comm, &rank);
        PMPI_Comm_size(comm, &size);
        PMPI_Comm_test_inter(comm, &is_of_two_groups);
        is_inter = is_of_two_groups != 0;
    }
    int rank = 0, size = 1;
    bool is_inter = false;
};

/// What is known of a communicator, from the first time that it is asked for: an attribute of it,
/// which goes with it.
template <class Known>
Known& known_of(MPI_Comm comm) {
    static const int key = [] {
        int made = MPI_KEYVAL_INVALID;
        const auto forget = [](MPI_Comm, int, void* value, void*) {
            delete static_cast<Known*>(value);
            return MPI_SUCCESS;
        };
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr);
        return made;
    }();
    void* value = nullptr;
    int is_there = 0;
    PMPI_Comm_get_attr(comm, key, &value, &is_there);
    if (is_there == 0) {
        value = new Known(comm);
        PMPI_Comm_set_attr(comm, key, value);
    }
    return *static_cast<Known*>(value);
}

/// In the order of the communicator; a rank that MPI_COMM_WORLD does not have is MPI_UNDEFINED.
std::vector<int> world_ranks(MPI_Comm comm);

/// Calls of MPI inside a wrapper are not the application's.
inline constinit thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;

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

/// Whether the processor's counter runs at one rate whatever the processor does.
inline bool has_constant_counter() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

/// The processor's counter where it is a clock, which takes half of the time that the clock of the
/// system takes; else that clock. What a tick is in seconds is known at the end, from both.
inline std::int64_t ticks() {
#if defined(__x86_64__)
    static const bool is_constant = has_constant_counter();
    if (is_constant) return static_cast<std::int64_t>(__rdtsc());
#endif
    return monotonic_ns();
}

/// A handle of the library that every program knows by the same name.
struct Predefined {
    std::uint16_t id = 0;   ///< the same on all ranks; 0: not predefined
    std::int32_t size = 0;  ///< of a type, in bytes
};

/// Reads the handles of the library. To be called once, after MPI has started.
void prepare_predefined();

Predefined predefined_type(MPI_Datatype type);
Predefined predefined_op(MPI_Op op);
/// Of an id that is not 0.
const char* type_name(std::uint16_t id);
const char* op_name(std::uint16_t id);
/// Of any type; reads it from the library.
std::int64_t type_bytes(MPI_Datatype type);

}  // namespace mpiaudit::interposition

/// The application's call of a function, under both its names: behind `behave` is what does it with
/// the call of the function itself. PMPI_X is the application's call only when Fortran's library
/// makes it.
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
