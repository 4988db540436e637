// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include <algorithm>
#include <utility>

#include "collectives/allgather/replicate.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// The exchange of one level: what each half of a subtree has reduced goes to the other half, all
/// but the blocks of the half that sends, which need the other half's operands and nothing more.
class Level {
  public:
    Level(int mask, const Ranks& ranks)
        : mask_{mask},
          tree_{ranks.rank - ranks.rank % (2 * mask)},
          upper_{std::min(mask, ranks.size - tree_ - mask)},
          is_low_{ranks.rank < tree_ + mask} {}

    bool has_two_halves() const { return upper_ > 0; }
    bool is_low() const { return is_low_; }

    void exchange(const Blocks& result, const Blocks& incoming, const Ranks& ranks) const {
        const TypedBuffer sent = sent_by(is_low_, result);
        const TypedBuffer received = sent_by(!is_low_, incoming);
        const int partner = ranks.rank ^ mask_;
        if (partner < ranks.size)
            messages::exchange(sent.address, sent.count, sent.type, partner, Tag::data,
                               received.address, received.count, received.type, partner, Tag::data,
                               ranks.comm);
        if (is_low_) pass_on_in_lower_half(received, tree_, mask_, upper_, ranks);
    }

    /// right := left op right in all blocks but those of the other half.
    void combine(const Blocks& left, const Blocks& right, const Reduction& reduction) const {
        const int skipped = is_low_ ? tree_ + mask_ : tree_;
        const int resumed = skipped + (is_low_ ? upper_ : mask_);
        reduction.combine(left.at(0), right.message(0, skipped));
        reduction.combine(left.at(resumed), right.message(resumed, right.size() - resumed));
    }

  private:
    TypedBuffer sent_by(bool is_low, const Blocks& blocks) const {
        const int middle = tree_ + mask_;
        return is_low ? blocks.message(middle, blocks.size() - mask_)
                      : blocks.message(middle + upper_, blocks.size() - upper_);
    }

    int mask_;
    int tree_;
    int upper_;  ///< ranks in the upper half
    bool is_low_;
};

}  // namespace

int reduce_scatter_by_recursive_doubling(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                         const Ranks& ranks) {
    if (!fits_reduce_local(blocks)) return MPI_ERR_COUNT;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const Reduction reduction{input.count, input.type, op};
    const OperandBuffer own = reduction.buffer();
    const OperandBuffer received = reduction.buffer();
    Blocks result = blocks.in(own.get());
    Blocks incoming = blocks.in(received.get());
    copy_to_oneself(input, reduction.all_of(own.get()), ranks);
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        const Level level{mask, ranks};
        if (!level.has_two_halves()) continue;
        level.exchange(result, incoming, ranks);
        if (level.is_low()) {
            level.combine(result, incoming, reduction);
            std::swap(result, incoming);
        } else {
            level.combine(incoming, result, reduction);
        }
    }
    copy_to_oneself(result.message(ranks.rank), {recvbuf, blocks.count(ranks.rank), blocks.type()},
                    ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
