// SPDX-License-Identifier: BSD-3-Clause
// Defines replay() and Mailboxes of recorder.h.
#include "messages/recorder.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <new>
#include <numeric>
#include <stdexcept>

#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Makes messages::* use the recorder while this object lives.
class Active {
  public:
    explicit Active(Recorder& recorder) { messages::recorder = &recorder; }
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;
    ~Active() { messages::recorder = nullptr; }
};

/// Blocked ranks, by the message that they wait for.
class Waiting {
  public:
    void add(int rank, const MessageKey& key) { ranks_[key] = rank; }
    void wake(MessageKey key, std::deque<int>& runnable) {
        take(key, runnable);
        take({key.to, key.tag, MPI_ANY_SOURCE, 0}, runnable);
    }
    bool empty() const { return ranks_.empty(); }
    int first() const { return ranks_.begin()->second; }

  private:
    void take(const MessageKey& key, std::deque<int>& runnable) {
        if (const auto found = ranks_.find(key); found != ranks_.end()) {
            runnable.push_back(found->second);
            ranks_.erase(found);
        }
    }
    std::map<MessageKey, int> ranks_;
};

}  // namespace

Trace replay(int ranks, const std::function<std::function<void()>(int rank)>& prepare,
             int ranks_per_node, std::int64_t most_steps, Observer* observer) {
    if (std::int64_t{ranks} * ranks > most_steps) throw TooLong();
    Recorder recorder(ranks, ranks_per_node, observer);
    const Active active(recorder);
    Waiting waiting;
    std::deque<int> runnable(static_cast<std::size_t>(ranks));
    std::iota(runnable.begin(), runnable.end(), 0);
    while (!runnable.empty()) {
        const int rank = runnable.front();
        runnable.pop_front();
        try {
            recorder.begin(rank);
            const std::function<void()> call = prepare(rank);
            recorder.start_notes();
            call();
            recorder.end();
            most_steps -= recorder.trace().messages_sent(rank);
        } catch (const Unsent& unsent) {
            waiting.add(rank, unsent.key);
        }
        most_steps -= ranks;
        if (most_steps < 0) throw TooLong();
        for (const MessageKey& key : recorder.take_news()) waiting.wake(key, runnable);
    }
    if (!waiting.empty())
        throw std::logic_error("rank " + std::to_string(waiting.first()) +
                               " of a recorded call waits for ever");
    return recorder.trace();
}

bool Mailboxes::post(const MessageKey& key, std::vector<std::byte> contents) {
    const auto [place, is_new] = messages_.try_emplace(key, contents);
    if (!is_new && place->second != contents)
        throw std::logic_error("a rank that is run again sends something else");
    return is_new;
}

const std::vector<std::byte>* Mailboxes::find(const MessageKey& key) const {
    const auto found = messages_.find(key);
    return found == messages_.end() ? nullptr : &found->second;
}

std::vector<int> Mailboxes::senders(int to, int tag) const {
    std::vector<int> ranks;
    auto next = messages_.lower_bound({to, tag, 0, 0});
    while (next != messages_.end() && next->first.to == to && next->first.tag == tag) {
        ranks.push_back(next->first.from);
        next = messages_.upper_bound({to, tag, ranks.back(), std::numeric_limits<int>::max()});
    }
    return ranks;
}

}  // namespace mpiaudit
