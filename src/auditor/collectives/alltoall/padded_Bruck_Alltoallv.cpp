// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall/irregular_bruck.h"
#include "collectives/call/copy.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// Slots of equal length, one for each rank, at whose beginning is a packed block.
class Slots {
  public:
    Slots(int slot_bytes, const Ranks& ranks)
        : slot_bytes_{slot_bytes},
          ranks_{ranks},
          memory_{static_cast<std::size_t>(slot_bytes) * static_cast<std::size_t>(ranks.size)} {}

    void pack(const Blocks& blocks) {
        for (int i = 0; i < ranks_.size; ++i) {
            int position = 0;
            mpiaudit::pack(blocks.message(i), at(i), position, ranks_);
        }
    }

    void unpack(const Blocks& blocks) {
        for (int i = 0; i < ranks_.size; ++i) {
            int position = 0;
            mpiaudit::unpack(at(i), position, blocks.message(i), ranks_);
        }
    }

    void* start() { return memory_.get(); }

  private:
    std::span<std::byte> at(int i) {
        return {memory_.get() + static_cast<std::ptrdiff_t>(i) * slot_bytes_,
                static_cast<std::size_t>(slot_bytes_)};
    }

    int slot_bytes_;
    const Ranks& ranks_;
    Scratch memory_;
};

}  // namespace

int padded_Bruck_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(padded_Bruck_Alltoallv, recvbuf, recvcounts, rdispls, recvtype,
                                 comm);
    const Ranks ranks{comm};
    const Blocks send = Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size);
    const std::int64_t slot_bytes = largest_block_bytes(send, ranks);
    if (slot_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;
    if (slot_bytes == 0) return MPI_SUCCESS;
    const int bytes = static_cast<int>(slot_bytes);
    Slots outgoing{bytes, ranks}, incoming{bytes, ranks};
    outgoing.pack(send);
    const int code = modBruck_Alltoall(outgoing.start(), bytes, MPI_PACKED, incoming.start(), bytes,
                                       MPI_PACKED, comm);
    if (code == MPI_SUCCESS)
        incoming.unpack(Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size));
    return code;
}

}  // namespace mpiaudit
