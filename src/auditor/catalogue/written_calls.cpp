// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/written_calls.h"

namespace mpiaudit::written {

Variables::Variables(const Instance& instance, const Place& from, const Place& result)
    : comm{instance.comm},
      rank{instance.rank()},
      p{instance.problem().ranks()},
      root{instance.root()},
      sendbuf{from.data},
      recvbuf{result.data},
      buffer{instance.is_root() ? from.data : result.data},
      own_block_in_recvbuf{result.data},
      op{MPI_OP_NULL} {
    const bool is_reduction = from.layout.holding == Holding::contributed;
    const Place& vector = is_reduction ? from : result;
    const Place& known = from.counts.empty() ? result : from;
    if (is_reduction) op = instance.op();
    type = known.type;
    extent = known.extent;
    elements = vector.span();
    const Place& own = result.layout.holding == Holding::scattered ? result : from;
    count = own.counts.empty() ? 0 : own.counts.front();
    bytes = static_cast<std::size_t>(elements) * extent;
    block_bytes = static_cast<std::size_t>(count) * extent;
    if (result.counts.size() == static_cast<std::size_t>(p))
        own_block_in_recvbuf = result.block(static_cast<std::size_t>(rank));
    counts = vector.counts.data();
    displs = vector.displacements.data();
    sendcounts = from.counts.data();
    sdispls = from.displacements.data();
    recvcounts = result.counts.data();
    rdispls = result.displacements.data();
}

void Variables::allocate(const Instance& instance, std::size_t size) {
    if (size == none) return;
    memory_ = instance.scratch(size);
    tmp = memory_.get();
}

void Variables::make_root_lists() {
    lists_ = std::make_shared<std::vector<int>>(2 * static_cast<std::size_t>(p));
    (*lists_)[static_cast<std::size_t>(root)] = elements;
    root_counts = lists_->data();
    root_displs = root_counts + p;
}

void Variables::make_received_lists() {
    lists_ = std::make_shared<std::vector<int>>(static_cast<std::size_t>(p), count);
    for (int k = 0; k < p; ++k) lists_->push_back(narrow(Count{k} * count));
    recvcounts = lists_->data();
    rdispls = recvcounts + p;
}

void Variables::make_requests() {
    own_requests_ = std::make_shared<std::vector<MPI_Request>>(static_cast<std::size_t>(p));
    requests = own_requests_->data();
}

}  // namespace mpiaudit::written
