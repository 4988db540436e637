// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace.h"

namespace mpiaudit {

void Schedule::start_send(int rank, int to, std::int64_t bytes) {
    if (to != rank) add(rank, Action::send, to, bytes);
}

void Schedule::start_receive(int rank, int from) {
    if (from != rank) add(rank, Action::receive, from, 0);
}

void Schedule::wait(int rank) {
    add(rank, Action::wait, rank, 0);
}

void Schedule::wait_for_receives(int rank, int receives) {
    add(rank, Action::wait_for_receives, rank, receives);
}

void Schedule::reduce(int rank, std::int64_t bytes) {
    if (bytes > 0) add(rank, Action::reduce, rank, bytes);
}

void Schedule::send(int rank, int to, std::int64_t bytes) {
    start_send(rank, to, bytes);
    wait(rank);
}

void Schedule::receive(int rank, int from) {
    start_receive(rank, from);
    wait(rank);
}

void Schedule::exchange(int rank, int to, std::int64_t bytes, int from) {
    if (from >= 0) start_receive(rank, from);
    if (to >= 0) start_send(rank, to, bytes);
    wait(rank);
}

void Schedule::message(int from, int to, std::int64_t bytes) {
    send(from, to, bytes);
    receive(to, from);
}

void Schedule::append(const Schedule& next) {
    for (std::size_t rank = 0; rank < programs_.size(); ++rank)
        programs_[rank].insert(programs_[rank].end(), next.programs_[rank].begin(),
                               next.programs_[rank].end());
}

std::int64_t Schedule::messages_sent(int rank) const {
    std::int64_t messages = 0;
    for (const Operation& operation : program(rank)) messages += operation.action == Action::send;
    return messages;
}

std::int64_t Schedule::bytes_sent(int rank) const {
    std::int64_t bytes = 0;
    for (const Operation& operation : program(rank))
        if (operation.action == Action::send) bytes += operation.amount;
    return bytes;
}

}  // namespace mpiaudit
