// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduction.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "messages/messages.h"

namespace mpiaudit {

OperandBuffer::OperandBuffer(int count, MPI_Datatype type, const void* operands) {
    MPI_Aint bound = 0;
    MPI_Aint extent_bytes = 0;
    MPI_Aint true_bytes = 0;
    MPI_Type_get_extent(type, &bound, &extent_bytes);
    MPI_Type_get_true_extent(type, &bound, &true_bytes);
    const MPI_Aint stretch_bytes = std::max(count - 1, 0) * extent_bytes;
    const MPI_Aint lowest = bound + std::min<MPI_Aint>(stretch_bytes, 0);
    // The first byte of data keeps the alignment that it has relative to the element's origin.
    constexpr MPI_Aint alignment = alignof(std::max_align_t);
    const MPI_Aint misalignment = (lowest % alignment + alignment) % alignment;
    origin_bytes_ = lowest - misalignment;
    const MPI_Aint bytes =
        count > 0 ? misalignment + true_bytes + std::abs(stretch_bytes) : MPI_Aint{1};
    memory_ = Scratch(static_cast<std::size_t>(bytes), operands);
}

Reduction::Reduction(int operand_count, MPI_Datatype operand_type, MPI_Op operation)
    : count{operand_count}, type{operand_type}, op{operation} {
    MPI_Aint lower_bound = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent_bytes_);
    int commutes = 0;
    MPI_Op_commutative(op, &commutes);
    is_commutative = commutes != 0;
}

void Reduction::combine(const void* left, void* right, int first, int n) const {
    messages::reduce_local(at(left, first), at(right, first), n, type, op);
}

void Reduction::append(void*& result, void*& incoming) const {
    if (is_commutative) {
        combine(incoming, result);
        return;
    }
    combine(result, incoming);
    std::swap(result, incoming);
}

bool is_predefined(MPI_Op op) {
    const std::array ops{MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                         MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    return std::find(ops.begin(), ops.end(), op) != ops.end();
}

}  // namespace mpiaudit
