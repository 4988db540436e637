// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "operations/operations.h"

namespace mpiaudit {

/// A function of any type, which follows from the operation.
using Function = void (*)();
template <class F>
Function any(F* function) {
    return reinterpret_cast<Function>(function);
}

/// Properties of an algorithm, as a set of bits.
enum Trait : unsigned {
    keeps_order = 0,
    reorders_operands = 1U << 0,  ///< needs a commutative operator
    on_nodes = 1U << 1,           ///< composed of parts on nodes and between nodes
    of_library = 1U << 2,         ///< its parts are the library's operations
    /// Each rank combines the operands in an order of its own, so rounded sums differ between
    /// ranks, which MPI forbids.
    order_of_each_rank = 1U << 3,
};

/// A function that can replace an MPI operation and has its signature: a reference algorithm of the
/// literature, or a composition of the library's operations on nodes.
struct Algorithm {
    std::string name;            ///< linear_Gatherv, MPI_Bcast[lane]
    std::string_view operation;  ///< MPI_Gatherv
    std::string_view summary;    ///< one sentence about the way of the data
    unsigned traits;
    Function function;
};

/// Returns all algorithms: reference algorithms by collective, then compositions on nodes, then
/// joined ones. All lists use this order.
const std::vector<Algorithm>& algorithms();

/// Returns where the algorithm is described, in a few words; empty for algorithms of another
/// product that name no source.
std::string_view source_of(const Algorithm& algorithm);

/// Appends the algorithms of another product. Does nothing if the first of them is already there.
/// Call this function before algorithms(). `more` is not empty.
void join_algorithms(const std::vector<Algorithm>& more);

}  // namespace mpiaudit
