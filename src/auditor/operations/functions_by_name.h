// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "operations/operations.h"

// Functions that some MPI libraries lack. A program may run with another version of a library than
// the one that it was compiled with, so that these functions are found by name.
namespace mpiaudit {

/// A function of any signature.
using AnyFunction = void (*)();

/// Returns the function with this name of the loaded libraries; null if no library has one.
AnyFunction function_by_name(const std::string& name);

/// A function of the loaded MPI library.
struct NamedFunction {
    std::string name = {};           ///< MPIX_Gather_init
    AnyFunction function = nullptr;  ///< null if the library lacks the function
};

/// Returns the function that makes a persistent operation: MPI_Gather_init of MPI 4, or
/// MPIX_Gather_init of Open MPI 4. If the library lacks both, the name is that of MPI 4.
/// \param blocking MPI_Gather
NamedFunction persistent_function(std::string_view blocking);

/// Returns MPI_Gather_c, whose counts have the type MPI_Count. \param blocking MPI_Gather
NamedFunction large_count_function(std::string_view blocking);

/// The type of an argument in MPI_Gather_c. \tparam Usual the type in MPI_Gather
template <std::size_t row, std::size_t k, class Usual>
constexpr auto large_argument() {
    constexpr MpiOperation operation = mpi_operations[row];
    if constexpr (k >= operation.argument_count())  // the communicator
        return std::type_identity<Usual>{};
    else if constexpr (operation.argument(k).ends_with("counts"))
        return std::type_identity<const MPI_Count*>{};
    else if constexpr (operation.argument(k).ends_with("displs"))
        return std::type_identity<const MPI_Aint*>{};
    else if constexpr (operation.argument(k).ends_with("count"))
        return std::type_identity<MPI_Count>{};
    else
        return std::type_identity<Usual>{};
}

template <std::size_t row, class... Arguments, std::size_t... k>
auto large_signature(std::index_sequence<k...>)
    -> int (*)(typename decltype(large_argument<row, k, Arguments>())::type...);

/// Signatures of the functions of an operation that are found by name.
/// \tparam row the index of the operation in mpi_operations
template <std::size_t row, class Blocking>
struct Signatures;

template <std::size_t row, class... Arguments>
struct Signatures<row, int (*)(Arguments...)> {
    using Persistent = int (*)(Arguments..., MPI_Info, MPI_Request*);
    using LargeCount =
        decltype(large_signature<row, Arguments...>(std::index_sequence_for<Arguments...>{}));
};

/// Stands for signatures of functions that the simulator lacks.
template <std::size_t row>
struct Signatures<row, std::nullptr_t> {
    using Persistent = std::nullptr_t;
    using LargeCount = std::nullptr_t;
};

template <std::size_t row>
using SignaturesOf = Signatures<
    row, std::remove_cvref_t<decltype(std::get<row>(operation_table::rows).functions.blocking)>>;

// Sessions of MPI 4, which mpi.h of an older library does not declare.

/// A handle of any kind: all handles of a library are integers, or all are pointers.
using AnyHandle = std::conditional_t<std::is_pointer_v<MPI_Comm>, void*, MPI_Comm>;

/// Returns whether the library implements MPI 4 and has sessions.
bool has_sessions();

/// A session of MPI 4, which is finalised at the end. Only made if has_sessions().
class MpiSession {
  public:
    explicit MpiSession(MPI_Errhandler handler);
    ~MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    /// Returns the group of all ranks of the launch. The caller frees the group.
    MPI_Group launched_ranks() const;

  private:
    AnyHandle session_{};
};

/// Returns a communicator of the group, which comes from a session. Collective over the group. The
/// caller frees the communicator.
MPI_Comm comm_from_group(MPI_Group group, MPI_Errhandler handler);

}  // namespace mpiaudit
