// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {
namespace {

/// A prefix reduction on nodes, to which what all nodes before have contributed is added.
class PrefixOnNodes {
  public:
    PrefixOnNodes(const Parts& parts, const void* sendbuf, void* recvbuf,
                  const Reduction& reduction, MPI_Comm comm)
        : parts_{parts},
          at_{node_communicators(comm)},
          sendbuf_{sendbuf},
          recvbuf_{recvbuf},
          input_{sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf},
          reduction_{reduction},
          ranks_{comm},
          before_{at_.node_number > 0 ? reduction.count : 0, reduction.type} {}

    void find_by_lanes() {
        const auto& [count, type, op, is_commutative] = reduction_;
        const Shares shares{count, type, at_};
        const OperandBuffer share{shares.own_count(), type}, prefix{shares.own_count(), type};
        parts_.reduce_scatter(input_, share.get(), shares.counts(), type, op, at_.node);
        parts_.exscan(share.get(), prefix.get(), shares.own_count(), type, op, at_.lane);
        if (has_nodes_before())
            parts_.allgatherv(prefix.get(), shares.own_count(), type, before_.get(),
                              shares.counts(), shares.displacements(), type, at_.node);
    }

    void find_by_leaders() {
        const auto& [count, type, op, is_commutative] = reduction_;
        const bool is_leader = at_.place == 0;
        const OperandBuffer of_node{is_leader ? count : 0, type};
        parts_.reduce(input_, is_leader ? of_node.get() : nullptr, count, type, op, 0, at_.node);
        if (is_leader) parts_.exscan(of_node.get(), before_.get(), count, type, op, at_.lane);
        if (has_nodes_before()) parts_.bcast(before_.get(), count, type, 0, at_.node);
    }

    void scan() const {
        parts_.scan(sendbuf_, recvbuf_, reduction_.count, reduction_.type, reduction_.op, at_.node);
        if (has_nodes_before()) reduction_.combine(before_.get(), recvbuf_);
    }

    void exscan() const {
        parts_.exscan(sendbuf_, recvbuf_, reduction_.count, reduction_.type, reduction_.op,
                      at_.node);
        if (!has_nodes_before()) return;
        if (at_.place == 0)
            reduction_.copy(before_.get(), recvbuf_, ranks_);
        else
            reduction_.combine(before_.get(), recvbuf_);
    }

  private:
    bool has_nodes_before() const { return at_.node_number > 0; }

    const Parts& parts_;
    const NodeCommunicators& at_;
    const void* sendbuf_;
    void* recvbuf_;
    const void* input_;
    const Reduction& reduction_;
    Ranks ranks_;
    OperandBuffer before_;  ///< the reduction over all nodes before this one
};

int prefix(void (PrefixOnNodes::*find)(), void (PrefixOnNodes::*add)() const, const Parts& parts,
           const void* sendbuf, void* recvbuf, const Reduction& reduction, MPI_Comm comm) {
    PrefixOnNodes on_nodes{parts, sendbuf, recvbuf, reduction, comm};
    (on_nodes.*find)();
    (on_nodes.*add)();
    return MPI_SUCCESS;
}

}  // namespace

int scan_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                  MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return prefix(&PrefixOnNodes::find_by_lanes, &PrefixOnNodes::scan, parts, sendbuf, recvbuf,
                  Reduction{count, type, op}, comm);
}

int scan_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return prefix(&PrefixOnNodes::find_by_leaders, &PrefixOnNodes::scan, parts, sendbuf, recvbuf,
                  Reduction{count, type, op}, comm);
}

int exscan_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return prefix(&PrefixOnNodes::find_by_lanes, &PrefixOnNodes::exscan, parts, sendbuf, recvbuf,
                  Reduction{count, type, op}, comm);
}

int exscan_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return prefix(&PrefixOnNodes::find_by_leaders, &PrefixOnNodes::exscan, parts, sendbuf, recvbuf,
                  Reduction{count, type, op}, comm);
}

}  // namespace mpiaudit
