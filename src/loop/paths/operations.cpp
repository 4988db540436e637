// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <vector>

#include "collectives/collectives.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"
#include "paths/terms.h"

namespace mpiaudit::paths {
namespace {

/// A broadcast that cuts its data into pieces of elements, which the ranks may count differently,
/// gets bytes.
template <auto broadcast>
int in_bytes(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const auto bytes = static_cast<int>(count * type_bytes(datatype));
    if (is_dense(datatype)) return broadcast(buffer, bytes, MPI_BYTE, root, comm);
    int rank = 0, position = 0;
    PMPI_Comm_rank(comm, &rank);
    const Scratch packed(static_cast<std::size_t>(bytes));
    if (rank == root) PMPI_Pack(buffer, count, datatype, packed.get(), bytes, &position, comm);
    const int code = broadcast(packed.get(), bytes, MPI_BYTE, root, comm);
    if (rank != root) PMPI_Unpack(packed.get(), bytes, &position, buffer, count, datatype, comm);
    return code;
}

constexpr std::string_view cuts_elements =
    "it cuts blocks into elements, which other ranks may count otherwise";

template <class F>
Operation native(std::string_view name, F* function) {
    return {name, name, any(function), false};
}

class Family {
  public:
    Family(std::vector<Operation>& all, std::string_view name) : all_(all), name_(name) {}
    template <class F>
    Family& add(std::string_view name, F* function, std::string_view obstacle = {}) {
        all_.push_back({name, name_, any(function), true, obstacle});
        return *this;
    }

  private:
    std::vector<Operation>& all_;
    std::string_view name_;
};

void add_natives(std::vector<Operation>& all) {
    all = {native("MPI_Allgather", &PMPI_Allgather),
           native("MPI_Allgatherv", &PMPI_Allgatherv),
           native("MPI_Allreduce", &PMPI_Allreduce),
           native("MPI_Alltoall", &PMPI_Alltoall),
           native("MPI_Alltoallv", &PMPI_Alltoallv),
           native("MPI_Barrier", &PMPI_Barrier),
           native("MPI_Bcast", &PMPI_Bcast),
           native("MPI_Exscan", &PMPI_Exscan),
           native("MPI_Gather", &PMPI_Gather),
           native("MPI_Gatherv", &PMPI_Gatherv),
           native("MPI_Reduce", &PMPI_Reduce),
           native("MPI_Reduce_scatter", &PMPI_Reduce_scatter),
           native("MPI_Reduce_scatter_block", &PMPI_Reduce_scatter_block),
           native("MPI_Scan", &PMPI_Scan),
           native("MPI_Scatter", &PMPI_Scatter),
           native("MPI_Scatterv", &PMPI_Scatterv),
           native("MPI_Reduce_local", &PMPI_Reduce_local)};
}

void add_gathers_and_scatters(std::vector<Operation>& all) {
    Family(all, "MPI_Gather")
        .add("linear_Gather", &linear_Gather)
        .add("binomial_Gather", &binomial_Gather)
        .add("knomial_Gather_radix4", &knomial_Gather_radix4)
        .add("node_binomial_Gather", &node_binomial_Gather)
        .add("node_knomial_Gather_radix4", &node_knomial_Gather_radix4)
        .add("segmented_binomial_Gather", &segmented_binomial_Gather)
        .add("TUW_Gather", &TUW_Gather);
    Family(all, "MPI_Gatherv")
        .add("linear_Gatherv", &linear_Gatherv)
        .add("binomial_Gatherv", &binomial_Gatherv)
        .add("knomial_Gatherv_radix4", &knomial_Gatherv_radix4)
        .add("node_binomial_Gatherv", &node_binomial_Gatherv)
        .add("node_knomial_Gatherv_radix4", &node_knomial_Gatherv_radix4)
        .add("TUW_Gatherv", &TUW_Gatherv)
        .add("TUW_Gatherv_carrying", &TUW_Gatherv_carrying)
        .add("TUW_Gatherv_degrading", &TUW_Gatherv_degrading)
        .add("TUW_Gatherv_k2", &TUW_Gatherv_k2)
        .add("TUW_Gatherv_k3", &TUW_Gatherv_k3);
    Family(all, "MPI_Scatter")
        .add("linear_Scatter", &linear_Scatter)
        .add("binomial_Scatter", &binomial_Scatter)
        .add("knomial_Scatter_radix4", &knomial_Scatter_radix4)
        .add("TUW_Scatter", &TUW_Scatter);
    Family(all, "MPI_Scatterv")
        .add("linear_Scatterv", &linear_Scatterv)
        .add("binomial_Scatterv", &binomial_Scatterv)
        .add("knomial_Scatterv_radix4", &knomial_Scatterv_radix4)
        .add("TUW_Scatterv", &TUW_Scatterv)
        .add("TUW_Scatterv_degrading", &TUW_Scatterv_degrading)
        .add("TUW_Scatterv_k2", &TUW_Scatterv_k2)
        .add("TUW_Scatterv_k3", &TUW_Scatterv_k3);
}

void add_to_all(std::vector<Operation>& all) {
    Family(all, "MPI_Allgather")
        .add("ring_Allgather", &ring_Allgather)
        .add("recursive_doubling_Allgather", &recursive_doubling_Allgather)
        .add("dissemination_Allgather", &dissemination_Allgather)
        .add("dissemination_Allgather_radix4", &dissemination_Allgather_radix4)
        .add("sparbit_Allgather", &sparbit_Allgather)
        .add("sparbit_blocks_Allgather", &sparbit_blocks_Allgather)
        .add("neighbour_exchange_Allgather", &neighbour_exchange_Allgather)
        .add("kring_Allgather", &kring_Allgather)
        .add("bine_Allgather", &bine_Allgather)
        .add("simple_Allgather", &simple_Allgather)
        .add("spreading_simple_Allgather", &spreading_simple_Allgather)
        .add("gather_bcast_Allgather", &gather_bcast_Allgather)
        .add("MPICH2004_Allgather", &MPICH2004_Allgather);
    Family(all, "MPI_Allgatherv")
        .add("ring_Allgatherv", &ring_Allgatherv)
        .add("recursive_doubling_Allgatherv", &recursive_doubling_Allgatherv)
        .add("dissemination_Allgatherv", &dissemination_Allgatherv)
        .add("dissemination_Allgatherv_radix4", &dissemination_Allgatherv_radix4)
        .add("sparbit_Allgatherv", &sparbit_Allgatherv)
        .add("sparbit_blocks_Allgatherv", &sparbit_blocks_Allgatherv)
        .add("circulant_Allgatherv", &circulant_Allgatherv, cuts_elements)
        .add("neighbour_exchange_Allgatherv", &neighbour_exchange_Allgatherv)
        .add("kring_Allgatherv", &kring_Allgatherv)
        .add("bine_Allgatherv", &bine_Allgatherv)
        .add("simple_Allgatherv", &simple_Allgatherv)
        .add("spreading_simple_Allgatherv", &spreading_simple_Allgatherv)
        .add("gather_bcast_Allgatherv", &gather_bcast_Allgatherv)
        .add("MPICH2004_Allgatherv", &MPICH2004_Allgatherv);
    Family(all, "MPI_Bcast")
        .add("linear_Bcast", &linear_Bcast)
        .add("binomial_Bcast", &binomial_Bcast)
        .add("van_de_Geijn_recursive_doubling_Bcast",
             &in_bytes<&van_de_Geijn_recursive_doubling_Bcast>)
        .add("van_de_Geijn_ring_Bcast", &in_bytes<&van_de_Geijn_ring_Bcast>)
        .add("knomial_Bcast", &knomial_Bcast)
        .add("binary_Bcast", &in_bytes<&binary_Bcast>)
        .add("split_binary_Bcast", &in_bytes<&split_binary_Bcast>)
        .add("two_tree_Bcast", &in_bytes<&two_tree_Bcast>)
        .add("bine_Bcast", &bine_Bcast)
        .add("chain_Bcast", &in_bytes<&chain_Bcast>)
        .add("circulant_Bcast", &in_bytes<&circulant_Bcast>)
        .add("MPICH2004_Bcast", &in_bytes<&MPICH2004_Bcast>);
    Family(all, "MPI_Barrier").add("dissemination_Barrier", &dissemination_Barrier);
}

void add_exchanges(std::vector<Operation>& all) {
    Family(all, "MPI_Alltoall")
        .add("direct_Alltoall", &direct_Alltoall)
        .add("pairwise_Alltoall", &pairwise_Alltoall)
        .add("windowed_Alltoall", &windowed_Alltoall)
        .add("factorised_Alltoall", &factorised_Alltoall)
        .add("basicBruck_Alltoall", &basicBruck_Alltoall)
        .add("basicBruck_ix_Alltoall", &basicBruck_ix_Alltoall)
        .add("modBruck_Alltoall", &modBruck_Alltoall)
        .add("modBruck_ix_Alltoall", &modBruck_ix_Alltoall)
        .add("zeroBruck_Alltoall", &zeroBruck_Alltoall)
        .add("zeroBruck_blocks_Alltoall", &zeroBruck_blocks_Alltoall)
        .add("zeroBruck_half_Alltoall", &zeroBruck_half_Alltoall);
    Family(all, "MPI_Alltoallv")
        .add("direct_Alltoallv", &direct_Alltoallv)
        .add("pairwise_Alltoallv", &pairwise_Alltoallv)
        .add("windowed_Alltoallv", &windowed_Alltoallv)
        .add("zeroBruckV_Alltoallv", &zeroBruckV_Alltoallv)
        .add("two_phase_Bruck_Alltoallv", &two_phase_Bruck_Alltoallv)
        .add("root_radix_Bruck_Alltoallv", &root_radix_Bruck_Alltoallv)
        .add("padded_Bruck_Alltoallv", &padded_Bruck_Alltoallv);
}

void add_reductions(std::vector<Operation>& all) {
    Family(all, "MPI_Allreduce")
        .add("reduce_bcast_Allreduce", &reduce_bcast_Allreduce)
        .add("recursive_doubling_Allreduce", &recursive_doubling_Allreduce)
        .add("recursive_multiplying_Allreduce", &recursive_multiplying_Allreduce)
        .add("Rabenseifner_Allreduce", &Rabenseifner_Allreduce)
        .add("near_first_Rabenseifner_Allreduce", &near_first_Rabenseifner_Allreduce)
        .add("near_first_Allreduce", &near_first_Allreduce)
        .add("circulant_Allreduce", &circulant_Allreduce)
        .add("census_Allreduce", &census_Allreduce)
        .add("swing_Allreduce", &swing_Allreduce)
        .add("bine_Allreduce", &bine_Allreduce)
        .add("two_tree_Allreduce", &two_tree_Allreduce)
        .add("dual_root_Allreduce", &dual_root_Allreduce)
        .add("ring_Allreduce", &ring_Allreduce)
        .add("MPICH2004_Allreduce", &MPICH2004_Allreduce);
    Family(all, "MPI_Reduce")
        .add("TUW_Reduce", &TUW_Reduce)
        .add("binomial_Reduce", &binomial_Reduce)
        .add("Rabenseifner_Reduce", &Rabenseifner_Reduce)
        .add("near_first_Rabenseifner_Reduce", &near_first_Rabenseifner_Reduce)
        .add("knomial_Reduce", &knomial_Reduce)
        .add("chain_Reduce", &chain_Reduce)
        .add("binary_Reduce", &binary_Reduce)
        .add("split_binary_Reduce", &split_binary_Reduce)
        .add("two_tree_Reduce", &two_tree_Reduce)
        .add("bine_Reduce", &bine_Reduce)
        .add("circulant_Reduce", &circulant_Reduce)
        .add("linear_Reduce", &linear_Reduce)
        .add("MPICH2004_Reduce", &MPICH2004_Reduce);
    Family(all, "MPI_Scan")
        .add("linear_Scan", &linear_Scan)
        .add("recursive_doubling_Scan", &recursive_doubling_Scan);
    Family(all, "MPI_Exscan")
        .add("linear_Exscan", &linear_Exscan)
        .add("recursive_doubling_Exscan", &recursive_doubling_Exscan)
        .add("doubling_123_Exscan", &doubling_123_Exscan)
        .add("bits_Exscan", &bits_Exscan);
}

void add_scattered_reductions(std::vector<Operation>& all) {
    Family(all, "MPI_Reduce_scatter")
        .add("recursive_halving_Reduce_scatter", &recursive_halving_Reduce_scatter)
        .add("near_first_Reduce_scatter", &near_first_Reduce_scatter)
        .add("circulant_Reduce_scatter", &circulant_Reduce_scatter)
        .add("bine_Reduce_scatter", &bine_Reduce_scatter)
        .add("butterfly_Reduce_scatter", &butterfly_Reduce_scatter)
        .add("recursive_doubling_Reduce_scatter", &recursive_doubling_Reduce_scatter)
        .add("pairwise_exchange_Reduce_scatter", &pairwise_exchange_Reduce_scatter)
        .add("reduce_scatterv_Reduce_scatter", &reduce_scatterv_Reduce_scatter)
        .add("MPICH2004_Reduce_scatter", &MPICH2004_Reduce_scatter);
    Family(all, "MPI_Reduce_scatter_block")
        .add("recursive_halving_Reduce_scatter_block", &recursive_halving_Reduce_scatter_block)
        .add("near_first_Reduce_scatter_block", &near_first_Reduce_scatter_block)
        .add("circulant_Reduce_scatter_block", &circulant_Reduce_scatter_block)
        .add("bine_Reduce_scatter_block", &bine_Reduce_scatter_block)
        .add("butterfly_Reduce_scatter_block", &butterfly_Reduce_scatter_block)
        .add("recursive_doubling_Reduce_scatter_block", &recursive_doubling_Reduce_scatter_block)
        .add("pairwise_exchange_Reduce_scatter_block", &pairwise_exchange_Reduce_scatter_block)
        .add("reduce_scatterv_Reduce_scatter_block", &reduce_scatterv_Reduce_scatter_block)
        .add("MPICH2004_Reduce_scatter_block", &MPICH2004_Reduce_scatter_block);
}

const std::vector<Operation>& operations() {
    static const std::vector<Operation> all = [] {
        std::vector<Operation> made;
        add_natives(made);
        add_gathers_and_scatters(made);
        add_to_all(made);
        add_exchanges(made);
        add_reductions(made);
        add_scattered_reductions(made);
        return made;
    }();
    return all;
}

}  // namespace

std::vector<Operation> operations_of(std::string_view family) {
    std::vector<Operation> found;
    std::ranges::copy_if(operations(), std::back_inserter(found),
                         [family](const Operation& each) { return each.family == family; });
    return found;
}

const Operation* find_operation(std::string_view name) {
    const auto found = std::ranges::find(operations(), name, &Operation::name);
    return found == operations().end() ? nullptr : &*found;
}

}  // namespace mpiaudit::paths
