// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/nodes/nodes.h.
#include "collectives/nodes/nodes.h"
#include "collectives/nodes/shares.h"

namespace mpiaudit {

int bcast_by_lanes(const Parts& parts, void* buffer, int count, MPI_Datatype type, int root,
                   MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Shares shares{count, type, at};
    const int first = at.node_of(root);
    const bool is_root = at.node_number == first && at.place == at.place_of(root);
    void* own = shares.own(buffer);
    if (at.node_number == first)
        parts.scatterv(buffer, shares.counts(), shares.displacements(), type,
                       is_root ? MPI_IN_PLACE : own, shares.own_count(), type, at.place_of(root),
                       at.node);
    parts.bcast(own, shares.own_count(), type, first, at.lane);
    return parts.allgatherv(MPI_IN_PLACE, 0, type, buffer, shares.counts(), shares.displacements(),
                            type, at.node);
}

int bcast_by_leaders(const Parts& parts, void* buffer, int count, MPI_Datatype type, int root,
                     MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const int leader = at.place_of(root);
    if (at.place == leader) parts.bcast(buffer, count, type, at.node_of(root), at.lane);
    return parts.bcast(buffer, count, type, leader, at.node);
}

int barrier_by_lanes(const Parts& parts, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    parts.barrier(at.node);
    return parts.barrier(at.lane);
}

int barrier_by_leaders(const Parts& parts, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    parts.barrier(at.node);
    if (at.place == 0) parts.barrier(at.lane);
    return parts.barrier(at.node);
}

int reduce_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                    MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Shares shares{count, type, at};
    const int last = at.node_of(root);
    const OperandBuffer share{shares.own_count(), type};
    parts.reduce_scatter(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, share.get(), shares.counts(),
                         type, op, at.node);
    if (at.node_number != last)
        return parts.reduce(share.get(), nullptr, shares.own_count(), type, op, last, at.lane);
    parts.reduce(MPI_IN_PLACE, share.get(), shares.own_count(), type, op, last, at.lane);
    return parts.gatherv(share.get(), shares.own_count(), type, recvbuf, shares.counts(),
                         shares.displacements(), type, at.place_of(root), at.node);
}

int reduce_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const int leader = at.place_of(root), last = at.node_of(root);
    if (at.place != leader) return parts.reduce(sendbuf, nullptr, count, type, op, leader, at.node);
    if (at.node_number == last) {
        parts.reduce(sendbuf, recvbuf, count, type, op, leader, at.node);
        return parts.reduce(MPI_IN_PLACE, recvbuf, count, type, op, last, at.lane);
    }
    const OperandBuffer of_node{count, type};
    parts.reduce(sendbuf, of_node.get(), count, type, op, leader, at.node);
    return parts.reduce(of_node.get(), nullptr, count, type, op, last, at.lane);
}

int allreduce_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                       MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Shares shares{count, type, at};
    // The share of an in-place reduction needs separate memory.
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    const OperandBuffer aside{is_in_place ? shares.own_count() : 0, type};
    void* share = is_in_place ? aside.get() : shares.own(recvbuf);
    parts.reduce_scatter(is_in_place ? recvbuf : sendbuf, share, shares.counts(), type, op,
                         at.node);
    parts.allreduce(MPI_IN_PLACE, share, shares.own_count(), type, op, at.lane);
    return parts.allgatherv(is_in_place ? share : MPI_IN_PLACE, shares.own_count(), type, recvbuf,
                            shares.counts(), shares.displacements(), type, at.node);
}

int allreduce_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    if (at.place == 0) {
        parts.reduce(sendbuf, recvbuf, count, type, op, 0, at.node);
        parts.allreduce(MPI_IN_PLACE, recvbuf, count, type, op, at.lane);
    } else {
        parts.reduce(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, nullptr, count, type, op, 0,
                     at.node);
    }
    return parts.bcast(recvbuf, count, type, 0, at.node);
}

int reduce_scatter_block_by_lanes(const Parts& parts, const void* sendbuf, void* recvbuf,
                                  int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const Ranks ranks{comm};
    if (!total_fits_int(recvcount, ranks.size)) return MPI_ERR_COUNT;
    const OperandBuffer regrouped{recvcount * ranks.size, type};
    const OperandBuffer of_node{recvcount * at.nodes, type};
    copy_in_order(by_place(at), sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvcount, type,
                  regrouped.get(), ranks);
    parts.reduce_scatter_block(regrouped.get(), of_node.get(), recvcount * at.nodes, type, op,
                               at.node);
    return parts.reduce_scatter_block(of_node.get(), recvbuf, recvcount, type, op, at.lane);
}

int reduce_scatter_block_by_leaders(const Parts& parts, const void* sendbuf, void* recvbuf,
                                    int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const NodeCommunicators& at = node_communicators(comm);
    const int ranks = at.nodes * at.ranks_per_node;
    if (!total_fits_int(recvcount, ranks)) return MPI_ERR_COUNT;
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (at.place != 0) {
        parts.reduce(input, nullptr, recvcount * ranks, type, op, 0, at.node);
        return parts.scatter(nullptr, recvcount, type, recvbuf, recvcount, type, 0, at.node);
    }
    const OperandBuffer of_node{recvcount * ranks, type};
    const OperandBuffer result{recvcount * at.ranks_per_node, type};
    parts.reduce(input, of_node.get(), recvcount * ranks, type, op, 0, at.node);
    parts.reduce_scatter_block(of_node.get(), result.get(), recvcount * at.ranks_per_node, type, op,
                               at.lane);
    return parts.scatter(result.get(), recvcount, type, recvbuf, recvcount, type, 0, at.node);
}

namespace {

/// A prefix reduction on nodes, combined with the reduction over all preceding nodes.
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

    /// Computes before_ by lanes.
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

    /// Computes before_ by leaders.
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
