// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "messages/packable.h"
#include "messages/recorder.h"
#include "messages/under_test.h"

/// Reference algorithms send, receive and reduce through these functions only, which take the
/// arguments of their MPI counterparts. While a recorder is active (see recorder.h), they record
/// the operation and communicate nothing; otherwise they call MPI.
namespace mpiaudit::messages {

/// Null unless calls are recorded. One thread of a process at a time can record.
inline Recorder* recorder = nullptr;

/// Copies and fills memory of any kind. A device has memory that code of the host must not touch.
struct DeviceMemory {
    /// Returns memory of the kind that `near` is in; null if `near` is in the memory of the host.
    std::byte* (*allocate)(const void* near, std::size_t bytes);
    void (*release)(std::byte* memory);
    void (*copy)(void* to, const void* from, std::size_t bytes);
    void (*fill)(void* to, int byte, std::size_t bytes);
};
/// Null if all buffers are in the memory of the host.
inline const DeviceMemory* device_memory = nullptr;

inline int rank_in(MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->rank_in(comm);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

inline int size_of(MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->size_of(comm);
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

inline void send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->wait(std::array{recorder->start_send(data, count, type, to, tag, comm)});
    MPI_Send(data, count, type, to, tag, comm);
}

inline void receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->wait(
            std::array{recorder->start_receive(data, count, type, from, tag, comm)});
    MPI_Recv(data, count, type, from, tag, comm, MPI_STATUS_IGNORE);
}

/// Receives a packed message of at most `most_bytes`.
inline void receive_packed(void* packed, int most_bytes, int from, int tag, MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->wait(std::array{
            recorder->start_receive(packed, most_bytes, MPI_PACKED, from, tag, comm, true)});
    MPI_Recv(packed, most_bytes, MPI_PACKED, from, tag, comm, MPI_STATUS_IGNORE);
}

/// Receives from any rank. Returns the sender.
inline int receive_from_any(void* data, int count, MPI_Datatype type, int tag, MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->receive_from_any(data, count, type, tag, comm);
    MPI_Status status;
    MPI_Recv(data, count, type, MPI_ANY_SOURCE, tag, comm, &status);
    return status.MPI_SOURCE;
}

inline void exchange(const void* sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag,
                     void* received, int received_count, MPI_Datatype received_type, int from,
                     int received_tag, MPI_Comm comm) {
    if (recorder) [[unlikely]] {
        const int receive = recorder->start_receive(received, received_count, received_type, from,
                                                    received_tag, comm);
        const int send = recorder->start_send(sent, sent_count, sent_type, to, sent_tag, comm);
        recorder->wait(std::array{receive, send});
        return;
    }
    MPI_Sendrecv(sent, sent_count, sent_type, to, sent_tag, received, received_count, received_type,
                 from, received_tag, comm, MPI_STATUS_IGNORE);
}

/// right := left op right.
inline void reduce_local(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op) {
    if (recorder) [[unlikely]]
        return recorder->reduce_local(left, right, count, type, op);
    under_test::look_at(MPI_Reduce_local(left, right, count, type, op));
}

inline void pack(const void* data, int count, MPI_Datatype type, void* packed, int packed_bytes,
                 int* position, MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->pack(data, count, type, packed, packed_bytes, position, comm);
    const Packable from(data, count, type);
    under_test::look_at(
        MPI_Pack(from.data, from.count, from.type, packed, packed_bytes, position, comm));
}

inline void unpack(const void* packed, int packed_bytes, int* position, void* data, int count,
                   MPI_Datatype type, MPI_Comm comm) {
    if (recorder) [[unlikely]]
        return recorder->unpack(packed, packed_bytes, position, data, count, type, comm);
    const Packable into(data, count, type);
    under_test::look_at(
        MPI_Unpack(packed, packed_bytes, position, into.data, into.count, into.type, comm));
}

/// Copies bytes within this rank. Addresses of no bytes may be null.
inline void copy(void* to, const void* from, std::size_t bytes) {
    if (recorder) [[unlikely]]
        return recorder->copy(to, from, bytes);
    if (device_memory) [[unlikely]]
        return device_memory->copy(to, from, bytes);
    if (bytes > 0) std::memcpy(to, from, bytes);
}

/// Sets each byte. Recorded calls do not use this function.
inline void fill(void* to, std::byte byte, std::size_t bytes) {
    if (device_memory) [[unlikely]]
        return device_memory->fill(to, static_cast<int>(byte), bytes);
    std::memset(to, static_cast<int>(byte), bytes);
}

/// Started messages, numbered in the order of their start.
class Requests {
  public:
    void reserve(std::size_t messages) { requests_.reserve(messages); }
    void start_send(const void* data, int count, MPI_Datatype type, int to, int tag,
                    MPI_Comm comm) {
        if (recorder) [[unlikely]] {
            recorded_.push_back(recorder->start_send(data, count, type, to, tag, comm));
            return;
        }
        MPI_Isend(data, count, type, to, tag, comm, &requests_.emplace_back());
    }
    void start_receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm) {
        if (recorder) [[unlikely]] {
            recorded_.push_back(recorder->start_receive(data, count, type, from, tag, comm));
            return;
        }
        MPI_Irecv(data, count, type, from, tag, comm, &requests_.emplace_back());
    }
    /// Waits for message number i; waiting again does nothing.
    void wait(std::size_t i) {
        if (recorder) [[unlikely]]
            return recorder->wait(std::span(recorded_).subspan(i, 1));
        MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
    }
    void wait_for_all() {
        if (recorder) [[unlikely]]
            return recorder->wait(recorded_);
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    }

  private:
    std::vector<MPI_Request> requests_;
    std::vector<int> recorded_;
};

}  // namespace mpiaudit::messages
