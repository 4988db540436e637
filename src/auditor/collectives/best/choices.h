// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "collectives/best/costs.h"
#include "collectives/nodes/parts.h"

namespace mpiaudit {

/// An algorithm among which is chosen by `Size`: the bytes of the vector, of a block, or of all
/// blocks.
template <class Function, class Size = double>
struct Choice {
    std::string_view name;
    Function* function;
    double (*cost)(const Costs& on, Size size);
    bool keeps_order = true;  ///< of the operands, whether or not it needs to
    bool is_on_nodes = false;
};

/// What is predicted to be the fastest; the first of equals, of which the model does not see that
/// some copy more. Values that differ only by rounding count as equal.
template <class Function, class Size>
const Choice<Function, Size>& fastest(std::span<const Choice<Function, Size>> choices,
                                      const Costs& on, Size size, bool is_ordered) {
    const Choice<Function, Size>* best = nullptr;
    double best_s = 0;
    for (const Choice<Function, Size>& each : choices) {
        if ((is_ordered && !each.keeps_order) || (each.is_on_nodes && !on.has_lanes())) continue;
        const double time_s = each.cost(on, size);
        if (best == nullptr || time_s < (1 - 1e-9) * best_s) {
            best = &each;
            best_s = time_s;
        }
    }
    return *best;
}

template <auto Parts::*part>
using FunctionOf = std::remove_pointer_t<std::remove_reference_t<decltype(Parts{}.*part)>>;
template <auto Parts::*part, class Size = double>
using Choices = std::span<const Choice<FunctionOf<part>, Size>>;

Choices<&Parts::bcast> bcast_choices();
Choices<&Parts::reduce> reduce_choices();
Choices<&Parts::allreduce> allreduce_choices();
Choices<&Parts::reduce_scatter_block> reduce_scatter_block_choices();
Choices<&Parts::allgather> allgather_choices();
Choices<&Parts::reduce_scatter, BlockSizes> reduce_scatter_choices();
Choices<&Parts::allgatherv, BlockSizes> allgatherv_choices();
Choices<&Parts::gather> gather_choices();
Choices<&Parts::scatter> scatter_choices();
Choices<&Parts::alltoall> alltoall_choices();
Choices<&Parts::scan> scan_choices();
Choices<&Parts::exscan> exscan_choices();

}  // namespace mpiaudit
