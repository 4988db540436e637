// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/datatypes/layout.h"
#include "messages/kept_with.h"
#include "messages/messages.h"

namespace mpiaudit {

/// What a message of a reference algorithm is about. Messages of two ranks match in the order in
/// which they are sent, so that one tag is enough for all data; those that may overtake data, or
/// that come from any rank, have their own. Above the tags that a program uses, because a simulated
/// rank shares its communicator with it (see private_communicator).
struct Tag {
    enum : int {
        data = 300,      ///< what the collective operation moves
        to_oneself,      ///< a copy within a rank
        block_sizes,     ///< of the blocks that come with the next data
        subtree_bytes,   ///< of a gather tree: what a subtree will send
        cube_exchange,   ///< construction of an ordered tree, Träff 2017, Lemma 3
        cube_inform,     ///< its second step
        direct_subtree,  ///< announcement of a subtree that deals with the root
        end_of_tags
    };
};

/// The ranks that take part in a collective call, in a ring that starts with rank `first`, and the
/// communicator of their messages. A rank has the same number in it as in the caller's.
struct Ranks {
    explicit Ranks(MPI_Comm of_caller, int first_rank = 0)
        : Ranks{Used{private_communicator(of_caller), of_caller}, first_rank} {}
    /// For work that sends nothing, and so must not make the private communicator: that is
    /// collective.
    static Ranks without_messages(MPI_Comm of_caller) {
        return Ranks{Used{of_caller, of_caller}, 0};
    }
    /// The same ranks in a ring that starts with another one.
    Ranks from(int first_rank) const { return Ranks{Used{comm, callers}, first_rank}; }

    /// The rank at a place of the ring, 0 <= place < 3 size.
    int at(int place) const { return (place % size + first) % size; }
    /// The rank `distance` (at least -size, at most size) places further on the ring.
    int shifted(int distance) const { return (rank + distance + size) % size; }

    void send(const TypedBuffer& data, int to, int tag = Tag::data) const {
        messages::send(data.address, data.count, data.type, to, tag, comm);
    }
    void receive(const TypedBuffer& place, int from, int tag = Tag::data) const {
        messages::receive(place.address, place.count, place.type, from, tag, comm);
    }
    /// Sends and receives at once, or does one of the two where the other rank is MPI_PROC_NULL.
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
    /// MPI keeps a datatype until its messages are done, even if it is freed before.
    void start_send(messages::Requests& requests, const TypedBuffer& data, int to,
                    int tag = Tag::data) const {
        requests.start_send(data.address, data.count, data.type, to, tag, comm);
    }
    void start_receive(messages::Requests& requests, const TypedBuffer& place, int from,
                       int tag = Tag::data) const {
        requests.start_receive(place.address, place.count, place.type, from, tag, comm);
    }

    MPI_Comm comm;
    MPI_Comm callers;  ///< with which node_communicators() are kept
    int first;
    int size = 0;
    int rank = 0;      ///< this rank
    int position = 0;  ///< where on the ring it is; its rank if `first` is 0

  private:
    /// A type of its own: the communicators of some libraries are int.
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
