// SPDX-License-Identifier: BSD-3-Clause
#include "calls/known_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "calls/basic_types.h"
#include "calls/search.h"
#include "mpi/environment.h"

namespace mpiaudit::calls {
namespace {

enum class Effect { wrong, ends_launch };

struct Row {
    std::string_view vendor;
    /// The last release of each series that is known to have the fault. Later releases may have
    /// corrected the fault.
    std::vector<const char*> last_releases;
    Effect effect;
    /// The operation, as `verify --call` names it; empty for faults of all operations.
    std::string operation;
    /// The conditions of KnownFault::simplest, and those of KnownFault::origin if they differ.
    std::string simplest, origin = {};
};

constexpr std::string_view open_mpi = "Open MPI v", mpich = "MPICH ";

// docs/libraries.md has the programs that show these faults.
std::vector<Row> rows_of_open_mpi() {
    const std::vector<const char*> all_open_mpi{"4.1.99", "5.0.7", "6.0.0rc2"};
    std::vector<Row> all{
        {open_mpi, all_open_mpi, Effect::ends_launch, "MPI_Allgatherv", "sent_type=by-rank"},
        {open_mpi, all_open_mpi, Effect::ends_launch, "MPI_Allgatherv", "received_type=by-rank"},
        {open_mpi, all_open_mpi, Effect::ends_launch, "MPI_Gatherv",
         "communicator=inter sent_type=by-rank"},
        {open_mpi,
         {"4.1.99"},
         Effect::ends_launch,
         "MPI_Alltoallw",
         "start=nonblocking communicator=torus",
         "start=persistent communicator=torus"},
        {open_mpi,
         {"4.1.99"},
         Effect::ends_launch,
         "MPI_Alltoallw",
         "start=nonblocking in_place=in-place unused_arguments=null",
         "start=persistent in_place=in-place unused_arguments=null"},
        {open_mpi,
         {"4.1.99"},
         Effect::ends_launch,
         "MPI_Alltoallw",
         "start=nonblocking communicator=box",
         "start=persistent communicator=box"},
        {open_mpi,
         {"4.1.99"},
         Effect::ends_launch,
         "MPI_Alltoallw",
         "start=nonblocking meanwhile=freed-communicator"},
        // The ring of long vectors writes behind its memory.
        {open_mpi,
         {"4.1.99"},
         Effect::ends_launch,
         "MPI_Allreduce",
         "counts=odd sent_type=gap-in-front op=commutative"},
        {open_mpi,
         {"4.1.99"},
         Effect::ends_launch,
         "MPI_Allreduce",
         "counts=large sent_type=gap-in-front op=commutative"},
        // Ranks that pass on blocks of others keep these in memory for too few instances.
        {open_mpi, {"4.1.99"}, Effect::wrong, "MPI_Gather", "sent_type=interleaved"},
    };
    // A dimension of one or two ranks: the blocks of both directions change places.
    for (const char* const operation :
         {"MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw"})
        for (const char* const communicator : {"ring", "torus"})
            all.push_back({open_mpi,
                           {"4.1.99", "5.0.7"},
                           Effect::wrong,
                           operation,
                           fmt::format("start=nonblocking communicator={}", communicator),
                           fmt::format("start=persistent communicator={}", communicator)});
    // The communicator is freed while the operation is pending: which operations crash depends on
    // the number of ranks.
    all.push_back({open_mpi, all_open_mpi, Effect::ends_launch, "",
                   "start=nonblocking meanwhile=freed-communicator"});
    for (const char* const operation : {"MPI_Alltoallw", "MPI_Neighbor_alltoallw"})
        all.push_back({open_mpi, all_open_mpi, Effect::wrong, operation,
                       "counts=none empty_types=null", "counts=some-empty empty_types=null"});
    // Numbers of 64 bits are compared as if they had a sign, and numbers with a sign as if not.
    for (const char* const type : {"MPI_UNSIGNED_LONG", "MPI_UNSIGNED_LONG_LONG", "MPI_OFFSET"})
        for (const char* const op : {"MPI_MAX", "MPI_MIN"})
            all.push_back(
                {open_mpi, {"4.1.99"}, Effect::wrong, "", fmt::format("basic={} op={}", type, op)});
    // The component op/avx takes instructions that saturate.
    for (const char* const type :
         {"MPI_UNSIGNED_CHAR", "MPI_UINT8_T", "MPI_UNSIGNED_SHORT", "MPI_UINT16_T"})
        all.push_back({open_mpi, all_open_mpi, Effect::wrong, "",
                       fmt::format("basic={} contents=wrapping", type)});
    return all;
}

std::vector<Row> rows_of_mpich() {
    std::vector<Row> all{
        {mpich, {"4.2.1"}, Effect::wrong, "MPI_Gather", "start=persistent"},
        {mpich, {"4.2.1"}, Effect::ends_launch, "MPI_Scatter", "start=persistent"},
        {mpich, {"4.0.2"}, Effect::ends_launch, "MPI_Allgather", "start=persistent"},
        {mpich,
         {"4.0.2"},
         Effect::ends_launch,
         "MPI_Reduce",
         "in_place=in-place counts=power-of-two root=last",
         "in_place=in-place counts=large root=middle"},
    };
    // Hangs on communicators of one rank.
    for (const char* const operation : {"MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw"})
        all.push_back(
            {mpich, {"4.2.1", "5.0.2"}, Effect::ends_launch, operation, "meanwhile=wildcard"});
    all.push_back({mpich,
                   {"4.0.2"},
                   Effect::wrong,
                   "MPI_Reduce_scatter_block",
                   "sent_type=negative-bound op=ordered"});
    // Elements with gaps: from another root than rank 0, and in place.
    for (const char* const type :
         {"MPI_DOUBLE_INT", "MPI_LONG_INT", "MPI_SHORT_INT", "MPI_LONG_DOUBLE_INT"}) {
        for (const char* const operation : {"MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw"})
            all.push_back({mpich,
                           {"4.0.2"},
                           Effect::wrong,
                           operation,
                           fmt::format("in_place=in-place basic={}", type)});
        all.push_back({mpich,
                       {"4.0.2"},
                       Effect::wrong,
                       "MPI_Scatter",
                       fmt::format("basic={} root=last", type),
                       fmt::format("basic={} root=middle", type)});
    }
    // Receives are posted in reversed order, which shows where a rank is a neighbour twice.
    for (const char* const communicator : {"torus", "box", "multigraph"})
        all.push_back({mpich,
                       {"4.2.1"},
                       Effect::wrong,
                       "MPI_Neighbor_alltoall",
                       fmt::format("communicator={}", communicator)});
    for (const char* const operation : {"MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw"})
        for (const char* const communicator : {"ring", "torus"})
            all.push_back({mpich,
                           {"4.0.2"},
                           Effect::wrong,
                           operation,
                           fmt::format("communicator={}", communicator)});
    // Numbers without a sign are compared as if they had a sign.
    for (const BasicType& type : basic_types())
        if (type.is_unsigned() && type.type_class == TypeClass::c_integer)
            for (const char* const op : {"MPI_MAX", "MPI_MIN"})
                all.push_back({mpich,
                               {"4.0.2"},
                               Effect::wrong,
                               "",
                               fmt::format("basic={} op={}", type.name, op)});
    return all;
}

}  // namespace

bool KnownFault::has(const ChosenCall& call) const {
    ChosenCall compared = call;
    if (is_of_all_operations) compared[Property::operation] = simplest[Property::operation];
    return has_conditions_of(compared, simplest, origin);
}

ChosenCall KnownFault::simplest_like(const ChosenCall& call) const {
    ChosenCall made = simplest;
    if (is_of_all_operations) made[Property::operation] = call[Property::operation];
    return made;
}

std::vector<KnownFault> known_faults_of(const std::string& library) {
    std::vector<KnownFault> found;
    std::vector<Row> rows = rows_of_open_mpi();
    std::ranges::move(rows_of_mpich(), std::back_inserter(rows));
    for (const Row& each : rows) {
        if (!is_release_up_to(library, each.vendor, each.last_releases)) continue;
        const auto call = [&](const std::string& conditions) {
            return parse_call(each.operation.empty()
                                  ? conditions
                                  : "operation=" + each.operation + " " + conditions);
        };
        found.push_back({call(each.simplest),
                         call(each.origin.empty() ? each.simplest : each.origin),
                         each.effect == Effect::ends_launch, each.operation.empty()});
    }
    return found;
}

}  // namespace mpiaudit::calls
