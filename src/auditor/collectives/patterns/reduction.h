// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/call/bind_first.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// Uninitialised memory for whole elements of a datatype, including gaps: a user's operator may
/// assign whole structs. get() returns the address for MPI calls.
class OperandBuffer {
  public:
    OperandBuffer() = default;
    /// \param near see Scratch
    OperandBuffer(int count, MPI_Datatype type, const void* near = nullptr);
    void* get() const { return displaced(memory_.get(), -origin_bytes_); }

  private:
    Scratch memory_;
    MPI_Aint origin_bytes_ = 0;
};

/// The operands of a reduction, vectors of `count` elements, and their operator.
class Reduction {
  public:
    Reduction(int operand_count, MPI_Datatype operand_type, MPI_Op operation);

    OperandBuffer buffer() const { return {count, type}; }
    TypedBuffer all_of(const void* vector) const { return {vector, count, type}; }

    Blocks split(const void* vector, int blocks) const {
        return Blocks::split(vector, count, type, blocks);
    }
    /// Copies a vector within this rank; move() does nothing if `from` and `to` are equal.
    void copy(const void* from, void* to, const Ranks& ranks) const {
        copy_locally(all_of(from), all_of(to), ranks);
    }
    void move(const void* from, void* to, const Ranks& ranks) const {
        if (from != to) copy(from, to, ranks);
    }

    /// right := left op right.
    void combine(const void* left, void* right) const { combine(left, all_of(right)); }
    void combine(const void* left, const TypedBuffer& right) const;

    /// result := result op incoming. Swaps the pointers if the operator is non-commutative, because
    /// MPI leaves a result in the right operand only.
    void append(void*& result, void*& incoming) const;

    int count;
    MPI_Datatype type;
    MPI_Op op;
    bool is_commutative;
};

/// Returns true if MPI defines the operator; such operators take MPI's own datatypes only.
bool is_predefined(MPI_Op op);

}  // namespace mpiaudit
