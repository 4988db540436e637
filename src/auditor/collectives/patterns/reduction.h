// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/call/bind_first.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// Uninitialised memory for elements of a datatype, with the address that MPI wants for it. All of
/// an element is there, with its gaps: an operator of the caller may assign whole structs.
class OperandBuffer {
  public:
    OperandBuffer() = default;
    OperandBuffer(int count, MPI_Datatype type);
    void* get() const { return displaced(memory_.get(), -origin_bytes_); }

  private:
    Scratch memory_;
    MPI_Aint origin_bytes_ = 0;
};

/// The operands of a reduction, vectors of `count` elements, and how they are combined.
class Reduction {
  public:
    Reduction(int operand_count, MPI_Datatype operand_type, MPI_Op operation);

    OperandBuffer buffer() const { return {count, type}; }
    /// A vector as one message.
    TypedBuffer all_of(const void* vector) const { return {vector, count, type}; }

    /// A vector in so many blocks.
    Blocks split(const void* vector, int blocks) const {
        return Blocks::split(vector, count, type, blocks);
    }
    /// Copies a vector within this rank; move() only where it is not there already.
    void copy(const void* from, void* to, const Ranks& ranks) const {
        copy_locally(all_of(from), all_of(to), ranks);
    }
    void move(const void* from, void* to, const Ranks& ranks) const {
        if (from != to) copy(from, to, ranks);
    }

    /// right := left op right.
    void combine(const void* left, void* right) const { combine(left, all_of(right)); }
    /// The same for some elements.
    void combine(const void* left, const TypedBuffer& right) const;

    /// result := result op incoming; exchanges the pointers where the order matters, because MPI
    /// can only leave a result in the right operand.
    void append(void*& result, void*& incoming) const;

    int count;
    MPI_Datatype type;
    MPI_Op op;
    bool is_commutative;
};

/// Whether `op` is one of the reductions that MPI defines; they take MPI's own datatypes only.
bool is_predefined(MPI_Op op);

}  // namespace mpiaudit
