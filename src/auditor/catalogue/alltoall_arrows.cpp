// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "catalogue/alltoall_signatures.h"
#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/alltoall/alltoall.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;

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
        under_test::look_at(MPI_Alltoallv(
            from.data, e->send_counts.data(), e->send_displacements.data(), from.type, to.data,
            e->receive_counts.data(), e->receive_displacements.data(), from.type, comm));
    };
}

/// With the signature of MPI_Alltoallw, whose displacements are in bytes.
struct Alltoallw {
    static constexpr Common common{
        .collective = "alltoall", .from = outgoing, .to = incoming, .needs = bytes_in_int};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto e = std::make_shared<Exchange>(instance.problem().ranks());
        e->types.assign(e->send_counts.size(), from.type);
        for (std::size_t i = 0; i < e->types.size(); ++i) {
            e->send_displacements[i] = int_bytes(from, from.displacements[i]);
            e->receive_displacements[i] = int_bytes(result, result.displacements[i]);
        }
        const Call call = bound_call(
            function, instance.comm, from.data, from.counts.data(),
            std::as_const(e->send_displacements).data(), std::as_const(e->types).data(),
            result.data, result.counts.data(), std::as_const(e->receive_displacements).data(),
            std::as_const(e->types).data());
        return {[e, call] { call(); }, result};
    }
};

/// scattered -> replicated: every rank copies its block for all others first.
Step alltoall_of_copies(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int count = from.counts.front();
    const auto ranks = static_cast<std::size_t>(instance.problem().ranks());
    const std::size_t bytes = static_cast<std::size_t>(count) * from.extent;
    const Place copies = instance.workspace.target({outgoing, to.padded});
    return {[=, comm = instance.comm] {
                for (std::size_t i = 0; i < ranks && bytes > 0; ++i)
                    std::memcpy(copies.data + i * bytes, from.data, bytes);
                under_test::look_at(MPI_Alltoall(copies.data, count, from.type, result.data, count,
                                                 from.type, comm));
            },
            result};
}

/// scattered -> replicated: every rank sends the same block to all.
Step alltoallv_to_all(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto e = std::make_shared<Exchange>(instance.problem().ranks());
    e->send_counts.assign(e->send_counts.size(), from.counts.front());
    e->receive_counts.assign(result.counts.begin(), result.counts.end());
    e->receive_displacements.assign(result.displacements.begin(), result.displacements.end());
    return {exchange_v(instance, from, result, e), result};
}

/// scattered -> rooted: every rank sends to the root only.
Step alltoallv_to_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
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
    const Place result = instance.target(to);
    const auto e = std::make_shared<Exchange>(instance.problem().ranks());
    e->receive_counts[static_cast<std::size_t>(instance.root())] = result.counts.front();
    if (instance.is_root()) {
        e->send_counts.assign(from.counts.begin(), from.counts.end());
        e->send_displacements.assign(from.displacements.begin(), from.displacements.end());
    }
    return {exchange_v(instance, from, result, e), result};
}

/// The paper's persistent algorithm: types are created once, then started and waited for.
Step persistent_bruck(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
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
    const Place result = instance.target(to);
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

std::vector<Arrow> alltoall_algorithms() {
    constexpr auto direct = "every rank sends each block directly, all at once";
    constexpr auto windowed = "every rank sends each block directly, 32 messages at a time";
    constexpr auto pairwise = "every rank sends each block directly, one partner per step";
    return {
        reference<Alltoall, &direct_Alltoall>("direct_Alltoall", direct),
        reference<Alltoall, &pairwise_Alltoall>("pairwise_Alltoall", pairwise),
        reference<Alltoall, &windowed_Alltoall>("windowed_Alltoall", windowed),
        reference<Alltoall, &factorised_Alltoall>(
            "factorised_Alltoall", "blocks go along the rows and then the columns of a grid"),
        reference<Alltoall, &basicBruck_Alltoall>(
            "basicBruck_Alltoall",
            "blocks hop 1, 2, 4 ... ranks; rotated before and after by copying"),
        reference<Alltoall, &basicBruck_ix_Alltoall>(
            "basicBruck_ix_Alltoall", "basicBruck with indexed datatypes in place of packing"),
        reference<Alltoall, &modBruck_Alltoall>("modBruck_Alltoall",
                                                "blocks hop 1, 2, 4 ... ranks; one rotation saved"),
        reference<Alltoall, &modBruck_ix_Alltoall>(
            "modBruck_ix_Alltoall", "modBruck with indexed datatypes in place of packing"),
        reference<Alltoall, &zeroBruck_Alltoall>(
            "zeroBruck_Alltoall",
            "modBruck without any copying, by alternating buffers and structured datatypes"),
        reference<Alltoall, &zeroBruck_blocks_Alltoall>(
            "zeroBruck_blocks_Alltoall", "zeroBruck with runs of consecutive blocks as one"),
        reference<Alltoall, &zeroBruck_half_Alltoall>(
            "zeroBruck_half_Alltoall", "zeroBruck with half the intermediate buffer"),
        reference(Alltoall::common, "persBruck_Alltoall",
                  "zeroBruck with its datatypes made once, before", persistent_bruck),
        reference<Alltoallv, &direct_Alltoallv>("direct_Alltoallv", direct),
        reference<Alltoallv, &pairwise_Alltoallv>("pairwise_Alltoallv", pairwise),
        reference<Alltoallv, &windowed_Alltoallv>("windowed_Alltoallv", windowed),
        reference<Alltoallv, &zeroBruckV_Alltoallv>(
            "zeroBruckV_Alltoallv", "zeroBruck for blocks of any size, which are exchanged first"),
        reference<Alltoallv, &two_phase_Bruck_Alltoallv>(
            "two_phase_Bruck_Alltoallv", "blocks move by the bits of their distance, sizes ahead"),
        reference<Alltoallv, &root_radix_Bruck_Alltoallv>(
            "root_radix_Bruck_Alltoallv", "the same by digits to the base of the root of p"),
        reference<Alltoallv, &padded_Bruck_Alltoallv>(
            "padded_Bruck_Alltoallv", "modBruck of blocks that are padded to the largest"),
        reference(Alltoallv::common, "persBruckV_Alltoallv",
                  "zeroBruckV with sizes and datatypes settled before", persistent_bruck_v),
    };
}

}  // namespace

std::vector<Arrow> alltoall_arrows() {
    Table table;
    table.operations = {
        native<Alltoall, &MPI_Alltoall, &MPI_Ialltoall, persistent::alltoall_init>(
            "MPI_Alltoall", "the library's exchange of equal blocks between all ranks"),
        native<Alltoallv, &MPI_Alltoallv, &MPI_Ialltoallv, persistent::alltoallv_init>(
            "MPI_Alltoallv", "the library's exchange of blocks of any size"),
        native<Alltoallw, &MPI_Alltoallw, &MPI_Ialltoallw, persistent::alltoallw_init>(
            "MPI_Alltoallw", "the library's exchange of blocks of any size and type"),
    };
    table.other_uses = {
        large_count::form<Alltoall, large_count::alltoall>("MPI_Alltoall_c"),
        Arrow{"MPI_Alltoall", "alltoall", Kind::native, scattered, replicated,
              "MPI_Alltoall of copies of the own block", alltoall_of_copies, equal_blocks,
              outgoing},
        Arrow{"MPI_Alltoallv", "alltoall", Kind::native, scattered, replicated,
              "MPI_Alltoallv that sends the own block to all", alltoallv_to_all},
        Arrow{"MPI_Alltoallv", "alltoall", Kind::native, scattered, rooted,
              "MPI_Alltoallv that sends to the root only", alltoallv_to_root},
        Arrow{"MPI_Alltoallv", "alltoall", Kind::native, rooted, scattered,
              "MPI_Alltoallv in which only the root sends", alltoallv_from_root},
    };
    table.algorithms = alltoall_algorithms();
    return arrows(table);
}

}  // namespace mpiaudit
