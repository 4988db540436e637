// SPDX-License-Identifier: BSD-3-Clause
#include "calls/known_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "mpi/environment.h"
#include "text/plain.h"

namespace mpiaudit::calls {
namespace {

enum class Effect { wrong, ends_launch };

struct Row {
    /// The last release of each series that is known to have the fault. Later releases may have
    /// corrected the fault.
    std::vector<const char*> last_releases;
    Effect effect;
    /// As `verify --call` takes them, with alternatives: "operation=MPI_Gather|MPI_Scatter
    /// counts=large". Without `operation=` all operations have the fault.
    std::string_view conditions;
};

constexpr Effect wrong = Effect::wrong, ends_launch = Effect::ends_launch;

// docs/libraries.md has the programs that show these faults.
const std::vector<Row>& rows_of_open_mpi() {
    static const std::vector<const char*> all{"4.1.99", "5.0.7", "6.0.0rc2"},
        until_5{"4.1.99", "5.0.7"}, until_4{"4.1.99"}, until_4_1_2{"4.1.2"};
    static const std::vector<Row> rows{
        {all, ends_launch, "operation=MPI_Allgatherv sent_type=by-rank"},
        {all, ends_launch, "operation=MPI_Allgatherv received_type=by-rank"},
        {all, ends_launch, "operation=MPI_Gatherv communicator=inter sent_type=by-rank"},
        {until_4, ends_launch,
         "operation=MPI_Alltoallw start=nonblocking|persistent "
         "communicator=torus|box|rows|multigraph"},
        {until_4, ends_launch,
         "operation=MPI_Alltoallw start=nonblocking|persistent in_place=in-place "
         "unused_arguments=null"},
        // The ring of long vectors writes behind its memory.
        {until_4, ends_launch,
         "operation=MPI_Allreduce counts=odd|large sent_type=gap-in-front op=commutative"},
        {until_4, ends_launch,
         "operation=MPI_Reduce start=nonblocking|persistent sent_type=subarray op=commutative"},
        // Ranks that pass on blocks of others keep these in memory for too few instances.
        {all, wrong, "operation=MPI_Gather sent_type=interleaved"},
        {until_4, wrong, "operation=MPI_Allgather sent_type=interleaved"},
        {all, wrong,
         "operation=MPI_Gatherv|MPI_Allgather|MPI_Allgatherv communicator=inter "
         "sent_type=interleaved"},
        {all, wrong, "operation=MPI_Scatter communicator=inter received_type=interleaved"},
        // A dimension of one or two ranks: the blocks of both directions change places.
        {until_5, wrong,
         "operation=MPI_Neighbor_alltoall start=nonblocking|persistent "
         "communicator=ring|torus|box|rows"},
        {until_5, ends_launch,
         "operation=MPI_Neighbor_alltoall start=nonblocking|persistent "
         "communicator=ring|torus|box|rows meanwhile=freed-handles"},
        {until_5, ends_launch,
         "operation=MPI_Neighbor_alltoallv|MPI_Neighbor_alltoallw start=nonblocking|persistent "
         "communicator=ring|torus|box|rows"},
        // Which operations crash depends on the number of ranks.
        {all, ends_launch, "start=nonblocking meanwhile=freed-communicator"},
        // Ranks without empty blocks wait for those that return an error.
        {all, wrong, "operation=MPI_Alltoallw|MPI_Neighbor_alltoallw counts=none empty_types=null"},
        {all, ends_launch,
         "operation=MPI_Alltoallw|MPI_Neighbor_alltoallw counts=some-empty empty_types=null"},
        // The root has counts in its own type, and other ranks receive with these counts.
        {all, ends_launch,
         "operation=MPI_Scatterv communicator=inter sent_type=contiguous|vector|gap-in-front|"
         "negative-bound|backwards|subarray|nested|structure|interleaved|by-rank"},
        {all, ends_launch,
         "operation=MPI_Scatterv communicator=inter received_type=contiguous|vector|gap-in-front|"
         "negative-bound|backwards|subarray|nested|structure|interleaved|by-rank"},
        // MPI_Ibcast leaves out what ranks with MPI_PROC_NULL and a count of 0 have to count. Then
        // the next nonblocking operation on the communicator hangs.
        {all, ends_launch, "operation=MPI_Bcast start=nonblocking|persistent communicator=inter"},
        {all, ends_launch, "communicator=inter meanwhile=bcast"},
        // MPI_BOTTOM as both buffers is taken for MPI_IN_PLACE (Open MPI's issue 9650).
        {until_4_1_2, wrong,
         "operation=MPI_Gather|MPI_Gatherv|MPI_Scatter|MPI_Scatterv|MPI_Allgather|MPI_Allgatherv|"
         "MPI_Alltoall|MPI_Alltoallv|MPI_Alltoallw start=nonblocking|persistent buffers=bottom"},
        // Numbers of 64 bits are compared as if they had a sign, and numbers with a sign as if not.
        {until_4, wrong,
         "basic=MPI_UNSIGNED_LONG|MPI_UNSIGNED_LONG_LONG|MPI_OFFSET op=MPI_MAX|MPI_MIN"},
        // The component op/avx takes instructions that saturate.
        {all, wrong,
         "basic=MPI_UNSIGNED_CHAR|MPI_UINT8_T|MPI_UNSIGNED_SHORT|MPI_UINT16_T contents=wrapping"}};
    return rows;
}

const std::vector<Row>& rows_of_mpich() {
    static const std::vector<const char*> all{"4.2.1", "5.0.2"}, until_4_2{"4.2.1"},
        until_4_0{"4.0.2"}, only_4_0_0{"4.0"}, only_5{"5.0.2"};
    static const std::vector<Row> rows{
        {until_4_2, wrong, "operation=MPI_Gather start=persistent"},
        {until_4_2, ends_launch, "operation=MPI_Scatter start=persistent"},
        {until_4_0, ends_launch, "operation=MPI_Allgather start=persistent"},
        {only_4_0_0, wrong,
         "operation=MPI_Alltoallw|MPI_Neighbor_alltoallw counts=none|some-empty empty_types=null"},
        {until_4_0, ends_launch,
         "operation=MPI_Reduce in_place=in-place root=last|middle "
         "counts=power-of-two|above-power-of-two|odd|large"},
        // On communicators of one rank, operations that send to their own rank hang.
        {all, ends_launch,
         "operation=MPI_Alltoall|MPI_Alltoallv|MPI_Alltoallw|MPI_Neighbor_allgather|"
         "MPI_Neighbor_allgatherv|MPI_Neighbor_alltoall|MPI_Neighbor_alltoallv|"
         "MPI_Neighbor_alltoallw meanwhile=wildcard"},
        // Releases 4.2 hang, too, but 4.0 is right.
        {only_5, ends_launch,
         "operation=MPI_Barrier start=nonblocking communicator=inter meanwhile=bcast"},
        // Receives are posted in reversed order, which shows where a rank is a neighbour twice.
        {until_4_2, wrong,
         "operation=MPI_Neighbor_alltoall|MPI_Neighbor_alltoallv|MPI_Neighbor_alltoallw "
         "communicator=torus|box|rows|multigraph"},
        {until_4_0, ends_launch,
         "operation=MPI_Neighbor_alltoallv|MPI_Neighbor_alltoallw start=nonblocking "
         "communicator=ring|torus|box|rows|multigraph meanwhile=freed-handles"},
        {until_4_0, wrong,
         "operation=MPI_Neighbor_alltoallv|MPI_Neighbor_alltoallw "
         "communicator=ring|torus|box|rows|multigraph"},
        // Elements with gaps or another lower bound.
        {until_4_0, ends_launch,
         "operation=MPI_Reduce_scatter|MPI_Reduce_scatter_block op=ordered "
         "sent_type=vector|gap-in-front|negative-bound|subarray|structure|interleaved"},
        {until_4_0, ends_launch,
         "operation=MPI_Gather|MPI_Allgather communicator=inter "
         "counts=power-of-two|above-power-of-two|odd|large "
         "basic=MPI_DOUBLE_INT|MPI_LONG_INT|MPI_SHORT_INT|MPI_LONG_DOUBLE_INT"},
        {until_4_0, ends_launch,
         "operation=MPI_Reduce_scatter|MPI_Reduce_scatter_block "
         "basic=MPI_DOUBLE_INT|MPI_LONG_INT|MPI_SHORT_INT|MPI_LONG_DOUBLE_INT op=ordered"},
        {until_4_0, wrong,
         "operation=MPI_Alltoall|MPI_Alltoallv|MPI_Alltoallw in_place=in-place "
         "basic=MPI_DOUBLE_INT|MPI_LONG_INT|MPI_SHORT_INT|MPI_LONG_DOUBLE_INT"},
        {until_4_0, wrong,
         "operation=MPI_Alltoall|MPI_Alltoallv|MPI_Alltoallw in_place=in-place "
         "received_type=structure"},
        {until_4_0, wrong,
         "operation=MPI_Gather counts=power-of-two|above-power-of-two|odd|large "
         "basic=MPI_DOUBLE_INT|MPI_LONG_INT|MPI_SHORT_INT|MPI_LONG_DOUBLE_INT"},
        {until_4_0, ends_launch, "operation=MPI_Scatter sent_type=structure"},
        {until_4_0, wrong,
         "operation=MPI_Scatter "
         "basic=MPI_DOUBLE_INT|MPI_LONG_INT|MPI_SHORT_INT|MPI_LONG_DOUBLE_INT"},
        // Numbers without a sign are compared as if they had a sign.
        {until_4_0, wrong,
         "basic=MPI_UNSIGNED_CHAR|MPI_UNSIGNED_SHORT|MPI_UNSIGNED|MPI_UNSIGNED_LONG|"
         "MPI_UNSIGNED_LONG_LONG|MPI_UINT8_T|MPI_UINT16_T|MPI_UINT32_T|MPI_UINT64_T "
         "op=MPI_MAX|MPI_MIN"}};
    return rows;
}

/// Calls visit(part) for the parts of a text between separators.
void for_each_part(std::string_view text, char separator, const auto& visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
}

KnownFault fault_of(const Row& row) {
    KnownFault fault{.ends_launch = row.effect == ends_launch};
    for_each_part(row.conditions, ' ', [&](std::string_view condition) {
        const std::size_t equals = condition.find('=');
        const std::string_view name = condition.substr(0, equals);
        const auto property = static_cast<std::size_t>(
            std::ranges::find(properties(), name, &PropertyRow::name) - properties().begin());
        for_each_part(condition.substr(equals + 1), '|', [&](std::string_view value) {
            const ChosenCall call = parse_call(fmt::format("{}={}", name, value));
            fault.values[property].push_back(call.values[property]);
        });
    });
    return fault;
}

}  // namespace

bool KnownFault::has(const ChosenCall& call) const {
    // Another call of the same operation is pending.
    if (call.meanwhile() == Meanwhile::same_operation ||
        call.meanwhile() == Meanwhile::same_on_duplicate) {
        ChosenCall pending = call;
        pending[Property::start] = static_cast<std::uint8_t>(CallStart::nonblocking);
        pending[Property::meanwhile] = 0;
        if (has(pending)) return true;
    }
    for (std::size_t property = 0; property < property_count; ++property)
        if (!values[property].empty() && !is_among(values[property], call.values[property]))
            return false;
    return true;
}

ChosenCall KnownFault::simplest_like(const ChosenCall& call) const {
    ChosenCall simplest;
    simplest[Property::operation] = call[Property::operation];
    for (std::size_t property = 0; property < property_count; ++property) {
        const auto& own = values[property];
        if (own.empty()) continue;
        const bool is_of_call = is_among(own, call.values[property]);
        simplest.values[property] = is_of_call ? call.values[property] : own.front();
    }
    return simplest;
}

std::vector<KnownFault> known_faults_of(const std::string& library) {
    std::vector<KnownFault> found;
    const auto add = [&](std::string_view vendor, const std::vector<Row>& rows) {
        for (const Row& each : rows)
            if (is_release_up_to(library, vendor, each.last_releases))
                found.push_back(fault_of(each));
    };
    add("Open MPI v", rows_of_open_mpi());
    add("MPICH ", rows_of_mpich());
    return found;
}

}  // namespace mpiaudit::calls
