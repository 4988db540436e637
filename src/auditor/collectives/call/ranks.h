// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/datatypes/layout.h"
#include "messages/kept_with.h"
#include "messages/messages.h"

namespace mpiaudit {

/// Tags of the reference algorithms' messages. Messages of two ranks match in their order, so data
/// need a single tag; messages that may overtake data, or that come from any rank, have their own.
/// Larger than usual tags of programs, because a simulated rank shares its communicator with the
/// program (see private_communicator).
struct Tag {
    enum : int {
        data = 300,      ///< data of the collective operation
        local_copy,      ///< copy within a rank
        block_sizes,     ///< sizes of the blocks in the next data message
        subtree_bytes,   ///< bytes that a subtree of a gather tree will send
        cube_exchange,   ///< construction of an ordered tree, Träff 2017, Lemma 3
        cube_inform,     ///< second step of the construction
        direct_subtree,  ///< announcement of a subtree that communicates directly with the root
        end_of_tags
    };
};

/// The ranks of a collective call, as a ring that starts with rank `first`, and the communicator of
/// their messages. A rank has the same number in both communicators.
struct Ranks {
    explicit Ranks(MPI_Comm of_caller, int first_rank = 0)
        : Ranks{Used{private_communicator(of_caller), of_caller}, first_rank} {}
    /// Returns the ranks for work without messages. Does not create the private communicator, which
    /// is collective.
    static Ranks without_messages(MPI_Comm of_caller) {
        return Ranks{Used{of_caller, of_caller}, 0};
    }
    /// Returns these ranks as a ring that starts with another rank.
    Ranks from(int first_rank) const { return Ranks{Used{comm, callers}, first_rank}; }

    /// Returns the rank at a place of the ring, 0 <= place < 3 size.
    int at(int place) const { return (place % size + first) % size; }
    /// Returns the rank `distance` places further on the ring, -size <= distance <= size.
    int shifted(int distance) const { return (rank + distance + size) % size; }

    void send(const TypedBuffer& data, int to, int tag = Tag::data) const {
        messages::send(data.address, data.count, data.type, to, tag, comm);
    }
    void receive(const TypedBuffer& place, int from, int tag = Tag::data) const {
        messages::receive(place.address, place.count, place.type, from, tag, comm);
    }
    /// Sends and receives at once, or does one of them if the other rank is MPI_PROC_NULL.
    void exchange(const TypedBuffer& given, int to, const TypedBuffer& taken, int from,
                  int tag = Tag::data) const {
        if (to == MPI_PROC_NULL) {
            if (from != MPI_PROC_NULL) receive(taken, from, tag);
        } else if (from == MPI_PROC_NULL) {
            send(given, to, tag);
        } else {
            messages::exchange(given.address, given.count, given.type, to, tag, taken.address,
                               taken.count, taken.type, from, tag, comm);
        }
    }
    /// The datatype may be freed before the message is finished: MPI keeps it.
    void start_send(messages::Requests& requests, const TypedBuffer& data, int to,
                    int tag = Tag::data) const {
        requests.start_send(data.address, data.count, data.type, to, tag, comm);
    }
    void start_receive(messages::Requests& requests, const TypedBuffer& place, int from,
                       int tag = Tag::data) const {
        requests.start_receive(place.address, place.count, place.type, from, tag, comm);
    }

    MPI_Comm comm;
    MPI_Comm callers;  ///< the caller's communicator; keeps node_communicators()
    int first;
    int size = 0;
    int rank = 0;      ///< this rank
    int position = 0;  ///< its place on the ring; its rank if `first` is 0

  private:
    /// A separate type, since communicators are int in some libraries.
    struct Used {
        MPI_Comm comm, callers;
    };
    Ranks(Used used, int first_rank) : comm{used.comm}, callers{used.callers}, first{first_rank} {
        size = messages::size_of(comm);
        rank = messages::rank_in(comm);
        position = (rank - first + size) % size;
    }
};

}  // namespace mpiaudit
