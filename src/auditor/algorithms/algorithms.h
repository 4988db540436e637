// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "operations/operations.h"

namespace mpiaudit {

/// Any function; of which type follows from where it is kept.
using Function = void (*)();
template <class F>
Function any(F* function) {
    return reinterpret_cast<Function>(function);
}

/// What an algorithm is like, as a set.
enum Trait : unsigned {
    keeps_order = 0,
    reorders_operands = 1U << 0,  ///< wants an operator that commutes
    on_nodes = 1U << 1,           ///< of parts on nodes and between them
    of_library = 1U << 2,         ///< its parts are the library's operations
    /// Each rank adds the operands in an order of its own: sums that round differ between ranks,
    /// which MPI forbids.
    order_of_each_rank = 1U << 3,
};

/// A function that can take the place of an operation of MPI, with its signature: a reference
/// algorithm of the literature, or a composition of the library's operations on nodes.
struct Algorithm {
    std::string name;            ///< linear_Gatherv, MPI_Bcast[lane]
    std::string_view operation;  ///< MPI_Gatherv
    std::string_view summary;    ///< one sentence that says how it moves data
    unsigned traits;
    Function function;
    /// In the place of a call whose ranks may count the same bytes in elements of other types; null
    /// where it cuts blocks into elements.
    Function in_call;
};

/// The row of each, by operations in the order of every list.
const std::vector<Algorithm>& algorithms();

/// Adds those of another product, once in a program, before anybody asks for the rows.
void join_algorithms(const std::vector<Algorithm>& more);

}  // namespace mpiaudit
