// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "catalogue/arrow.h"
#include "operations/operations.h"

namespace mpiaudit {

// How the functions of an operation are called follows from its row in the table of operations.

/// The operations with all their forms, their other uses and their algorithms, by collectives.
std::vector<Arrow> operation_arrows();

/// Operations between other layouts than their own, by collectives; see operation_arrows().
std::vector<Arrow> other_uses();
/// Neighbourhood collectives by other operations and by messages.
std::vector<Arrow> neighbor_arrows();
/// Neighbourhood collectives with fewer messages than there are edges.
std::vector<Arrow> combining_arrows();
/// Agreements, packing and the arrows that a path uses without naming them.
std::vector<Arrow> local_arrows();
/// Natives by other natives, with copies and messages between: what a library could do itself.
std::vector<Arrow> composed_arrows();
/// Natives on the first half of the ranks.
std::vector<Arrow> first_half_arrows();
/// Natives as programs call them: many in a row, on what is new, with computation meanwhile.
std::vector<Arrow> call_arrows();
/// What makes a communicator, and what ranks have to exchange for one.
std::vector<Arrow> communicator_arrows();
/// Other ways to call each native operation of `usual`.
std::vector<Arrow> variant_arrows(const std::deque<Arrow>& usual);

/// Of a function with the signature of an operation. \param operation MPI_Gather
Prepare prepare_as(std::string_view operation, Function function);

/// Of the operation itself, as it is.
Prepare prepare_blocking(std::string_view operation);
/// Of its non-blocking form and MPI_Wait.
Prepare prepare_nonblocking(std::string_view operation);

/// By the non-blocking operation on as many parts of the data as the variant has, all in flight.
Prepare prepare_in_parts(std::string_view operation);
/// Whether the ranks may be in another order: blocks are where displacements say, or there are
/// none.
constexpr bool has_orders(const MpiOperation& operation) {
    const bool is_by_order =
        operation.to == Holding::prefixed || operation.to == Holding::exclusively_prefixed;
    return operation.shape == Shape::nothing || (operation.has_parts() && !is_by_order);
}

/// What the signature of an operation needs of a problem.
unsigned needs_of(const MpiOperation& operation);

/// An algorithm of the literature, or what else has a function with the signature of an operation.
Arrow arrow_between_ends_of(Form form, Kind kind, std::string summary, Prepare prepare,
                            unsigned more_needs = anything);

/// Another way to do what an operation does. \param name MPI_Gather[relayed]
Arrow variant_of_operation(std::string_view name, std::string summary, Prepare prepare,
                           unsigned more_needs = anything);

/// The buffer of a place; some other address where there is nothing, at which a library may look.
void* buffer_of(const Place& place);

/// The need of what calls an operation that this library may lack.
unsigned presence_of(std::string_view operation);

}  // namespace mpiaudit
