// SPDX-License-Identifier: BSD-3-Clause
#include "gather_check.h"

#include <tuple>

#include "../recorded_calls.h"
#include "../world.h"
#include "messages/private_communicator.h"

namespace mpiaudit {
namespace {

/// A rank without data may describe nothing by any datatype, here one whose size divides few
/// amounts; it must still pass on what others send through it.
MPI_Datatype type_without_data(const GatherCase& gather_case, int rank) {
    return rank % 3 == 0   ? gather_case.kind->type_of_sender
           : rank % 3 == 1 ? MPI_DOUBLE
                           : MPI_LONG_DOUBLE;
}

int call_below_root(const GatherCase& gather_case, const NamedGatherv& named, int rank,
                    const void* data, MPI_Comm comm) {
    const int count = gather_case.items[rank] * gather_case.kind->elements_of_sender;
    const MPI_Datatype type =
        count > 0 ? gather_case.kind->type_of_sender : type_without_data(gather_case, rank);
    return named.gatherv(count > 0 ? data : nullptr, count, type, nullptr, nullptr, nullptr,
                         MPI_DATATYPE_NULL, gather_case.root, comm);
}

int call_at_root(const GatherCase& gather_case, const NamedGatherv& named, const void* data,
                 void* received, const RootArguments& arguments, MPI_Comm comm) {
    const ElementKind& kind = *gather_case.kind;
    const auto [sendbuf, count, type] =
        gather_case.is_in_place
            ? std::tuple<const void*, int, MPI_Datatype>(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL)
            : std::tuple<const void*, int, MPI_Datatype>(
                  data, gather_case.items[gather_case.root] * kind.elements_of_sender,
                  kind.type_of_sender);
    return named.gatherv(sendbuf, count, type, received, arguments.counts.data(),
                         arguments.displacements.data(), kind.type_of_receiver, gather_case.root,
                         comm);
}

}  // namespace

void check_gather(const GatherCase& gather_case, const NamedGatherv& named, MPI_Comm comm) {
    const ElementKind& kind = *gather_case.kind;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const int own_count = gather_case.items[rank] * kind.elements_of_sender;
    PatternBuffer sent(kind.type_of_sender, own_count);
    sent.put_block(0, own_count, rank);
    const PatternBuffer sent_before = sent;
    private_communicator(comm);  // stays with comm
    const test::OpenHandles handles_before = test::open_handles();
    int result = MPI_SUCCESS;
    if (rank != gather_case.root) {
        result = call_below_root(gather_case, named, rank, sent.data(), comm);
    } else {
        const RootArguments arguments = root_arguments(gather_case, kind.elements_of_receiver);
        PatternBuffer received(kind.type_of_receiver, arguments.elements);
        PatternBuffer expected = received;
        if (gather_case.is_in_place)
            received.put_block(arguments.displacements[rank], arguments.counts[rank], rank);
        for (std::size_t i = 0; i < gather_case.items.size(); ++i)
            expected.put_block(arguments.displacements[i], arguments.counts[i],
                               static_cast<int>(i));
        result = call_at_root(gather_case, named, sent.data(), received.data(), arguments, comm);
        if (received != expected) report_failure(named.name + " receives wrongly", gather_case);
    }
    if (test::open_handles() != handles_before)
        report_failure(named.name + " keeps datatypes or requests", gather_case);
    if (result != MPI_SUCCESS) report_failure(named.name + " fails", gather_case);
    if (sent != sent_before) report_failure(named.name + " changes what it sends", gather_case);
}

long messages_of_all_ranks(const NamedGatherv& named, int items) {
    const long before = test::messages_sent();
    const std::vector<int> same(static_cast<std::size_t>(ranks_of_world()), items);
    check_gather({&element_kinds()[0], same, 0, Displacements::contiguous, false}, named,
                 MPI_COMM_WORLD);
    long sent = test::messages_sent() - before;
    MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sent;
}

}  // namespace mpiaudit
