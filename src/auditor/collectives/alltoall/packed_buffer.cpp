// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/copying_bruck.h"

#include <algorithm>
#include <limits>

#include "collectives/call/tags.h"
#include "collectives/datatypes/layout.h"
#include "messages/messages.h"

namespace mpiaudit {

bool fits_packed(int elements, int count, MPI_Datatype type) {
    return type_bytes(type) * count <= std::numeric_limits<int>::max() / std::max(elements, 1);
}

int PackedBuffer::reserve(int count, MPI_Datatype type) {
    int bytes = 0;
    MPI_Pack_size(count, type, ranks_.comm, &bytes);
    if (bytes > capacity_bytes_) {
        memory_ = Scratch(static_cast<std::size_t>(bytes));
        capacity_bytes_ = bytes;
    }
    return bytes;
}

void PackedBuffer::exchange(void* buffer, MPI_Datatype blocks, int to, int from) {
    const int bytes = reserve(1, blocks);
    messages::exchange(buffer, 1, blocks, to, Tag::data, memory_.get(), bytes, MPI_PACKED, from,
                       Tag::data, ranks_.comm);
    int position = 0;
    messages::unpack(memory_.get(), bytes, &position, buffer, 1, blocks, ranks_.comm);
}

void PackedBuffer::reverse(void* buffer, const AlltoallElement& element) {
    const int elements = ranks_.size;
    const int bytes = reserve(elements, element.type());
    int packed_bytes = 0;
    messages::pack(buffer, elements, element.type(), memory_.get(), bytes, &packed_bytes,
                   ranks_.comm);
    int position = 0;
    for (int j = 0; j < elements; ++j)
        messages::unpack(memory_.get(), packed_bytes, &position,
                         element.in(buffer, ranks_.shifted(-j)).address, 1, element.type(),
                         ranks_.comm);
}

}  // namespace mpiaudit
