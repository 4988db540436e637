// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/alltoall_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Alltoall.
template <auto function>
Step alltoall(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = from.counts.front();
    return {
        bind<function>(instance.comm, from.data, count, from.type, result.data, count, from.type),
        result};
}

/// By a function with the signature of MPI_Alltoallv.
template <auto function>
Step alltoallv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {bind<function>(instance.comm, from.data, from.counts.data(), from.displacements.data(),
                           from.type, result.data, result.counts.data(),
                           result.displacements.data(), from.type),
            result};
}

/// The arguments of MPI_Alltoallv and MPI_Alltoallw where not every rank sends to every other, or
/// displacements are in bytes.
struct Exchange {
    std::vector<int> send_counts, send_displacements, receive_counts, receive_displacements;
    std::vector<MPI_Datatype> types;

    explicit Exchange(int ranks)
        : send_counts(static_cast<std::size_t>(ranks)),
          send_displacements(send_counts),
          receive_counts(send_counts),
          receive_displacements(send_counts) {}
};

Call exchange_v(const Instance& instance, const Place& from, const Place& to,
                std::shared_ptr<const Exchange> e) {
    return [=, comm = instance.comm] {
        MPI_Alltoallv(from.data, e->send_counts.data(), e->send_displacements.data(), from.type,
                      to.data, e->receive_counts.data(), e->receive_displacements.data(), from.type,
                      comm);
    };
}

/// By a function with the signature of MPI_Alltoallw, whose displacements are in bytes.
template <auto function>
Step alltoallw(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto e = std::make_shared<Exchange>(instance.problem().ranks());
    e->types.assign(e->send_counts.size(), from.type);
    const auto extent = static_cast<int>(from.extent);
    for (std::size_t i = 0; i < e->types.size(); ++i) {
        e->send_displacements[i] = from.displacements[i] * extent;
        e->receive_displacements[i] = result.displacements[i] * extent;
    }
    const Call call = bind<function>(
        instance.comm, from.data, from.counts.data(), std::as_const(e->send_displacements).data(),
        std::as_const(e->types).data(), result.data, result.counts.data(),
        std::as_const(e->receive_displacements).data(), std::as_const(e->types).data());
    return {[e, call] { call(); }, result};
}

/// scattered -> replicated: every rank copies its block for all others first.
Step alltoall_of_copies(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = from.counts.front();
    const auto ranks = static_cast<std::size_t>(instance.problem().ranks());
    const std::size_t bytes = static_cast<std::size_t>(count) * from.extent;
    const Place copies = instance.workspace.target({outgoing, to.padded});
    return {[=, comm = instance.comm] {
                for (std::size_t i = 0; i < ranks && bytes > 0; ++i)
                    std::memcpy(copies.data + i * bytes, from.data, bytes);
                MPI_Alltoall(copies.data, count, from.type, result.data, count, from.type, comm);
            },
            result};
}

/// scattered -> replicated: every rank sends the same block to all.
Step alltoallv_to_all(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto e = std::make_shared<Exchange>(instance.problem().ranks());
    e->send_counts.assign(e->send_counts.size(), from.counts.front());
    e->receive_counts.assign(result.counts.begin(), result.counts.end());
    e->receive_displacements.assign(result.displacements.begin(), result.displacements.end());
    return {exchange_v(instance, from, result, e), result};
}

/// scattered -> rooted: every rank sends to the root only.
Step alltoallv_to_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto e = std::make_shared<Exchange>(instance.problem().ranks());
    e->send_counts[static_cast<std::size_t>(instance.root())] = from.counts.front();
    if (instance.is_root()) {
        e->receive_counts.assign(result.counts.begin(), result.counts.end());
        e->receive_displacements.assign(result.displacements.begin(), result.displacements.end());
    }
    return {exchange_v(instance, from, result, e), result};
}

/// rooted -> scattered: only the root sends.
Step alltoallv_from_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const auto e = std::make_shared<Exchange>(instance.problem().ranks());
    e->receive_counts[static_cast<std::size_t>(instance.root())] = result.counts.front();
    if (instance.is_root()) {
        e->send_counts.assign(from.counts.begin(), from.counts.end());
        e->send_displacements.assign(from.displacements.begin(), from.displacements.end());
    }
    return {exchange_v(instance, from, result, e), result};
}

/// What is sent lies where the result will.
Place in_place_source(const Place& from, const Place& result) {
    Place source = from;
    source.data = result.data;
    return source;
}

Step alltoall_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = from.counts.front();
    return {bind<&MPI_Alltoall>(instance.comm, MPI_IN_PLACE, count, from.type, result.data, count,
                                from.type),
            result, in_place_source(from, result)};
}

Step alltoallv_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    return {
        bind<&MPI_Alltoallv>(instance.comm, MPI_IN_PLACE, nullptr, nullptr, from.type, result.data,
                             result.counts.data(), result.displacements.data(), from.type),
        result, in_place_source(from, result)};
}

/// The paper's persistent algorithm: types are created once, then started and waited for.
Step persistent_bruck(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    const int count = from.counts.front();
    PersistentAlltoall* handle = nullptr;
    persBruck_Alltoall_init(from.data, count, from.type, result.data, count, from.type,
                            instance.comm, &handle);
    const std::shared_ptr<PersistentAlltoall> owned(
        handle, [](PersistentAlltoall* freed) { persBruck_Alltoall_free(&freed); });
    return {[owned] {
                persBruck_Alltoall_start(owned.get());
                persBruck_Alltoall_wait(owned.get());
            },
            result};
}

Step persistent_bruck_v(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    PersistentAlltoall* handle = nullptr;
    persBruckV_Alltoallv_init(from.data, from.counts.data(), from.displacements.data(), from.type,
                              result.data, result.counts.data(), result.displacements.data(),
                              from.type, instance.comm, &handle);
    const std::shared_ptr<PersistentAlltoall> owned(
        handle, [](PersistentAlltoall* freed) { persBruckV_Alltoallv_free(&freed); });
    return {[owned] {
                persBruckV_Alltoallv_start(owned.get());
                persBruckV_Alltoallv_wait(owned.get());
            },
            result};
}

constexpr std::array arrows = {
    Arrow{"MPI_Alltoall", "alltoall", native, outgoing, incoming,
          "the library's exchange of equal blocks between all ranks", alltoall<&MPI_Alltoall>,
          equal_blocks},
    Arrow{"MPI_Ialltoall", "alltoall", nonblocking, outgoing, incoming,
          "MPI_Alltoall started without blocking, and MPI_Wait", alltoall<&MPI_Ialltoall>,
          equal_blocks},
    Arrow{"MPI_Alltoall_init", "alltoall", persistent, outgoing, incoming,
          "MPI_Alltoall initialised before; MPI_Start and MPI_Wait",
          alltoall<persistent::alltoall_init>,
          equal_blocks | presence<persistent::alltoall_init>()},
    Arrow{"MPI_Alltoallv", "alltoall", native, outgoing, incoming,
          "the library's exchange of blocks of any size", alltoallv<&MPI_Alltoallv>, anything},
    Arrow{"MPI_Ialltoallv", "alltoall", nonblocking, outgoing, incoming,
          "MPI_Alltoallv started without blocking, and MPI_Wait", alltoallv<&MPI_Ialltoallv>,
          anything},
    Arrow{"MPI_Alltoallv_init", "alltoall", persistent, outgoing, incoming,
          "MPI_Alltoallv initialised before; MPI_Start and MPI_Wait",
          alltoallv<persistent::alltoallv_init>, presence<persistent::alltoallv_init>()},
    Arrow{"MPI_Alltoallw", "alltoall", native, outgoing, incoming,
          "the library's exchange of blocks of any size and type", alltoallw<&MPI_Alltoallw>,
          anything},
    Arrow{"MPI_Ialltoallw", "alltoall", nonblocking, outgoing, incoming,
          "MPI_Alltoallw started without blocking, and MPI_Wait", alltoallw<&MPI_Ialltoallw>,
          anything},
    Arrow{"MPI_Alltoallw_init", "alltoall", persistent, outgoing, incoming,
          "MPI_Alltoallw initialised before; MPI_Start and MPI_Wait",
          alltoallw<persistent::alltoallw_init>,
          byte_displacements | presence<persistent::alltoallw_init>()},
    Arrow{"MPI_Alltoall", "alltoall", native, scattered, replicated,
          "MPI_Alltoall of copies of the own block", alltoall_of_copies, equal_blocks, nullptr,
          outgoing},
    Arrow{"MPI_Alltoallv", "alltoall", native, scattered, replicated,
          "MPI_Alltoallv that sends the own block to all", alltoallv_to_all},
    Arrow{"MPI_Alltoallv", "alltoall", native, scattered, rooted,
          "MPI_Alltoallv that sends to the root only", alltoallv_to_root},
    Arrow{"MPI_Alltoallv", "alltoall", native, rooted, scattered,
          "MPI_Alltoallv in which only the root sends", alltoallv_from_root},
    Arrow{"MPI_Alltoall[in place]", "alltoall", in_place, outgoing, incoming,
          "MPI_Alltoall that replaces what it sends", alltoall_in_place, equal_blocks},
    Arrow{"MPI_Alltoallv[in place]", "alltoall", in_place, outgoing, incoming,
          "MPI_Alltoallv that replaces what it sends", alltoallv_in_place},
    Arrow{"direct_Alltoall", "alltoall", reference, outgoing, incoming,
          "every rank sends each block directly, all at once", alltoall<&direct_Alltoall>,
          equal_blocks, schedules::direct_alltoall},
    Arrow{"pairwise_Alltoall", "alltoall", reference, outgoing, incoming,
          "every rank sends each block directly, one partner per step",
          alltoall<&pairwise_Alltoall>, equal_blocks, schedules::pairwise_alltoall},
    Arrow{"basicBruck_Alltoall", "alltoall", reference, outgoing, incoming,
          "blocks hop 1, 2, 4 ... ranks; rotated before and after by copying",
          alltoall<&basicBruck_Alltoall>, equal_blocks, schedules::Bruck_alltoall},
    Arrow{"basicBruck_ix_Alltoall", "alltoall", reference, outgoing, incoming,
          "basicBruck with indexed datatypes in place of packing",
          alltoall<&basicBruck_ix_Alltoall>, equal_blocks, schedules::Bruck_alltoall},
    Arrow{"modBruck_Alltoall", "alltoall", reference, outgoing, incoming,
          "blocks hop 1, 2, 4 ... ranks; one rotation saved", alltoall<&modBruck_Alltoall>,
          equal_blocks, schedules::Bruck_alltoall},
    Arrow{"modBruck_ix_Alltoall", "alltoall", reference, outgoing, incoming,
          "modBruck with indexed datatypes in place of packing", alltoall<&modBruck_ix_Alltoall>,
          equal_blocks, schedules::Bruck_alltoall},
    Arrow{"zeroBruck_Alltoall", "alltoall", reference, outgoing, incoming,
          "modBruck without any copying, by alternating buffers and structured datatypes",
          alltoall<&zeroBruck_Alltoall>, equal_blocks, schedules::Bruck_alltoall},
    Arrow{"zeroBruck_blocks_Alltoall", "alltoall", reference, outgoing, incoming,
          "zeroBruck with runs of consecutive blocks as one", alltoall<&zeroBruck_blocks_Alltoall>,
          equal_blocks, schedules::Bruck_alltoall},
    Arrow{"zeroBruck_half_Alltoall", "alltoall", reference, outgoing, incoming,
          "zeroBruck with half the intermediate buffer", alltoall<&zeroBruck_half_Alltoall>,
          equal_blocks, schedules::Bruck_alltoall},
    Arrow{"persBruck_Alltoall", "alltoall", reference, outgoing, incoming,
          "zeroBruck with its datatypes made once, before", persistent_bruck, equal_blocks,
          schedules::Bruck_alltoall},
    Arrow{"direct_Alltoallv", "alltoall", reference, outgoing, incoming,
          "every rank sends each block directly, all at once", alltoallv<&direct_Alltoallv>,
          anything, schedules::direct_alltoall},
    Arrow{"pairwise_Alltoallv", "alltoall", reference, outgoing, incoming,
          "every rank sends each block directly, one partner per step",
          alltoallv<&pairwise_Alltoallv>, anything, schedules::pairwise_alltoall},
    Arrow{"zeroBruckV_Alltoallv", "alltoall", reference, outgoing, incoming,
          "zeroBruck for blocks of any size, which are exchanged first",
          alltoallv<&zeroBruckV_Alltoallv>, anything, schedules::zeroBruckV_alltoallv},
    Arrow{"persBruckV_Alltoallv", "alltoall", reference, outgoing, incoming,
          "zeroBruckV with sizes and datatypes settled before", persistent_bruck_v, anything,
          schedules::persBruckV_alltoallv},
};

}  // namespace

std::span<const Arrow> alltoall_arrows() {
    return arrows;
}

}  // namespace mpiaudit
