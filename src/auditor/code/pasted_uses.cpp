// SPDX-License-Identifier: BSD-3-Clause
// Operations between other layouts than their own, and operations composed of others: the calls of
// catalogue/other_uses.cpp and catalogue/composed_arrows.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "code/pasted_calls.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// What a use writes: the ends of the step, and the names.
struct Use {
    const PastedEnds& ends;
    PastedNames& names;

    const std::string& in() const { return ends.in.address; }
    const std::string& out() const { return ends.out.address; }
    /// Defines a list by the value for rank k.
    std::string list(const char* list, const std::string& value) const {
        names.define(list, fmt::format("int {0}[p]; for (int k = 0; k < p; ++k) {0}[k] = {1};",
                                       list, value));
        return list;
    }
    std::string zeros() const { return list("zeros", "0"); }
    /// The list of the offsets of a side, or its value for rank k where only the root has the list.
    std::string offsets(const PastedData& data) const {
        return data.offsets == "offsets" ? names.offsets() : data.offsets;
    }
    /// The blocks of all ranks on the root, nothing on others.
    std::string numbers_at_root() const {
        const bool is_of_root = names.replaced().takes("displs") && names.replaced().has_root();
        const std::string numbers = is_of_root ? "counts" : names.numbers();
        return list("root_numbers", fmt::format("rank == root ? {}[k] : 0", numbers));
    }
    std::string offsets_at_root(const PastedData& data) const {
        return list("root_offsets", fmt::format("rank == root ? {}[k] : 0", offsets(data)));
    }
    /// The own block for the root, nothing for others.
    std::string own_for_root() const {
        return list("own_for_root", fmt::format("k == root ? {} : 0", names.own()));
    }
    /// All blocks for the root, nothing for others.
    std::string all_for_root() const {
        return list("all_for_root", fmt::format("k == root ? {} : 0", names.all()));
    }
};

std::string exchange(const Use& use, const std::string& sendcounts, const std::string& sdispls,
                     const std::string& recvcounts, const std::string& rdispls) {
    return fmt::format("MPI_Alltoallv({}, {}, {}, type, {}, {}, {}, type, comm);", use.in(),
                       sendcounts, sdispls, use.out(), recvcounts, rdispls);
}

std::string alltoallv_to_all(const Use& use) {
    const std::string sent = use.list("own_for_all", use.names.own());
    return exchange(use, sent, use.zeros(), use.names.numbers(), use.offsets(use.ends.out));
}

std::string alltoallv_to_root(const Use& use) {
    return exchange(use, use.own_for_root(), use.zeros(), use.numbers_at_root(),
                    use.offsets_at_root(use.ends.out));
}

std::string alltoallv_from_root(const Use& use) {
    return exchange(use, use.numbers_at_root(), use.offsets_at_root(use.ends.in),
                    use.own_for_root(), use.zeros());
}

std::string alltoall_of_copies(const Use& use) {
    const std::string own = use.names.own();
    const std::string copies = use.names.memory("p * " + own);
    return for_each_rank(use.names.copy(use.names.behind(copies, "k * " + own), use.in(), own)) +
           fmt::format(" MPI_Alltoall({0}, {1}, type, {2}, {1}, type, comm);", copies, own,
                       use.out());
}

std::string allgatherv_from_root(const Use& use) {
    return fmt::format("MPI_Allgatherv(MPI_IN_PLACE, 0, type, {}, {}, {}, type, comm);", use.out(),
                       use.all_for_root(), use.zeros());
}

std::string reduce_scatter_to_root(const Use& use) {
    return fmt::format("MPI_Reduce_scatter({}, {}, {}, type, op, comm);", use.in(), use.out(),
                       use.all_for_root());
}

std::string allreduce_as_barrier(const Use&) {
    return "int any = 0; MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);";
}

std::string reduce_own(const Use& use) {
    use.names.need("a commutative operator");
    return fmt::format(
        "if (rank > 0) MPI_Reduce_local(sendbuf, {0}, {1}, type, op); else {{ {2} }}", use.out(),
        use.names.all(), use.names.copy(use.out(), "sendbuf", use.names.all()));
}

/// The result of one rank is where the replaced call puts it if that rank is the root.
std::string there_or_memory(const Use& use, const std::string& there) {
    return fmt::format("(root == 0 ? {} : {})", PastedNames::as_bytes(there),
                       use.names.memory(use.names.all()));
}

std::string send_and_receive(const Use& use, const char* sender, const std::string& sent,
                             const char* receiver, const std::string& received) {
    return fmt::format(
        "if (root > 0 && rank == {0}) MPI_Send({1}, {4}, type, {2}, 0, comm); if (root > 0 && rank "
        "== {2}) MPI_Recv({3}, {4}, type, {0}, 0, comm, MPI_STATUS_IGNORE);",
        sender, sent, receiver, received, use.names.all());
}

std::string relayed_bcast(const Use& use) {
    return send_and_receive(use, "root", use.out(), "0", use.out()) +
           fmt::format(" MPI_Bcast({}, {}, type, 0, comm);", use.out(), use.names.all());
}

std::string relayed_reduce(const Use& use) {
    const std::string first = there_or_memory(use, use.out());
    return fmt::format("MPI_Reduce({}, {}, {}, type, op, 0, comm); ", use.in(), first,
                       use.names.all()) +
           send_and_receive(use, "0", first, "root", use.out());
}

std::string relayed_gather(const Use& use) {
    const std::string first = there_or_memory(use, use.out()), own = use.names.own();
    return fmt::format("MPI_Gather({0}, {1}, type, {2}, {1}, type, 0, comm); ", use.in(), own,
                       first) +
           send_and_receive(use, "0", first, "root", use.out());
}

std::string relayed_scatter(const Use& use) {
    const std::string first = there_or_memory(use, use.in()), own = use.names.own();
    return send_and_receive(use, "root", use.in(), "0", first) +
           fmt::format(" MPI_Scatter({0}, {1}, type, {2}, {1}, type, 0, comm);", first, own,
                       use.out());
}

/// Reduces the contributions of the ranks up to `last` in the order of the ranks. Contributions
/// have `size` elements and lie one behind the other.
std::string reduced(const Use& use, const std::string& contributions, const std::string& last,
                    const std::string& size) {
    PastedNames& names = use.names;
    return names.copy(use.out(), names.behind(contributions, fmt::format("{} * {}", last, size)),
                      size) +
           fmt::format(" for (int k = {} - 1; k >= 0; --k) MPI_Reduce_local({}, {}, {}, type, op);",
                       last, names.behind(contributions, "k * " + size), use.out(), size);
}

std::string gathered(const Use& use, std::string& contributions) {
    const std::string all = use.names.all();
    contributions = use.names.memory("p * " + all);
    return fmt::format("MPI_Allgather({0}, {1}, type, {2}, {1}, type, comm); ", use.in(), all,
                       contributions);
}

std::string allreduce_by_allgather(const Use& use) {
    std::string contributions;
    const std::string gather = gathered(use, contributions);
    return gather + reduced(use, contributions, "(p - 1)", use.names.all());
}

std::string scan_by_allgather(const Use& use) {
    std::string contributions;
    const std::string gather = gathered(use, contributions);
    return gather + reduced(use, contributions, "rank", use.names.all());
}

std::string exscan_by_allgather(const Use& use) {
    std::string contributions;
    const std::string gather = gathered(use, contributions);
    return gather + "if (rank > 0) { " +
           reduced(use, contributions, "(rank - 1)", use.names.all()) + " }";
}

std::string exscan_by_scan(const Use& use) {
    const std::string all = use.names.all(), before = use.names.memory(all);
    use.names.need("the communicator once");
    return fmt::format(
        "MPI_Comm all_but_rank_0; MPI_Comm_split(comm, rank > 0, rank, &all_but_rank_0); "
        "MPI_Sendrecv({0}, {1}, type, rank + 1 < p ? rank + 1 : MPI_PROC_NULL, 0, {2}, {1}, type, "
        "rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE); if (rank > 0) "
        "MPI_Scan({2}, {3}, {1}, type, op, all_but_rank_0); MPI_Comm_free(&all_but_rank_0);",
        use.in(), all, before, use.out());
}

std::string reduce_scatter_block_by_alltoall(const Use& use) {
    const std::string own = use.names.own(), contributions = use.names.memory("p * " + own);
    return fmt::format("MPI_Alltoall({0}, {1}, type, {2}, {1}, type, comm); ", use.in(), own,
                       contributions) +
           reduced(use, contributions, "(p - 1)", own);
}

std::string reduce_scatter_by_alltoallv(const Use& use) {
    const std::string own = use.names.own(), contributions = use.names.memory("p * " + own);
    const std::string numbers = use.list("own_of_all", own),
                      offsets = use.list("places", "k * " + own);
    return fmt::format("MPI_Alltoallv({}, {}, {}, type, {}, {}, {}, type, comm); ", use.in(),
                       use.names.numbers(), use.offsets(use.ends.in), contributions, numbers,
                       offsets) +
           reduced(use, contributions, "(p - 1)", own);
}

constexpr std::string_view in_flight =
    "MPI_Request requests[p]; for (int k = 0; k < p; ++k) {}; MPI_Waitall(p, requests, "
    "MPI_STATUSES_IGNORE);";

std::string allgatherv_by_ibcast(const Use& use) {
    PastedNames& names = use.names;
    const std::string numbers = names.numbers();
    const auto block = [&](const char* k) {
        return names.behind(use.out(), fmt::format("{}[{}]", use.offsets(use.ends.out), k));
    };
    return names.copy(block("rank"), use.in(), names.own()) + " " +
           fmt::format(fmt::runtime(in_flight),
                       fmt::format("MPI_Ibcast({}, {}[k], type, k, comm, &requests[k])", block("k"),
                                   numbers));
}

std::string alltoallv_by_iscatterv(const Use& use) {
    PastedNames& names = use.names;
    const bool has_rows = names.has_rows();
    const std::string sent = has_rows ? "sendcounts" : names.numbers(),
                      from = has_rows ? "sdispls" : names.offsets(),
                      received = has_rows ? "recvcounts" : names.numbers(),
                      to = has_rows ? "rdispls" : names.offsets();
    return fmt::format(
        fmt::runtime(in_flight),
        fmt::format("MPI_Iscatterv({}, {}, {}, type, {}, {}[k], type, k, comm, &requests[k])",
                    use.in(), sent, from, names.behind(use.out(), to + "[k]"), received));
}

std::string alltoall_by_allgather(const Use& use) {
    PastedNames& names = use.names;
    const std::string own = names.own(), all = names.memory("p * p * " + own);
    return fmt::format("MPI_Allgather({0}, p * {1}, type, {2}, p * {1}, type, comm); ", use.in(),
                       own, all) +
           for_each_rank(names.copy(names.behind(use.out(), "k * " + own),
                                    names.behind(all, fmt::format("(k * p + rank) * {}", own)),
                                    own));
}

constexpr struct {
    std::string_view name;
    Holding from, to;
    std::string (*code)(const Use&);
} uses[] = {
    {"MPI_Allgatherv", rooted, replicated, allgatherv_from_root},
    {"MPI_Alltoall", scattered, replicated, alltoall_of_copies},
    {"MPI_Alltoallv", scattered, replicated, alltoallv_to_all},
    {"MPI_Alltoallv", scattered, rooted, alltoallv_to_root},
    {"MPI_Alltoallv", rooted, scattered, alltoallv_from_root},
    {"MPI_Reduce_scatter", contributed, rooted, reduce_scatter_to_root},
    {"MPI_Allreduce", apart, together, allreduce_as_barrier},
    {"MPI_Reduce_local", exclusively_prefixed, prefixed, reduce_own},
    {"MPI_Bcast[relayed]", rooted, replicated, relayed_bcast},
    {"MPI_Reduce[relayed]", contributed, rooted, relayed_reduce},
    {"MPI_Gather[relayed]", scattered, rooted, relayed_gather},
    {"MPI_Scatter[relayed]", rooted, scattered, relayed_scatter},
    {"MPI_Allreduce[by MPI_Allgather]", contributed, replicated, allreduce_by_allgather},
    {"MPI_Scan[by MPI_Allgather]", contributed, prefixed, scan_by_allgather},
    {"MPI_Exscan[by MPI_Allgather]", contributed, exclusively_prefixed, exscan_by_allgather},
    {"MPI_Exscan[by MPI_Scan]", contributed, exclusively_prefixed, exscan_by_scan},
    {"MPI_Reduce_scatter_block[by MPI_Alltoall]", contributed, scattered,
     reduce_scatter_block_by_alltoall},
    {"MPI_Reduce_scatter[by MPI_Alltoallv]", contributed, scattered, reduce_scatter_by_alltoallv},
    {"MPI_Allgatherv[by MPI_Ibcast]", scattered, replicated, allgatherv_by_ibcast},
    {"MPI_Alltoallv[by MPI_Iscatterv]", outgoing, incoming, alltoallv_by_iscatterv},
    {"MPI_Alltoall[by MPI_Allgather]", outgoing, incoming, alltoall_by_allgather},
};

const auto* find_use(const PastedStep& step) {
    const auto* const found = std::ranges::find_if(uses, [&](const auto& each) {
        return each.name == step.form.name() && name(each.from) == step.from &&
               name(each.to) == step.to;
    });
    return found == std::end(uses) ? nullptr : found;
}

}  // namespace

bool has_code_of_use(const PastedStep& step) {
    return find_use(step) != nullptr;
}

std::string code_of_use(const PastedStep& step, const PastedEnds& ends, PastedNames& names) {
    return find_use(step)->code({ends, names});
}

}  // namespace mpiaudit
