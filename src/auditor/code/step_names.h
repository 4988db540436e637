// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "code/tree.h"
#include "operations/operations.h"

namespace mpiaudit {

using c_text::Block;
using c_text::Expression;

/// Data of all ranks, or of this rank, in memory.
struct StepData {
    Expression address;  ///< of the first element
    Expression offsets;  ///< the list that says where the block of each rank begins

    bool has_gaps() const { return offsets != Expression(c_text::Name::offsets); }
};

/// The data before and behind a step.
struct StepEnds {
    StepData in, out;
};

/// The lists of the blocks that a call sends and receives. A call with one list has both alike.
struct Lists {
    Expression sendcounts, sdispls, recvcounts, rdispls;
    Expression sendtypes = c_text::Name::sendtypes, recvtypes = c_text::Name::recvtypes;
};

/// The names with which the calls of a step are written: those of code to paste, or of a program.
class StepNames {
  public:
    virtual ~StepNames() = default;

    // Numbers of elements. All are products, so that in_bytes() counts in MPI_Aint.
    /// The elements of the block of this rank.
    virtual Expression own() = 0;
    /// The elements of all blocks, as one vector.
    virtual Expression all() = 0;
    /// The list of the elements of each block, on every rank.
    virtual Expression numbers() = 0;
    virtual Expression offsets() = 0;
    /// The same lists, of which only the root needs the numbers.
    virtual Expression numbers_at_root() = 0;
    /// There are lists of the blocks that a rank sends and receives.
    virtual bool has_rows() const = 0;
    /// The lists for an operation with blocks of any size.
    virtual Lists lists_of(const MpiOperation& operation, const StepEnds& ends) = 0;
    /// The same lists with displacements in bytes, and with a type for each block.
    virtual Lists types_of(Lists lists) = 0;

    /// The address as one of bytes.
    virtual Expression as_bytes(const Expression& address) const = 0;
    /// The address `elements` behind an address.
    Expression behind(const Expression& address, const Expression& elements) const {
        return as_bytes(address) + in_bytes(elements);
    }
    /// The block of this rank, or of rank k, in the data of all ranks.
    virtual Expression block_in(const StepData& data, const Expression& rank) = 0;
    /// Returns the name of new memory for this number of elements.
    virtual Expression memory(const Expression& elements) = 0;
    /// Returns C that copies elements within a rank.
    virtual Block copy(const Expression& to, const Expression& from,
                       const Expression& elements) = 0;

    /// Return C that makes and frees the communicator all_but_rank_0.
    virtual Block communicator_without_first() = 0;
    virtual Block without_communicator() = 0;

    virtual void need(const std::string& what) = 0;
    /// Adds C that defines a name: the code comes before all code that uses the name.
    virtual void define(c_text::Name name, Block code) = 0;
    /// Defines a list by the value for rank k, and returns its name.
    Expression list(c_text::Name name, const Expression& value);

    /// Returns extent * elements. The product begins with extent, which is an MPI_Aint.
    static Expression in_bytes(const Expression& elements);
    /// Returns the number with 64 bits: the product begins with a long long.
    static Expression in_64_bits(const Expression& number);
};

/// Returns the C of a list that has a value for each rank k.
Block list_of(c_text::Name name, const Expression& value);

}  // namespace mpiaudit
