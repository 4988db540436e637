// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <memory>

#include "catalogue/operation_arrows.h"
#include "grid/job_network.h"
#include "grid/scheduled_allgather.h"
#include "mpi/texts.h"

namespace mpiaudit {
namespace {

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

template <Strategy strategy>
Step as_allgather(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto context = scheduled(strategy, instance, to.padded);
    return {[context, from, result, comm = instance.comm] {
                context->allgather(from.data, from.counts.front(), from.type, result.data,
                                   from.counts.front(), from.type, comm);
            },
            result};
}

template <Strategy strategy>
Step as_allgatherv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto context = scheduled(strategy, instance, to.padded);
    return {[context, from, result, comm = instance.comm] {
                context->allgatherv(from.data, from.counts.front(), from.type, result.data,
                                    result.counts.data(), result.displacements.data(), from.type,
                                    comm);
            },
            result};
}

/// Both signatures of a strategy.
template <Strategy strategy>
void add(std::vector<Arrow>& arrows, const std::string& name, const char* says) {
    arrows.push_back(arrow_between_ends_of("MPI_Allgather", name + "_Allgather", Kind::reference,
                                           says, as_allgather<strategy>, a_network));
    arrows.push_back(arrow_between_ends_of("MPI_Allgatherv", name + "_Allgatherv", Kind::reference,
                                           says, as_allgatherv<strategy>, a_network));
}

}  // namespace

std::vector<Arrow> grid_arrows() {
    using enum Strategy;
    std::vector<Arrow> all;
    add<min3>(all, "Min3",
              "each block enters each pool of near ranks once, the message that arrives first "
              "next");
    add<magpie>(all, "MagPIe",
                "blocks are gathered at one rank per site, exchanged there and broadcast within "
                "the sites");
    add<mpich_g2>(all, "MPICH_G2",
                  "recursive doubling on hosts, within sites and between them, then broadcasts "
                  "down");
    add<mateescu>(all, "Mateescu",
                  "a tree of shortest paths for each block, the message that arrives first next");
    add<clustered_sa>(all, "ClusteredSA",
                      "a tree from simulated annealing for each block, the message that arrives "
                      "first next");
    return all;
}

}  // namespace mpiaudit
