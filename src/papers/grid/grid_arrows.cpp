// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>
#include <memory>

#include "catalogue/table.h"
#include "grid/job_network.h"
#include "grid/scheduled_allgather.h"
#include "mpi/texts.h"

namespace mpiaudit {
namespace {

using enum Holding;

template <class T>
void broadcast(std::vector<T>& of_rank_0, MPI_Comm comm) {
    const std::string bytes = mpiaudit::broadcast(
        {reinterpret_cast<const char*>(of_rank_0.data()), of_rank_0.size() * sizeof(T)}, comm);
    of_rank_0.resize(bytes.size() / sizeof(T));
    std::memcpy(of_rank_0.data(), bytes.data(), bytes.size());
}

/// This rank's part of the schedule for the blocks of the problem, which rank 0 makes.
std::shared_ptr<const ScheduledAllgather> scheduled(Strategy strategy, const Instance& instance,
                                                    bool padded) {
    const Problem& problem = instance.problem();
    AllgatherSchedule schedule;
    if (instance.rank() == 0) {
        std::vector<double> bytes;
        for (const Count count : problem.counts)
            bytes.push_back(static_cast<double>(padded ? problem.largest() : count) *
                            static_cast<double>(problem.element->data_bytes()));
        const Grid& grid = static_cast<const JobNetwork&>(*instance.network).grid;
        schedule = make_schedule(strategy, grid, grid.network.ports, bytes);
    }
    schedule.hosts = problem.ranks();
    broadcast(schedule.messages, instance.comm);
    broadcast(schedule.data, instance.comm);
    return std::make_shared<const ScheduledAllgather>(schedule, instance.rank());
}

/// By a schedule, as MPI_Allgather.
struct GridAllgather {
    static constexpr Common common{.collective = "allgather",
                                   .from = scattered,
                                   .to = replicated,
                                   .needs = equal_blocks | a_network};

    template <Strategy strategy>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto context = scheduled(strategy, instance, to.padded);
        return {[context, from, result, comm = instance.comm] {
                    context->allgather(from.data, from.counts.front(), from.type, result.data,
                                       from.counts.front(), from.type, comm);
                },
                result};
    }
};

/// By a schedule, as MPI_Allgatherv.
struct GridAllgatherv {
    static constexpr Common common{
        .collective = "allgather", .from = scattered, .to = replicated, .needs = a_network};

    template <Strategy strategy>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto context = scheduled(strategy, instance, to.padded);
        return {[context, from, result, comm = instance.comm] {
                    context->allgatherv(from.data, from.counts.front(), from.type, result.data,
                                        result.counts.data(), result.displacements.data(),
                                        from.type, comm);
                },
                result};
    }
};

}  // namespace

std::vector<Arrow> grid_arrows() {
    using enum Strategy;
    constexpr auto min3_says =
        "each block enters each pool of near ranks once, the message that arrives first next";
    constexpr auto magpie_says =
        "blocks are gathered at one rank per site, exchanged there and broadcast within the sites";
    constexpr auto mpich_g2_says =
        "recursive doubling on hosts, within sites and between them, then broadcasts down";
    constexpr auto mateescu_says =
        "a tree of shortest paths for each block, the message that arrives first next";
    constexpr auto clustered_sa_says =
        "a tree from simulated annealing for each block, the message that arrives first next";

    return {
        reference<GridAllgather, min3>("Min3_Allgather", min3_says),
        reference<GridAllgather, magpie>("MagPIe_Allgather", magpie_says),
        reference<GridAllgather, mpich_g2>("MPICH_G2_Allgather", mpich_g2_says),
        reference<GridAllgather, mateescu>("Mateescu_Allgather", mateescu_says),
        reference<GridAllgather, clustered_sa>("ClusteredSA_Allgather", clustered_sa_says),
        reference<GridAllgatherv, min3>("Min3_Allgatherv", min3_says),
        reference<GridAllgatherv, magpie>("MagPIe_Allgatherv", magpie_says),
        reference<GridAllgatherv, mpich_g2>("MPICH_G2_Allgatherv", mpich_g2_says),
        reference<GridAllgatherv, mateescu>("Mateescu_Allgatherv", mateescu_says),
        reference<GridAllgatherv, clustered_sa>("ClusteredSA_Allgatherv", clustered_sa_says),
    };
}

}  // namespace mpiaudit
