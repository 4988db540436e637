// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <typeindex>
#include <utility>
#include <vector>

#include "messages/owned.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Addresses without memory, for the data of users while a call is recorded: wide enough for the
/// buffers of any problem, and whoever reads or writes there crashes.
class PhantomMemory {
  public:
    /// Throws std::bad_alloc when not even a GiB of addresses is left.
    PhantomMemory();
    PhantomMemory(const PhantomMemory&) = delete;
    PhantomMemory& operator=(const PhantomMemory&) = delete;
    ~PhantomMemory();

    /// Throws std::bad_alloc when all addresses are given away.
    std::byte* allocate(std::size_t bytes);
    /// Takes all addresses back.
    void clear();
    bool contains(const void* address) const;

  private:
    std::size_t bytes_ = 0;
    std::byte* begin_ = nullptr;
    std::size_t used_ = 0;
};

/// One message by which the ranks of a recorded call steer each other: those of a pair of ranks
/// with the same tag are numbered in their order.
struct MessageKey {
    int to;
    int tag;
    int from;
    int number;
    auto operator<=>(const MessageKey&) const = default;
};

/// The contents of the messages that ranks steer each other by, kept for receivers that come later
/// or again.
class Mailboxes {
  public:
    /// False when the message is there already: a rank that runs again sends what it has sent.
    /// Throws std::logic_error when it sends something else.
    bool post(const MessageKey& key, std::vector<std::byte> contents);
    /// Null when it has not been sent yet.
    const std::vector<std::byte>* find(const MessageKey& key) const;
    /// Ranks that have sent a message with this tag to `to`, in their order.
    std::vector<int> senders(int to, int tag) const;

  private:
    std::map<MessageKey, std::vector<std::byte>> messages_;
};

/// What a rank of a recorded call waits for: a message that has not been sent yet. Thrown through
/// the call, which is run again from its beginning once the message is there; its `number` does not
/// count where any sender will do.
struct Unsent {
    MessageKey key;
};

/// Stands in for MPI while calls are recorded: knows which rank is running, notes what it does and
/// delivers the messages that ranks steer each other by. Messages from or to phantom memory, or
/// through absolute addresses, are the data of users: they are noted and carry nothing.
class Recorder {
  public:
    explicit Recorder(int ranks, int ranks_per_node = 0)
        : trace_{ranks}, ranks_per_node_{ranks_per_node} {}

    /// Of the running rank, and of all, in a communicator: that of the call but for those that
    /// communicator_of() has made.
    int rank_in(MPI_Comm comm) const;
    int size_of(MPI_Comm comm) const;
    /// Of these ranks of the call, in this order; the same one for all that ask for them.
    MPI_Comm communicator_of(const std::vector<int>& members);
    /// So many consecutive ranks are on each node; 0: nothing is known.
    int ranks_per_node() const { return ranks_per_node_; }
    PhantomMemory& phantom_memory() { return phantom_memory_; }
    /// Null while the operations are on data that steer the algorithm.
    std::byte* phantom_scratch(std::size_t bytes) {
        return is_on_steering_data_ ? nullptr : phantom_memory_.allocate(bytes);
    }
    void set_steering(bool is_on_steering_data) { is_on_steering_data_ = is_on_steering_data; }
    /// What this rank keeps with a communicator in this run.
    std::shared_ptr<void>& kept(MPI_Comm comm, std::type_index type) { return kept_[{comm, type}]; }

    /// The rank begins its part, for the first time or again.
    void begin(int rank);
    /// From here on what the rank does is part of the trace.
    void start_notes() { is_noting_ = true; }
    void end();
    const Trace& trace() const { return trace_; }
    /// Messages that were sent for the first time since the last call of this function.
    std::vector<MessageKey> take_news() { return std::exchange(news_, {}); }

    // What MPI would do; operations are numbered for wait().
    int start_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
    /// A message of bytes may be shorter than `count`.
    int start_receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      bool may_be_shorter = false);
    void wait(std::span<const int> operations);
    /// Messages from anybody are one step of the trace, for their order is not the algorithm's.
    int receive_from_any(void* data, int count, MPI_Datatype type, int tag, MPI_Comm comm);
    void reduce_local(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op);
    void pack(const void* data, int count, MPI_Datatype type, void* packed, int packed_bytes,
              int* position, MPI_Comm comm);
    void unpack(const void* packed, int packed_bytes, int* position, void* data, int count,
                MPI_Datatype type, MPI_Comm comm);
    void copy(void* to, const void* from, std::size_t bytes);

  private:
    struct Operation {
        MessageKey key{};      ///< of a receive whose contents count
        void* data = nullptr;  ///< likewise, else null
        int count = 0;
        OwnedDatatype type = {};  ///< its own, for the caller may free his
        MPI_Comm comm = MPI_COMM_NULL;
        bool is_send = false;
        bool may_be_shorter = false;
        int number = -1;  ///< among the sends or receives of the trace; -1: not noted
        bool is_done = false;
    };

    /// Null for the communicator of the call.
    const std::vector<int>* members_of(MPI_Comm comm) const;
    /// The rank in the call of one in a communicator.
    int in_call(int rank, MPI_Comm comm) const;
    bool is_steering(const void* data, int count, MPI_Datatype type) const;
    void deliver(const Operation& receive) const;
    void note_wait(std::span<const int> operations);
    void note_any_sources();

    PhantomMemory phantom_memory_;
    Mailboxes mailboxes_;
    Trace trace_;
    int ranks_per_node_;
    std::vector<MessageKey> news_;
    // Handles that stand for parts of the call's communicator; nothing is sent over them.
    std::map<std::vector<int>, OwnedComm> communicators_;
    std::map<MPI_Comm, const std::vector<int>*> members_;

    // Of the rank that is running.
    int rank_ = 0;
    bool is_noting_ = false;
    bool is_on_steering_data_ = false;
    std::map<std::pair<int, int>, int> sent_, received_;  ///< steering messages by peer and tag
    std::vector<Operation> operations_;
    std::size_t open_ = 0;  ///< noted operations that have not been waited for
    int noted_sends_ = 0, noted_receives_ = 0;
    std::vector<int> any_sources_;  ///< of the latest messages from anybody
    std::map<std::pair<MPI_Comm, std::type_index>, std::shared_ptr<void>> kept_;
};

/// Records a collective call without its processes: `prepare(rank)` makes the call of each rank on
/// phantom memory, and the calls run one after the other. A rank that needs a message of a rank
/// that has not come so far is abandoned by an exception, and prepared and run again later. The
/// trace is that of the calls; what happens while they are prepared is not part of it. Of the nodes
/// an algorithm sees `ranks_per_node` consecutive ranks on each. Throws std::logic_error when the
/// ranks wait for each other for ever, and TooLong after `most_steps`: a message is one,
/// and a run of a rank as many as there are ranks, each of which may have a block in it.
Trace replay(int ranks, const std::function<std::function<void()>(int rank)>& prepare,
             int ranks_per_node = 0,
             std::int64_t most_steps = std::numeric_limits<std::int64_t>::max());

}  // namespace mpiaudit
