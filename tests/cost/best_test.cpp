// SPDX-License-Identifier: BSD-3-Clause
// The closed formulas by which is chosen are those of the recorded algorithms, and what is chosen
// is about as fast as the fastest.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "catalogue/catalogue.h"
#include "collectives/best/choices.h"
#include "collectives/best/costs.h"
#include "cost/recording.h"

namespace mpiaudit {
namespace {

/// A cluster with nodes of so many ranks; 1: without nodes.
LinearModel model_of(int ranks_per_node) {
    LinearModel model{3e-6, 0.3e-9, 0.05e-9};
    if (ranks_per_node == 1) return model;
    NodeModel nodes;
    nodes.ranks_per_node = ranks_per_node;
    nodes.alpha = 0.5e-6;
    nodes.beta = 0.1e-9;
    nodes.memory = 2;
    nodes.within = {0.1e-6, 0.1e-6};
    nodes.between = {0.3e-6, 0.3e-6};
    model.nodes = nodes;
    return model;
}

class Cluster {
  public:
    Cluster(int ranks, int ranks_per_node, int block, const char* op = "sum", int root = 0)
        : op_{op},
          model_{model_of(ranks_per_node)},
          split_{consecutive_nodes(ranks_per_node, ranks)} {
        problem_.counts.assign(static_cast<std::size_t>(ranks), block);
        problem_.element = &element_;
        problem_.op = &op_;
        problem_.root = root;
        if (ranks_per_node > 1) {
            problem_.nodes = split_.nodes;
            problem_.ranks_per_node = split_.ranks_per_node;
            problem_.node_of_rank = split_.node_of_rank;
        }
    }
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// One rank has many times what the others have.
    void heap_up(Count of_last) { problem_.counts.back() = of_last; }
    BlockSizes sizes() const {
        return {4.0 * static_cast<double>(problem_.total()),
                4.0 * static_cast<double>(problem_.largest())};
    }
    bool is_ordered() const { return !op_.is_commutative(); }
    Costs costs() const { return {model_, problem_.ranks(), split_, problem_.root}; }
    /// Of a block or of the vector.
    double bytes(bool is_vector) const {
        return 4.0 * static_cast<double>(is_vector ? problem_.total() : problem_.largest());
    }
    double recorded(std::string_view name) const {
        return record(*find_arrows(name, Argument::whole).front(), problem_, false).time(model_);
    }

  private:
    Element element_{"int"};
    Operator op_;
    LinearModel model_;
    NodeSplit split_;
    Problem problem_;
};

/// Calls check(choices, is_vector) for each collective.
template <class Check>
void for_each_collective(const Check& check) {
    check(bcast_choices(), true);
    check(reduce_choices(), true);
    check(allreduce_choices(), true);
    check(reduce_scatter_block_choices(), false);
    check(allgather_choices(), false);
    check(gather_choices(), false);
    check(scatter_choices(), false);
    check(alltoall_choices(), false);
    check(scan_choices(), true);
    check(exscan_choices(), true);
}

/// Of these the formulas know about how long they take to be filled.
bool is_pipeline_on_trees(std::string_view name) {
    return name == "two_tree_Reduce" || name == "dual_root_Allreduce";
}

TEST(Costs, AreThoseOfTheRecordedAlgorithms) {
    for (const int ranks : {1, 2, 3, 7, 8, 13, 16, 31, 32}) {
        for (const int block : {1, 64, 4096}) {
            const Cluster cluster(ranks, 1, block);
            for_each_collective([&](auto choices, bool is_vector) {
                for (const auto& each : choices) {
                    if (each.is_on_nodes) continue;
                    const double formula = each.cost(cluster.costs(), cluster.bytes(is_vector));
                    const double recorded = cluster.recorded(each.name);
                    const bool is_exact = std::has_single_bit(static_cast<unsigned>(ranks));
                    const double exact = is_pipeline_on_trees(each.name) ? 0.25 : 0.02;
                    const double off = is_exact ? exact : 0.35;
                    EXPECT_NEAR(formula, recorded, off * recorded + 1e-12)
                        << each.name << " on " << ranks << " ranks, blocks of " << block;
                }
            });
        }
    }
}

TEST(Best, IsAboutAsFastAsTheFastest) {
    int cells = 0, good = 0;
    for (const auto& [ranks, per_node] :
         {std::pair{5, 1}, {16, 1}, {27, 1}, {16, 4}, {32, 8}, {48, 8}, {31, 8}, {30, 4}}) {
        for (const int block : {1, 64, 4096}) {
            for (const char* const op : {"sum", "user-affine"}) {
                const Cluster cluster(ranks, per_node, block, op, ranks / 2);
                for_each_collective([&](auto choices, bool is_vector) {
                    const auto& chosen = fastest(choices, cluster.costs(), cluster.bytes(is_vector),
                                                 cluster.is_ordered());
                    double best_s = cluster.recorded(chosen.name);
                    const double chosen_s = best_s;
                    std::string_view best = chosen.name;
                    for (const auto& each : choices) {
                        if ((cluster.is_ordered() && !each.keeps_order) ||
                            (each.is_on_nodes && !cluster.costs().has_lanes()))
                            continue;
                        const double time_s = cluster.recorded(each.name);
                        if (time_s >= best_s) continue;
                        best_s = time_s;
                        best = each.name;
                    }
                    ++cells;
                    good += chosen_s <= 1.15 * best_s;
                    EXPECT_LE(chosen_s, 2 * best_s)
                        << chosen.name << " and not " << best << " on " << ranks << " ranks, "
                        << per_node << " per node, blocks of " << block << ", " << op;
                    if (chosen_s > 1.15 * best_s)
                        RecordProperty(std::string(chosen.name) + std::to_string(cells),
                                       std::string(best) + " " + std::to_string(chosen_s / best_s));
                });
            }
        }
    }
    EXPECT_GE(good, 0.9 * cells) << good << " of " << cells;
}

/// How long the irregular form takes that is chosen, over the fastest one.
template <class Choices>
double over_the_fastest(const Cluster& cluster, const Choices& choices) {
    const bool is_ordered = cluster.is_ordered();
    const auto& chosen = fastest(choices, cluster.costs(), cluster.sizes(), is_ordered);
    double fastest_s = cluster.recorded(chosen.name);
    const double chosen_s = fastest_s;
    for (const auto& each : choices) {
        if (!is_ordered || each.keeps_order)
            fastest_s = std::min(fastest_s, cluster.recorded(each.name));
    }
    EXPECT_LE(chosen_s, 2 * fastest_s) << chosen.name;
    return chosen_s / fastest_s;
}

/// The longest vectors go near first, not around a ring of messages that are sent eagerly.
TEST(Best, AvoidsRingsOfEagerMessagesOnNodes) {
    LinearModel model{3.35e-6, 0.308e-9};
    NodeModel nodes;
    nodes.ranks_per_node = 16;
    nodes.alpha = 0.672e-6;
    nodes.beta = 0.0854e-9;
    nodes.memory = 1.04;
    model.nodes = nodes;
    const Costs on{model, 128, consecutive_nodes(16, 128)};
    const auto is_ring_faster = [&](double bytes) {
        return cost::ring_allreduce(on, bytes) < cost::near_first_allreduce(on, bytes);
    };
    EXPECT_FALSE(is_ring_faster(128 * 8000.0));
    EXPECT_TRUE(is_ring_faster(128 * 16000.0));
}

TEST(Best, OfIrregularBlocksIsAboutAsFastAsTheFastest) {
    int cells = 0, good = 0;
    for (const auto& [ranks, per_node] : {std::pair{5, 1}, {16, 1}, {32, 8}}) {
        for (const Count of_last : {0, 64, 100000}) {
            for (const char* const op : {"sum", "user-affine"}) {
                Cluster cluster(ranks, per_node, 64, op);
                cluster.heap_up(of_last);
                for (const double ratio : {over_the_fastest(cluster, allgatherv_choices()),
                                           over_the_fastest(cluster, reduce_scatter_choices())}) {
                    ++cells;
                    good += ratio <= 1.15;
                }
            }
        }
    }
    EXPECT_GE(good, 0.85 * cells) << good << " of " << cells;
}

TEST(Best, OfIrregularBlocksIsNotWhatIsBestForEqualOnes) {
    Cluster equal(16, 1, 65536), heaped(16, 1, 0);
    heaped.heap_up(16 * 65536);
    const auto chosen = [](const Cluster& cluster) {
        return fastest(allgatherv_choices(), cluster.costs(), cluster.sizes(), false).name;
    };
    EXPECT_EQ(chosen(equal), "sparbit_Allgatherv");
    EXPECT_EQ(chosen(heaped), "circulant_Allgatherv");
}

}  // namespace
}  // namespace mpiaudit
