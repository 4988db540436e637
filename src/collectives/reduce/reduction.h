// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/allgather/processes.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// Uninitialised memory for elements of a datatype, with the address that MPI wants for it.
class OperandBuffer {
  public:
    OperandBuffer() = default;
    OperandBuffer(int count, MPI_Datatype type, const void* operands);
    void* get() const { return displaced(memory_.get(), -origin_bytes_); }

  private:
    Scratch memory_;
    MPI_Aint origin_bytes_ = 0;
};

/// The operands of a reduction, vectors of `count` elements, and how they are combined.
class Reduction {
  public:
    Reduction(int operand_count, MPI_Datatype operand_type, MPI_Op operation);

    void* at(void* vector, int element) const { return displaced(vector, element * extent_bytes_); }
    const void* at(const void* vector, int element) const {
        return displaced(vector, element * extent_bytes_);
    }
    /// Room for what is made of `operands`.
    OperandBuffer buffer(const void* operands) const { return {count, type, operands}; }

    /// right := left op right, elements first to first + n - 1.
    void combine(const void* left, void* right, int first, int n) const;
    void combine(const void* left, void* right) const { combine(left, right, 0, count); }

    /// result := result op incoming; exchanges the pointers where the order matters, because MPI
    /// can only leave a result in the right operand.
    void append(void*& result, void*& incoming) const;

    int count;
    MPI_Datatype type;
    MPI_Op op;
    bool is_commutative;

  private:
    MPI_Aint extent_bytes_ = 0;
};

/// Whether `op` is one of the reductions that MPI defines; they take MPI's own datatypes only.
bool is_predefined(MPI_Op op);

/// Reduces the `input` of all processes into `output` of the process at position 0, in the order of
/// the positions, along a binomial tree; there `input` may be `output`.
void reduce_by_binomial_tree(const Reduction& reduction, const void* input, void* output,
                             const Processes& processes);

}  // namespace mpiaudit
