// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "collectives/scan/scan.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// A rank's reduction over the ranks before it, of which it has the nearest `width` so far, or all.
class GrowingPrefix {
  public:
    GrowingPrefix(const Reduction& reduction, const void* sendbuf, void* recvbuf,
                  const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          prefix_{recvbuf},
          operands_{sendbuf},
          incoming_{reduction.buffer()},
          message_{reduction.buffer()} {
        if (sendbuf != MPI_IN_PLACE) return;
        // The prefix goes to where the operands are; rank 0 gets none.
        own_ = ranks.rank > 0 ? reduction.buffer() : OperandBuffer{};
        operands_ = ranks.rank > 0 ? own_.get() : recvbuf;
        if (ranks.rank > 0)
            copy_to_oneself(reduction.all_of(recvbuf), reduction.all_of(own_.get()), ranks);
    }
    int width() const { return width_; }

    /// Passes on what this rank has with its own operands: `width` becomes 2 width + 1.
    void widen() {
        const int skip = width_ + 1;
        const bool sends = ranks_.rank + skip < ranks_.size;
        const void* sent = operands_;
        if (sends && ranks_.rank > 0 && width_ > 0) {
            copy_to_oneself(reduction_.all_of(operands_), reduction_.all_of(message_.get()),
                            ranks_);
            reduction_.combine(prefix_, message_.get());
            sent = message_.get();
        }
        pass_on(skip, sent, sends, ranks_.rank >= skip);
        width_ += skip;
    }
    /// The same without its operands, which rank 0 has alone: `width` becomes 2 width.
    void double_up() {
        const bool sends = ranks_.rank + width_ < ranks_.size && ranks_.rank > 0;
        pass_on(width_, prefix_, sends, ranks_.rank > width_);
        width_ *= 2;
    }

  private:
    void pass_on(int skip, const void* sent, bool sends, bool receives) {
        const int count = reduction_.count;
        const MPI_Datatype type = reduction_.type;
        void* received = width_ > 0 ? incoming_.get() : prefix_;
        const int receiver = ranks_.rank + skip;
        const int sender = ranks_.rank - skip;
        if (sends && receives)
            messages::exchange(sent, count, type, receiver, Tag::data, received, count, type,
                               sender, Tag::data, ranks_.comm);
        else if (sends)
            messages::send(sent, count, type, receiver, Tag::data, ranks_.comm);
        else if (receives)
            messages::receive(received, count, type, sender, Tag::data, ranks_.comm);
        if (receives && width_ > 0) reduction_.combine(incoming_.get(), prefix_);
    }

    const Reduction& reduction_;
    const Ranks& ranks_;
    void* prefix_;
    const void* operands_;
    OperandBuffer own_, incoming_, message_;
    int width_ = 0;
};

}  // namespace

int doubling_123_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    GrowingPrefix prefix{reduction, sendbuf, recvbuf, ranks};
    for (int round = 0; prefix.width() < ranks.size - 1; ++round) {
        if (round < 2)
            prefix.widen();
        else
            prefix.double_up();
    }
    return MPI_SUCCESS;
}

int bits_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    GrowingPrefix prefix{reduction, sendbuf, recvbuf, ranks};
    const int others = ranks.size - 1;
    int bit = 1;
    while (bit <= others / 2) bit *= 2;
    for (; bit > 0 && others > 0; bit /= 2) {
        if ((others & bit) != 0)
            prefix.widen();
        else
            prefix.double_up();
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
