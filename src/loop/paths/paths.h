// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/algorithms.h"
#include "operations/arguments.h"

/// The paths that can be taken in place of a call: with the arguments of the call as they are,
/// whatever MPI allows, on communicators of one group. The ranks of a call may describe their data
/// by different types and counts, if these have the same number of bytes.
namespace mpiaudit::paths {

/// One operation of a path.
struct PathStep {
    const MpiOperation* operation;  ///< null for MPI_Reduce_local
    Function function;              ///< has the signature of the operation
};

struct Path;
/// Takes a composition in place of a call. Returns the code of the call; nothing if the library
/// should make the call, which all ranks then know.
using Composed = std::optional<int> (*)(const Path& path, const Arguments& call);

struct Path {
    std::string name;                          ///< linear_Gatherv(m); MPI_Gather(m) + MPI_Bcast(m)
    const MpiOperation* collective = nullptr;  ///< whose calls take the path
    Function direct = nullptr;      ///< has the signature of the collective; null for a composition
    Composed composed = nullptr;    ///< null for a path of one function
    std::vector<PathStep> steps;    ///< without the agreement on the size of padded blocks
    bool is_padded = false;         ///< all blocks travel in slots of the size of the largest block
    bool needs_duplicate = false;   ///< sends messages of its own
    bool needs_exact_sums = false;  ///< ranks get different sums if sums round (order_of_each_rank)
};

/// Returns the path of that name for a collective. Throws std::invalid_argument, which lists the
/// valid names or says why a call cannot take the path. \param collective MPI_Gatherv
Path find_path(std::string_view collective, std::string_view name);

/// Returns the names of all paths with one operation, and of the compositions of several operations
/// of the library.
std::vector<std::string> paths_of(std::string_view collective);

/// Returns the function that takes compositions in place of a collective; null if there are none.
Composed composed(std::string_view collective);

/// Takes the path in place of a call with these arguments. \param library the library's function
template <class Collective, class... Values>
int take(const Path& path, const Arguments& call, Collective* library, Values... values) {
    if (path.direct != nullptr) return reinterpret_cast<Collective*>(path.direct)(values...);
    const std::optional<int> code = path.composed(path, call);
    return code ? *code : library(values...);
}

}  // namespace mpiaudit::paths
