// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduction.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "collectives/call/tags.h"
#include "collectives/datatypes/layout.h"
#include "messages/messages.h"

namespace mpiaudit {

OperandBuffer::OperandBuffer(int count, MPI_Datatype type) {
    const ByteRange elements = element_range(count, type);
    // The first byte of data keeps the alignment that it has relative to the element's origin.
    constexpr MPI_Aint alignment = alignof(std::max_align_t);
    const MPI_Aint misalignment = (elements.begin % alignment + alignment) % alignment;
    origin_bytes_ = elements.begin - misalignment;
    const MPI_Aint bytes = std::max<MPI_Aint>(elements.end - origin_bytes_, 1);
    memory_ = Scratch(static_cast<std::size_t>(bytes));
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

int reduce_in_order_of_ranks(ReduceToFirst* reduce, const void* sendbuf, void* recvbuf,
                             const Reduction& reduction, int root, MPI_Comm comm) {
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const Ranks ranks{comm, reduction.is_commutative ? root : 0};
    if (ranks.first == root) {
        reduce(reduction, input, recvbuf, ranks);
        return MPI_SUCCESS;
    }
    const OperandBuffer detour = ranks.rank == 0 ? reduction.buffer() : OperandBuffer{};
    reduce(reduction, input, detour.get(), ranks);
    const int count = reduction.count;
    if (ranks.rank == 0)
        messages::send(detour.get(), count, reduction.type, root, Tag::data, ranks.comm);
    if (ranks.rank == root)
        messages::receive(recvbuf, count, reduction.type, 0, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
