// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/best/choices.h"

#include <array>

#include "collectives/allgather/allgather.h"
#include "collectives/allreduce/allreduce.h"
#include "collectives/alltoall/alltoall.h"
#include "collectives/bcast/bcast.h"
#include "collectives/gather/gather.h"
#include "collectives/nodes/nodes.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "collectives/scan/scan.h"
#include "collectives/scatter/scatter.h"

namespace mpiaudit {

Choices<&Parts::bcast> bcast_choices() {
    using Function = FunctionOf<&Parts::bcast>;
    static constexpr std::array all = {
        Choice<Function>{"binomial_Bcast", binomial_Bcast, cost::binomial_bcast},
        Choice<Function>{"knomial_Bcast", knomial_Bcast, cost::knomial_bcast},
        Choice<Function>{"chain_Bcast", chain_Bcast, cost::chain_bcast},
        Choice<Function>{"binary_Bcast", binary_Bcast, cost::binary_bcast},
        Choice<Function>{"circulant_Bcast", circulant_Bcast, cost::circulant_bcast},
        Choice<Function>{"van_de_Geijn_ring_Bcast", van_de_Geijn_ring_Bcast,
                         cost::van_de_geijn_ring_bcast},
        Choice<Function>{"two_tree_Bcast", two_tree_Bcast, cost::two_tree_bcast},
        Choice<Function>{"lane_Bcast", lane_Bcast, cost::lane_bcast, true, true},
        Choice<Function>{"hierarchical_Bcast", hierarchical_Bcast, cost::hierarchical_bcast, true,
                         true},
    };
    return all;
}

Choices<&Parts::reduce> reduce_choices() {
    using Function = FunctionOf<&Parts::reduce>;
    static constexpr std::array all = {
        Choice<Function>{"binomial_Reduce", binomial_Reduce, cost::binomial_reduce},
        Choice<Function>{"TUW_Reduce", TUW_Reduce, cost::tuw_reduce},
        Choice<Function>{"knomial_Reduce", knomial_Reduce, cost::knomial_reduce},
        Choice<Function>{"chain_Reduce", chain_Reduce, cost::chain_reduce},
        Choice<Function>{"circulant_Reduce", circulant_Reduce, cost::circulant_reduce, false},
        Choice<Function>{"near_first_Rabenseifner_Reduce", near_first_Rabenseifner_Reduce,
                         cost::near_first_reduce, false},
        Choice<Function>{"two_tree_Reduce", two_tree_Reduce, cost::two_tree_reduce},
        Choice<Function>{"lane_Reduce", lane_Reduce, cost::lane_reduce, true, true},
        Choice<Function>{"hierarchical_Reduce", hierarchical_Reduce, cost::hierarchical_reduce,
                         true, true},
    };
    return all;
}

Choices<&Parts::allreduce> allreduce_choices() {
    using Function = FunctionOf<&Parts::allreduce>;
    static constexpr std::array all = {
        Choice<Function>{"recursive_doubling_Allreduce", recursive_doubling_Allreduce,
                         cost::recursive_doubling_allreduce},
        Choice<Function>{"reduce_bcast_Allreduce", reduce_bcast_Allreduce,
                         cost::reduce_bcast_allreduce},
        Choice<Function>{"recursive_multiplying_Allreduce", recursive_multiplying_Allreduce,
                         cost::recursive_multiplying_allreduce},
        Choice<Function>{"census_Allreduce", census_Allreduce, cost::census_allreduce, false},
        Choice<Function>{"near_first_Allreduce", near_first_Allreduce, cost::near_first_allreduce,
                         false},
        Choice<Function>{"circulant_Allreduce", circulant_Allreduce, cost::circulant_allreduce,
                         false},
        Choice<Function>{"ring_Allreduce", ring_Allreduce, cost::ring_allreduce, false},
        Choice<Function>{"dual_root_Allreduce", dual_root_Allreduce, cost::dual_root_allreduce},
        Choice<Function>{"lane_Allreduce", lane_Allreduce, cost::lane_allreduce, true, true},
        Choice<Function>{"hierarchical_Allreduce", hierarchical_Allreduce,
                         cost::hierarchical_allreduce, true, true},
    };
    return all;
}

Choices<&Parts::reduce_scatter_block> reduce_scatter_block_choices() {
    using Function = FunctionOf<&Parts::reduce_scatter_block>;
    static constexpr std::array all = {
        Choice<Function>{"pairwise_exchange_Reduce_scatter_block",
                         pairwise_exchange_Reduce_scatter_block, cost::pairwise_reduce_scatter,
                         false},
        Choice<Function>{"near_first_Reduce_scatter_block", near_first_Reduce_scatter_block,
                         cost::near_first_reduce_scatter, false},
        Choice<Function>{"circulant_Reduce_scatter_block", circulant_Reduce_scatter_block,
                         cost::circulant_reduce_scatter, false},
        Choice<Function>{"butterfly_Reduce_scatter_block", butterfly_Reduce_scatter_block,
                         cost::butterfly_reduce_scatter},
        Choice<Function>{"recursive_doubling_Reduce_scatter_block",
                         recursive_doubling_Reduce_scatter_block,
                         cost::recursive_doubling_reduce_scatter},
        Choice<Function>{"reduce_scatterv_Reduce_scatter_block",
                         reduce_scatterv_Reduce_scatter_block,
                         cost::reduce_scatterv_reduce_scatter},
        Choice<Function>{"lane_Reduce_scatter_block", lane_Reduce_scatter_block,
                         cost::lane_reduce_scatter, true, true},
        Choice<Function>{"hierarchical_Reduce_scatter_block", hierarchical_Reduce_scatter_block,
                         cost::hierarchical_reduce_scatter, true, true},
    };
    return all;
}

Choices<&Parts::allgather> allgather_choices() {
    using Function = FunctionOf<&Parts::allgather>;
    static constexpr std::array all = {
        Choice<Function>{"sparbit_Allgather", sparbit_Allgather, cost::sparbit_allgather},
        Choice<Function>{"recursive_doubling_Allgather", recursive_doubling_Allgather,
                         cost::recursive_doubling_allgather},
        Choice<Function>{"bine_Allgather", bine_Allgather, cost::bine_allgather},
        Choice<Function>{"ring_Allgather", ring_Allgather, cost::ring_allgather},
        Choice<Function>{"neighbour_exchange_Allgather", neighbour_exchange_Allgather,
                         cost::neighbour_exchange_allgather},
        Choice<Function>{"dissemination_Allgather", dissemination_Allgather,
                         cost::dissemination_allgather},
        Choice<Function>{"dissemination_Allgather_radix4", dissemination_Allgather_radix4,
                         cost::dissemination_radix4_allgather},
        Choice<Function>{"gather_bcast_Allgather", gather_bcast_Allgather,
                         cost::gather_bcast_allgather},
        Choice<Function>{"lane_Allgather", lane_Allgather, cost::lane_allgather, true, true},
        Choice<Function>{"hierarchical_Allgather", hierarchical_Allgather,
                         cost::hierarchical_allgather, true, true},
    };
    return all;
}

Choices<&Parts::reduce_scatter, BlockSizes> reduce_scatter_choices() {
    using Candidate = Choice<FunctionOf<&Parts::reduce_scatter>, BlockSizes>;
    static constexpr std::array all = {
        Candidate{"pairwise_exchange_Reduce_scatter", pairwise_exchange_Reduce_scatter,
                  cost::pairwise_reduce_scatterv, false},
        Candidate{"near_first_Reduce_scatter", near_first_Reduce_scatter,
                  cost::near_first_reduce_scatterv, false},
        Candidate{"circulant_Reduce_scatter", circulant_Reduce_scatter,
                  cost::circulant_reduce_scatterv, false},
        Candidate{"butterfly_Reduce_scatter", butterfly_Reduce_scatter,
                  cost::butterfly_reduce_scatterv},
        Candidate{"recursive_doubling_Reduce_scatter", recursive_doubling_Reduce_scatter,
                  cost::recursive_doubling_reduce_scatterv},
        Candidate{"reduce_scatterv_Reduce_scatter", reduce_scatterv_Reduce_scatter,
                  cost::reduce_scatterv_reduce_scatterv},
    };
    return all;
}

Choices<&Parts::allgatherv, BlockSizes> allgatherv_choices() {
    using Candidate = Choice<FunctionOf<&Parts::allgatherv>, BlockSizes>;
    static constexpr std::array all = {
        Candidate{"sparbit_Allgatherv", sparbit_Allgatherv, cost::sparbit_allgatherv},
        Candidate{"recursive_doubling_Allgatherv", recursive_doubling_Allgatherv,
                  cost::recursive_doubling_allgatherv},
        Candidate{"bine_Allgatherv", bine_Allgatherv, cost::bine_allgatherv},
        Candidate{"ring_Allgatherv", ring_Allgatherv, cost::ring_allgatherv},
        Candidate{"neighbour_exchange_Allgatherv", neighbour_exchange_Allgatherv,
                  cost::neighbour_exchange_allgatherv},
        Candidate{"dissemination_Allgatherv", dissemination_Allgatherv,
                  cost::dissemination_allgatherv},
        Candidate{"dissemination_Allgatherv_radix4", dissemination_Allgatherv_radix4,
                  cost::dissemination_radix4_allgatherv},
        Candidate{"circulant_Allgatherv", circulant_Allgatherv, cost::circulant_allgatherv},
        Candidate{"gather_bcast_Allgatherv", gather_bcast_Allgatherv,
                  cost::gather_bcast_allgatherv},
    };
    return all;
}

Choices<&Parts::gather> gather_choices() {
    using Function = FunctionOf<&Parts::gather>;
    static constexpr std::array all = {
        Choice<Function>{"binomial_Gather", binomial_Gather, cost::binomial_gather},
        Choice<Function>{"TUW_Gather", TUW_Gather, cost::tuw_gather},
        Choice<Function>{"knomial_Gather_radix4", knomial_Gather_radix4, cost::knomial_gather},
        Choice<Function>{"linear_Gather", linear_Gather, cost::linear_gather},
        Choice<Function>{"lane_Gather", lane_Gather, cost::lane_gather, true, true},
        Choice<Function>{"hierarchical_Gather", hierarchical_Gather, cost::hierarchical_gather,
                         true, true},
    };
    return all;
}

Choices<&Parts::scatter> scatter_choices() {
    using Function = FunctionOf<&Parts::scatter>;
    static constexpr std::array all = {
        Choice<Function>{"binomial_Scatter", binomial_Scatter, cost::binomial_scatter},
        Choice<Function>{"TUW_Scatter", TUW_Scatter, cost::tuw_scatter},
        Choice<Function>{"knomial_Scatter_radix4", knomial_Scatter_radix4, cost::knomial_scatter},
        Choice<Function>{"linear_Scatter", linear_Scatter, cost::linear_scatter},
        Choice<Function>{"lane_Scatter", lane_Scatter, cost::lane_scatter, true, true},
        Choice<Function>{"hierarchical_Scatter", hierarchical_Scatter, cost::hierarchical_scatter,
                         true, true},
    };
    return all;
}

Choices<&Parts::alltoall> alltoall_choices() {
    using Function = FunctionOf<&Parts::alltoall>;
    static constexpr std::array all = {
        Choice<Function>{"windowed_Alltoall", windowed_Alltoall, cost::windowed_alltoall},
        Choice<Function>{"modBruck_Alltoall", modBruck_Alltoall, cost::bruck_alltoall},
        Choice<Function>{"lane_Alltoall", lane_Alltoall, cost::lane_alltoall, true, true},
        Choice<Function>{"hierarchical_Alltoall", hierarchical_Alltoall,
                         cost::hierarchical_alltoall, true, true},
    };
    return all;
}

Choices<&Parts::scan> scan_choices() {
    using Function = FunctionOf<&Parts::scan>;
    static constexpr std::array all = {
        Choice<Function>{"recursive_doubling_Scan", recursive_doubling_Scan,
                         cost::recursive_doubling_scan},
        Choice<Function>{"lane_Scan", lane_Scan, cost::lane_scan, true, true},
        Choice<Function>{"hierarchical_Scan", hierarchical_Scan, cost::hierarchical_scan, true,
                         true},
    };
    return all;
}

Choices<&Parts::exscan> exscan_choices() {
    using Function = FunctionOf<&Parts::exscan>;
    static constexpr std::array all = {
        Choice<Function>{"bits_Exscan", bits_Exscan, cost::bits_exscan},
        Choice<Function>{"recursive_doubling_Exscan", recursive_doubling_Exscan,
                         cost::recursive_doubling_exscan},
        Choice<Function>{"lane_Exscan", lane_Exscan, cost::lane_scan, true, true},
        Choice<Function>{"hierarchical_Exscan", hierarchical_Exscan, cost::hierarchical_scan, true,
                         true},
    };
    return all;
}

}  // namespace mpiaudit
