// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace.h"

namespace mpiaudit {

void Trace::start_send(int rank, int to, std::int64_t bytes) {
    if (to != rank) add(rank, Action::send, to, bytes);
}

void Trace::start_receive(int rank, int from) {
    if (from != rank) add(rank, Action::receive, from, 0);
}

void Trace::wait(int rank) {
    add(rank, Action::wait, rank, 0);
}

void Trace::wait_for_send(int rank, int number) {
    add(rank, Action::wait_for_send, rank, number);
}

void Trace::wait_for_receive(int rank, int number) {
    add(rank, Action::wait_for_receive, rank, number);
}

void Trace::reduce(int rank, std::int64_t bytes) {
    if (bytes > 0) add(rank, Action::reduce, rank, bytes);
}

void Trace::send(int rank, int to, std::int64_t bytes) {
    start_send(rank, to, bytes);
    wait(rank);
}

void Trace::receive(int rank, int from) {
    start_receive(rank, from);
    wait(rank);
}

void Trace::exchange(int rank, int to, std::int64_t bytes, int from) {
    if (from >= 0) start_receive(rank, from);
    if (to >= 0) start_send(rank, to, bytes);
    wait(rank);
}

void Trace::message(int from, int to, std::int64_t bytes) {
    send(from, to, bytes);
    receive(to, from);
}

std::int64_t Trace::messages_sent(int rank) const {
    std::int64_t messages = 0;
    for (const Operation& operation : program(rank)) messages += operation.action == Action::send;
    return messages;
}

std::int64_t Trace::bytes_sent(int rank) const {
    std::int64_t bytes = 0;
    for (const Operation& operation : program(rank))
        if (operation.action == Action::send) bytes += operation.amount;
    return bytes;
}

}  // namespace mpiaudit
