// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <memory>

#include "catalogue/tables.h"
#include "collectives/allgather/scheduled_allgather.h"
#include "schedule/scheduler.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// The text of rank 0 on every rank of `comm`.
std::string broadcast(std::string text, MPI_Comm comm) {
    std::uint64_t bytes = text.size();
    MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, comm);
    text.resize(bytes);
    // A schedule of thousands of ranks has more bytes than an int counts.
    constexpr std::uint64_t most = 1U << 30U;
    for (std::uint64_t done = 0; done < bytes; done += most)
        MPI_Bcast(text.data() + done, static_cast<int>(std::min(most, bytes - done)), MPI_CHAR, 0,
                  comm);
    return text;
}

/// This rank's part of the schedule for the blocks of the problem, which rank 0 finds or makes.
std::shared_ptr<const ScheduledAllgather> scheduled(Strategy strategy, const Instance& instance,
                                                    bool padded) {
    const Problem& problem = instance.problem();
    std::string text;
    if (instance.rank() == 0) {
        std::vector<double> bytes;
        for (const Count count : problem.counts)
            bytes.push_back(static_cast<double>(padded ? problem.largest() : count) *
                            static_cast<double>(problem.element->data_bytes()));
        text = instance.scheduler->schedule_text(strategy, bytes);
    }
    const auto schedule = schedule_from_text(broadcast(std::move(text), instance.comm));
    return std::make_shared<const ScheduledAllgather>(schedule.value(), instance.rank());
}

template <Strategy strategy>
Step allgather(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto context = scheduled(strategy, instance, to.padded);
    return {[context, from, result, comm = instance.comm] {
                context->allgather(from.data, from.counts.front(), from.type, result.data,
                                   from.counts.front(), from.type, comm);
            },
            result};
}

template <Strategy strategy>
Step allgatherv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto context = scheduled(strategy, instance, to.padded);
    return {[context, from, result, comm = instance.comm] {
                context->allgatherv(from.data, from.counts.front(), from.type, result.data,
                                    result.counts.data(), result.displacements.data(), from.type,
                                    comm);
            },
            result};
}

constexpr std::string_view min3_summary =
    "each block enters each pool of near ranks once, the message that arrives first next";
constexpr std::string_view magpie_summary =
    "blocks are gathered at one rank per site, exchanged there and broadcast within the sites";
constexpr std::string_view mpich_g2_summary =
    "recursive doubling on hosts, within sites and between them, then broadcasts down";
constexpr std::string_view mateescu_summary =
    "a tree of shortest paths for each block, the message that arrives first next";
constexpr std::string_view clustered_sa_summary =
    "a tree from simulated annealing for each block, the message that arrives first next";

using enum Strategy;

constexpr std::array arrows = {
    Arrow{"Min3_Allgather", "allgather", reference, scattered, replicated, min3_summary,
          allgather<min3>, equal_blocks | a_network},
    Arrow{"MagPIe_Allgather", "allgather", reference, scattered, replicated, magpie_summary,
          allgather<magpie>, equal_blocks | a_network},
    Arrow{"MPICH_G2_Allgather", "allgather", reference, scattered, replicated, mpich_g2_summary,
          allgather<mpich_g2>, equal_blocks | a_network},
    Arrow{"Mateescu_Allgather", "allgather", reference, scattered, replicated, mateescu_summary,
          allgather<mateescu>, equal_blocks | a_network},
    Arrow{"ClusteredSA_Allgather", "allgather", reference, scattered, replicated,
          clustered_sa_summary, allgather<clustered_sa>, equal_blocks | a_network},
    Arrow{"Min3_Allgatherv", "allgather", reference, scattered, replicated, min3_summary,
          allgatherv<min3>, a_network},
    Arrow{"MagPIe_Allgatherv", "allgather", reference, scattered, replicated, magpie_summary,
          allgatherv<magpie>, a_network},
    Arrow{"MPICH_G2_Allgatherv", "allgather", reference, scattered, replicated, mpich_g2_summary,
          allgatherv<mpich_g2>, a_network},
    Arrow{"Mateescu_Allgatherv", "allgather", reference, scattered, replicated, mateescu_summary,
          allgatherv<mateescu>, a_network},
    Arrow{"ClusteredSA_Allgatherv", "allgather", reference, scattered, replicated,
          clustered_sa_summary, allgatherv<clustered_sa>, a_network},
};

}  // namespace

std::span<const Arrow> grid_arrows() {
    return arrows;
}

}  // namespace mpiaudit
