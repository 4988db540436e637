// SPDX-License-Identifier: BSD-3-Clause
#include "recorded_calls.h"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "world.h"

namespace mpiaudit::test {

OpenHandles open_handles;
long messages_to_oneself = 0, datatypes_made = 0, bytes_packed_and_unpacked = 0;

namespace {

using Action = Trace::Action;

/// A send or receive in progress, and its number in the recording.
struct Started {
    Action action;
    int number;
};

Program* recording = nullptr;
/// Messages of persistent requests, which are sent when these are started.
std::map<MPI_Request, Trace::Operation> persistent;
std::map<MPI_Request, Started> in_progress;
int sends = 0, receives = 0;
/// The senders of the latest messages from MPI_ANY_SOURCE.
std::vector<int> any_sources;

std::int64_t bytes(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return std::int64_t{count} * size;
}

bool is_another(int partner, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return partner != rank && partner != MPI_PROC_NULL;
}

/// Returns the partner's rank in MPI_COMM_WORLD.
int in_world(int partner, MPI_Comm comm) {
    MPI_Group some = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &some);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    int rank = MPI_UNDEFINED;
    PMPI_Group_translate_ranks(some, 1, &partner, all, &rank);
    PMPI_Group_free(&some);
    PMPI_Group_free(&all);
    return rank;
}

Started push(const Trace::Operation& operation) {
    recording->push_back(operation);
    int& number = operation.action == Action::send ? sends : receives;
    return {operation.action, number++};
}

/// Waits for these actions only; the recording says "all" if nothing else is in progress.
void wait_for(const std::vector<Started>& started) {
    if (started.empty()) return;
    if (in_progress.empty()) {
        recording->push_back({0, own_rank(), Action::wait});
        return;
    }
    for (const auto& [action, number] : started)
        recording->push_back(
            {number, own_rank(),
             action == Action::send ? Action::wait_for_send : Action::wait_for_receive});
}

/// Messages from anybody are one step of a trace, for their order is not the algorithm's.
void add_any_sources() {
    if (any_sources.empty()) return;
    std::ranges::sort(any_sources);
    std::vector<Started> received;
    for (const int source : any_sources) received.push_back(push({0, source, Action::receive}));
    any_sources.clear();
    wait_for(received);
}

/// The message of a blocking call.
void add(std::vector<Started>& started, Action action, int partner, std::int64_t amount,
         MPI_Comm comm) {
    if (!recording) return;
    add_any_sources();
    if (is_another(partner, comm))
        started.push_back(push({amount, in_world(partner, comm), action}));
}

void finish(const std::vector<Started>& started) {
    if (recording) wait_for(started);
}

void add_started(MPI_Request request, Action action, int partner, std::int64_t amount,
                 MPI_Comm comm) {
    std::vector<Started> started;
    add(started, action, partner, amount, comm);
    if (!started.empty()) in_progress.emplace(request, started.front());
}

std::vector<Started> taken_out(int count, const MPI_Request requests[]) {
    std::vector<Started> started;
    for (int i = 0; i < count; ++i) {
        const auto found = in_progress.find(requests[i]);
        if (found == in_progress.end()) continue;
        started.push_back(found->second);
        in_progress.erase(found);
    }
    if (recording && !started.empty()) add_any_sources();
    return started;
}

int made_type(int result) {
    ++datatypes_made;
    ++open_handles.datatypes;
    return result;
}

void completed(int count, const std::vector<MPI_Request>& before, const MPI_Request* after) {
    for (int i = 0; i < count; ++i)
        if (before[static_cast<std::size_t>(i)] != MPI_REQUEST_NULL && after[i] == MPI_REQUEST_NULL)
            --open_handles.requests;
}

}  // namespace

Program record_calls(const std::function<void()>& action) {
    Program program;
    recording = &program;
    sends = receives = 0;
    in_progress.clear();
    action();
    add_any_sources();
    recording = nullptr;
    return program;
}

}  // namespace mpiaudit::test

using namespace mpiaudit::test;

extern "C" {

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    std::vector<Started> started;
    add(started, Action::send, to, bytes(count, type), comm);
    finish(started);
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    MPI_Status seen;
    const int result = PMPI_Recv(buffer, count, type, from, tag, comm, &seen);
    if (from == MPI_ANY_SOURCE) {
        if (recording) any_sources.push_back(in_world(seen.MPI_SOURCE, comm));
    } else {
        std::vector<Started> started;
        add(started, Action::receive, from, 0, comm);
        finish(started);
    }
    if (status != MPI_STATUS_IGNORE) *status = seen;
    return result;
}

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int to, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int from, int recvtag,
                 MPI_Comm comm, MPI_Status* status) {
    std::vector<Started> started;
    messages_to_oneself += to != MPI_PROC_NULL && !is_another(to, comm);
    add(started, Action::receive, from, 0, comm);
    add(started, Action::send, to, bytes(sendcount, sendtype), comm);
    finish(started);
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, to, sendtag, recvbuf, recvcount, recvtype,
                         from, recvtag, comm, status);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int result = PMPI_Isend(buffer, count, type, to, tag, comm, request);
    add_started(*request, Action::send, to, bytes(count, type), comm);
    ++open_handles.requests;
    return result;
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int result = PMPI_Irecv(buffer, count, type, from, tag, comm, request);
    add_started(*request, Action::receive, from, 0, comm);
    ++open_handles.requests;
    return result;
}

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    ++open_handles.requests;
    const int result = PMPI_Send_init(buffer, count, type, to, tag, comm, request);
    if (is_another(to, comm))
        persistent[*request] = {bytes(count, type), in_world(to, comm), Action::send};
    return result;
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    ++open_handles.requests;
    const int result = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    if (is_another(from, comm)) persistent[*request] = {0, in_world(from, comm), Action::receive};
    return result;
}

int MPI_Startall(int count, MPI_Request requests[]) {
    if (recording) add_any_sources();
    for (int i = 0; i < count; ++i)
        if (recording && persistent.contains(requests[i]))
            in_progress.emplace(requests[i], push(persistent[requests[i]]));
    return PMPI_Startall(count, requests);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    finish(taken_out(1, request));
    const std::vector<MPI_Request> before = {*request};
    const int result = PMPI_Wait(request, status);
    completed(1, before, request);
    return result;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    finish(taken_out(count, requests));
    const std::vector<MPI_Request> before(requests, requests + count);
    const int result = PMPI_Waitall(count, requests, statuses);
    completed(count, before, requests);
    return result;
}

int MPI_Request_free(MPI_Request* request) {
    --open_handles.requests;
    persistent.erase(*request);
    return PMPI_Request_free(request);
}

int MPI_Reduce_local(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op) {
    if (recording) add_any_sources();
    if (recording && bytes(count, type) > 0)
        recording->push_back({bytes(count, type), mpiaudit::own_rank(), Action::reduce});
    return PMPI_Reduce_local(input, output, count, type, op);
}

int MPI_Pack(const void* data, int count, MPI_Datatype type, void* packed, int size, int* position,
             MPI_Comm comm) {
    bytes_packed_and_unpacked += bytes(count, type);
    return PMPI_Pack(data, count, type, packed, size, position, comm);
}

int MPI_Unpack(const void* packed, int size, int* position, void* data, int count,
               MPI_Datatype type, MPI_Comm comm) {
    bytes_packed_and_unpacked += bytes(count, type);
    return PMPI_Unpack(packed, size, position, data, count, type, comm);
}

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    // No algorithm of ours leaves its work to a collective of the library.
    if (recording) throw std::logic_error("MPI_Allreduce in a reference algorithm");
    return PMPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (recording) throw std::logic_error("MPI_Bcast in a reference algorithm");
    return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
    const int result = PMPI_Comm_create(comm, group, made);
    open_handles.communicators += *made != MPI_COMM_NULL;
    return result;
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made) {
    const int result = PMPI_Comm_split(comm, colour, key, made);
    open_handles.communicators += *made != MPI_COMM_NULL;
    return result;
}

int MPI_Comm_free(MPI_Comm* comm) {
    --open_handles.communicators;
    return PMPI_Comm_free(comm);
}

int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) {
    ++open_handles.operators;
    return PMPI_Op_create(function, commutes, op);
}

int MPI_Op_free(MPI_Op* op) {
    --open_handles.operators;
    return PMPI_Op_free(op);
}

int MPI_Type_free(MPI_Datatype* type) {
    --open_handles.datatypes;
    return PMPI_Type_free(type);
}

#define MAKES_A_TYPE(name, parameters, ...)     \
    int name parameters {                       \
        return made_type(P##name(__VA_ARGS__)); \
    }
MAKES_A_TYPE(MPI_Type_dup, (MPI_Datatype type, MPI_Datatype* made), type, made)
MAKES_A_TYPE(MPI_Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype* made), count, type,
             made)
MAKES_A_TYPE(MPI_Type_vector,
             (int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made), count,
             length, stride, type, made)
MAKES_A_TYPE(MPI_Type_indexed,
             (int count, const int lengths[], const int places[], MPI_Datatype type,
              MPI_Datatype* made),
             count, lengths, places, type, made)
MAKES_A_TYPE(MPI_Type_create_hindexed,
             (int count, const int lengths[], const MPI_Aint places[], MPI_Datatype type,
              MPI_Datatype* made),
             count, lengths, places, type, made)
MAKES_A_TYPE(MPI_Type_create_indexed_block,
             (int count, int length, const int places[], MPI_Datatype type, MPI_Datatype* made),
             count, length, places, type, made)
MAKES_A_TYPE(MPI_Type_create_hindexed_block,
             (int count, int length, const MPI_Aint places[], MPI_Datatype type,
              MPI_Datatype* made),
             count, length, places, type, made)
MAKES_A_TYPE(MPI_Type_create_struct,
             (int count, const int lengths[], const MPI_Aint places[], const MPI_Datatype types[],
              MPI_Datatype* made),
             count, lengths, places, types, made)
MAKES_A_TYPE(MPI_Type_create_resized,
             (MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent, MPI_Datatype* made), type,
             lower_bound, extent, made)

int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types,
                          int integers[], MPI_Aint addresses[], MPI_Datatype types[]) {
    const int result = PMPI_Type_get_contents(type, most_integers, most_addresses, most_types,
                                              integers, addresses, types);
    for (int i = 0; i < most_types; ++i) {
        int counts[3] = {};
        int combiner = MPI_COMBINER_NAMED;
        PMPI_Type_get_envelope(types[i], &counts[0], &counts[1], &counts[2], &combiner);
        // The handles of derived datatypes are new references that have to be freed.
        open_handles.datatypes += combiner != MPI_COMBINER_NAMED;
    }
    return result;
}

}  // extern "C"
