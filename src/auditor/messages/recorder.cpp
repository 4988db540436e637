// SPDX-License-Identifier: BSD-3-Clause
#include "messages/recorder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>

#include "messages/messages.h"

namespace mpiaudit {
namespace {

std::int64_t data_bytes_of(int count, MPI_Datatype type) {
    return type_bytes(type) * count;
}

std::vector<std::byte> contents_of(const void* data, int count, MPI_Datatype type, MPI_Comm comm) {
    std::vector<std::byte> contents(static_cast<std::size_t>(data_bytes_of(count, type)));
    int position = 0;
    MPI_Pack(data, count, type, contents.data(), static_cast<int>(contents.size()), &position,
             comm);
    return contents;
}

OwnedDatatype duplicate_of(MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_dup(type, &made);
    return OwnedDatatype{made};
}

}  // namespace

void Recorder::begin(int rank) {
    trace_.forget(rank);
    if (observer_ != nullptr) observer_->begin(rank);
    phantom_memory_.clear();
    rank_ = rank;
    is_noting_ = false;
    sent_.clear();
    received_.clear();
    operations_.clear();
    open_ = 0;
    noted_sends_ = noted_receives_ = 0;
    any_sources_.clear();
    kept_.clear();
}

const std::vector<int>* Recorder::members_of(MPI_Comm comm) const {
    const auto found = members_.find(comm);
    return found == members_.end() ? nullptr : found->second;
}

int Recorder::rank_in(MPI_Comm comm) const {
    const std::vector<int>* members = members_of(comm);
    if (members == nullptr) return rank_;
    return static_cast<int>(std::ranges::find(*members, rank_) - members->begin());
}

int Recorder::size_of(MPI_Comm comm) const {
    const std::vector<int>* members = members_of(comm);
    return members == nullptr ? trace_.ranks() : static_cast<int>(members->size());
}

int Recorder::in_call(int rank, MPI_Comm comm) const {
    const std::vector<int>* members = members_of(comm);
    if (members == nullptr || rank == MPI_PROC_NULL) return rank;
    return (*members)[static_cast<std::size_t>(rank)];
}

MPI_Comm Recorder::communicator_of(const std::vector<int>& members) {
    const auto [place, is_new] = communicators_.try_emplace(members);
    if (is_new) {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_SELF, 0, 0, &made);
        place->second = OwnedComm{made};
        members_.emplace(made, &place->first);
    }
    return place->second.get();
}

std::byte* Recorder::phantom_scratch(std::size_t bytes) {
    if (is_on_control_data_) return nullptr;
    std::byte* const made = phantom_memory_.allocate(bytes);
    if (is_observed()) observer_->allocate(made, bytes);
    return made;
}

int Recorder::channel_of(MPI_Comm comm, int tag) {
    const auto next = static_cast<int>(channels_.size());
    return channels_.try_emplace({members_of(comm), tag}, next).first->second;
}

void Recorder::end() {
    note_any_sources();
}

bool Recorder::is_control_data(const void* data, int count, MPI_Datatype type) const {
    return data != MPI_BOTTOM && !phantom_memory_.contains(data) && data_bytes_of(count, type) > 0;
}

int Recorder::start_send(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm) {
    note_any_sources();
    Operation& made = operations_.emplace_back();
    made.is_send = true;
    to = in_call(to, comm);
    if (to == MPI_PROC_NULL) return static_cast<int>(operations_.size()) - 1;
    if (is_control_data(data, count, type)) {
        const MessageKey key{to, tag, rank_, sent_[{to, tag}]++};
        if (mailboxes_.post(key, contents_of(data, count, type, comm))) news_.push_back(key);
    }
    if (is_observed())
        observer_->start(true, static_cast<int>(operations_.size()) - 1, {data, count, type}, to,
                         channel_of(comm, tag));
    if (is_noting_) trace_.start_send(rank_, to, data_bytes_of(count, type));
    if (is_noting_ && to != rank_) {
        made.number = noted_sends_++;
        ++open_;
    }
    return static_cast<int>(operations_.size()) - 1;
}

int Recorder::start_receive(void* data, int count, MPI_Datatype type, int from, int tag,
                            MPI_Comm comm, bool may_be_shorter) {
    note_any_sources();
    Operation& made = operations_.emplace_back();
    made.may_be_shorter = may_be_shorter;
    from = in_call(from, comm);
    if (from == MPI_PROC_NULL) return static_cast<int>(operations_.size()) - 1;
    if (is_control_data(data, count, type)) {
        made.key = {rank_, tag, from, received_[{from, tag}]++};
        made.data = data;
        made.count = count;
        made.type = duplicate_of(type);
        made.comm = comm;
    }
    if (is_observed())
        observer_->start(false, static_cast<int>(operations_.size()) - 1, {data, count, type}, from,
                         channel_of(comm, tag));
    if (is_noting_ && from != rank_) {
        trace_.start_receive(rank_, from);
        made.number = noted_receives_++;
        ++open_;
    }
    return static_cast<int>(operations_.size()) - 1;
}

void Recorder::wait(std::span<const int> operations) {
    for (const int i : operations) deliver(operations_[static_cast<std::size_t>(i)]);
    if (is_observed()) observer_->wait(operations);
    note_wait(operations);
}

void Recorder::deliver(const Operation& receive) const {
    if (receive.data == nullptr || receive.is_done) return;
    const std::vector<std::byte>* contents = mailboxes_.find(receive.key);
    if (contents == nullptr) throw Unsent{receive.key};
    const std::int64_t room = data_bytes_of(receive.count, receive.type.get());
    if (std::ssize(*contents) != room && !(receive.may_be_shorter && std::ssize(*contents) < room))
        throw std::logic_error("a recorded message is not as long as its receive");
    int position = 0;
    MPI_Unpack(contents->data(), static_cast<int>(contents->size()), &position, receive.data,
               receive.may_be_shorter ? static_cast<int>(contents->size()) : receive.count,
               receive.type.get(), receive.comm);
}

void Recorder::note_wait(std::span<const int> operations) {
    std::vector<const Operation*> waited_for;
    for (const int i : operations) {
        Operation& operation = operations_[static_cast<std::size_t>(i)];
        if (operation.number >= 0 && !operation.is_done) waited_for.push_back(&operation);
        operation.is_done = true;
    }
    if (waited_for.empty()) return;
    note_any_sources();
    if (waited_for.size() == open_) {
        trace_.wait(rank_);
    } else {
        for (const Operation* operation : waited_for) {
            if (operation->is_send)
                trace_.wait_for_send(rank_, operation->number);
            else
                trace_.wait_for_receive(rank_, operation->number);
        }
    }
    open_ -= waited_for.size();
}

int Recorder::receive_from_any(void* data, int count, MPI_Datatype type, int tag, MPI_Comm comm) {
    for (const int from : mailboxes_.senders(rank_, tag)) {
        int& number = received_[{from, tag}];
        const Operation receive{{rank_, tag, from, number}, data, count, duplicate_of(type), comm};
        if (mailboxes_.find(receive.key) == nullptr) continue;
        deliver(receive);
        ++number;
        if (is_observed()) {
            operations_.emplace_back();
            const int operation = static_cast<int>(operations_.size()) - 1;
            observer_->start(false, operation, {data, count, type}, from, channel_of(comm, tag));
            observer_->wait(std::array{operation});
        }
        if (is_noting_ && from != rank_) any_sources_.push_back(from);
        const std::vector<int>* members = members_of(comm);
        if (members == nullptr) return from;
        return static_cast<int>(std::ranges::find(*members, from) - members->begin());
    }
    throw Unsent{{rank_, tag, MPI_ANY_SOURCE, 0}};
}

void Recorder::note_any_sources() {
    if (any_sources_.empty()) return;
    std::ranges::sort(any_sources_);
    const int first = noted_receives_;
    for (const int source : any_sources_) {
        trace_.start_receive(rank_, source);
        ++noted_receives_;
    }
    if (open_ == 0) {
        trace_.wait(rank_);
    } else {
        for (int number = first; number < noted_receives_; ++number)
            trace_.wait_for_receive(rank_, number);
    }
    any_sources_.clear();
}

void Recorder::reduce_local(const void* left, void* right, int count, MPI_Datatype type,
                            MPI_Op op) {
    note_any_sources();
    if (is_noting_) trace_.reduce(rank_, data_bytes_of(count, type));
    if (is_observed()) observer_->reduce(left, {right, count, type});
    if (!is_control_data(right, count, type)) return;
    // Uses mpiaudit's own arithmetic, as the library's MPI_Reduce_local may be wrong or crash.
    // Algorithms decide by maxima only.
    if (type != MPI_INT64_T || op != MPI_MAX)
        throw std::logic_error("an algorithm decides by a reduction that the recorder lacks");
    const std::span own(static_cast<std::int64_t*>(right), static_cast<std::size_t>(count));
    const auto* others = static_cast<const std::int64_t*>(left);
    std::transform(own.begin(), own.end(), others, own.begin(),
                   [](std::int64_t one, std::int64_t other) { return std::max(one, other); });
}

void Recorder::pack(const void* data, int count, MPI_Datatype type, void* packed, int packed_bytes,
                    int* position, MPI_Comm comm) {
    note_copy(data_bytes_of(count, type));
    if (is_observed())
        observer_->pack({data, count, type}, static_cast<std::byte*>(packed) + *position);
    if (is_control_data(data, count, type)) {
        MPI_Pack(data, count, type, packed, packed_bytes, position, comm);
        return;
    }
    const auto bytes = static_cast<std::size_t>(data_bytes_of(count, type));
    // User data packed among control data: zeros, so that a repeated run sends equal bytes.
    if (!phantom_memory_.contains(packed))
        std::memset(static_cast<std::byte*>(packed) + *position, 0, bytes);
    *position += static_cast<int>(bytes);
}

void Recorder::unpack(const void* packed, int packed_bytes, int* position, void* data, int count,
                      MPI_Datatype type, MPI_Comm comm) {
    note_copy(data_bytes_of(count, type));
    if (is_observed())
        observer_->unpack(static_cast<const std::byte*>(packed) + *position, {data, count, type});
    if (is_control_data(data, count, type))
        MPI_Unpack(packed, packed_bytes, position, data, count, type, comm);
    else
        *position += static_cast<int>(data_bytes_of(count, type));
}

void Recorder::note_copy(std::int64_t bytes) {
    if (is_noting_) trace_.copy(rank_, bytes);
}

void Recorder::copy(void* to, const void* from, std::size_t bytes) {
    note_copy(static_cast<std::int64_t>(bytes));
    if (is_observed()) observer_->copy(to, from, bytes);
    if (phantom_memory_.contains(to) != phantom_memory_.contains(from))
        throw std::logic_error("a copy between what is there and what is not");
    if (bytes > 0 && !phantom_memory_.contains(to)) std::memcpy(to, from, bytes);
}

}  // namespace mpiaudit
