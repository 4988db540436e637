// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>

#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/nodes/nodes.h"
#include "collectives/patterns/node_communicators.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// A function with these arguments, of which the communicator is the last, on this instance. The
/// communicators of nodes and lanes are made now, not in the call.
template <class Function, class... Arguments>
Call call_on_nodes(Function function, const Instance& instance, Arguments... arguments) {
    if (node_split(instance.comm).has_lanes()) make_node_communicators(instance.comm);
    return bound_call(function, instance.comm, arguments...);
}

/// From and to equal blocks without a root: allgather and all-to-all.
template <Holding from_all, Holding to_all>
struct BlocksOnNodes {
    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = from.counts.front();
        return {call_on_nodes(function, instance, from.data, count, from.type, result.data, count,
                              from.type),
                result};
    }
    static constexpr Holding from = from_all, to = to_all;
    static constexpr unsigned needs = equal_blocks;
};

struct AllgatherOnNodes : BlocksOnNodes<scattered, replicated> {
    static constexpr std::string_view collective = "allgather";
};

struct AlltoallOnNodes : BlocksOnNodes<outgoing, incoming> {
    static constexpr std::string_view collective = "alltoall";
};

struct BcastOnNodes {
    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place all = instance.target(to);
        Place result = instance.is_root() ? from : all;
        result.layout = to;
        return {call_on_nodes(function, instance, static_cast<void*>(result.data), all.span(),
                              all.type, instance.root()),
                result};
    }
    static constexpr std::string_view collective = "bcast";
    static constexpr Holding from = rooted, to = replicated;
    static constexpr unsigned needs = anything;
};

struct GatherOnNodes {
    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = from.counts.front();
        return {call_on_nodes(function, instance, from.data, count, from.type, result.data, count,
                              from.type, instance.root()),
                result};
    }
    static constexpr std::string_view collective = "gather";
    static constexpr Holding from = scattered, to = rooted;
    static constexpr unsigned needs = equal_blocks;
};

struct ScatterOnNodes {
    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = result.counts.front();
        return {call_on_nodes(function, instance, from.data, count, from.type, result.data, count,
                              from.type, instance.root()),
                result};
    }
    static constexpr std::string_view collective = "scatter";
    static constexpr Holding from = rooted, to = scattered;
    static constexpr unsigned needs = equal_blocks;
};

struct ReduceOnNodes {
    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {call_on_nodes(function, instance, from.data, result.data, from.span(), from.type,
                              instance.op(), instance.root()),
                result};
    }
    static constexpr std::string_view collective = "reduce";
    static constexpr Holding from = contributed, to = rooted;
    static constexpr unsigned needs = defined_operator;
};

struct ReduceScatterBlockOnNodes {
    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return {call_on_nodes(function, instance, from.data, result.data, result.counts.front(),
                              from.type, instance.op()),
                result};
    }
    static constexpr std::string_view collective = "reduce_scatter";
    static constexpr Holding from = contributed, to = scattered;
    static constexpr unsigned needs = equal_blocks | defined_operator;
};

/// Reductions without a root whose results are as long as the contributions.
template <Holding result_of_all>
struct ReductionOnNodes {
    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        // Rank 0 has no exclusive prefix; MPICH wants a receive buffer nevertheless.
        static std::byte insignificant{};
        void* receive = result.data != nullptr ? static_cast<void*>(result.data) : &insignificant;
        return {call_on_nodes(function, instance, from.data, receive, from.span(), from.type,
                              instance.op()),
                result};
    }
    static constexpr std::string_view collective =
        result_of_all == replicated ? "allreduce" : "scan";
    static constexpr Holding from = contributed, to = result_of_all;
    static constexpr unsigned needs = defined_operator;
};

using AllreduceOnNodes = ReductionOnNodes<replicated>;
using ScanOnNodes = ReductionOnNodes<prefixed>;
using ExscanOnNodes = ReductionOnNodes<exclusively_prefixed>;

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
                             .exscan = MPI_Exscan};

// The same where rows of a rectangle pass for nodes, whatever is known about nodes.
constexpr Variant rows_and_columns{.name = "rows and columns", .origin = Origin::rectangle};
constexpr Variant rows_and_one_column{.name = "rows and one column", .origin = Origin::rectangle};

template <class Form>
Arrow arrow_on_nodes(std::string name, Kind kind, std::string summary, Prepare prepare) {
    return {std::move(name), Form::collective,   kind,    Form::from,
            Form::to,        std::move(summary), prepare, Form::needs | several_nodes};
}

/// Both compositions of a collective, of native parts and of reference algorithms.
template <class Form, auto by_lanes, auto by_leaders, auto lane, auto hierarchical>
void add(std::vector<Arrow>& arrows, const std::string& name) {
    constexpr auto lanes_say =
        "on nodes and between them, an equal share of what leaves a node by each of its ranks";
    constexpr auto leaders_say = "on nodes and between them, all that leaves a node by one rank";
    const auto native = [&]<auto composition>(const char* kind, const char* says) {
        arrows.push_back(arrow_on_nodes<Form>("MPI_" + name + "[" + kind + "]", Kind::variant,
                                              std::string("the library's operations ") + says,
                                              Form::template by<&by<composition, native_parts>>));
    };
    native.template operator()<by_lanes>("lane", lanes_say);
    native.template operator()<by_leaders>("hierarchical", leaders_say);
    const auto on_rectangle = [&]<auto composition>(const Variant& variant, const char* says) {
        arrows.push_back(arrow_on_nodes<Form>(
            "MPI_" + name + "[" + std::string(variant.name) + "]", Kind::variant,
            std::string("the library's operations on the rows and ") + says +
                " of a rectangle of all ranks",
            Form::template by<&by<composition, native_parts>>));
        arrows.back().needs = Form::needs | rectangle;
        arrows.back().called_as = &variant;
    };
    on_rectangle.template operator()<by_lanes>(rows_and_columns, "the columns");
    on_rectangle.template operator()<by_leaders>(rows_and_one_column, "one column");
    arrows.push_back(
        arrow_on_nodes<Form>("lane_" + name, Kind::reference, lanes_say, Form::template by<lane>));
    arrows.push_back(arrow_on_nodes<Form>("hierarchical_" + name, Kind::reference, leaders_say,
                                          Form::template by<hierarchical>));
}

}  // namespace

std::vector<Arrow> node_arrows() {
    std::vector<Arrow> all;
    add<BcastOnNodes, &bcast_by_lanes, &bcast_by_leaders, &lane_Bcast, &hierarchical_Bcast>(
        all, "Bcast");
    add<ReduceOnNodes, &reduce_by_lanes, &reduce_by_leaders, &lane_Reduce, &hierarchical_Reduce>(
        all, "Reduce");
    add<AllreduceOnNodes, &allreduce_by_lanes, &allreduce_by_leaders, &lane_Allreduce,
        &hierarchical_Allreduce>(all, "Allreduce");
    add<ReduceScatterBlockOnNodes, &reduce_scatter_block_by_lanes, &reduce_scatter_block_by_leaders,
        &lane_Reduce_scatter_block, &hierarchical_Reduce_scatter_block>(all,
                                                                        "Reduce_scatter_block");
    add<AllgatherOnNodes, &allgather_by_lanes, &allgather_by_leaders, &lane_Allgather,
        &hierarchical_Allgather>(all, "Allgather");
    add<GatherOnNodes, &gather_by_lanes, &gather_by_leaders, &lane_Gather, &hierarchical_Gather>(
        all, "Gather");
    add<ScatterOnNodes, &scatter_by_lanes, &scatter_by_leaders, &lane_Scatter,
        &hierarchical_Scatter>(all, "Scatter");
    add<AlltoallOnNodes, &alltoall_by_lanes, &alltoall_by_leaders, &lane_Alltoall,
        &hierarchical_Alltoall>(all, "Alltoall");
    add<ScanOnNodes, &scan_by_lanes, &scan_by_leaders, &lane_Scan, &hierarchical_Scan>(all, "Scan");
    add<ExscanOnNodes, &exscan_by_lanes, &exscan_by_leaders, &lane_Exscan, &hierarchical_Exscan>(
        all, "Exscan");
    return all;
}

}  // namespace mpiaudit
