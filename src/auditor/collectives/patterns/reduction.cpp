// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/reduction.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace mpiaudit {

OperandBuffer::OperandBuffer(int count, MPI_Datatype type, const void* near) {
    const ByteRange elements = element_range(count, type);
    // Keeps the alignment of the first byte of data relative to the element's origin.
    constexpr MPI_Aint alignment = alignof(std::max_align_t);
    const MPI_Aint misalignment = (elements.begin % alignment + alignment) % alignment;
    origin_bytes_ = elements.begin - misalignment;
    const MPI_Aint bytes = std::max<MPI_Aint>(elements.end - origin_bytes_, 1);
    memory_ = Scratch(static_cast<std::size_t>(bytes), near);
}

Reduction::Reduction(int operand_count, MPI_Datatype operand_type, MPI_Op operation)
    : count{operand_count}, type{operand_type}, op{operation} {
    int commutes = 0;
    MPI_Op_commutative(op, &commutes);
    is_commutative = commutes != 0;
}

void Reduction::combine(const void* left, const TypedBuffer& right) const {
    messages::reduce_local(left, right.address, right.count, right.type, op);
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

int reduction_by(VectorReduction algorithm, const void* sendbuf, void* recvbuf, int count,
                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    algorithm({count, datatype, op}, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvbuf,
              Ranks{comm});
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
