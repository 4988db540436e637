// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/call/blocks.h"
#include "collectives/call/integers.h"
#include "collectives/patterns/reduction.h"

namespace mpiaudit {
namespace {

/// A rank's growing reduction over the `width` ranks before it, or all if there are fewer.
class GrowingPrefix {
  public:
    /// The prefix grows in `output`, which may be `input`.
    GrowingPrefix(const Reduction& reduction, const void* input, void* output, const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          prefix_{output},
          operands_{input},
          incoming_{reduction.buffer()},
          message_{reduction.buffer()} {
        if (input != output) return;
        // The prefix overwrites the operands, so they are copied; rank 0 gets no prefix.
        own_ = ranks.rank > 0 ? reduction.buffer() : OperandBuffer{};
        operands_ = ranks.rank > 0 ? own_.get() : input;
        if (ranks.rank > 0) reduction.copy(input, own_.get(), ranks);
    }
    int width() const { return width_; }

    /// Sends the prefix combined with this rank's operands; `width` becomes 2 width + 1.
    void widen() {
        const int skip = width_ + 1;
        const bool sends = ranks_.rank + skip < ranks_.size;
        const void* sent = operands_;
        if (sends && ranks_.rank > 0 && width_ > 0) {
            reduction_.copy(operands_, message_.get(), ranks_);
            reduction_.combine(prefix_, message_.get());
            sent = message_.get();
        }
        pass_on(skip, sent, sends, ranks_.rank >= skip);
        width_ += skip;
    }
    /// Sends the prefix alone; rank 0 has none and sends nothing. `width` becomes 2 width.
    void double_up() {
        const bool sends = ranks_.rank + width_ < ranks_.size && ranks_.rank > 0;
        pass_on(width_, prefix_, sends, ranks_.rank > width_);
        width_ *= 2;
    }

  private:
    void pass_on(int skip, const void* sent, bool sends, bool receives) {
        void* received = width_ > 0 ? incoming_.get() : prefix_;
        ranks_.exchange(reduction_.all_of(sent), sends ? ranks_.rank + skip : MPI_PROC_NULL,
                        reduction_.all_of(received), receives ? ranks_.rank - skip : MPI_PROC_NULL);
        if (receives && width_ > 0) reduction_.combine(incoming_.get(), prefix_);
    }

    const Reduction& reduction_;
    const Ranks& ranks_;
    void* prefix_;
    const void* operands_;
    OperandBuffer own_, incoming_, message_;
    int width_ = 0;
};

/// Computes a scan or exscan by recursive doubling. If p is not a power of 2, a rank skips a
/// missing partner. The reduction over the rank's subtree then lacks operands, but no rank reads
/// this reduction.
void find_prefix_by_recursive_doubling(bool is_inclusive, const Reduction& reduction,
                                       const void* input, void* output, const Ranks& ranks) {
    const OperandBuffer own = reduction.buffer();
    const OperandBuffer received = reduction.buffer();
    void* subtree = own.get();
    void* incoming = received.get();
    reduction.copy(input, subtree, ranks);
    if (is_inclusive && input != output) reduction.copy(input, output, ranks);
    bool has_prefix = is_inclusive;
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        const int partner = ranks.rank ^ mask;
        if (partner >= ranks.size) continue;
        ranks.exchange(reduction.all_of(subtree), partner, reduction.all_of(incoming), partner);
        if (partner > ranks.rank) {
            reduction.append(subtree, incoming);
            continue;
        }
        if (has_prefix)
            reduction.combine(incoming, output);
        else
            reduction.copy(incoming, output, ranks);
        has_prefix = true;
        reduction.combine(incoming, subtree);
    }
}

}  // namespace

void exscan_by_doubling_123(const Reduction& reduction, const void* input, void* output,
                            const Ranks& ranks) {
    GrowingPrefix prefix{reduction, input, output, ranks};
    for (int round = 0; prefix.width() < ranks.size - 1; ++round) {
        if (round < 2)
            prefix.widen();
        else
            prefix.double_up();
    }
}

void exscan_by_binary_expansion(const Reduction& reduction, const void* input, void* output,
                                const Ranks& ranks) {
    GrowingPrefix prefix{reduction, input, output, ranks};
    const int others = ranks.size - 1;
    if (others == 0) return;
    for (int bit = power_of_two_below(others); bit > 0; bit /= 2) {
        if ((others & bit) != 0)
            prefix.widen();
        else
            prefix.double_up();
    }
}

void scan_by_recursive_doubling(const Reduction& reduction, const void* input, void* output,
                                const Ranks& ranks) {
    find_prefix_by_recursive_doubling(true, reduction, input, output, ranks);
}

void exscan_by_recursive_doubling(const Reduction& reduction, const void* input, void* output,
                                  const Ranks& ranks) {
    find_prefix_by_recursive_doubling(false, reduction, input, output, ranks);
}

void scan_along_chain(const Reduction& reduction, const void* input, void* output,
                      const Ranks& ranks) {
    const int rank = ranks.rank;
    reduction.move(input, output, ranks);
    if (rank > 0) {
        const OperandBuffer prefix = reduction.buffer();
        ranks.receive(reduction.all_of(prefix.get()), rank - 1);
        reduction.combine(prefix.get(), output);
    }
    if (rank + 1 < ranks.size) ranks.send(reduction.all_of(output), rank + 1);
}

void exscan_along_chain(const Reduction& reduction, const void* input, void* output,
                        const Ranks& ranks) {
    const int rank = ranks.rank;
    const bool is_last = rank + 1 == ranks.size;
    if (rank == 0) {
        if (!is_last) ranks.send(reduction.all_of(input), 1);
        return;
    }
    const OperandBuffer next = is_last ? OperandBuffer{} : reduction.buffer();
    if (!is_last) reduction.copy(input, next.get(), ranks);
    ranks.receive(reduction.all_of(output), rank - 1);
    if (is_last) return;
    reduction.combine(output, next.get());
    ranks.send(reduction.all_of(next.get()), rank + 1);
}

}  // namespace mpiaudit
