// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms/algorithms.h"

/// The paths that can be taken in place of a call: with the arguments of the call as they are,
/// whatever MPI allows, on communicators of one group. Types and counts may differ between the
/// ranks of the call, only bytes may not.
namespace mpiaudit::paths {

/// The functions that a path is made of, in its order.
struct Terms {
    Function first = nullptr, second = nullptr;
};

struct Path {
    std::string name;             ///< linear_Gatherv(m); MPI_Gather(m) + MPI_Bcast(m)
    Function direct = nullptr;    ///< with the signature of the collective; or
    Function composed = nullptr;  ///< the same after `const Terms&`
    Terms terms = {};
    bool needs_duplicate = false;  ///< sends messages of its own
    /// Sums that round differ between the ranks (order_of_each_rank).
    bool needs_exact_sums = false;
    /// Whether the bytes of all ranks together have to be counted by an int.
    bool counts_bytes_in_int = false;
};

/// The path of that name for a collective. Throws std::invalid_argument that lists those which
/// there are, or says why this one cannot be taken. \param collective MPI_Gatherv
Path find_path(std::string_view collective, std::string_view name);

/// The paths of one term, and those of several that the library's own operations make.
std::vector<std::string> paths_of(std::string_view collective);

/// Takes the path. The arguments are those of the MPI function, whose type is `Collective`.
template <class Collective, class... Arguments>
int take(const Path& path, Arguments... arguments);

/// The signature of a collective after its terms: Composed<PMPI_Gather>.
template <class Collective>
struct WithTerms;
template <class... Parameters>
struct WithTerms<int(Parameters...)> {
    using type = int(const Terms&, Parameters...);
};
template <auto& collective>
using Composed = typename WithTerms<std::remove_reference_t<decltype(collective)>>::type;

template <class Collective, class... Arguments>
int take(const Path& path, Arguments... arguments) {
    if (path.direct != nullptr) return reinterpret_cast<Collective*>(path.direct)(arguments...);
    return reinterpret_cast<typename WithTerms<Collective>::type*>(path.composed)(path.terms,
                                                                                  arguments...);
}

}  // namespace mpiaudit::paths
