// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/algorithms.h"

#include <algorithm>
#include <utility>

#include "collectives/collectives.h"

namespace mpiaudit {
namespace {

/// Adds rows of functions with the signature of an operation.
template <auto& mpi>
class RowsOf {
  public:
    using Signature = std::remove_reference_t<decltype(mpi)>;

    RowsOf(std::vector<Algorithm>& all, std::string_view operation)
        : all_(all), operation_(operation) {}

    void add(std::string name, Signature& function, std::string_view summary,
             unsigned traits = keeps_order) const {
        all_.push_back({std::move(name), operation_, summary, traits, any(&function)});
    }

  private:
    std::vector<Algorithm>& all_;
    std::string_view operation_;
};

/// Adds rows of algorithms for two operations, where one name begins with the other: MPI_Gather and
/// MPI_Gatherv.
template <auto& mpi, auto& longer>
class RowsOfTwins {
  public:
    RowsOfTwins(std::vector<Algorithm>& all, std::string_view operation, std::string_view other)
        : one_(all, operation), two_(all, other), operation_(operation), other_(other) {}

    /// \param name of `function`; the twin's name is derived
    void add(const std::string& name, typename RowsOf<mpi>::Signature& function,
             typename RowsOf<longer>::Signature& twin, std::string_view summary,
             unsigned traits = keeps_order) const {
        const std::string_view bare = operation_.substr(std::string_view("MPI_").size());
        std::string name_of_twin = name;
        name_of_twin.insert(name.find(bare) + bare.size(), other_.substr(operation_.size()));
        one_.add(name, function, summary, traits);
        two_.add(name_of_twin, twin, summary, traits);
    }

  private:
    RowsOf<mpi> one_;
    RowsOf<longer> two_;
    std::string_view operation_, other_;
};

void add_gather(std::vector<Algorithm>& all) {
    const RowsOf<PMPI_Gather> gather{all, "MPI_Gather"};
    const RowsOf<PMPI_Gatherv> gatherv{all, "MPI_Gatherv"};
    const RowsOfTwins<PMPI_Gather, PMPI_Gatherv> both{all, "MPI_Gather", "MPI_Gatherv"};
    both.add("linear_Gather", linear_Gather, linear_Gatherv,
             "every rank sends its block directly to the root");
    gather.add("binomial_Gather", binomial_Gather, "blocks travel up a binomial tree");
    gather.add("knomial_Gather_radix4", knomial_Gather_radix4,
               "blocks travel up a tree in which three subtrees join a fourth in each round");
    both.add("node_binomial_Gather", node_binomial_Gather, node_binomial_Gatherv,
             "blocks travel up a binomial tree of every node, then one of the nodes");
    both.add("node_knomial_Gather_radix4", node_knomial_Gather_radix4, node_knomial_Gatherv_radix4,
             "blocks travel up trees of every node, then one of the nodes, in which three subtrees "
             "join a fourth in each round");
    gather.add("segmented_binomial_Gather", segmented_binomial_Gather,
               "blocks travel up an ordered binomial tree in segments");
    gather.add("TUW_Gather", TUW_Gather,
               "blocks travel up an ordered binomial tree that every rank computes for itself");
    gatherv.add("binomial_Gatherv", binomial_Gatherv,
                "blocks travel up a fixed binomial tree that ignores their sizes");
    gatherv.add(
        "knomial_Gatherv_radix4", knomial_Gatherv_radix4,
        "blocks travel up a fixed tree in which three subtrees join a fourth in each round");
    gatherv.add("TUW_Gatherv", TUW_Gatherv,
                "blocks travel up an ordered binomial tree built from their sizes, so that ranks "
                "with less data send to ranks with more");
    gatherv.add("TUW_Gatherv_carrying", TUW_Gatherv_carrying,
                "as TUW_Gatherv, but small blocks travel with the construction of the tree");
    gatherv.add("TUW_Gatherv_degrading", TUW_Gatherv_degrading,
                "as TUW_Gatherv, but a subtree with much data sends it directly to the root");
    gatherv.add("TUW_Gatherv_k2", TUW_Gatherv_k2,
                "as TUW_Gatherv with three subtrees joined in each round");
    gatherv.add("TUW_Gatherv_k3", TUW_Gatherv_k3,
                "as TUW_Gatherv with four subtrees joined in each round");
}

void add_scatter(std::vector<Algorithm>& all) {
    const RowsOf<PMPI_Scatter> scatter{all, "MPI_Scatter"};
    const RowsOf<PMPI_Scatterv> scatterv{all, "MPI_Scatterv"};
    const RowsOfTwins<PMPI_Scatter, PMPI_Scatterv> both{all, "MPI_Scatter", "MPI_Scatterv"};
    both.add("linear_Scatter", linear_Scatter, linear_Scatterv,
             "the root sends every rank its block");
    scatter.add("binomial_Scatter", binomial_Scatter, "blocks travel down a binomial tree");
    scatter.add("knomial_Scatter_radix4", knomial_Scatter_radix4,
                "blocks travel down a tree that splits in four in each round");
    scatter.add("TUW_Scatter", TUW_Scatter,
                "blocks travel down an ordered binomial tree that every rank computes for itself");
    scatterv.add("binomial_Scatterv", binomial_Scatterv,
                 "blocks travel down a fixed binomial tree that ignores their sizes");
    scatterv.add("knomial_Scatterv_radix4", knomial_Scatterv_radix4,
                 "blocks travel down a fixed tree that splits in four in each round");
    scatterv.add("TUW_Scatterv", TUW_Scatterv,
                 "blocks travel down an ordered binomial tree built from their sizes");
    scatterv.add("TUW_Scatterv_degrading", TUW_Scatterv_degrading,
                 "as TUW_Scatterv, but a subtree with much data gets it directly from the root");
    scatterv.add("TUW_Scatterv_k2", TUW_Scatterv_k2,
                 "as TUW_Scatterv with a tree that splits in three in each round");
    scatterv.add("TUW_Scatterv_k3", TUW_Scatterv_k3,
                 "as TUW_Scatterv with a tree that splits in four in each round");
}

void add_allgather(std::vector<Algorithm>& all) {
    constexpr auto circulant =
        "every rank broadcasts over a circulant graph, the messages of all in one";
    const RowsOf<PMPI_Allgatherv> allgatherv{all, "MPI_Allgatherv"};
    const RowsOfTwins<PMPI_Allgather, PMPI_Allgatherv> both{all, "MPI_Allgather", "MPI_Allgatherv"};
    both.add("ring_Allgather", ring_Allgather, ring_Allgatherv,
             "blocks travel around a ring, one step per round");
    both.add("recursive_doubling_Allgather", recursive_doubling_Allgather,
             recursive_doubling_Allgatherv,
             "ranks at distance 1, 2, 4 ... exchange all that they have");
    both.add("dissemination_Allgather", dissemination_Allgather, dissemination_Allgatherv,
             "every rank sends its blocks to the rank 1, 2, 4 ... after it");
    both.add("dissemination_Allgather_radix4", dissemination_Allgather_radix4,
             dissemination_Allgatherv_radix4,
             "all blocks go to the ranks at distance 1, 4, 16 ..., and 2 and 3 times as far");
    both.add("sparbit_Allgather", sparbit_Allgather, sparbit_Allgatherv,
             "one block goes far, half of all blocks to the neighbour, in log p rounds");
    both.add("sparbit_blocks_Allgather", sparbit_blocks_Allgather, sparbit_blocks_Allgatherv,
             "as sparbit_Allgather with a message for every block");
    both.add("neighbour_exchange_Allgather", neighbour_exchange_Allgather,
             neighbour_exchange_Allgatherv,
             "two blocks go to the left and to the right neighbour by turns");
    both.add("kring_Allgather", kring_Allgather, kring_Allgatherv,
             "blocks travel around rings of groups, and then to the next group");
    both.add("bine_Allgather", bine_Allgather, bine_Allgatherv,
             "ranks at distance ..., -5, 3, -1, 1 exchange all that they have");
    both.add("simple_Allgather", simple_Allgather, simple_Allgatherv,
             "every rank sends its block to all others in rank order");
    both.add("spreading_simple_Allgather", spreading_simple_Allgather, spreading_simple_Allgatherv,
             "in step i every rank sends its block to the rank i after it");
    both.add("gather_bcast_Allgather", gather_bcast_Allgather, gather_bcast_Allgatherv,
             "blocks are gathered at rank 0 and broadcast from there");
    both.add("MPICH2004_Allgather", MPICH2004_Allgather, MPICH2004_Allgatherv,
             "recursive doubling for short, ring for long vectors");
    allgatherv.add("circulant_Allgatherv", circulant_Allgatherv, circulant);
}

void add_alltoall(std::vector<Algorithm>& all) {
    const RowsOf<PMPI_Alltoall> alltoall{all, "MPI_Alltoall"};
    const RowsOf<PMPI_Alltoallv> alltoallv{all, "MPI_Alltoallv"};
    const RowsOfTwins<PMPI_Alltoall, PMPI_Alltoallv> both{all, "MPI_Alltoall", "MPI_Alltoallv"};
    both.add("direct_Alltoall", direct_Alltoall, direct_Alltoallv,
             "every rank sends each block directly, all at once");
    both.add("pairwise_Alltoall", pairwise_Alltoall, pairwise_Alltoallv,
             "every rank sends each block directly, one partner per step");
    both.add("windowed_Alltoall", windowed_Alltoall, windowed_Alltoallv,
             "every rank sends each block directly, 32 messages at a time");
    alltoall.add("factorised_Alltoall", factorised_Alltoall,
                 "blocks go along the rows and then the columns of a grid");
    alltoall.add("modBruck_ix_Alltoall", modBruck_ix_Alltoall,
                 "modBruck with indexed datatypes in place of packing");
    alltoallv.add("two_phase_Bruck_Alltoallv", two_phase_Bruck_Alltoallv,
                  "blocks move by the bits of their distance, sizes ahead");
    alltoallv.add("root_radix_Bruck_Alltoallv", root_radix_Bruck_Alltoallv,
                  "as two_phase_Bruck, by digits to the base of the root of p");
    alltoallv.add("padded_Bruck_Alltoallv", padded_Bruck_Alltoallv,
                  "modBruck of blocks that are padded to the largest");
}

void add_bcast(std::vector<Algorithm>& all) {
    const RowsOf<PMPI_Bcast> bcast{all, "MPI_Bcast"};
    bcast.add("linear_Bcast", linear_Bcast, "the root sends all to every rank");
    bcast.add("binomial_Bcast", binomial_Bcast, "all travels down a binomial tree");
    bcast.add("van_de_Geijn_recursive_doubling_Bcast", van_de_Geijn_recursive_doubling_Bcast,
              "blocks are scattered down a binomial tree, then allgathered by recursive doubling");
    bcast.add("van_de_Geijn_ring_Bcast", van_de_Geijn_ring_Bcast,
              "blocks are scattered down a binomial tree, then allgathered around a ring");
    bcast.add("knomial_Bcast", knomial_Bcast,
              "all travels down a tree with three children per level");
    bcast.add("binary_Bcast", binary_Bcast, "segments travel down a complete binary tree");
    bcast.add("split_binary_Bcast", split_binary_Bcast,
              "segments of a half travel down a binary tree each, then neighbours exchange halves");
    bcast.add("two_tree_Bcast", two_tree_Bcast,
              "segments travel down two binary trees, whose leaves are the others' inner nodes");
    bcast.add("bine_Bcast", bine_Bcast,
              "all travels down a tree of ranks at distance ..., -5, 3, -1, 1");
    bcast.add("chain_Bcast", chain_Bcast, "segments go from every rank to the next one");
    bcast.add("circulant_Bcast", circulant_Bcast,
              "blocks go over a circulant graph, every rank busy in every round");
    bcast.add("MPICH2004_Bcast", MPICH2004_Bcast,
              "binomial tree for short, scatter and allgather for longer vectors");
}

void add_reduce(std::vector<Algorithm>& all) {
    const RowsOf<PMPI_Reduce> reduce{all, "MPI_Reduce"};
    reduce.add("linear_Reduce", linear_Reduce,
               "every rank sends its vector to the root, which combines them in order");
    reduce.add("binomial_Reduce", binomial_Reduce, "vectors are combined up a binomial tree");
    reduce.add("knomial_Reduce", knomial_Reduce,
               "vectors are combined up a tree with three children per level");
    reduce.add("Rabenseifner_Reduce", Rabenseifner_Reduce,
               "reduce-scatter by recursive halving, then a binomial gather", reorders_operands);
    reduce.add("near_first_Rabenseifner_Reduce", near_first_Rabenseifner_Reduce,
               "as Rabenseifner_Reduce, largest parts between neighbours", reorders_operands);
    reduce.add("chain_Reduce", chain_Reduce,
               "segments go from every rank to the one before, which adds its own");
    reduce.add("binary_Reduce", binary_Reduce, "segments are combined up a binary tree");
    reduce.add("split_binary_Reduce", split_binary_Reduce,
               "neighbours exchange halves, which are combined up a binary tree each",
               reorders_operands);
    reduce.add("two_tree_Reduce", two_tree_Reduce,
               "segments are combined up two trees, whose leaves are the others' inner nodes");
    reduce.add("bine_Reduce", bine_Reduce,
               "vectors are combined up a tree of ranks at distance 1, -1, 3, -5 ...",
               reorders_operands);
    reduce.add("circulant_Reduce", circulant_Reduce,
               "blocks go over a circulant graph, every rank busy in every round",
               reorders_operands);
    reduce.add("MPICH2004_Reduce", MPICH2004_Reduce,
               "binomial tree for short, Rabenseifner for long vectors");
    reduce.add("TUW_Reduce", TUW_Reduce, "vectors are combined up an ordered binomial tree");
}

void add_allreduce(std::vector<Algorithm>& all) {
    const RowsOf<PMPI_Allreduce> allreduce{all, "MPI_Allreduce"};
    allreduce.add("reduce_bcast_Allreduce", reduce_bcast_Allreduce,
                  "binomial reduction to rank 0, then a binomial broadcast");
    allreduce.add("recursive_doubling_Allreduce", recursive_doubling_Allreduce,
                  "ranks at distance 1, 2, 4 ... exchange and combine all that they have");
    allreduce.add("recursive_multiplying_Allreduce", recursive_multiplying_Allreduce,
                  "groups of 4, 3, 2, 5 or 7 ranks exchange and combine all that they have");
    allreduce.add("Rabenseifner_Allreduce", Rabenseifner_Allreduce,
                  "reduce-scatter by recursive halving, then allgather by recursive doubling",
                  reorders_operands);
    allreduce.add("near_first_Rabenseifner_Allreduce", near_first_Rabenseifner_Allreduce,
                  "as Rabenseifner_Allreduce, largest parts between neighbours", reorders_operands);
    allreduce.add("near_first_Allreduce", near_first_Allreduce,
                  "halving that begins with neighbours, for any number of ranks, and back",
                  reorders_operands);
    allreduce.add("circulant_Allreduce", circulant_Allreduce,
                  "halving on a circulant graph, for any number of ranks, and back",
                  reorders_operands);
    allreduce.add("census_Allreduce", census_Allreduce,
                  "sums over the preceding ranks go round a ring and double their reach",
                  reorders_operands | order_of_each_rank);
    allreduce.add("swing_Allreduce", swing_Allreduce,
                  "ranks at distance 1, -1, 3, -5 ... exchange and combine all", reorders_operands);
    allreduce.add("bine_Allreduce", bine_Allreduce,
                  "halving among ranks at distance 1, -1, 3, -5 ..., and back", reorders_operands);
    allreduce.add("two_tree_Allreduce", two_tree_Allreduce,
                  "segments are combined up two binary trees and travel down");
    allreduce.add("dual_root_Allreduce", dual_root_Allreduce,
                  "segments go up and down two binary trees at once, whose roots exchange them");
    allreduce.add("ring_Allreduce", ring_Allreduce, "reduce-scatter and allgather around a ring",
                  reorders_operands);
    allreduce.add("MPICH2004_Allreduce", MPICH2004_Allreduce,
                  "recursive doubling for short, Rabenseifner for long vectors");
}

void add_reduce_scatter(std::vector<Algorithm>& all) {
    const RowsOfTwins<PMPI_Reduce_scatter, PMPI_Reduce_scatter_block> both{
        all, "MPI_Reduce_scatter", "MPI_Reduce_scatter_block"};
    both.add("recursive_halving_Reduce_scatter", recursive_halving_Reduce_scatter,
             recursive_halving_Reduce_scatter_block,
             "ranks at distance p/2, p/4 ... exchange the half that the other needs",
             reorders_operands);
    both.add(
        "near_first_Reduce_scatter", near_first_Reduce_scatter, near_first_Reduce_scatter_block,
        "ranks at distance 1, 2, 4 ... give away every second remaining block", reorders_operands);
    both.add("circulant_Reduce_scatter", circulant_Reduce_scatter, circulant_Reduce_scatter_block,
             "ranks at distance p/2, p/4 ... on a ring give away half of the rest",
             reorders_operands);
    both.add("bine_Reduce_scatter", bine_Reduce_scatter, bine_Reduce_scatter_block,
             "ranks at distance 1, -1, 3, -5 ... give away half of the blocks", reorders_operands);
    both.add("butterfly_Reduce_scatter", butterfly_Reduce_scatter, butterfly_Reduce_scatter_block,
             "ranks at distance 1, 2, 4 ... exchange halves of the blocks in bit-reversed order");
    both.add("recursive_doubling_Reduce_scatter", recursive_doubling_Reduce_scatter,
             recursive_doubling_Reduce_scatter_block,
             "ranks at distance 1, 2, 4 ... exchange and combine all but their own blocks");
    both.add("pairwise_exchange_Reduce_scatter", pairwise_exchange_Reduce_scatter,
             pairwise_exchange_Reduce_scatter_block,
             "in step i every rank gets the operands of its block from the rank i before it");
    both.add("reduce_scatterv_Reduce_scatter", reduce_scatterv_Reduce_scatter,
             reduce_scatterv_Reduce_scatter_block, "binomial reduction to rank 0, then a scatter");
    both.add("MPICH2004_Reduce_scatter", MPICH2004_Reduce_scatter, MPICH2004_Reduce_scatter_block,
             "recursive halving or doubling for short, pairwise exchange for long vectors");
}

void add_scan(std::vector<Algorithm>& all) {
    constexpr auto linear = "every rank adds its contribution to the prefix of the rank before it";
    constexpr auto doubling = "ranks at distance 1, 2, 4 ... exchange partial results";
    const RowsOf<PMPI_Scan> scan{all, "MPI_Scan"};
    const RowsOf<PMPI_Exscan> exscan{all, "MPI_Exscan"};
    scan.add("linear_Scan", linear_Scan, linear);
    scan.add("recursive_doubling_Scan", recursive_doubling_Scan, doubling);
    exscan.add("linear_Exscan", linear_Exscan, linear);
    exscan.add("recursive_doubling_Exscan", recursive_doubling_Exscan, doubling);
    exscan.add("doubling_123_Exscan", doubling_123_Exscan,
               "reductions over 1, 3, 6, 12 ... preceding ranks are passed on");
    exscan.add("bits_Exscan", bits_Exscan,
               "reductions over preceding ranks are passed on, by the bits of p-1");
}

void add_barrier(std::vector<Algorithm>& all) {
    const RowsOf<PMPI_Barrier> barrier{all, "MPI_Barrier"};
    barrier.add("dissemination_Barrier", dissemination_Barrier,
                "every rank tells the rank 1, 2, 4 ... after it");
    barrier.add("dissemination_Barrier_radix4", dissemination_Barrier_radix4,
                "every rank tells the ranks 1, 2, 3, then 4, 8, 12 ... after it");
    barrier.add("dissemination_Barrier_radix8", dissemination_Barrier_radix8,
                "every rank tells the ranks 1 to 7, then 8, 16 ... 56 ... after it");
    barrier.add("tournament_Barrier", tournament_Barrier,
                "winners of pairs wait for each other, and the last winner wakes all");
}

constexpr Parts native_parts{.bcast = MPI_Bcast,
                             .reduce = MPI_Reduce,
                             .allreduce = MPI_Allreduce,
                             .reduce_scatter = MPI_Reduce_scatter,
                             .reduce_scatter_block = MPI_Reduce_scatter_block,
                             .allgather = MPI_Allgather,
                             .allgatherv = MPI_Allgatherv,
                             .gather = MPI_Gather,
                             .gatherv = MPI_Gatherv,
                             .scatter = MPI_Scatter,
                             .scatterv = MPI_Scatterv,
                             .alltoall = MPI_Alltoall,
                             .scan = MPI_Scan,
                             .exscan = MPI_Exscan,
                             .barrier = MPI_Barrier};

/// Adds four rows: by lanes and by leaders, each made of library operations and of reference
/// algorithms.
template <auto& mpi, auto& by_lanes, auto& by_leaders, auto& lane, auto& hierarchical>
void add_on_nodes(std::vector<Algorithm>& all, std::string_view operation) {
    constexpr auto lanes_say =
        "on nodes and between them, where each rank of a node sends an equal share";
    constexpr auto leaders_say = "on nodes and between them, where one rank of a node sends all";
    constexpr auto natives_by_lanes =
        "the library's operations on nodes and between them, where each rank of a node sends an "
        "equal share";
    constexpr auto natives_by_leaders =
        "the library's operations on nodes and between them, where one rank of a node sends all";
    const RowsOf<mpi> rows{all, operation};
    const std::string name(operation);
    const std::string bare = name.substr(std::string_view("MPI_").size());
    rows.add(name + "[lane]", bind_first<by_lanes, native_parts>, natives_by_lanes,
             on_nodes | of_library);
    rows.add(name + "[hierarchical]", bind_first<by_leaders, native_parts>, natives_by_leaders,
             on_nodes | of_library);
    rows.add("lane_" + bare, lane, lanes_say, on_nodes);
    rows.add("hierarchical_" + bare, hierarchical, leaders_say, on_nodes);
}

void add_all_on_nodes(std::vector<Algorithm>& all) {
    add_on_nodes<PMPI_Bcast, bcast_by_lanes, bcast_by_leaders, lane_Bcast, hierarchical_Bcast>(
        all, "MPI_Bcast");
    add_on_nodes<PMPI_Reduce, reduce_by_lanes, reduce_by_leaders, lane_Reduce, hierarchical_Reduce>(
        all, "MPI_Reduce");
    add_on_nodes<PMPI_Allreduce, allreduce_by_lanes, allreduce_by_leaders, lane_Allreduce,
                 hierarchical_Allreduce>(all, "MPI_Allreduce");
    add_on_nodes<PMPI_Reduce_scatter_block, reduce_scatter_block_by_lanes,
                 reduce_scatter_block_by_leaders, lane_Reduce_scatter_block,
                 hierarchical_Reduce_scatter_block>(all, "MPI_Reduce_scatter_block");
    add_on_nodes<PMPI_Allgather, allgather_by_lanes, allgather_by_leaders, lane_Allgather,
                 hierarchical_Allgather>(all, "MPI_Allgather");
    add_on_nodes<PMPI_Gather, gather_by_lanes, gather_by_leaders, lane_Gather, hierarchical_Gather>(
        all, "MPI_Gather");
    add_on_nodes<PMPI_Scatter, scatter_by_lanes, scatter_by_leaders, lane_Scatter,
                 hierarchical_Scatter>(all, "MPI_Scatter");
    add_on_nodes<PMPI_Alltoall, alltoall_by_lanes, alltoall_by_leaders, lane_Alltoall,
                 hierarchical_Alltoall>(all, "MPI_Alltoall");
    add_on_nodes<PMPI_Scan, scan_by_lanes, scan_by_leaders, lane_Scan, hierarchical_Scan>(
        all, "MPI_Scan");
    add_on_nodes<PMPI_Exscan, exscan_by_lanes, exscan_by_leaders, lane_Exscan, hierarchical_Exscan>(
        all, "MPI_Exscan");
    add_on_nodes<PMPI_Barrier, barrier_by_lanes, barrier_by_leaders, lane_Barrier,
                 hierarchical_Barrier>(all, "MPI_Barrier");
}

}  // namespace

namespace {

std::vector<Algorithm>& rows() {
    static std::vector<Algorithm> all = [] {
        std::vector<Algorithm> made;
        for (const auto add :
             {add_gather, add_scatter, add_allgather, add_alltoall, add_bcast, add_reduce,
              add_allreduce, add_reduce_scatter, add_scan, add_barrier, add_all_on_nodes})
            add(made);
        return made;
    }();
    return all;
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
    return rows();
}

void join_algorithms(const std::vector<Algorithm>& more) {
    if (std::ranges::find(rows(), more.front().name, &Algorithm::name) == rows().end())
        rows().insert(rows().end(), more.begin(), more.end());
}

}  // namespace mpiaudit
