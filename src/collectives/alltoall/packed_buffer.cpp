// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/copying_bruck.h"

#include <algorithm>
#include <limits>

#include "collectives/datatypes/signature.h"
#include "messages/messages.h"

namespace mpiaudit {

bool fits_packed(int elements, int count, MPI_Datatype type) {
    return type_bytes(type) * count <= std::numeric_limits<int>::max() / std::max(elements, 1);
}

int PackedBuffer::reserve(int count, MPI_Datatype type) {
    int bytes = 0;
    MPI_Pack_size(count, type, private_comm_, &bytes);
    if (bytes > capacity_bytes_) {
        memory_ = Scratch(static_cast<std::size_t>(bytes));
        capacity_bytes_ = bytes;
    }
    return bytes;
}

void PackedBuffer::exchange(void* buffer, MPI_Datatype blocks, int to, int from) {
    const int bytes = reserve(1, blocks);
    messages::exchange(buffer, 1, blocks, to, alltoall_tag, memory_.get(), bytes, MPI_PACKED, from,
                       alltoall_tag, private_comm_);
    int position = 0;
    messages::unpack(memory_.get(), bytes, &position, buffer, 1, blocks, private_comm_);
}

void PackedBuffer::reverse(void* buffer, int elements, int shift, const AlltoallElement& element) {
    const int bytes = reserve(elements, element.type());
    int packed_bytes = 0;
    messages::pack(buffer, elements, element.type(), memory_.get(), bytes, &packed_bytes,
                   private_comm_);
    int position = 0;
    for (int j = 0; j < elements; ++j)
        messages::unpack(memory_.get(), packed_bytes, &position,
                         element.in(buffer, (shift - j + elements) % elements), 1, element.type(),
                         private_comm_);
}

}  // namespace mpiaudit
