// SPDX-License-Identifier: BSD-3-Clause
// Where the algorithms are described: declared in algorithms/algorithms.h. The headers of
// src/auditor/collectives say more about each algorithm.
#include <utility>

#include "algorithms/algorithms.h"

namespace mpiaudit {
namespace {

constexpr std::string_view
    thakur_gropp =
        "R. Thakur, W. Gropp, \"Improving the Performance of Collective Operations in MPICH\", "
        "EuroPVM/MPI 2003, section 4",
    traeff_2017 =
        "J. L. Träff, \"Practical, Linear-time, Fully Distributed Algorithms for Irregular Gather "
        "and Scatter\", 2017, sections 2 and 3",
    zero_copy =
        "J. L. Träff, A. Rougier, S. Hunold, \"Implementing a classic: zero-copy all-to-all "
        "communication with MPI datatypes\", ICS 2014, sections 2 and 3",
    nodes =
        "J. L. Träff, S. Hunold, \"Decomposing MPI collectives for exploiting multi-lane "
        "communication\", CLUSTER 2020",
    bruck = "J. Bruck et al., IEEE TPDS 8, 1997",
    fan =
        "K. Fan et al., \"Optimizing the Bruck algorithm for non-uniform all-to-all "
        "communication\", HPDC 2022",
    fan_configurable =
        "K. Fan et al., \"Configurable non-uniform all-to-all algorithms\", arXiv 2411.02581",
    two_trees = "P. Sanders, J. Speck, J. L. Träff, Parallel Computing 35, 2009",
    bine = "D. De Sensi et al., \"Bine Trees\", SC 2025, arXiv 2508.17311",
    swing = "D. De Sensi et al., \"Swing\", NSDI 2024",
    wilkins =
        "M. Wilkins et al., \"Generalized collective algorithms for the exascale era\", "
        "CLUSTER 2023",
    rabenseifner =
        "R. Thakur, R. Rabenseifner, W. Gropp, \"Optimization of collective communication "
        "operations in MPICH\", 2005",
    faraj = "A. Faraj, X. Yuan, 2005",
    sparbit = "W. J. Loch, G. P. Koslovski, \"Sparbit\", SBAC-PAD 2021",
    halving =
        "J. L. Träff, \"Optimal, non-pipelined reduce-scatter and allreduce algorithms\", "
        "arXiv 2410.14234",
    circulant = "J. L. Träff, arXiv 2312.11236 and 2407.18004",
    hensgen = "D. Hensgen, R. Finkel, U. Manber, 1988",
    open_mpi = "the pipelines and trees of Open MPI's coll/base",
    textbook = "a loop of messages, as in textbooks",
    composed = "the composition of two operations on a binomial tree";

/// Sources by the beginning of a name. The longest beginning counts.
constexpr std::pair<std::string_view, std::string_view> sources[] = {
    {"linear_", textbook},
    {"binomial_", thakur_gropp},
    {"knomial_", "k-nomial trees, as in MPICH and Open MPI"},
    {"node_", "a tree of every node and one of the nodes, as on clusters of nodes"},
    {"segmented_binomial_Gather", traeff_2017},
    {"TUW_", traeff_2017},
    {"ring_", thakur_gropp},
    {"recursive_doubling_", thakur_gropp},
    {"recursive_halving_", thakur_gropp},
    {"recursive_multiplying_", wilkins},
    {"dissemination_Allgather", bruck},
    {"dissemination_Barrier", hensgen},
    {"dissemination_Barrier_radix",
     "T. Hoefler, T. Mehlan, F. Mietke, W. Rehm, n-way dissemination, IPDPS 2006"},
    {"tournament_", hensgen},
    {"sparbit_", sparbit},
    {"neighbour_exchange_",
     "J. Chen, Y. Zhang, L. Zhang, W. Yuan, \"Performance evaluation of allgather algorithms on "
     "terascale Linux cluster with fast Ethernet\", 2005"},
    {"kring_", wilkins},
    {"bine_", bine},
    {"simple_", faraj},
    {"spreading_simple_", faraj},
    {"gather_bcast_", composed},
    {"reduce_bcast_", composed},
    {"MPICH2004_", thakur_gropp},
    {"circulant_", circulant},
    {"circulant_Allreduce", halving},
    {"circulant_Reduce_scatter", halving},
    {"circulant_Allgatherv", "J. L. Träff, arXiv 2205.10072 and 2407.18004"},
    {"direct_", zero_copy},
    {"pairwise_", rabenseifner},
    {"pairwise_exchange_", thakur_gropp},
    {"windowed_", "MPICH, \"scattered\""},
    {"factorised_", "J. L. Träff, arXiv 2605.29970"},
    {"modBruck_", zero_copy},
    {"basicBruck_", zero_copy},
    {"zeroBruck", zero_copy},
    {"chosen_Bruck_", zero_copy},
    {"persBruck", zero_copy},
    {"two_phase_Bruck_", fan},
    {"root_radix_Bruck_", fan_configurable},
    {"padded_Bruck_", fan},
    {"van_de_Geijn_", thakur_gropp},
    {"binary_", open_mpi},
    {"split_binary_", open_mpi},
    {"chain_", open_mpi},
    {"two_tree_", two_trees},
    {"dual_root_",
     "J. L. Träff, \"A doubly-pipelined, dual-root reduction-to-all algorithm and "
     "implementation\", arXiv 2109.12626"},
    {"Rabenseifner_", thakur_gropp},
    {"near_first_", sparbit},
    {"near_first_Rabenseifner_", rabenseifner},
    {"census_",
     "A. Bar-Noy, S. Kipnis, B. Schieber, \"Optimal computation of census functions in "
     "the postal model\", 1993"},
    {"swing_", swing},
    {"butterfly_",
     "J. L. Träff, \"An improved algorithm for (non-commutative) reduce-scatter "
     "with an application\", EuroPVM/MPI 2005"},
    {"reduce_scatterv_", thakur_gropp},
    {"recursive_doubling_Scan", thakur_gropp},
    {"doubling_123_", "J. L. Träff, \"123-doubling\", arXiv 2507.04785"},
    {"bits_",
     "after \"Two efficient message-passing exclusive scan algorithms\", arXiv 2604.25667"},
    {"lane_", nodes},
    {"hierarchical_", nodes},
    {"optimal_", traeff_2017},
    {"MPI_", nodes},
};

}  // namespace

std::string_view source_of(const Algorithm& algorithm) {
    std::string_view longest, source;
    for (const auto& [beginning, text] : sources) {
        if (!algorithm.name.starts_with(beginning) || beginning.size() <= longest.size()) continue;
        longest = beginning;
        source = text;
    }
    return source;
}

}  // namespace mpiaudit
