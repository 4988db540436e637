// SPDX-License-Identifier: BSD-3-Clause
#include "message_trace.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <numeric>

#include "recorded_events.h"

namespace mpiaudit::test {
namespace {

/// Plays the recorded messages of all processes.
class Replay {
  public:
    explicit Replay(const std::vector<std::vector<Event>>& events)
        : events_{events}, next_(events.size(), 0), clock_(events.size(), 0) {}

    int rounds() {
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (std::size_t process = 0; process < events_.size(); ++process)
                while (next_[process] < events_[process].size() && advance(process)) goes_on = true;
        }
        return *std::max_element(clock_.begin(), clock_.end());
    }

  private:
    /// Whether the next event of the process could take place. A send hands its message over at
    /// once, so that the two directions of an exchange take place in the same round.
    bool advance(std::size_t process) {
        const Event& event = events_[process][next_[process]];
        const auto self = static_cast<int>(process);
        int& clock = clock_[process];
        if (event.destination >= 0 && !is_sent_[process]) {
            arrivals_[{self, event.destination}].push_back(clock + 1);
            is_sent_[process] = true;
        }
        int end = event.destination >= 0 ? clock + 1 : clock;
        if (event.source >= 0) {
            auto& arrived = arrivals_[{event.source, self}];
            if (arrived.empty()) return false;
            // Receiving, too, takes a round.
            end = std::max(clock + 1, arrived.front());
            arrived.pop_front();
        }
        clock = end;
        is_sent_[process] = false;
        ++next_[process];
        return true;
    }

    const std::vector<std::vector<Event>>& events_;
    std::vector<std::size_t> next_;
    std::vector<int> clock_;
    std::map<std::size_t, bool> is_sent_;
    std::map<std::pair<int, int>, std::deque<int>> arrivals_;
};

std::vector<std::vector<Event>> events_of_all(const std::vector<Event>& own, int size) {
    constexpr int fields = sizeof(Event) / sizeof(int);
    int processes = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    std::vector<int> counts(static_cast<std::size_t>(processes));
    const int count = static_cast<int>(own.size()) * fields;
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> begins(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    std::vector<Event> all(static_cast<std::size_t>(begins.back() + counts.back()) / fields);
    MPI_Allgatherv(own.data(), count, MPI_INT, all.data(), counts.data(), begins.data(), MPI_INT,
                   MPI_COMM_WORLD);
    std::vector<std::vector<Event>> by_process(static_cast<std::size_t>(size));
    for (std::size_t process = 0; process < by_process.size(); ++process) {
        const auto begin = all.begin() + begins[process] / fields;
        by_process[process].assign(begin, begin + counts[process] / fields);
    }
    return by_process;
}

}  // namespace

Trace trace_of(const std::function<void(MPI_Comm)>& call, int size) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
    Recording recording;
    if (rank < size) {
        recording = record([&] { call(comm); });
        MPI_Comm_free(&comm);
    }
    Trace trace;
    MPI_Allreduce(&recording.datatypes_kept, &trace.datatypes_kept, 1, MPI_INT, MPI_SUM,
                  MPI_COMM_WORLD);
    const auto events = events_of_all(recording.events, size);
    for (const auto& own : events) {
        int messages = 0;
        int sent = 0;
        int received = 0;
        for (const Event& event : own) {
            messages += event.destination >= 0;
            sent += event.bytes_sent;
            received += event.bytes_received;
        }
        trace.messages_sent.push_back(messages);
        trace.bytes_sent.push_back(sent);
        trace.bytes_received.push_back(received);
    }
    trace.rounds = Replay{events}.rounds();
    return trace;
}

int floor_log2(int number) {
    return std::bit_width(static_cast<unsigned>(number)) - 1;
}

int ceil_log2(int number) {
    return std::bit_width(static_cast<unsigned>(number) - 1U);
}

int power_of_two_in(int size) {
    return 1 << floor_log2(size);
}

int recursive_doubling_rounds(int size) {
    int rounds = ceil_log2(size);
    for (int half = 1; half < size; half *= 2) {
        const int upper = size % half;
        if ((size & half) && upper > 0) rounds += ceil_log2((half + upper - 1) / upper);
    }
    return rounds;
}

}  // namespace mpiaudit::test
