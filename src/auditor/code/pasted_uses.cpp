// SPDX-License-Identifier: BSD-3-Clause
// Operations between other layouts than their own, and operations composed of others: the calls of
// catalogue/other_uses.cpp and catalogue/composed_arrows.cpp.
#include <algorithm>

#include "code/pasted_calls.h"

namespace mpiaudit {
namespace {

using namespace c_text;
using enum Holding;
using Id = c_text::Name;

/// What a use writes: the ends of the step, and the names.
struct Use {
    const StepEnds& ends;
    StepNames& names;

    const Expression& in() const { return ends.in.address; }
    const Expression& out() const { return ends.out.address; }
    Expression own() const { return names.own(); }
    Expression all() const { return names.all(); }
    Expression zeros() const { return names.list(Id::zeros, 0); }
    /// The list of the offsets of a side, or its value for rank k where only the root has the list.
    Expression offsets(const StepData& data) const {
        return data.has_gaps() ? data.offsets : names.offsets();
    }
    Expression at_root(Id list, const Expression& values) const {
        return names.list(list, choice(is_root(), item(values, Id::k), 0));
    }
    /// The blocks of all ranks on the root, nothing on others.
    Expression numbers_at_root() const {
        return at_root(Id::root_numbers, names.numbers_at_root());
    }
    Expression offsets_at_root(const StepData& data) const {
        return at_root(Id::root_offsets, offsets(data));
    }
    /// Elements for the root, nothing for others.
    Expression for_root(Id list, const Expression& number) const {
        return names.list(list, choice(binary(Id::k, "==", Id::root), number, 0));
    }
};

/// A call with the type of elements behind each number of them.
Statement exchange(const char* function, const Expression& in, const Expression& number,
                   const Expression& out, std::vector<Expression> more) {
    std::vector<Expression> all{in, number, Id::type, out, number, Id::type};
    all.insert(all.end(), more.begin(), more.end());
    return call(function, std::move(all));
}

Block alltoallv(const Expression& in, const Expression& sendcounts, const Expression& sdispls,
                const Expression& out, const Expression& recvcounts, const Expression& rdispls) {
    return {call("MPI_Alltoallv", {in, sendcounts, sdispls, Id::type, out, recvcounts, rdispls,
                                   Id::type, Id::comm})};
}

Block alltoallv_to_all(const Use& use) {
    const Expression sent = use.names.list(Id::own_for_all, use.own());
    return alltoallv(use.in(), sent, use.zeros(), use.out(), use.names.numbers(),
                     use.offsets(use.ends.out));
}

Block alltoallv_to_root(const Use& use) {
    return alltoallv(use.in(), use.for_root(Id::own_for_root, use.own()), use.zeros(), use.out(),
                     use.numbers_at_root(), use.offsets_at_root(use.ends.out));
}

Block alltoallv_from_root(const Use& use) {
    return alltoallv(use.in(), use.numbers_at_root(), use.offsets_at_root(use.ends.in), use.out(),
                     use.for_root(Id::own_for_root, use.own()), use.zeros());
}

Block alltoall_of_copies(const Use& use) {
    const Expression own = use.own(), copies = use.names.memory(Id::p * own);
    return joined(
        for_each_rank(use.names.copy(use.names.behind(copies, Id::k * own), use.in(), own)),
        {exchange("MPI_Alltoall", copies, own, use.out(), {Id::comm})});
}

Block allgatherv_from_root(const Use& use) {
    return {call("MPI_Allgatherv",
                 {constant("MPI_IN_PLACE"), 0, Id::type, use.out(),
                  use.for_root(Id::all_for_root, use.all()), use.zeros(), Id::type, Id::comm})};
}

Block reduce_scatter_to_root(const Use& use) {
    return {
        call("MPI_Reduce_scatter", {use.in(), use.out(), use.for_root(Id::all_for_root, use.all()),
                                    Id::type, Id::op, Id::comm})};
}

Block allreduce_as_barrier(const Use& use) {
    use.names.define(Id::any, {Declaration{"int", Id::any, {0}}});
    return {call("MPI_Allreduce", {constant("MPI_IN_PLACE"), address_of(Id::any), 1,
                                   constant("MPI_INT"), constant("MPI_MAX"), Id::comm})};
}

Statement reduce_local(const Expression& left, const Expression& right, const Expression& number) {
    return call("MPI_Reduce_local", {left, right, number, Id::type, Id::op});
}

Expression is_behind_first() {
    return binary(Id::rank, ">", 0);
}

Block reduce_own(const Use& use) {
    use.names.need("a commutative operator");
    return {If{is_behind_first(),
               {reduce_local(Id::sendbuf, use.out(), use.all())},
               use.names.copy(use.out(), Id::sendbuf, use.all())}};
}

/// The result of one rank is where the replaced call puts it if that rank is the root.
Expression there_or_memory(const Use& use, const Expression& there) {
    const Expression memory = use.names.memory(use.all());
    return choice(binary(Id::root, "==", 0), use.names.as_bytes(there), memory);
}

/// A message from one rank to another: the root and rank 0.
Block message(const Use& use, const Expression& sender, const Expression& sent,
              const Expression& receiver, const Expression& received) {
    const auto on = [&](const Expression& rank, Statement what) {
        const Expression is_there = binary(Id::rank, "==", rank);
        return If{binary(binary(Id::root, ">", 0), "&&", is_there), {std::move(what)}};
    };
    return {on(sender, call("MPI_Send", {sent, use.all(), Id::type, receiver, 0, Id::comm})),
            on(receiver, call("MPI_Recv", {received, use.all(), Id::type, sender, 0, Id::comm,
                                           constant("MPI_STATUS_IGNORE")}))};
}

Block relayed_bcast(const Use& use) {
    return joined(message(use, Id::root, use.out(), 0, use.out()),
                  {call("MPI_Bcast", {use.out(), use.all(), Id::type, 0, Id::comm})});
}

Block relayed_reduce(const Use& use) {
    const Expression first = there_or_memory(use, use.out());
    return joined({call("MPI_Reduce", {use.in(), first, use.all(), Id::type, Id::op, 0, Id::comm})},
                  message(use, 0, first, Id::root, use.out()));
}

Block relayed_gather(const Use& use) {
    const Expression first = there_or_memory(use, use.out());
    return joined({exchange("MPI_Gather", use.in(), use.own(), first, {0, Id::comm})},
                  message(use, 0, first, Id::root, use.out()));
}

Block relayed_scatter(const Use& use) {
    const Expression first = there_or_memory(use, use.in());
    return joined(message(use, Id::root, use.in(), 0, first),
                  {exchange("MPI_Scatter", first, use.own(), use.out(), {0, Id::comm})});
}

/// Reduces the contributions of the ranks up to `last` in the order of the ranks. Contributions
/// have `size` elements and lie one behind the other.
Block reduced(const Use& use, const Expression& contributions, const Expression& last,
              const Expression& size) {
    const auto of = [&](const Expression& rank) {
        return use.names.behind(contributions, rank * size);
    };
    return joined(use.names.copy(use.out(), of(last), size),
                  {Loop{Id::k, last - 1, {}, {reduce_local(of(Id::k), use.out(), size)}}});
}

/// Gathers the contributions of all ranks, and reduces those up to `last`.
Block by_allgather(const Use& use, const Expression& last) {
    const Expression contributions = use.names.memory(Id::p * use.all());
    Block computed = reduced(use, contributions, last, use.all());
    if (last == Id::rank - 1) computed = {If{is_behind_first(), std::move(computed)}};
    return joined({exchange("MPI_Allgather", use.in(), use.all(), contributions, {Id::comm})},
                  std::move(computed));
}

Block exscan_by_scan(const Use& use) {
    const Expression all = use.all(), before = use.names.memory(all), others = Id::all_but_rank_0,
                     nobody = constant("MPI_PROC_NULL");
    use.names.need("the communicator once");
    const Expression next = choice(binary(Id::rank + 1, "<", Id::p), Id::rank + 1, nobody),
                     previous = choice(is_behind_first(), Id::rank - 1, nobody);
    return joined(
        use.names.communicator_without_first(),
        joined({call("MPI_Sendrecv", {use.in(), all, Id::type, next, 0, before, all, Id::type,
                                      previous, 0, Id::comm, constant("MPI_STATUS_IGNORE")}),
                If{is_behind_first(),
                   {call("MPI_Scan", {before, use.out(), all, Id::type, Id::op, others})}}},
               use.names.without_communicator()));
}

Block reduce_scatter_block_by_alltoall(const Use& use) {
    const Expression own = use.own(), contributions = use.names.memory(Id::p * own);
    return joined({exchange("MPI_Alltoall", use.in(), own, contributions, {Id::comm})},
                  reduced(use, contributions, Id::p - 1, own));
}

Block reduce_scatter_by_alltoallv(const Use& use) {
    const Expression own = use.own(), contributions = use.names.memory(Id::p * own);
    const Expression numbers = use.names.list(Id::own_of_all, own),
                     offsets = use.names.list(Id::places, Id::k * own);
    return joined(alltoallv(use.in(), use.names.numbers(), use.offsets(use.ends.in), contributions,
                            numbers, offsets),
                  reduced(use, contributions, Id::p - 1, own));
}

/// Makes one call for each rank k, all in flight.
Block in_flight(const Use& use, const char* function, std::vector<Expression> arguments) {
    use.names.define(Id::requests, {Declaration{"MPI_Request", item(Id::requests, Id::p)}});
    arguments.push_back(address_of(item(Id::requests, Id::k)));
    return joined(for_each_rank({call(function, std::move(arguments))}),
                  {call("MPI_Waitall", {Id::p, Id::requests, constant("MPI_STATUSES_IGNORE")})});
}

Block allgatherv_by_ibcast(const Use& use) {
    StepNames& names = use.names;
    const Expression numbers = names.numbers(), offsets = use.offsets(use.ends.out);
    const auto block = [&](Id rank) { return names.behind(use.out(), item(offsets, rank)); };
    return joined(names.copy(block(Id::rank), use.in(), names.own()),
                  in_flight(use, "MPI_Ibcast",
                            {block(Id::k), item(numbers, Id::k), Id::type, Id::k, Id::comm}));
}

Block alltoallv_by_iscatterv(const Use& use) {
    StepNames& names = use.names;
    const bool has_rows = names.has_rows();
    const Expression numbers = has_rows ? Id::sendcounts : names.numbers(),
                     offsets = has_rows ? Id::sdispls : names.offsets(),
                     received = has_rows ? Id::recvcounts : numbers,
                     to = has_rows ? Id::rdispls : offsets;
    return in_flight(
        use, "MPI_Iscatterv",
        {use.in(), numbers, offsets, Id::type, names.behind(use.out(), item(to, Id::k)),
         item(received, Id::k), Id::type, Id::k, Id::comm});
}

Block alltoall_by_allgather(const Use& use) {
    StepNames& names = use.names;
    const Expression own = names.own(), all = names.memory(Id::p * Id::p * own);
    return joined(
        {exchange("MPI_Allgather", use.in(), Id::p * own, all, {Id::comm})},
        for_each_rank(names.copy(names.behind(use.out(), Id::k * own),
                                 names.behind(all, (Id::k * Id::p + Id::rank) * own), own)));
}

constexpr struct {
    std::string_view name;
    Holding from, to;
    Block (*code)(const Use&);
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
    {"MPI_Allreduce[by MPI_Allgather]", contributed, replicated,
     [](const Use& use) { return by_allgather(use, Id::p - 1); }},
    {"MPI_Scan[by MPI_Allgather]", contributed, prefixed,
     [](const Use& use) { return by_allgather(use, Id::rank); }},
    {"MPI_Exscan[by MPI_Allgather]", contributed, exclusively_prefixed,
     [](const Use& use) { return by_allgather(use, Id::rank - 1); }},
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

Block code_of_use(const PastedStep& step, const StepEnds& ends, StepNames& names) {
    return find_use(step)->code({ends, names});
}

}  // namespace mpiaudit
