// SPDX-License-Identifier: BSD-3-Clause
#include <utility>
#include <vector>

#include "collectives/allreduce/allreduce.h"
#include "collectives/patterns/fold.h"

namespace mpiaudit {
namespace {

/// The radices of a mixed system for so many ranks, the largest number up to `ranks` that has one.
struct MixedRadix {
    explicit MixedRadix(int ranks) : survivors{ranks} {
        while (!factorise()) --survivors;
    }
    int survivors;
    std::vector<int> radices = {};

  private:
    bool factorise() {
        radices.clear();
        int rest = survivors;
        for (const int radix : {4, 3, 2, 5, 7})
            for (; rest % radix == 0; rest /= radix) radices.push_back(radix);
        return rest == 1;
    }
};

/// One of the ranks that are left.
class Survivor {
  public:
    /// `incoming` is memory for a vector.
    Survivor(const Reduction& reduction, const MixedRadix& system, const Fold& fold, void* result,
             void* incoming, const Ranks& ranks)
        : reduction_{reduction}, ranks_{ranks}, fold_{fold}, result_{result}, incoming_{incoming} {
        for (const int radix : system.radices)
            while (static_cast<int>(incoming_.size()) < radix)
                incoming_.push_back(memory_.emplace_back(reduction.buffer()).get());
    }

    /// All ranks of a group, `radix` of them with numbers `weight` apart, get the vectors of all.
    void exchange(int weight, int radix) {
        const int digit = fold_.number / weight % radix;
        const auto rank_with = [&](int other) {
            return fold_.position(fold_.number + (other - digit) * weight);
        };
        const auto incoming = [&](int i) -> void*& {
            return incoming_[static_cast<std::size_t>(i)];
        };
        messages::Requests requests;
        for (int i = 1; i < radix; ++i) {
            const int other = (digit + radix - i) % radix;
            ranks_.start_receive(requests, reduction_.all_of(incoming(other)), rank_with(other));
        }
        for (int i = 1; i < radix; ++i)
            ranks_.start_send(requests, reduction_.all_of(result_), rank_with((digit + i) % radix));
        requests.wait_for_all();
        // In the order of the digits, from the last one on, where the result comes to lie.
        std::swap(incoming(digit), result_);
        for (int other = radix - 2; other >= 0; --other)
            reduction_.combine(incoming(other), incoming(radix - 1));
        std::swap(incoming(radix - 1), result_);
    }

    void* result() const { return result_; }

  private:
    const Reduction& reduction_;
    const Ranks& ranks_;
    const Fold& fold_;
    void* result_;
    std::vector<OperandBuffer> memory_ = {};
    std::vector<void*> incoming_;
};

}  // namespace

void allreduce_by_recursive_multiplying(const Reduction& reduction, const void* input, void* output,
                                        const Ranks& ranks) {
    const MixedRadix system{ranks.size};
    const Fold fold{ranks, system.survivors};
    allreduce_among(fold, reduction, input, output, ranks, [&](void* incoming) {
        Survivor survivor{reduction, system, fold, output, incoming, ranks};
        int weight = 1;
        for (const int radix : system.radices) {
            survivor.exchange(weight, radix);
            weight *= radix;
        }
        if (survivor.result() != output) reduction.copy(survivor.result(), output, ranks);
    });
}

}  // namespace mpiaudit
