// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "catalogue/arrow.h"
#include "operations/operations.h"

namespace mpiaudit {

// The row of an operation in the table of operations says how its functions are called.

/// Returns the operations with all their forms, other uses and algorithms, sorted by collective.
std::vector<Arrow> operation_arrows();

/// Operations between other layouts than their own, by collectives; see operation_arrows().
std::vector<Arrow> other_uses();
/// Neighbourhood collectives by other operations and by messages.
std::vector<Arrow> neighbor_arrows();
/// Agreements, packing and the arrows that a path uses without naming them.
std::vector<Arrow> local_arrows();
/// Returns natives composed of other natives, copies and messages, as a library could do itself.
std::vector<Arrow> composed_arrows();
/// Returns natives on the first half of the ranks.
std::vector<Arrow> first_half_arrows();
/// Returns natives as programs call them: many in a row, on new objects, with computation
/// meanwhile.
std::vector<Arrow> call_arrows();
/// Returns functions that make a communicator, and the messages that such a function needs.
std::vector<Arrow> communicator_arrows();
/// Returns variants of each native operation of `usual`.
std::vector<Arrow> variant_arrows(const std::deque<Arrow>& usual);

/// Prepares a function with the signature of an operation. \param operation MPI_Gather
Prepare prepare_as(std::string_view operation, Function function);

/// Prepares the blocking function of an operation.
Prepare prepare_blocking(std::string_view operation);
/// Prepares the non-blocking function of an operation and MPI_Wait.
Prepare prepare_nonblocking(std::string_view operation);

/// Prepares one non-blocking call for each of the parts of the variant, all in flight.
Prepare prepare_in_parts(std::string_view operation);
/// True if ranks may be in another order: displacements say where blocks are, or there are no
/// blocks.
constexpr bool has_orders(const MpiOperation& operation) {
    const bool is_by_order =
        operation.to == Holding::prefixed || operation.to == Holding::exclusively_prefixed;
    return operation.shape == Shape::nothing || (operation.has_parts() && !is_by_order);
}

/// Returns the needs that follow from the signature of an operation.
unsigned needs_of(const MpiOperation& operation);

/// Makes an arrow of a function with the signature of the operation of `form`.
Arrow arrow_between_ends_of(Form form, Kind kind, std::string summary, Prepare prepare,
                            unsigned more_needs = anything);

/// Makes an arrow for another way to do the work of an operation. \param name MPI_Gather[relayed]
Arrow variant_of_operation(std::string_view name, std::string summary, Prepare prepare,
                           unsigned more_needs = anything);

/// Returns the buffer of a place; another valid address if the place has none, because a library
/// may read there.
void* buffer_of(const Place& place);

/// Returns the need of arrows that call an operation which this library may lack.
unsigned presence_of(std::string_view operation);

}  // namespace mpiaudit
