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

/// Addresses without memory that stand for user data while a call is recorded: enough for the
/// buffers of any problem; reading or writing them crashes.
class PhantomMemory {
  public:
    /// Throws std::bad_alloc if less than 1 GiB of addresses is free.
    PhantomMemory();
    PhantomMemory(const PhantomMemory&) = delete;
    PhantomMemory& operator=(const PhantomMemory&) = delete;
    ~PhantomMemory();

    /// Throws std::bad_alloc if no addresses are left.
    std::byte* allocate(std::size_t bytes);
    void clear();
    bool contains(const void* address) const;

  private:
    std::size_t bytes_ = 0;
    std::byte* begin_ = nullptr;
    std::size_t used_ = 0;
};

/// One control message, by which the ranks of a recorded call decide how to go on. `number` counts
/// the messages of a pair of ranks with one tag.
struct MessageKey {
    int to;
    int tag;
    int from;
    int number;
    auto operator<=>(const MessageKey&) const = default;
};

/// The contents of control messages, kept for receivers that come later or run again.
class Mailboxes {
  public:
    /// Stores a message. Returns false if it is stored already: a rank that runs again repeats its
    /// messages. Throws std::logic_error if the contents differ.
    bool post(const MessageKey& key, std::vector<std::byte> contents);
    /// Returns the contents, or nullptr before the message is sent.
    const std::vector<std::byte>* find(const MessageKey& key) const;
    /// Returns the ranks that have sent messages with this tag to `to`, in ascending order.
    std::vector<int> senders(int to, int tag) const;

  private:
    std::map<MessageKey, std::vector<std::byte>> messages_;
};

/// Thrown through a recorded call that waits for an unsent message. The call runs again from its
/// beginning after the message is sent. `number` is ignored if `from` is MPI_ANY_SOURCE.
struct Unsent {
    MessageKey key;
};

/// Replaces MPI while calls are recorded: knows the running rank, records its operations and
/// delivers control messages. Messages from or to phantom memory or MPI_BOTTOM are user data: they
/// are recorded and carry nothing.
class Recorder {
  public:
    explicit Recorder(int ranks, int ranks_per_node = 0)
        : trace_{ranks}, ranks_per_node_{ranks_per_node} {}

    /// Rank of the running rank in a communicator, and its size. Every communicator is that of the
    /// call, except those of communicator_of().
    int rank_in(MPI_Comm comm) const;
    int size_of(MPI_Comm comm) const;
    /// Returns a communicator of these ranks of the call, in this order; equal members give one
    /// communicator.
    MPI_Comm communicator_of(const std::vector<int>& members);
    /// Returns the number of consecutive ranks on each node; 0: unknown.
    int ranks_per_node() const { return ranks_per_node_; }
    PhantomMemory& phantom_memory() { return phantom_memory_; }
    /// Returns phantom memory, or nullptr while an algorithm works on control data.
    std::byte* phantom_scratch(std::size_t bytes) {
        return is_on_control_data_ ? nullptr : phantom_memory_.allocate(bytes);
    }
    void set_on_control_data(bool is_on_control_data) { is_on_control_data_ = is_on_control_data; }
    /// Returns the state that this rank keeps with a communicator in this run.
    std::shared_ptr<void>& kept(MPI_Comm comm, std::type_index type) { return kept_[{comm, type}]; }

    /// Starts or restarts a rank.
    void begin(int rank);
    /// Adds all further operations of the rank to the trace.
    void start_notes() { is_noting_ = true; }
    void end();
    const Trace& trace() const { return trace_; }
    /// Returns messages that were sent for the first time since the last call of this function.
    std::vector<MessageKey> take_news() { return std::exchange(news_, {}); }

    // Replacements of MPI functions. They number operations for wait().
    int start_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
    /// `may_be_shorter`: a message of bytes may be shorter than `count`.
    int start_receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      bool may_be_shorter = false);
    void wait(std::span<const int> operations);
    /// Receives from any rank. Consecutive such receives are one step of the trace, since their
    /// order is not the algorithm's choice.
    int receive_from_any(void* data, int count, MPI_Datatype type, int tag, MPI_Comm comm);
    void reduce_local(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op);
    void pack(const void* data, int count, MPI_Datatype type, void* packed, int packed_bytes,
              int* position, MPI_Comm comm);
    void unpack(const void* packed, int packed_bytes, int* position, void* data, int count,
                MPI_Datatype type, MPI_Comm comm);
    void copy(void* to, const void* from, std::size_t bytes);

  private:
    struct Operation {
        MessageKey key{};      ///< for receives of control data
        void* data = nullptr;  ///< for receives of control data, else null
        int count = 0;
        OwnedDatatype type = {};  ///< a duplicate, as the caller may free the type
        MPI_Comm comm = MPI_COMM_NULL;
        bool is_send = false;
        bool may_be_shorter = false;
        int number = -1;  ///< among the sends or receives of the trace; -1: not recorded
        bool is_done = false;
    };

    /// Returns the members of a communicator of communicator_of(), or nullptr for the call's
    /// communicator.
    const std::vector<int>* members_of(MPI_Comm comm) const;
    /// Translates a rank of a communicator to its rank in the call.
    int in_call(int rank, MPI_Comm comm) const;
    /// Returns true for data in real memory.
    bool is_control_data(const void* data, int count, MPI_Datatype type) const;
    /// Copies a control message to its receive buffer. Throws Unsent.
    void deliver(const Operation& receive) const;
    /// Adds the wait for these operations to the trace.
    void note_wait(std::span<const int> operations);
    /// Adds pending receives from any rank to the trace, sorted by sender.
    void note_any_sources();

    PhantomMemory phantom_memory_;
    Mailboxes mailboxes_;
    Trace trace_;
    int ranks_per_node_;
    std::vector<MessageKey> news_;
    // Handles that represent parts of the call's communicator; never used for messages.
    std::map<std::vector<int>, OwnedComm> communicators_;
    std::map<MPI_Comm, const std::vector<int>*> members_;

    // State of the running rank:
    int rank_ = 0;
    bool is_noting_ = false;
    bool is_on_control_data_ = false;
    std::map<std::pair<int, int>, int> sent_, received_;  ///< control messages by peer and tag
    std::vector<Operation> operations_;
    std::size_t open_ = 0;  ///< recorded operations without a wait
    int noted_sends_ = 0, noted_receives_ = 0;
    std::vector<int> any_sources_;  ///< senders of the last receives from any rank
    std::map<std::pair<MPI_Comm, std::type_index>, std::shared_ptr<void>> kept_;
};

/// Records a collective call of all ranks in one process: `prepare(rank)` prepares each rank's call
/// on phantom memory, and the calls run one after the other. A rank that needs an unsent control
/// message is abandoned by an exception, then prepared and run again. The trace contains the calls,
/// not their preparation. Algorithms see nodes of `ranks_per_node` consecutive ranks. Throws
/// std::logic_error if the ranks deadlock, and TooLong after `most_steps`: a message counts 1, and
/// a run of a rank counts the number of ranks, each of which may have a block.
Trace replay(int ranks, const std::function<std::function<void()>(int rank)>& prepare,
             int ranks_per_node = 0,
             std::int64_t most_steps = std::numeric_limits<std::int64_t>::max());

}  // namespace mpiaudit
