// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <optional>

#include "collectives/call/node_communicators.h"
#include "trace/linear_model.h"

namespace mpiaudit {

/// The model by which the best_ algorithms choose; the same on all ranks. Until it is set, one
/// whose alpha/beta is that of pipelines, see segments.h.
void choose_by_model(const LinearModel& model);
const LinearModel& model_of_choice();
int number_of_model();  ///< another one after each change

/// Closed formulas for the time of collectives in the linear model, in seconds: exact where nodes
/// are not known and p is a power of two, or the algorithm takes ceil(log2 p) rounds for every p;
/// else about what the rounds take. On nodes a round takes what its slowest message takes, when as
/// many as cross share a card.
class Costs {
  public:
    Costs(const LinearModel& model, int ranks, const NodeSplit& split, int root = 0);

    int ranks() const { return ranks_; }
    bool has_nodes() const { return per_node_ > 0; }
    /// Whether the last node has as many ranks as the others.
    bool has_lanes() const { return per_node_ > 1 && ranks_ % per_node_ == 0; }
    double gamma() const { return model_.gamma; }
    int rounds() const;  ///< ceil(log2 ranks)

    /// Every rank sends to the one at this distance on the ring.
    double shift(int distance, double bytes) const;
    /// Ranks at this distance, a power of two, exchange.
    double exchange(int distance, double bytes) const;
    /// Ranks with even numbers meet those at this distance, odd numbers those at as much before
    /// them; only one of `step` ranks takes part.
    double meet(int distance, int step, double bytes) const;
    /// So many exchanges of a rank along the edges of a tree of consecutive ranks, most of which
    /// are within nodes, while all others do the same.
    double tree_round(double bytes, int exchanges) const;
    /// The ranks of groups, `radix` of them at multiples of this distance, send to each other in
    /// turn.
    double in_groups(int distance, int radix, double bytes) const;
    /// A level of a tree of consecutive ranks whose root is the first rank of a node: one rank of a
    /// node at most sends out of it.
    double level(int distance, double bytes) const;

    /// A message of a tree over positions behind the root, whose subtrees are consecutive; `weight`
    /// positions are at most in this one.
    struct Edge {
        int parent, child, weight;
    };
    double along(const Edge& edge, double bytes) const;
    /// What another message that the parent sends, or receives, adds: short ones are under way at
    /// the same time.
    enum class Toward { child, parent };
    double another(const Edge& edge, double bytes, Toward end) const;
    /// By how much one of two messages of the parent delays the other while so many bytes of both
    /// are on their way.
    double share(const Edge& edge, const Edge& other, double bytes) const;
    /// The same with a root that is the first rank of its node.
    Costs from_first_rank() const;

    /// Those of a lane, all of which are busy, of the leaders, and of a node.
    Costs lane() const;
    Costs leaders() const;
    Costs node() const;
    int nodes() const { return has_nodes() ? (ranks_ + per_node_ - 1) / per_node_ : 1; }
    int ranks_per_node() const { return has_nodes() ? per_node_ : ranks_; }

  private:
    /// What a message within a node takes while others share its memory.
    struct Sharing {
        double alpha, beta;
        double eager_copies, eager_bytes;
        double time(double bytes) const {
            return alpha + beta * bytes * (bytes <= eager_bytes ? eager_copies : 1);
        }
    };
    Sharing node_sharing(int at_a_time) const;
    /// Where nodes are not known, or all ranks are on one.
    double alone(double bytes) const {
        return node_ ? node_->time(bytes) : model_.alpha + model_.beta * bytes;
    }
    double between(double bytes, int at_a_time) const {
        return model_.alpha + model_.beta * bytes * at_a_time;
    }
    double within(double bytes, int at_a_time) const;
    bool crosses(const Edge& edge) const;

    LinearModel model_;
    int ranks_;
    int per_node_;  ///< 0 where nodes are not known
    int root_;
    std::optional<Sharing> node_ = {};  ///< of the ranks of one node
};

/// The blocks of all ranks together, and the longest one, in bytes.
struct BlockSizes {
    double total;
    double largest;
    auto operator<=>(const BlockSizes&) const = default;
};

// Of collectives on vectors of n bytes, or on blocks of m bytes.
namespace cost {
double binomial_bcast(const Costs& on, double n);
double knomial_bcast(const Costs& on, double n);
double chain_bcast(const Costs& on, double n);
double binary_bcast(const Costs& on, double n);
double circulant_bcast(const Costs& on, double n);
double van_de_geijn_ring_bcast(const Costs& on, double n);
double two_tree_bcast(const Costs& on, double n);
double lane_bcast(const Costs& on, double n);
double hierarchical_bcast(const Costs& on, double n);

double binomial_reduce(const Costs& on, double n);
double tuw_reduce(const Costs& on, double n);
double knomial_reduce(const Costs& on, double n);
double chain_reduce(const Costs& on, double n);
double circulant_reduce(const Costs& on, double n);
double near_first_reduce(const Costs& on, double n);
double two_tree_reduce(const Costs& on, double n);
double lane_reduce(const Costs& on, double n);
double hierarchical_reduce(const Costs& on, double n);

double recursive_doubling_allreduce(const Costs& on, double n);
double census_allreduce(const Costs& on, double n);
double recursive_multiplying_allreduce(const Costs& on, double n);
double near_first_allreduce(const Costs& on, double n);
double circulant_allreduce(const Costs& on, double n);
double ring_allreduce(const Costs& on, double n);
double reduce_bcast_allreduce(const Costs& on, double n);
double dual_root_allreduce(const Costs& on, double n);
double lane_allreduce(const Costs& on, double n);
double hierarchical_allreduce(const Costs& on, double n);

double near_first_reduce_scatter(const Costs& on, double m);
double circulant_reduce_scatter(const Costs& on, double m);
double butterfly_reduce_scatter(const Costs& on, double m);
double recursive_doubling_reduce_scatter(const Costs& on, double m);
double pairwise_reduce_scatter(const Costs& on, double m);
double reduce_scatterv_reduce_scatter(const Costs& on, double m);
double lane_reduce_scatter(const Costs& on, double m);
double hierarchical_reduce_scatter(const Costs& on, double m);

double ring_allgather(const Costs& on, double m);
double sparbit_allgather(const Costs& on, double m);
double recursive_doubling_allgather(const Costs& on, double m);
double bine_allgather(const Costs& on, double m);
double dissemination_allgather(const Costs& on, double m);
double dissemination_radix4_allgather(const Costs& on, double m);
double neighbour_exchange_allgather(const Costs& on, double m);
double gather_bcast_allgather(const Costs& on, double m);
double lane_allgather(const Costs& on, double m);
double hierarchical_allgather(const Costs& on, double m);

double binomial_gather(const Costs& on, double m);
double knomial_gather(const Costs& on, double m);
double tuw_gather(const Costs& on, double m);
double linear_gather(const Costs& on, double m);
double lane_gather(const Costs& on, double m);
double hierarchical_gather(const Costs& on, double m);

double binomial_scatter(const Costs& on, double m);
double knomial_scatter(const Costs& on, double m);
double tuw_scatter(const Costs& on, double m);
double linear_scatter(const Costs& on, double m);
double lane_scatter(const Costs& on, double m);
double hierarchical_scatter(const Costs& on, double m);

double bruck_alltoall(const Costs& on, double m);
double windowed_alltoall(const Costs& on, double m);
double lane_alltoall(const Costs& on, double m);
double hierarchical_alltoall(const Costs& on, double m);

double recursive_doubling_scan(const Costs& on, double n);
double lane_scan(const Costs& on, double n);
double hierarchical_scan(const Costs& on, double n);
double recursive_doubling_exscan(const Costs& on, double n);
double bits_exscan(const Costs& on, double n);

// Of blocks of any size. A round takes what the longest message may take that such blocks make.
double near_first_reduce_scatterv(const Costs& on, BlockSizes m);
double circulant_reduce_scatterv(const Costs& on, BlockSizes m);
double butterfly_reduce_scatterv(const Costs& on, BlockSizes m);
double recursive_doubling_reduce_scatterv(const Costs& on, BlockSizes m);
double pairwise_reduce_scatterv(const Costs& on, BlockSizes m);
double reduce_scatterv_reduce_scatterv(const Costs& on, BlockSizes m);
double sparbit_allgatherv(const Costs& on, BlockSizes m);
double recursive_doubling_allgatherv(const Costs& on, BlockSizes m);
double bine_allgatherv(const Costs& on, BlockSizes m);
double dissemination_allgatherv(const Costs& on, BlockSizes m);
double dissemination_radix4_allgatherv(const Costs& on, BlockSizes m);
double ring_allgatherv(const Costs& on, BlockSizes m);
double neighbour_exchange_allgatherv(const Costs& on, BlockSizes m);
double circulant_allgatherv(const Costs& on, BlockSizes m);
double gather_bcast_allgatherv(const Costs& on, BlockSizes m);
}  // namespace cost

}  // namespace mpiaudit
