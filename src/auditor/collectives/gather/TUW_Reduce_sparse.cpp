// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "collectives/call/address.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/datatypes/layout.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/gather.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Consecutive elements that are not neutral.
struct Stretch {
    std::int32_t first;
    std::int32_t count;
};

/// Sparse vectors of one reduction, and the messages that they are in: the number of stretches,
/// where they are, and their elements packed.
class SparseVectors {
  public:
    SparseVectors(const Reduction& reduction, const void* neutral, const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          element_bytes_{static_cast<std::size_t>(type_bytes(reduction.type))},
          extent_{type_extent(reduction.type)},
          neutral_(element_bytes_) {
        pack(neutral, 1, neutral_.data());
    }

    std::vector<Stretch> stretches(const void* vector) const {
        std::vector<std::byte> packed(element_bytes_ * static_cast<std::size_t>(reduction_.count));
        pack(vector, reduction_.count, packed.data());
        std::vector<Stretch> found;
        for (int i = 0; i < reduction_.count; ++i) {
            const std::byte* element = &packed[static_cast<std::size_t>(i) * element_bytes_];
            if (std::memcmp(element, neutral_.data(), element_bytes_) == 0) continue;
            if (found.empty() || found.back().first + found.back().count < i)
                found.push_back({i, 0});
            ++found.back().count;
        }
        return found;
    }

    /// Of the message with them; none is sent where there are none.
    std::int64_t bytes(const std::vector<Stretch>& stretches) const {
        std::int64_t elements = 0;
        for (const Stretch& each : stretches) elements += each.count;
        return stretches.empty() ? 0 : bytes(std::ssize(stretches), elements);
    }

    /// The longest message of a subtree in which all contributions together have so many bytes.
    std::int64_t most_bytes(std::int64_t amount) const {
        return std::min(amount, bytes((reduction_.count + 1) / 2, reduction_.count));
    }

    void send(const void* vector, int to) const {
        const std::vector<Stretch> all = stretches(vector);
        const auto number = std::ssize(all);
        // Partial results may all have become neutral, and the receiver waits.
        std::vector<std::byte> message(
            static_cast<std::size_t>(std::max(bytes(all), std::int64_t{sizeof number})));
        std::memcpy(message.data(), &number, sizeof number);
        std::memcpy(&message[sizeof number], all.data(), all.size() * sizeof(Stretch));
        std::byte* place = message.data() + sizeof number + all.size() * sizeof(Stretch);
        for (const Stretch& each : all) {
            pack(at(vector, each), each.count, place);
            place += static_cast<std::size_t>(each.count) * element_bytes_;
        }
        messages::send(message.data(), static_cast<int>(message.size()), MPI_PACKED, to, Tag::data,
                       ranks_.comm);
    }

    /// Puts the stretches into their places in `vector` and returns them.
    std::vector<Stretch> receive(void* vector, const Subtree& from) const {
        std::vector<std::byte> message(static_cast<std::size_t>(most_bytes(from.amount)));
        messages::receive_packed(message.data(), static_cast<int>(message.size()), from.root,
                                 Tag::data, ranks_.comm);
        std::ptrdiff_t number = 0;
        std::memcpy(&number, message.data(), sizeof number);
        std::vector<Stretch> all(static_cast<std::size_t>(number));
        std::memcpy(all.data(), &message[sizeof number], all.size() * sizeof(Stretch));
        auto position = static_cast<int>(sizeof number + all.size() * sizeof(Stretch));
        for (const Stretch& each : all)
            messages::unpack(message.data(), static_cast<int>(message.size()), &position,
                             at(vector, each), each.count, reduction_.type, ranks_.comm);
        return all;
    }

    void* at(const void* vector, const Stretch& stretch) const {
        return displaced(const_cast<void*>(vector), stretch.first * extent_);
    }
    TypedBuffer part(const void* vector, const Stretch& stretch) const {
        return {at(vector, stretch), stretch.count, reduction_.type};
    }

  private:
    std::int64_t bytes(std::int64_t number, std::int64_t elements) const {
        return static_cast<std::int64_t>(sizeof number) +
               number * static_cast<std::int64_t>(sizeof(Stretch)) +
               elements * static_cast<std::int64_t>(element_bytes_);
    }
    void pack(const void* data, int count, std::byte* packed) const {
        int position = 0;
        messages::pack(data, count, reduction_.type, packed,
                       static_cast<int>(element_bytes_) * count, &position, ranks_.comm);
    }

    const Reduction& reduction_;
    const Ranks& ranks_;
    std::size_t element_bytes_;
    MPI_Aint extent_;
    std::vector<std::byte> neutral_;
};

/// Combines what the children send, each on the side of its ranks, with `value`, in place.
void combine_children(const Reduction& reduction, const SparseVectors& vectors,
                      const GatherNode& node, void* value, const Ranks& ranks) {
    const OperandBuffer arrived = reduction.buffer();
    for (const Subtree& child : node.children) {
        if (child.amount == 0) continue;
        for (const Stretch& each : vectors.receive(arrived.get(), child)) {
            const TypedBuffer theirs = vectors.part(arrived.get(), each);
            const TypedBuffer ours = vectors.part(value, each);
            if (child.first < ranks.rank) {
                reduction.combine(theirs.address, ours);
            } else {
                reduction.combine(ours.address, theirs);
                copy_to_oneself(theirs, ours, ranks);
            }
        }
    }
}

}  // namespace

int TUW_Reduce_sparse(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, int root, MPI_Comm comm, const void* neutral) {
    if (count == 0) return MPI_SUCCESS;
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const SparseVectors vectors{reduction, neutral, ranks};
    const bool is_root = ranks.rank == root;
    const void* own = is_root && sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const GatherNode node =
        distributed_ordered_tree(vectors.bytes(vectors.stretches(own)), root, ranks).node;
    const bool has_data_of_others =
        std::ranges::any_of(node.children, [](const Subtree& child) { return child.amount > 0; });
    if (!is_root && !has_data_of_others) {
        if (node.own.amount > 0) vectors.send(own, node.parent);
        return MPI_SUCCESS;
    }
    const OperandBuffer partial = is_root ? OperandBuffer{} : reduction.buffer();
    void* value = is_root ? recvbuf : partial.get();
    if (value != own) copy_to_oneself(reduction.all_of(own), reduction.all_of(value), ranks);
    combine_children(reduction, vectors, node, value, ranks);
    if (!is_root) vectors.send(value, node.parent);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
