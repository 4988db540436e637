// SPDX-License-Identifier: BSD-3-Clause
// Uses of operations between other layouts than their own, and what they are made of besides.
#include <array>
#include <cstring>

#include "catalogue/operation_arrows.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

/// rooted -> replicated: the root contributes all, the others nothing. In place, since MPI_Bcast
/// leaves the root's data where they are: without it the root would copy them.
Step allgatherv_from_root(const Instance& instance, const Place& from, Layout to) {
    Place result = instance.target(to);
    const int all = result.span();
    if (instance.is_root()) result.data = from.data;
    const auto ranks = static_cast<std::size_t>(instance.problem().ranks());
    struct Counts {
        std::vector<int> counts, displacements;
    };
    const auto of_root =
        std::make_shared<Counts>(Counts{std::vector<int>(ranks), std::vector<int>(ranks)});
    of_root->counts[static_cast<std::size_t>(instance.root())] = all;
    return {[of_root, result, comm = instance.comm] {
                look_at(MPI_Allgatherv(MPI_IN_PLACE, 0, result.type, result.data,
                                       of_root->counts.data(), of_root->displacements.data(),
                                       result.type, comm));
            },
            result};
}

/// contributed -> rooted: the root receives all blocks, the others none.
Step reduce_scatter_to_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto counts =
        std::make_shared<std::vector<int>>(static_cast<std::size_t>(instance.problem().ranks()));
    (*counts)[static_cast<std::size_t>(instance.root())] = from.span();
    return {[counts, from, result, op = instance.op(), comm = instance.comm] {
                look_at(MPI_Reduce_scatter(from.data, result.data, counts->data(), from.type, op,
                                           comm));
            },
            result};
}

/// The arguments of MPI_Alltoallv where not every rank sends to every other.
struct Exchange {
    std::vector<int> send_counts, send_displacements, receive_counts, receive_displacements;

    explicit Exchange(int ranks)
        : send_counts(static_cast<std::size_t>(ranks)),
          send_displacements(send_counts),
          receive_counts(send_counts),
          receive_displacements(send_counts) {}
};

Call exchange_v(const Instance& instance, const Place& from, const Place& to,
                std::shared_ptr<const Exchange> e) {
    return [=, comm = instance.comm] {
        look_at(MPI_Alltoallv(from.data, e->send_counts.data(), e->send_displacements.data(),
                              from.type, to.data, e->receive_counts.data(),
                              e->receive_displacements.data(), from.type, comm));
    };
}

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
                look_at(MPI_Alltoall(copies.data, count, from.type, result.data, count, from.type,
                                     comm));
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

/// exclusively prefixed + own -> prefixed. MPI_Reduce_local puts its result where its right operand
/// was: with an operator that commutes that is the prefix, else a copy of the own contribution.
/// Rank 0 has no prefix.
Step reduce_own(const Instance& instance, const Place& from, Layout to) {
    const Place own = instance.workspace.source({contributed, to.padded});
    Place result = instance.target(to);
    const std::size_t bytes = static_cast<std::size_t>(own.span()) * own.extent;
    const auto reduce = [count = own.span(), type = own.type, op = instance.op()](
                            const std::byte* left, std::byte* right) {
        look_at(MPI_Reduce_local(left, right, count, type, op));
    };
    const bool has_prefix = from.data != nullptr;
    if (has_prefix && instance.problem().op->is_commutative()) {
        result.data = from.data;
        return {[=] { reduce(own.data, result.data); }, result};
    }
    return {[=] {
                std::memcpy(result.data, own.data, bytes);
                if (has_prefix) reduce(from.data, result.data);
            },
            result};
}

/// Nobody has the result of an allreduce before all have contributed.
Step allreduce_one(const Instance& instance, const Place& from, Layout to) {
    Place result = from;
    result.layout = to;
    const auto numbers = std::make_shared<std::array<int, 2>>(std::array{instance.rank(), 0});
    return {[numbers, comm = instance.comm] {
                look_at(MPI_Allreduce(&(*numbers)[0], &(*numbers)[1], 1, MPI_INT, MPI_MAX, comm));
            },
            result,
            {},
            {agreement_on(std::shared_ptr<int>(numbers, &(*numbers)[1]),
                          instance.problem().ranks() - 1, instance.rank())}};
}

}  // namespace

std::vector<Arrow> other_uses() {
    const auto row = [](const char* name, std::string_view collective, Holding from, Holding to,
                        const char* summary, Prepare prepare, unsigned needs = anything) {
        return Arrow{name, collective, Kind::native, from, to, summary, prepare, needs};
    };
    std::vector<Arrow> all{
        row("MPI_Allgatherv", "allgather", rooted, replicated,
            "MPI_Allgatherv to which the root contributes all", allgatherv_from_root),
        row("MPI_Alltoall", "alltoall", scattered, replicated,
            "MPI_Alltoall of copies of the own block", alltoall_of_copies, equal_blocks),
        row("MPI_Alltoallv", "alltoall", scattered, replicated,
            "MPI_Alltoallv that sends the own block to all", alltoallv_to_all),
        row("MPI_Alltoallv", "alltoall", scattered, rooted,
            "MPI_Alltoallv that sends to the root only", alltoallv_to_root),
        row("MPI_Alltoallv", "alltoall", rooted, scattered,
            "MPI_Alltoallv in which only the root sends", alltoallv_from_root),
        row("MPI_Reduce_scatter", "reduce_scatter", contributed, rooted,
            "MPI_Reduce_scatter with one block, the root's", reduce_scatter_to_root,
            defined_operator),
        row("MPI_Allreduce", "barrier", apart, together,
            "an allreduce of one int, used as a barrier", allreduce_one),
        Arrow{"MPI_Reduce_local", "scan", Kind::local, exclusively_prefixed, prefixed,
              "every rank adds its own contribution", reduce_own, defined_operator},
    };
    all[1].scratch = outgoing;
    return all;
}

}  // namespace mpiaudit
