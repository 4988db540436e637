// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/best/costs.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "collectives/allreduce/mixed_radix.h"
#include "collectives/bcast/circulant_schedule.h"
#include "collectives/call/binary_trees.h"
#include "collectives/call/bine.h"
#include "collectives/call/integers.h"
#include "collectives/call/knomial_tree.h"
#include "collectives/call/segments.h"

namespace mpiaudit {
namespace {

LinearModel default_model() {
    // QDR InfiniBand and a memory of its time; only what is above what counts.
    constexpr double beta = 0.3e-9;
    LinearModel model{half_rate_bytes * beta, beta, 0.1e-9};
    NodeModel nodes;
    nodes.alpha = model.alpha / 5;
    nodes.beta = beta / 3;
    nodes.memory = 2;
    model.nodes = nodes;
    return model;
}

LinearModel& chosen_model() {
    static LinearModel model = default_model();
    return model;
}

int models = 0;

}  // namespace

void choose_by_model(const LinearModel& model) {
    // A single node says nothing of messages within others.
    const std::optional<NodeModel> nodes = model_of_choice().nodes;
    chosen_model() = model;
    ++models;
    if (!model.nodes) chosen_model().nodes = nodes;
}

int number_of_model() {
    return models;
}

const LinearModel& model_of_choice() {
    return chosen_model();
}

Costs::Costs(const LinearModel& model, int ranks, const NodeSplit& split, int root)
    : model_{model},
      ranks_{ranks},
      per_node_{split.has_rows() && model.nodes ? split.width : 0},
      root_{root} {}

int Costs::rounds() const {
    return ceil_log2(ranks_);
}

double Costs::within(double bytes, int at_a_time) const {
    return node_sharing(at_a_time).time(bytes);
}

Costs::Sharing Costs::node_sharing(int at_a_time) const {
    // What is sent before anybody has asked for it takes a second copy: where many do so, rings of
    // messages up to 8 kB take 1.34 times as long (128 simulated ranks, 16 on each node).
    constexpr double eager_copies = 4.0 / 3;
    const NodeModel& node = *model_.nodes;
    const double sharing = std::max(1.0, at_a_time / node.memory);
    return {node.alpha, node.beta * sharing, at_a_time > 1 ? eager_copies : 1,
            static_cast<double>(node.eager_bytes)};
}

double Costs::shift(int distance, double bytes) const {
    if (!has_nodes()) return alone(bytes);
    const int crossing = std::min({distance, ranks_ - distance, per_node_});
    const double across = between(bytes, crossing);
    return crossing == per_node_ ? across : std::max(across, within(bytes, per_node_ - crossing));
}

double Costs::exchange(int distance, double bytes) const {
    if (!has_nodes()) return alone(bytes);
    if (per_node_ % (2 * distance) == 0) return within(bytes, per_node_);
    return between(bytes, std::min(distance, per_node_));
}

double Costs::meet(int distance, int step, double bytes) const {
    if (!has_nodes()) return alone(bytes);
    if (per_node_ == 1) return between(bytes, 1);
    const int there = std::max(1, per_node_ / step);
    const int crossing = std::min(distance > 0 ? distance - 1 : 1 - distance, there);
    const double inside = crossing == there ? 0 : within(bytes, there - crossing);
    return crossing == 0 ? inside : std::max(between(bytes, crossing), inside);
}

double Costs::tree_round(double bytes, int exchanges) const {
    if (!has_nodes()) return exchanges * alone(bytes);
    return std::max(exchanges * between(bytes, 1), within(bytes, 2 * (per_node_ - 1)));
}

double Costs::in_groups(int distance, int radix, double bytes) const {
    if (!has_nodes()) return (radix - 1) * alone(bytes);
    if (per_node_ % (distance * radix) == 0) return (radix - 1) * within(bytes, per_node_);
    return (radix - 1) * between(bytes, std::min(distance, per_node_));
}

double Costs::level(int distance, double bytes) const {
    if (!has_nodes()) return alone(bytes);
    return distance >= per_node_ ? between(bytes, 1)
                                 : within(bytes, std::max(1, per_node_ / (2 * distance)));
}

bool Costs::crosses(const Edge& edge) const {
    const auto node = [&](int position) { return (position + root_) % ranks_ / per_node_; };
    return node(edge.parent) != node(edge.child);
}

double Costs::along(const Edge& edge, double bytes) const {
    if (!has_nodes()) return alone(bytes);
    return crosses(edge) ? between(bytes, 1)
                         : within(bytes, std::max(1, per_node_ / (2 * edge.weight)));
}

double Costs::share(const Edge& edge, const Edge& other, double bytes) const {
    if (!has_nodes()) return alone(bytes) - alone(0);
    if (crosses(edge) != crosses(other)) return 0;
    return crosses(edge) ? model_.beta * bytes : model_.nodes->beta * bytes;
}

double Costs::another(const Edge& edge, double bytes, Toward end) const {
    const double alone_s = along(edge, bytes);
    if (!has_nodes() || bytes > static_cast<double>(model_.nodes->eager_bytes)) return alone_s;
    const bool is_between = crosses(edge);
    const NodeModel::Overhead& overhead = is_between ? model_.nodes->between : model_.nodes->within;
    const double alpha = is_between ? model_.alpha : model_.nodes->alpha;
    const double busy_s = end == Toward::child ? overhead.send : overhead.receive;
    return alone_s - alpha + std::min(alpha, busy_s);
}

Costs Costs::from_first_rank() const {
    Costs other = *this;
    other.root_ = 0;
    return other;
}

Costs Costs::lane() const {
    LinearModel all_busy = model_;
    all_busy.beta *= per_node_;
    return {all_busy, nodes(), {}};
}

Costs Costs::leaders() const {
    return {model_, nodes(), {}};
}

Costs Costs::node() const {
    const Sharing all_busy = node_sharing(per_node_);
    Costs inside{LinearModel{all_busy.alpha, all_busy.beta, model_.gamma}, per_node_, {}};
    inside.node_ = all_busy;
    return inside;
}

namespace cost {
namespace {

double segments_of(const Costs& on, double n, int filling) {
    if (on.ranks() == 1) return 1;
    return pipeline_segments(static_cast<std::int64_t>(n), static_cast<std::int64_t>(n), filling);
}

/// Calls with each edge from a position, the largest subtrees first; fewer ranks than `weight`
/// positions may be below a child.
template <class Call>
void for_each_child(int position, int ranks, int radix, const Call& call) {
    int weight = 1;
    while (weight < ranks && position % (weight * radix) == 0) weight *= radix;
    for (weight /= radix; weight > 0; weight /= radix)
        for (int child = position + weight; child < std::min(position + radix * weight, ranks);
             child += weight)
            call(Costs::Edge{position, child, weight});
}

/// Down a binomial (`radix` 2) or k-nomial tree; bytes_of says what goes to so many ranks.
template <class Bytes>
double down_a_tree(const Costs& on, int radix, const Bytes& bytes_of) {
    std::vector<double> ready(static_cast<std::size_t>(on.ranks()));
    double end = 0;
    for (int position = 0; position < on.ranks(); ++position) {
        double now = ready[static_cast<std::size_t>(position)];
        for_each_child(position, on.ranks(), radix, [&](const Costs::Edge& edge) {
            const double bytes = bytes_of(std::min(edge.weight, on.ranks() - edge.child));
            const double arrival = now + on.along(edge, bytes);
            ready[static_cast<std::size_t>(edge.child)] = arrival;
            now += on.another(edge, bytes, Costs::Toward::child);
            end = std::max(end, arrival);
        });
    }
    return end;
}

/// Up again, the smallest subtrees first, with so many seconds of work for each byte.
template <class Bytes>
double up_a_tree(const Costs& on, int radix, const Bytes& bytes_of, double per_byte = 0) {
    std::vector<double> done(static_cast<std::size_t>(on.ranks()));
    std::vector<Costs::Edge> edges;
    for (int position = on.ranks() - 1; position >= 0; --position) {
        edges.clear();
        for_each_child(position, on.ranks(), radix,
                       [&](const Costs::Edge& edge) { edges.push_back(edge); });
        std::ranges::stable_sort(edges, {}, &Costs::Edge::weight);
        double& now = done[static_cast<std::size_t>(position)];
        for (const Costs::Edge& edge : edges) {
            const double bytes = bytes_of(std::min(edge.weight, on.ranks() - edge.child));
            const double full_s = on.along(edge, bytes);
            const double another_s = on.another(edge, bytes, Costs::Toward::parent);
            const double sent = done[static_cast<std::size_t>(edge.child)];
            // All of a message that the parent has to be there for comes after the last one.
            now = std::max(now + another_s, sent + full_s) + per_byte * bytes;
        }
    }
    return done[0];
}

/// From the root, of blocks of m bytes. On nodes all messages of a rank are on their way at the
/// same time and share what they go through: the long ones, which others wait for, come last.
double scatter_down_a_tree(const Costs& on, int radix, double m) {
    const auto bytes_of = [&](int blocks) { return m * blocks; };
    if (!on.has_nodes()) return down_a_tree(on, radix, bytes_of);
    std::vector<double> ready(static_cast<std::size_t>(on.ranks()));
    std::vector<Costs::Edge> edges;
    for (int position = 0; position < on.ranks(); ++position) {
        edges.clear();
        for_each_child(position, on.ranks(), radix,
                       [&](const Costs::Edge& edge) { edges.push_back(edge); });
        const auto bytes = [&](const Costs::Edge& edge) {
            return bytes_of(std::min(edge.weight, on.ranks() - edge.child));
        };
        double now = ready[static_cast<std::size_t>(position)];
        for (const Costs::Edge& edge : edges) {
            double arrival = now + on.along(edge, 0);
            for (const Costs::Edge& other : edges)
                arrival += on.share(edge, other, std::min(bytes(edge), bytes(other)));
            ready[static_cast<std::size_t>(edge.child)] = arrival;
            now += on.another(edge, 0, Costs::Toward::child);
        }
    }
    return *std::ranges::max_element(ready);
}

BlockSizes equal_blocks(const Costs& on, double m) {
    return {m * on.ranks(), m};
}

/// At most, in so many blocks.
double in_blocks(const BlockSizes& m, int blocks) {
    return std::min(m.total, blocks * m.largest);
}

/// Rounds that near_first_rounds() takes in one direction.
double near_first_rounds(const Costs& on, const BlockSizes& m, double per_byte) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); distance *= 2) {
        const int kept = (on.ranks() + distance - 1) / distance;
        const double bytes = in_blocks(m, kept / 2);
        time += on.shift(distance, bytes) + per_byte * bytes;
    }
    return time;
}

double circulant_rounds(const Costs& on, const BlockSizes& m, double per_byte) {
    double time = 0;
    const std::vector<int> skips = circulant_skips(on.ranks());
    for (std::size_t k = 0; k + 1 < skips.size(); ++k) {
        const double bytes = in_blocks(m, skips[k + 1] - skips[k]);
        time += on.shift(skips[k], bytes) + per_byte * bytes;
    }
    return time;
}

double circulant_pipeline(const Costs& on, double n, double per_byte) {
    const int q = on.rounds();
    if (q == 0) return 0;
    const double segments = segments_of(on, n, std::max(q - 1, 0));
    const std::vector<int> skips = circulant_skips(on.ranks());
    double mean = 0;
    for (int k = 0; k < q; ++k)
        mean += on.shift(skips[static_cast<std::size_t>(k)], n / segments) / q;
    return (segments - 1 + q) * (mean + per_byte * n / segments);
}

double chain(const Costs& on, double n, double per_byte) {
    if (on.ranks() == 1) return 0;
    const double segments = segments_of(on, n, std::max(on.ranks() - 2, 0));
    return (on.ranks() - 2 + segments) * (on.shift(1, n / segments) + per_byte * n / segments);
}

double two_trees(const Costs& on, double n, double per_byte) {
    const int q = on.rounds();
    if (q == 0) return 0;
    const double segments = segments_of(on, n / 2, preorder_height(on.ranks()));
    const double bytes = n / 2 / segments;
    // Until the first segment has come to the deepest place; meanwhile most ranks wait.
    const int filling = q <= 2 ? 2 * q - 2 : 2 * q - 1;
    // One of the two children is on another node where a subtree is larger than a node.
    const double crossing =
        ceil_log2(on.nodes()) * (on.level(on.ranks_per_node(), bytes) - on.level(1, bytes));
    return 2 * segments * on.shift(std::min(2, on.ranks() - 1), bytes) +
           filling * on.level(1, bytes) + crossing + (2 * segments + filling) * per_byte * bytes;
}

/// Between the root and each of the others.
double linear(const Costs& on, double m, Costs::Toward end) {
    double time = 0, first = 0;
    for (int position = on.ranks() - 1; position > 0; --position) {
        const Costs::Edge edge{0, position, on.ranks()};
        const double another_s = on.another(edge, 0, end) + on.share(edge, edge, m);
        first = std::max(first, on.along(edge, m) - another_s);
        time += another_s;
    }
    return time + first;
}

/// What reference_parts do with vectors that are no longer.
constexpr double short_part = 8192;

double part_bcast(const Costs& on, double n) {
    return n <= short_part ? binomial_bcast(on, n) : van_de_geijn_ring_bcast(on, n);
}
double part_reduce(const Costs& on, double n) {
    return n <= short_part ? binomial_reduce(on, n) : near_first_reduce(on, n);
}
double part_allreduce(const Costs& on, double n) {
    return n <= short_part ? recursive_doubling_allreduce(on, n) : near_first_allreduce(on, n);
}
double part_alltoall(const Costs& on, double m) {
    return m <= short_part / 32 ? bruck_alltoall(on, m) : windowed_alltoall(on, m);
}

}  // namespace

double binomial_bcast(const Costs& on, double n) {
    return down_a_tree(on, 2, [&](int) { return n; });
}

double knomial_bcast(const Costs& on, double n) {
    return down_a_tree(on, KnomialTree::radix, [&](int) { return n; });
}

double chain_bcast(const Costs& on, double n) {
    return chain(on, n, 0);
}

double binary_bcast(const Costs& on, double n) {
    if (on.ranks() == 1) return 0;
    const int filling = std::bit_width(static_cast<unsigned>(on.ranks())) - 2;
    const double segments = segments_of(on, n, std::max(filling, 0));
    if (on.ranks() == 2) return segments * on.shift(1, n / segments);
    // A level counts when there is a second child on it.
    const int height = std::bit_width(static_cast<unsigned>(on.ranks()) + 1U) - 2;
    // Children of neighbours are far apart: all ranks of a node send out of it.
    return 2 * (height + segments - 1) * on.shift(on.ranks() / 2, n / segments);
}

double circulant_bcast(const Costs& on, double n) {
    return circulant_pipeline(on, n, 0);
}

double van_de_geijn_ring_bcast(const Costs& on, double n) {
    const double m = n / on.ranks();
    return binomial_scatter(on, m) + ring_allgather(on, m);
}

double two_tree_bcast(const Costs& on, double n) {
    return two_trees(on, n, 0);
}

double lane_bcast(const Costs& on, double n) {
    const double share = n / on.ranks_per_node();
    return binomial_scatter(on.node(), share) + part_bcast(on.lane(), share) +
           sparbit_allgather(on.node(), share);
}

double hierarchical_bcast(const Costs& on, double n) {
    return part_bcast(on.leaders(), n) + part_bcast(on.node(), n);
}

double binomial_reduce(const Costs& on, double n) {
    return up_a_tree(
        on, 2, [&](int) { return n; }, on.gamma());
}

double knomial_reduce(const Costs& on, double n) {
    return up_a_tree(
        on, KnomialTree::radix, [&](int) { return n; }, on.gamma());
}

double chain_reduce(const Costs& on, double n) {
    return chain(on, n, on.gamma());
}

double circulant_reduce(const Costs& on, double n) {
    return circulant_pipeline(on, n, on.gamma());
}

double near_first_reduce(const Costs& on, double n) {
    const double m = n / on.ranks();
    const BlockSizes blocks = equal_blocks(on, m);
    return near_first_rounds(on, blocks, on.gamma()) + binomial_gather(on, m);
}

double tuw_reduce(const Costs& on, double n) {
    return binomial_reduce(on.from_first_rank(), n);
}

double two_tree_reduce(const Costs& on, double n) {
    return two_trees(on, n, on.gamma());
}

double lane_reduce(const Costs& on, double n) {
    const double share = n / on.ranks_per_node();
    return near_first_reduce_scatter(on.node(), share) + part_reduce(on.lane(), share) +
           binomial_gather(on.node(), share);
}

double hierarchical_reduce(const Costs& on, double n) {
    return part_reduce(on.node(), n) + part_reduce(on.leaders(), n);
}

double recursive_doubling_allreduce(const Costs& on, double n) {
    double time = 0;
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(on.ranks())));
    for (int distance = 1; distance < power; distance *= 2)
        time += on.exchange(distance, n) + on.gamma() * n;
    // Those that are left over take part by others.
    if (power < on.ranks()) time += 2 * on.exchange(1, n) + on.gamma() * n;
    return time;
}

double census_allreduce(const Costs& on, double n) {
    if (on.ranks() == 1) return 0;
    double time = 0;
    const auto all = static_cast<unsigned>(on.ranks() - 1);
    int width = 0;
    for (int bit = on.rounds() - 1; bit >= 0; --bit) {
        const bool is_wide = (all >> bit & 1U) != 0;
        time += on.shift(is_wide ? width + 1 : width, n);
        width = 2 * width + is_wide;
    }
    return time + (on.rounds() + std::popcount(all) - 1) * on.gamma() * n;
}

double recursive_multiplying_allreduce(const Costs& on, double n) {
    const MixedRadix system{on.ranks()};
    double time = 0;
    int distance = 1;
    for (const int radix : system.radices) {
        time += on.in_groups(distance, radix, n) + (radix - 1) * on.gamma() * n;
        distance *= radix;
    }
    // Those that are left over take part by others.
    if (system.survivors < on.ranks()) time += 2 * on.exchange(1, n) + on.gamma() * n;
    return time;
}

double near_first_allreduce(const Costs& on, double n) {
    const BlockSizes m = equal_blocks(on, n / on.ranks());
    return near_first_rounds(on, m, on.gamma()) + near_first_rounds(on, m, 0);
}

double circulant_allreduce(const Costs& on, double n) {
    const BlockSizes m = equal_blocks(on, n / on.ranks());
    return circulant_rounds(on, m, on.gamma()) + circulant_rounds(on, m, 0);
}

double ring_allreduce(const Costs& on, double n) {
    const double m = n / on.ranks();
    return (on.ranks() - 1) * (2 * on.shift(1, m) + on.gamma() * m);
}

double dual_root_allreduce(const Costs& on, double n) {
    if (on.ranks() == 1) return 0;
    const int height = preorder_height(on.ranks() - on.ranks() / 2);
    const double segments = segments_of(on, n, std::max(2 * height, 1));
    const double bytes = n / segments;
    if (on.ranks() == 2) return segments * (on.shift(1, bytes) + on.gamma() * bytes);
    // Two children and the parent, or the other root.
    const double gammas = 3 * on.gamma() * bytes;
    double filling = 0;
    for (int distance = 1; distance < on.ranks() / 2; distance *= 2)
        filling += 2 * on.level(distance, bytes) + gammas;
    return segments * (on.tree_round(bytes, 3) + gammas) + filling;
}

double reduce_bcast_allreduce(const Costs& on, double n) {
    return binomial_reduce(on, n) + binomial_bcast(on, n);
}

double lane_allreduce(const Costs& on, double n) {
    const double share = n / on.ranks_per_node();
    return near_first_reduce_scatter(on.node(), share) + part_allreduce(on.lane(), share) +
           sparbit_allgather(on.node(), share);
}

double hierarchical_allreduce(const Costs& on, double n) {
    return part_reduce(on.node(), n) + part_allreduce(on.leaders(), n) + part_bcast(on.node(), n);
}

double near_first_reduce_scatterv(const Costs& on, BlockSizes m) {
    return near_first_rounds(on, m, on.gamma());
}

double near_first_reduce_scatter(const Costs& on, double m) {
    return near_first_reduce_scatterv(on, equal_blocks(on, m));
}

double circulant_reduce_scatterv(const Costs& on, BlockSizes m) {
    return circulant_rounds(on, m, on.gamma());
}

double circulant_reduce_scatter(const Costs& on, double m) {
    return circulant_reduce_scatterv(on, equal_blocks(on, m));
}

double butterfly_reduce_scatterv(const Costs& on, BlockSizes m) {
    if (on.ranks() == 1) return 0;
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(on.ranks())));
    const bool is_folded = power < on.ranks();
    double time = 0;
    for (int distance = 1; distance < power; distance *= 2) {
        const int blocks = (is_folded ? 2 : 1) * power / (2 * distance);
        const double bytes = in_blocks(m, std::min(blocks, on.ranks() - 1));
        time += on.exchange(distance, bytes) + on.gamma() * bytes;
    }
    if (!is_folded) return time;
    return time + on.exchange(1, m.total) + on.gamma() * m.total + on.exchange(1, m.largest);
}

double butterfly_reduce_scatter(const Costs& on, double m) {
    return butterfly_reduce_scatterv(on, equal_blocks(on, m));
}

double recursive_doubling_reduce_scatterv(const Costs& on, BlockSizes m) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); distance *= 2) {
        const double bytes = in_blocks(m, std::max(0, on.ranks() - distance));
        time += on.exchange(distance, bytes) + on.gamma() * bytes;
    }
    // Where a subtree is not complete, what came is passed on in one more step (all but the first).
    const bool is_complete = std::has_single_bit(static_cast<unsigned>(on.ranks()));
    return is_complete ? time : time * (2 - 1.0 / on.rounds());
}

double recursive_doubling_reduce_scatter(const Costs& on, double m) {
    return recursive_doubling_reduce_scatterv(on, equal_blocks(on, m));
}

double pairwise_reduce_scatterv(const Costs& on, BlockSizes m) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); ++distance)
        time += on.shift(distance, m.largest) + on.gamma() * m.largest;
    return time;
}

double pairwise_reduce_scatter(const Costs& on, double m) {
    return pairwise_reduce_scatterv(on, equal_blocks(on, m));
}

double reduce_scatterv_reduce_scatterv(const Costs& on, BlockSizes m) {
    return binomial_reduce(on, m.total) + linear_scatter(on, m.total / on.ranks());
}

double reduce_scatterv_reduce_scatter(const Costs& on, double m) {
    return reduce_scatterv_reduce_scatterv(on, equal_blocks(on, m));
}

double lane_reduce_scatter(const Costs& on, double m) {
    return near_first_reduce_scatter(on.node(), m * on.nodes()) +
           near_first_reduce_scatter(on.lane(), m);
}

double hierarchical_reduce_scatter(const Costs& on, double m) {
    return part_reduce(on.node(), m * on.ranks()) +
           near_first_reduce_scatter(on.leaders(), m * on.ranks_per_node()) +
           binomial_gather(on.node(), m);
}

double ring_allgatherv(const Costs& on, BlockSizes m) {
    return (on.ranks() - 1) * on.shift(1, m.largest);
}

double ring_allgather(const Costs& on, double m) {
    return ring_allgatherv(on, equal_blocks(on, m));
}

double sparbit_allgatherv(const Costs& on, BlockSizes m) {
    return near_first_rounds(on, m, 0);
}

double sparbit_allgather(const Costs& on, double m) {
    return sparbit_allgatherv(on, equal_blocks(on, m));
}

double recursive_doubling_allgatherv(const Costs& on, BlockSizes m) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); distance *= 2)
        time += on.exchange(distance, in_blocks(m, std::min(distance, on.ranks() - distance)));
    // Where a subtree is not complete, what came is passed on in one more step (all but the first).
    const bool is_complete = std::has_single_bit(static_cast<unsigned>(on.ranks()));
    return is_complete ? time : time * (2 - 1.0 / on.rounds());
}

double recursive_doubling_allgather(const Costs& on, double m) {
    return recursive_doubling_allgatherv(on, equal_blocks(on, m));
}

double bine_allgatherv(const Costs& on, BlockSizes m) {
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(on.ranks())));
    // Those that act for two are beside each other, and many where most ranks do.
    const int acting = on.ranks() > power ? 2 : 1, step = 2 * (on.ranks() - power) > power ? 2 : 1;
    double time = 0;
    for (int round = 0, width = 1; 2 * width <= power; ++round, width *= 2)
        time += on.meet(bine_distance(round), step,
                        in_blocks(m, std::min(acting * power / (2 * width), on.ranks() - 1)));
    return acting == 1 ? time : time + on.exchange(1, m.largest) + on.exchange(1, m.total);
}

double bine_allgather(const Costs& on, double m) {
    return bine_allgatherv(on, equal_blocks(on, m));
}

double dissemination_allgatherv(const Costs& on, BlockSizes m) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); distance *= 2)
        time += on.shift(distance, in_blocks(m, std::min(distance, on.ranks() - distance)));
    return time;
}

double dissemination_allgather(const Costs& on, double m) {
    return dissemination_allgatherv(on, equal_blocks(on, m));
}

double dissemination_radix4_allgatherv(const Costs& on, BlockSizes m) {
    double time = 0;
    for (int known = 1; known < on.ranks(); known *= 4) {
        for (int first = known; first < std::min(4 * known, on.ranks()); first += known)
            time += on.shift(first, in_blocks(m, std::min(known, on.ranks() - first)));
    }
    return time;
}

double dissemination_radix4_allgather(const Costs& on, double m) {
    return dissemination_radix4_allgatherv(on, equal_blocks(on, m));
}

double circulant_allgatherv(const Costs& on, BlockSizes m) {
    return circulant_pipeline(on, m.total, 0);
}

double neighbour_exchange_allgatherv(const Costs& on, BlockSizes m) {
    if (on.ranks() % 2 != 0 || on.ranks() == 1) return ring_allgatherv(on, m);
    return on.shift(1, m.largest) + (on.ranks() / 2 - 1) * on.shift(1, in_blocks(m, 2));
}

double neighbour_exchange_allgather(const Costs& on, double m) {
    return neighbour_exchange_allgatherv(on, equal_blocks(on, m));
}

double gather_bcast_allgatherv(const Costs& on, BlockSizes m) {
    // What comes to the root is all there is.
    return binomial_gather(on, m.total / on.ranks()) + binomial_bcast(on, m.total);
}

double gather_bcast_allgather(const Costs& on, double m) {
    return gather_bcast_allgatherv(on, equal_blocks(on, m));
}

double lane_allgather(const Costs& on, double m) {
    return sparbit_allgather(on.lane(), m) + sparbit_allgather(on.node(), m * on.nodes());
}

double hierarchical_allgather(const Costs& on, double m) {
    return binomial_gather(on.node(), m) +
           sparbit_allgather(on.leaders(), m * on.ranks_per_node()) +
           part_bcast(on.node(), m * on.ranks());
}

double binomial_gather(const Costs& on, double m) {
    return up_a_tree(on, 2, [&](int blocks) { return m * blocks; });
}

double knomial_gather(const Costs& on, double m) {
    return up_a_tree(on, KnomialTree::radix, [&](int blocks) { return m * blocks; });
}

double tuw_gather(const Costs& on, double m) {
    return binomial_gather(on.from_first_rank(), m);
}

double binomial_scatter(const Costs& on, double m) {
    return scatter_down_a_tree(on, 2, m);
}

double knomial_scatter(const Costs& on, double m) {
    return scatter_down_a_tree(on, KnomialTree::radix, m);
}

double tuw_scatter(const Costs& on, double m) {
    return binomial_scatter(on.from_first_rank(), m);
}

double linear_gather(const Costs& on, double m) {
    return linear(on, m, Costs::Toward::parent);
}

double linear_scatter(const Costs& on, double m) {
    return linear(on, m, Costs::Toward::child);
}

double lane_gather(const Costs& on, double m) {
    return binomial_gather(on.lane(), m) + binomial_gather(on.node(), m * on.nodes());
}

double hierarchical_gather(const Costs& on, double m) {
    return binomial_gather(on.node(), m) + binomial_gather(on.leaders(), m * on.ranks_per_node());
}

double lane_scatter(const Costs& on, double m) {
    return binomial_scatter(on.lane(), m) + binomial_scatter(on.node(), m * on.nodes());
}

double hierarchical_scatter(const Costs& on, double m) {
    return binomial_scatter(on.node(), m) + binomial_scatter(on.leaders(), m * on.ranks_per_node());
}

double bruck_alltoall(const Costs& on, double m) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); distance *= 2) {
        int blocks = 0;
        for (int i = distance; i < on.ranks(); ++i) blocks += i / distance % 2;
        time += on.shift(distance, m * blocks);
    }
    return time;
}

double windowed_alltoall(const Costs& on, double m) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); ++distance) time += on.shift(distance, m);
    return time;
}

double lane_alltoall(const Costs& on, double m) {
    return part_alltoall(on.lane(), m * on.ranks_per_node()) +
           part_alltoall(on.node(), m * on.nodes());
}

double hierarchical_alltoall(const Costs& on, double m) {
    const int n = on.ranks_per_node();
    return 2 * binomial_gather(on.node(), m * on.ranks()) + part_alltoall(on.leaders(), m * n * n);
}

double recursive_doubling_scan(const Costs& on, double n) {
    double time = 0;
    for (int distance = 1; distance < on.ranks(); distance *= 2)
        time += on.exchange(distance, n) + 2 * on.gamma() * n;
    return time;
}

double recursive_doubling_exscan(const Costs& on, double n) {
    // The first that comes is copied.
    return on.ranks() == 1 ? 0 : recursive_doubling_scan(on, n) - on.gamma() * n;
}

double bits_exscan(const Costs& on, double n) {
    // The same rounds without the own operands in the end.
    return on.ranks() == 1 ? 0 : census_allreduce(on, n) - on.gamma() * n;
}

double lane_scan(const Costs& on, double n) {
    const double share = n / on.ranks_per_node();
    return near_first_reduce_scatter(on.node(), share) + bits_exscan(on.lane(), share) +
           sparbit_allgather(on.node(), share) + recursive_doubling_scan(on.node(), n) +
           on.gamma() * n;
}

double hierarchical_scan(const Costs& on, double n) {
    return part_reduce(on.node(), n) + bits_exscan(on.leaders(), n) + part_bcast(on.node(), n) +
           recursive_doubling_scan(on.node(), n) + on.gamma() * n;
}

}  // namespace cost
}  // namespace mpiaudit
