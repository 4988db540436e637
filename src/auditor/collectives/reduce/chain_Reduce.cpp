// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "collectives/call/blocks.h"
#include "collectives/call/copy.h"
#include "collectives/call/segments.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// A rank at a position of the chain that ends at position 0: the operands of all that are behind
/// it come to its right.
class Link {
  public:
    Link(const Reduction& reduction, const void* input, const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          n_{pipeline_segments(Blocks::split(input, reduction.count, reduction.type, 1).bytes(0),
                               reduction.count, std::max(ranks.size - 2, 0))},
          own_{Blocks::split(input, reduction.count, reduction.type, n_)} {
        if (ranks.position + 1 < ranks.size)
            for (OperandBuffer& each : incoming_)
                each = OperandBuffer{own_.count(0), reduction.type};
    }

    /// The end of the chain; `output` may be the input.
    void receive_all(void* output) {
        if (ranks_.size == 1)
            return copy_to_oneself(own_.message(0, n_), own_.in(output).message(0, n_), ranks_);
        for (int segment = 0; segment < n_; ++segment) {
            messages::receive(at(segment), own_.count(segment), own_.type(), ranks_.shifted(1),
                              Tag::data, ranks_.comm);
            take_in(segment);
            copy_to_oneself({at(segment), own_.count(segment), own_.type()},
                            own_.in(output).message(segment), ranks_);
        }
    }
    /// Its begin.
    void send_all() {
        for (int segment = 0; segment < n_; ++segment) send(own_.at(segment), segment);
    }
    /// All others.
    void pass_on() {
        const int behind = ranks_.shifted(1);
        messages::receive(at(0), own_.count(0), own_.type(), behind, Tag::data, ranks_.comm);
        take_in(0);
        for (int segment = 1; segment < n_; ++segment) {
            messages::exchange(at(segment - 1), own_.count(segment - 1), own_.type(),
                               ranks_.shifted(-1), Tag::data, at(segment), own_.count(segment),
                               own_.type(), behind, Tag::data, ranks_.comm);
            take_in(segment);
        }
        send(at(n_ - 1), n_ - 1);
    }

  private:
    void* at(int segment) const { return incoming_[static_cast<std::size_t>(segment % 2)].get(); }
    void take_in(int segment) const {
        reduction_.combine(own_.at(segment), {at(segment), own_.count(segment), own_.type()});
    }
    void send(const void* data, int segment) const {
        messages::send(data, own_.count(segment), own_.type(), ranks_.shifted(-1), Tag::data,
                       ranks_.comm);
    }

    const Reduction& reduction_;
    const Ranks& ranks_;
    int n_;
    Blocks own_;
    std::array<OperandBuffer, 2> incoming_;  ///< one for what comes, one for what is sent
};

void reduce_along_chain(const Reduction& reduction, const void* input, void* output,
                        const Ranks& ranks) {
    Link link{reduction, input, ranks};
    if (ranks.position == 0)
        link.receive_all(output);
    else if (ranks.position + 1 == ranks.size)
        link.send_all();
    else
        link.pass_on();
}

}  // namespace

int chain_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm) {
    return reduce_in_order_of_ranks(reduce_along_chain, sendbuf, recvbuf, {count, datatype, op},
                                    root, comm);
}

}  // namespace mpiaudit
