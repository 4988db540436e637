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

#include "messages/observer.h"
#include "messages/owned.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Reserves addresses without memory. The addresses stand for user data while a call is recorded. A
/// program that reads or writes them crashes.
class PhantomMemory {
  public:
    /// Throws std::bad_alloc if less than 1 GiB of addresses is free.
    PhantomMemory();
    PhantomMemory(const PhantomMemory&) = delete;
    PhantomMemory& operator=(const PhantomMemory&) = delete;
    ~PhantomMemory();

    /// Returns addresses that no other block has until clear(). Throws std::bad_alloc if no
    /// addresses are left.
    std::byte* allocate(std::size_t bytes);
    /// Makes all addresses free again.
    void clear();
    /// Returns true for every reserved address, allocated or not.
    bool contains(const void* address) const;

  private:
    std::size_t bytes_ = 0;
    std::byte* begin_ = nullptr;
    std::size_t used_ = 0;
};

/// Names one control message, by which the ranks of a recorded call decide how to go on. `number`
/// is 0 for the first control message from `from` to `to` with this tag.
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
    /// \param observer sees the noted operations; may be null
    explicit Recorder(int ranks, int ranks_per_node = 0, Observer* observer = nullptr)
        : trace_{ranks}, ranks_per_node_{ranks_per_node}, observer_{observer} {}

    /// Returns the rank of the running rank in a communicator; the size of the communicator if the
    /// rank is no member. A communicator that communicator_of() did not make counts as the call's.
    int rank_in(MPI_Comm comm) const;
    /// Returns the size of a communicator.
    int size_of(MPI_Comm comm) const;
    /// Returns a communicator of these ranks of the call, in this order. Equal members give the
    /// same handle, on all ranks. The recorder owns the communicator.
    MPI_Comm communicator_of(const std::vector<int>& members);
    /// Returns the number of consecutive ranks on each node; 0: unknown.
    int ranks_per_node() const { return ranks_per_node_; }
    PhantomMemory& phantom_memory() { return phantom_memory_; }
    /// Returns phantom memory; nullptr after set_on_control_data(true): then the caller needs real
    /// memory.
    std::byte* phantom_scratch(std::size_t bytes);
    /// Says whether scratch memory must be real, because the algorithm computes control data in it.
    void set_on_control_data(bool is_on_control_data) { is_on_control_data_ = is_on_control_data; }
    /// Returns the object of this type that the running rank keeps with the communicator; null at
    /// first. begin() deletes the object.
    std::shared_ptr<void>& kept(MPI_Comm comm, std::type_index type) { return kept_[{comm, type}]; }

    /// Makes `rank` the running rank and deletes its part of the trace. Also deletes the
    /// operations, kept objects and phantom memory of the rank that ran before. Keeps control
    /// messages.
    void begin(int rank);
    /// Adds all further operations of the running rank to the trace, until the next begin().
    void start_notes() { is_noting_ = true; }
    /// Completes the trace of the running rank: adds its last receives from any rank.
    void end();
    const Trace& trace() const { return trace_; }
    /// Returns the control messages that were sent for the first time since the last call of this
    /// function.
    std::vector<MessageKey> take_news() { return std::exchange(news_, {}); }

    // Replacements of MPI functions. `to` and `from` are ranks in `comm`.
    /// Returns the number of the operation for wait(). Adds the send to the trace, unless `to` is
    /// the rank itself or MPI_PROC_NULL. A send of control data also stores the message; throws
    /// std::logic_error if an earlier run of the rank sent other contents.
    int start_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
    /// Returns the number of the operation for wait(). Adds the receive to the trace, unless `from`
    /// is the rank itself or MPI_PROC_NULL. Control data arrive in wait().
    /// \param may_be_shorter the message may have fewer bytes than the buffer; `type` then has one
    /// byte
    int start_receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      bool may_be_shorter = false);
    /// Delivers control data to the receives among these operations, and adds the wait to the
    /// trace. Throws Unsent, and std::logic_error if a control message has another length than its
    /// receive allows. Does nothing for operations that have been waited for.
    void wait(std::span<const int> operations);
    /// Receives control data from any rank. Returns the sender's rank in `comm`. Throws Unsent if
    /// no message has arrived. Consecutive such receives are one step of the trace, since their
    /// order is not the algorithm's choice.
    int receive_from_any(void* data, int count, MPI_Datatype type, int tag, MPI_Comm comm);
    /// Adds a reduction to the trace. Computes the reduction only for control data, and only
    /// MPI_MAX of MPI_INT64_T; throws std::logic_error for other control data.
    void reduce_local(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op);
    /// Packs control data. For user data only advances `position`, and writes zeros if `packed` is
    /// real memory. Adds nothing to the trace.
    void pack(const void* data, int count, MPI_Datatype type, void* packed, int packed_bytes,
              int* position, MPI_Comm comm);
    /// Unpacks control data; for user data only advances `position`. Adds nothing to the trace.
    void unpack(const void* packed, int packed_bytes, int* position, void* data, int count,
                MPI_Datatype type, MPI_Comm comm);
    /// Copies real memory; does nothing for phantom memory. Throws std::logic_error if only one
    /// side is phantom memory. Adds nothing to the trace.
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
    /// Returns true for data in real memory; false for MPI_BOTTOM, and if there are no bytes.
    bool is_control_data(const void* data, int count, MPI_Datatype type) const;
    /// Copies a control message to its receive buffer. Does nothing for other operations, and for
    /// operations that have been waited for. Throws Unsent before the message is sent, and
    /// std::logic_error if the message has another length than the receive allows.
    void deliver(const Operation& receive) const;
    /// Adds the wait for these operations to the trace, without operations that the trace does not
    /// have or that have been waited for.
    void note_wait(std::span<const int> operations);
    void note_copy(std::int64_t bytes);
    /// Adds pending receives from any rank to the trace, sorted by sender.
    void note_any_sources();
    bool is_observed() const { return observer_ != nullptr && is_noting_; }
    /// Returns a number for the communicator and the tag, equal on all ranks.
    int channel_of(MPI_Comm comm, int tag);

    PhantomMemory phantom_memory_;
    Mailboxes mailboxes_;
    Trace trace_;
    int ranks_per_node_;
    Observer* observer_;
    std::map<std::pair<const std::vector<int>*, int>, int> channels_;  ///< by members and tag
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
/// std::logic_error if the ranks deadlock, and TooLong after `most_steps`: each run of a rank
/// counts `ranks` steps, and each message of a complete run counts 1 step.
/// \param observer sees the calls, not their preparation; may be null
Trace replay(int ranks, const std::function<std::function<void()>(int rank)>& prepare,
             int ranks_per_node = 0,
             std::int64_t most_steps = std::numeric_limits<std::int64_t>::max(),
             Observer* observer = nullptr);

}  // namespace mpiaudit
