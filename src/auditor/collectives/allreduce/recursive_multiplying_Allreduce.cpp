// SPDX-License-Identifier: BSD-3-Clause
#include <utility>
#include <vector>

#include "collectives/allreduce/allreduce.h"
#include "collectives/allreduce/mixed_radix.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// One of the ranks that are left when ranks 0, 2, 4 ... have handed their operands to their right
/// neighbours, as many as are too many.
class Survivor {
  public:
    Survivor(const Reduction& reduction, const MixedRadix& system, void* result, const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          pairs_{ranks.size - system.survivors},
          number_{ranks.rank < 2 * pairs_ ? ranks.rank / 2 : ranks.rank - pairs_},
          result_{result} {
        int most = 1;
        for (const int radix : system.radices) most = std::max(most, radix);
        for (int i = 0; i < most; ++i)
            incoming_.push_back(memory_.emplace_back(reduction.buffer()).get());
    }

    void take_over() {
        messages::receive(incoming_.front(), reduction_.count, reduction_.type, ranks_.rank - 1,
                          Tag::data, ranks_.comm);
        reduction_.combine(incoming_.front(), result_);
    }

    /// All ranks of a group, `radix` of them with numbers `weight` apart, get the vectors of all.
    void exchange(int weight, int radix) {
        const int digit = number_ / weight % radix;
        const auto position = [&](int other) {
            return rank_of(number_ + (other - digit) * weight);
        };
        messages::Requests requests;
        for (int i = 1; i < radix; ++i) {
            const int other = (digit + radix - i) % radix;
            requests.start_receive(incoming_[static_cast<std::size_t>(other)], reduction_.count,
                                   reduction_.type, position(other), Tag::data, ranks_.comm);
        }
        for (int i = 1; i < radix; ++i)
            requests.start_send(result_, reduction_.count, reduction_.type,
                                position((digit + i) % radix), Tag::data, ranks_.comm);
        requests.wait_for_all();
        // In the order of the digits, from the last one on, where the result comes to lie.
        std::swap(incoming_[static_cast<std::size_t>(digit)], result_);
        void* const reduced = incoming_[static_cast<std::size_t>(radix - 1)];
        for (int other = radix - 2; other >= 0; --other)
            reduction_.combine(incoming_[static_cast<std::size_t>(other)], reduced);
        std::swap(incoming_[static_cast<std::size_t>(radix - 1)], result_);
    }

    void* result() const { return result_; }

  private:
    int rank_of(int number) const { return number < pairs_ ? 2 * number + 1 : number + pairs_; }

    const Reduction& reduction_;
    const Ranks& ranks_;
    int pairs_;
    int number_;
    void* result_;
    std::vector<OperandBuffer> memory_ = {};
    std::vector<void*> incoming_ = {};
};

}  // namespace

int recursive_multiplying_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const MixedRadix system{ranks.size};
    const bool is_paired = ranks.rank < 2 * (ranks.size - system.survivors);
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (is_paired && ranks.rank % 2 == 0) {
        messages::send(input, count, datatype, ranks.rank + 1, Tag::data, ranks.comm);
        messages::receive(recvbuf, count, datatype, ranks.rank + 1, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    if (input != recvbuf)
        copy_to_oneself(reduction.all_of(input), reduction.all_of(recvbuf), ranks);
    if (ranks.size == 1) return MPI_SUCCESS;
    Survivor survivor{reduction, system, recvbuf, ranks};
    if (is_paired) survivor.take_over();
    int weight = 1;
    for (const int radix : system.radices) {
        survivor.exchange(weight, radix);
        weight *= radix;
    }
    if (survivor.result() != recvbuf)
        copy_to_oneself(reduction.all_of(survivor.result()), reduction.all_of(recvbuf), ranks);
    if (is_paired) messages::send(recvbuf, count, datatype, ranks.rank - 1, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
