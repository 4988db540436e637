// SPDX-License-Identifier: BSD-3-Clause
#include "settings/families.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/plain.h"

namespace mpiaudit::settings {
namespace {

struct Family {
    std::string_view name;   ///< in Open MPI, MPICH or mpiaudit
    std::string_view words;  ///< in the literature
};

constexpr std::string_view van_de_geijn =
                               "scatter, then recursive-doubling allgather (van de Geijn)",
                           van_de_geijn_ring = "scatter, then ring allgather (van de Geijn)",
                           rabenseifner = "reduce-scatter, then allgather (Rabenseifner)",
                           reduce_then_bcast = "reduce, then broadcast";

constexpr Family families[] = {
    // Open MPI
    {"allgather_reduce", "allgather, then local reduction"},
    {"basic_linear", "linear"},
    {"binary", "binary tree"},
    {"binary_tree", "binary tree"},
    {"binomial", "binomial tree"},
    {"bruck", "Bruck"},
    {"bruck-k-fanout", "Bruck, radix k"},
    {"direct-messaging", "direct exchange"},
    {"ignore", "the library's own choice"},
    {"in-order_binary", "binary tree in the order of the ranks"},
    {"knomial", "k-nomial tree"},
    {"linear_nb", "linear, nonblocking"},
    {"linear_sync", "linear, synchronised"},
    {"modified_bruck", "Bruck, modified"},
    {"neighbor", "neighbour exchange"},
    {"non-overlapping", "reduce, then scatter"},
    {"nonoverlapping", reduce_then_bcast},
    {"pairwise", "pairwise exchange"},
    {"pipeline", "pipelined chain"},
    {"rabenseifner", rabenseifner},
    {"scatter_allgather", van_de_geijn},
    {"scatter_allgather_ring", van_de_geijn_ring},
    {"segmented_ring", "ring of segments"},
    {"split_binary_tree", "split binary tree"},
    {"two_proc", "exchange of two ranks"},
    // MPICH
    {"auto", "the library's own choice"},
    {"blocked", "direct exchange in groups"},
    {"brucks", "Bruck"},
    {"inplace", "pairwise exchange, in place"},
    {"k_brucks", "Bruck, radix k"},
    {"k_dissemination", "dissemination, radix k"},
    {"naive", reduce_then_bcast},
    {"nb", "the nonblocking operation"},
    {"noncommutative", "recursive halving in the order of the ranks"},
    {"pairwise_sendrecv_replace", "pairwise exchange, in place"},
    {"permuted_sendrecv", "direct exchange"},
    {"recexch", "recursive multiplying, radix k"},
    {"recexch_doubling", "recursive multiplying, radix k, near ranks first"},
    {"recexch_halving", "recursive multiplying, radix k, far ranks first"},
    {"recexch_multiple_buffer", "recursive multiplying, radix k"},
    {"recexch_single_buffer", "recursive multiplying, radix k, one buffer"},
    {"reduce_scatter_allgather", rabenseifner},
    {"reduce_scatter_gather", "reduce-scatter, then gather (Rabenseifner)"},
    {"scatter_recursive_doubling_allgather", van_de_geijn},
    {"scatter_ring_allgather", van_de_geijn_ring},
    {"scattered", "direct exchange in groups"},
    {"scatterv_recexch_allgatherv", "scatter, then allgather by recursive multiplying"},
    {"smp", "hierarchical, node by node"},
    // mpiaudit
    {"factorised", "Bruck, mixed radix"},
    {"modBruck_ix", "Bruck, modified"},
    {"near_first", "recursive halving, near ranks first"},
    {"neighbour_exchange", "neighbour exchange"},
    {"pairwise_exchange", "pairwise exchange"},
    {"Rabenseifner", rabenseifner},
    {"reduce_bcast", reduce_then_bcast},
    {"van_de_Geijn_recursive_doubling", van_de_geijn},
    {"van_de_Geijn_ring", van_de_geijn_ring},
};

/// How MPICH runs a nonblocking algorithm.
constexpr std::string_view engines[] = {"sched_", "tsp_", "gentran_"};

}  // namespace

std::string family_of(std::string_view algorithm) {
    for (const std::string_view engine : engines)
        if (algorithm.starts_with(engine)) algorithm.remove_prefix(engine.size());
    constexpr std::string_view before_radix = "_radix";
    if (const std::size_t at = algorithm.find(before_radix); at != algorithm.npos)
        return fmt::format("{}, radix {}", family_of(algorithm.substr(0, at)),
                           algorithm.substr(at + before_radix.size()));
    if (const Family* known = find_in(families, algorithm, &Family::name))
        return std::string(known->words);
    std::string words(algorithm);
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string family_of(const Form& form) {
    if (form.is_of_mpi()) return form.variant.empty() ? "" : family_of(form.variant);
    std::string name = form.algorithm;
    const std::string_view operation = without_mpi(form.operation);
    if (const std::size_t at = name.rfind(operation); at != name.npos && at > 0)
        name.erase(at - 1, operation.size() + 1);
    return family_of(name);
}

std::string with_family(const std::string& algorithm) {
    std::string family = family_of(std::string_view(algorithm));
    std::string words = algorithm;
    std::ranges::replace(words, '_', ' ');
    return family == words ? algorithm : fmt::format("{} ({})", algorithm, family);
}

}  // namespace mpiaudit::settings
