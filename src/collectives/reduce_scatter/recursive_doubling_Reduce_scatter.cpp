// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include <algorithm>
#include <utility>

#include "collectives/allgather/local_copy.h"
#include "collectives/allgather/replicate.h"
#include "collectives/reduce_scatter/equal_counts.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// The exchange of one level: what each half of a subtree has reduced goes to the other half, all
/// but the blocks of the half that sends, which need the other half's operands and nothing more.
class Level {
  public:
    Level(int mask, const Processes& processes)
        : mask_{mask},
          tree_{processes.rank - processes.rank % (2 * mask)},
          upper_{std::min(mask, processes.size - tree_ - mask)},
          is_low_{processes.rank < tree_ + mask} {}

    bool has_two_halves() const { return upper_ > 0; }
    bool is_low() const { return is_low_; }

    void exchange(void* result, void* incoming, const Blocks& blocks,
                  const Processes& processes) const {
        const int middle = tree_ + mask_;
        const Message low = blocks.message(middle, processes.size - mask_);
        const Message high = blocks.message(middle + upper_, processes.size - upper_);
        const Message& sent = is_low_ ? low : high;
        const Message& received = is_low_ ? high : low;
        const int partner = processes.rank ^ mask_;
        if (partner < processes.size)
            messages::exchange(sent.in(result), sent.count, sent.type, partner, message_tag,
                               received.in(incoming), received.count, received.type, partner,
                               message_tag, processes.comm);
        if (is_low_) pass_on_in_lower_half(incoming, high, tree_, mask_, upper_, processes);
    }

    /// right := left op right in all blocks but those of the other half.
    void combine(const void* left, void* right, const Reduction& reduction,
                 const std::vector<int>& begins) const {
        const int skipped = is_low_ ? tree_ + mask_ : tree_;
        const int resumed = is_low_ ? skipped + upper_ : skipped + mask_;
        const int end = begins[static_cast<std::size_t>(skipped)];
        const int begin = begins[static_cast<std::size_t>(resumed)];
        reduction.combine(left, right, 0, end);
        reduction.combine(left, right, begin, reduction.count - begin);
    }

  private:
    int mask_;
    int tree_;
    int upper_;  ///< processes in the upper half
    bool is_low_;
};

}  // namespace

int recursive_doubling_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const std::vector<int> begins = consecutive_blocks(recvcounts, processes.size);
    const Blocks blocks = Blocks::irregular(recvcounts, begins.data(), datatype, processes.size);
    const Reduction reduction{begins.back(), datatype, op};
    const OperandBuffer own = reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
    const OperandBuffer received = reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
    void* result = own.get();
    void* incoming = received.get();
    local_copy(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, reduction.count, datatype, result,
               reduction.count, datatype, processes);
    for (int mask = 1; mask < processes.size; mask *= 2) {
        const Level level{mask, processes};
        if (!level.has_two_halves()) continue;
        level.exchange(result, incoming, blocks, processes);
        if (level.is_low()) {
            level.combine(result, incoming, reduction, begins);
            std::swap(result, incoming);
        } else {
            level.combine(incoming, result, reduction, begins);
        }
    }
    const int count = recvcounts[processes.rank];
    local_copy(blocks.at(processes.rank, result), count, datatype, recvbuf, count, datatype,
               processes);
    return MPI_SUCCESS;
}

int recursive_doubling_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return recursive_doubling_Reduce_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm).data(),
                                             datatype, op, comm);
}

}  // namespace mpiaudit
