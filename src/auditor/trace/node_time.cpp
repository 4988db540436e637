// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "trace/node_time.h"
#include "trace/trace.h"

namespace mpiaudit {
namespace {

using Action = Trace::Action;

// A tenth of a second, or two.
constexpr std::size_t most_shares = 500'000;

/// What several transmissions share: each gets an equal part.
struct Shared {
    double bytes_per_s;
    std::vector<std::size_t> users = {};  ///< messages that are on their way

    double part() const { return bytes_per_s / static_cast<double>(users.size()); }
};

struct Transmission {
    int sender = -1, receiver = -1;
    int send = -1, receive = -1;  ///< which of the sender's sends, of the receiver's receives
    std::int64_t bytes = 0;
    bool is_sent = false, is_expected = false, has_begun = false, has_arrived = false;
    // While its bytes are on their way:
    bool is_flowing = false;
    double remaining = 0, rate = 0, since = 0;
    int changes = 0;  ///< of its rate: an end that was computed before the last one is none
};

/// Of one rank, while time passes.
struct Actor {
    std::size_t next_operation = 0;
    bool is_busy = false;  ///< its processor
    std::vector<std::size_t> sends = {}, receives = {};
    std::size_t started_sends = 0, started_receives = 0;
    std::vector<bool> is_send_done = {}, is_received = {};
    std::size_t open_sends = 0, open_receives = 0;  ///< started and not done
};

/// Lets a trace happen on nodes, event by event.
class OnNodes {
  public:
    OnNodes(const Trace& trace, const LinearModel& model)
        : trace_{trace},
          model_{model},
          on_{model.nodes.value()},
          actors_(static_cast<std::size_t>(trace.ranks())) {
        const auto ranks = static_cast<std::size_t>(trace.ranks());
        const auto nodes = static_cast<std::size_t>(node_of(trace.ranks() - 1) + 1);
        const double card = speed(model.beta);
        const double copying = speed(on_.beta);
        shared_.assign(2 * ranks, {std::max(card, copying)});
        first_card_ = shared_.size();
        shared_.resize(first_card_ + 2 * nodes, {card});
        first_memory_ = shared_.size();
        shared_.resize(first_memory_ + nodes, {copying * on_.memory});
        match();
    }

    double duration() {
        for (int rank = 0; rank < trace_.ranks(); ++rank) go_on(rank);
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            if (event.what == What::end_of_flow && !is_current(event)) continue;
            now_ = event.time;
            happen(event);
        }
        for (int rank = 0; rank < trace_.ranks(); ++rank)
            if (of(rank).next_operation < trace_.program(rank).size())
                throw std::logic_error("rank " + std::to_string(rank) +
                                       " of a trace waits for ever");
        return now_;
    }

  private:
    enum class What { processor_is_free, sent, begin_of_flow, end_of_flow };
    struct Event {
        double time;
        What what;
        std::size_t number;  ///< of the rank or of the message
        int changes;
        bool operator>(const Event& other) const { return time > other.time; }
    };

    static double speed(double s_per_byte) {
        return s_per_byte > 0 ? 1 / s_per_byte : std::numeric_limits<double>::max();
    }
    int node_of(int rank) const { return rank / on_.ranks_per_node; }
    Actor& of(int rank) { return actors_[static_cast<std::size_t>(rank)]; }
    bool crosses(const Transmission& message) const {
        return node_of(message.sender) != node_of(message.receiver);
    }
    const NodeModel::Overhead& overhead(const Transmission& message) const {
        return crosses(message) ? on_.between : on_.within;
    }

    void match() {
        std::map<std::pair<int, int>, std::vector<std::size_t>> sent;
        for (int rank = 0; rank < trace_.ranks(); ++rank) {
            for (const Trace::Operation& operation : trace_.program(rank)) {
                if (operation.action != Action::send) continue;
                sent[{rank, operation.partner}].push_back(messages_.size());
                Transmission& made = messages_.emplace_back();
                made.sender = rank;
                made.receiver = operation.partner;
                made.send = static_cast<int>(of(rank).sends.size());
                made.bytes = operation.amount;
                of(rank).sends.push_back(messages_.size() - 1);
            }
            of(rank).is_send_done.assign(of(rank).sends.size(), false);
        }
        std::map<std::pair<int, int>, std::size_t> taken;
        for (int rank = 0; rank < trace_.ranks(); ++rank) {
            for (const Trace::Operation& operation : trace_.program(rank)) {
                if (operation.action != Action::receive) continue;
                const std::pair pair{operation.partner, rank};
                const auto& candidates = sent[pair];
                const std::size_t next = taken[pair]++;
                if (next >= candidates.size())
                    throw std::logic_error("a message of a trace is not sent");
                messages_[candidates[next]].receive = static_cast<int>(of(rank).receives.size());
                of(rank).receives.push_back(candidates[next]);
            }
            of(rank).is_received.assign(of(rank).receives.size(), false);
        }
        for (const Transmission& message : messages_)
            if (message.receive < 0) throw std::logic_error("a message of a trace is not received");
    }

    /// The processor of a rank does this for so long.
    void work(int rank, double duration_s) {
        of(rank).is_busy = true;
        events_.push(
            {now_ + duration_s, What::processor_is_free, static_cast<std::size_t>(rank), 0});
    }

    /// Takes what has arrived for a receive, of which the processor has its work.
    void take(int rank, std::size_t receive) {
        Actor& actor = of(rank);
        actor.is_received[receive] = true;
        --actor.open_receives;
        work(rank, overhead(messages_[actor.receives[receive]]).receive);
    }

    /// Lets a waiting rank take one of its messages; false where none is there.
    bool take_any(int rank, std::size_t first, std::size_t end) {
        const Actor& actor = of(rank);
        for (std::size_t i = first; i < end; ++i) {
            if (actor.is_received[i] || !messages_[actor.receives[i]].has_arrived) continue;
            take(rank, i);
            return true;
        }
        return false;
    }

    /// True when what is waited for is done; else the rank is at work, or blocked.
    bool is_over(int rank, const Trace::Operation& operation) {
        Actor& actor = of(rank);
        const auto number = static_cast<std::size_t>(operation.amount);
        if (operation.action == Action::wait_for_send) return actor.is_send_done[number];
        if (operation.action == Action::wait_for_receive) {
            if (actor.is_received[number]) return true;
            take_any(rank, number, number + 1);
            return false;
        }
        if (actor.open_receives > 0) {
            take_any(rank, 0, actor.started_receives);
            return false;
        }
        return actor.open_sends == 0;
    }

    /// Lets a rank act until it has to wait or its processor has work.
    void go_on(int rank) {
        Actor& actor = of(rank);
        const auto& program = trace_.program(rank);
        while (!actor.is_busy && actor.next_operation < program.size()) {
            const Trace::Operation& operation = program[actor.next_operation];
            if (operation.action == Action::send) {
                const std::size_t message = actor.sends[actor.started_sends++];
                ++actor.open_sends;
                const double busy_s = overhead(messages_[message]).send;
                work(rank, busy_s);
                events_.push({now_ + busy_s, What::sent, message, 0});
            } else if (operation.action == Action::receive) {
                ++actor.open_receives;
                const std::size_t message = actor.receives[actor.started_receives++];
                messages_[message].is_expected = true;
                begin(message);
            } else if (operation.action == Action::reduce) {
                work(rank, model_.gamma * static_cast<double>(operation.amount));
            } else if (!is_over(rank, operation)) {
                return;
            }
            ++actor.next_operation;
        }
    }

    bool is_eager(const Transmission& message) const { return message.bytes <= on_.eager_bytes; }

    /// Sends a message on its way if nothing is missing.
    void begin(std::size_t number) {
        Transmission& message = messages_[number];
        if (message.has_begun || !message.is_sent) return;
        if (!message.is_expected && !is_eager(message)) return;
        message.has_begun = true;
        const NodeModel::Overhead& costs = overhead(message);
        const double alpha = crosses(message) ? model_.alpha : on_.alpha;
        const double latency = std::max(0.0, alpha - costs.send - costs.receive);
        events_.push({now_ + latency, What::begin_of_flow, number, 0});
    }

    std::vector<std::size_t> resources_of(const Transmission& message) const {
        const auto sender = static_cast<std::size_t>(message.sender);
        const auto receiver = static_cast<std::size_t>(message.receiver);
        const auto from = static_cast<std::size_t>(node_of(message.sender));
        const auto to = static_cast<std::size_t>(node_of(message.receiver));
        if (from == to) return {2 * sender, 2 * receiver + 1, first_memory_ + from};
        return {2 * sender, 2 * receiver + 1, first_card_ + 2 * from, first_card_ + 2 * to + 1};
    }

    void happen(const Event& event) {
        if (event.what == What::processor_is_free) {
            actors_[event.number].is_busy = false;
            return go_on(static_cast<int>(event.number));
        }
        Transmission& message = messages_[event.number];
        if (event.what == What::sent) {
            message.is_sent = true;
            if (is_eager(message)) finish_send(message);
            begin(event.number);
        } else if (event.what == What::begin_of_flow) {
            if (message.bytes == 0) return arrive(message);
            message.is_flowing = true;
            message.remaining = static_cast<double>(message.bytes);
            message.since = now_;
            for (const std::size_t each : resources_of(message))
                shared_[each].users.push_back(event.number);
            share_again(message);
        } else {
            message.is_flowing = false;
            for (const std::size_t each : resources_of(message))
                std::erase(shared_[each].users, event.number);
            share_again(message);
            arrive(message);
        }
    }

    bool is_current(const Event& event) const {
        const Transmission& message = messages_[event.number];
        return message.is_flowing && message.changes == event.changes;
    }

    /// All that share something with a message that has begun or ended get their parts anew.
    void share_again(const Transmission& cause) {
        std::vector<std::size_t> affected;
        for (const std::size_t each : resources_of(cause))
            affected.insert(affected.end(), shared_[each].users.begin(), shared_[each].users.end());
        std::ranges::sort(affected);
        affected.erase(std::ranges::unique(affected).begin(), affected.end());
        shares_ += affected.size();
        if (shares_ > most_shares) throw TooLong();
        for (const std::size_t number : affected) {
            Transmission& message = messages_[number];
            double rate = crosses(message) ? speed(model_.beta) : speed(on_.beta);
            for (const std::size_t each : resources_of(message))
                rate = std::min(rate, shared_[each].part());
            if (rate == message.rate) continue;
            message.remaining -= message.rate * (now_ - message.since);
            message.since = now_;
            message.rate = rate;
            const double end = now_ + std::max(0.0, message.remaining) / rate;
            events_.push({end, What::end_of_flow, number, ++message.changes});
        }
    }

    void finish_send(const Transmission& message) {
        Actor& sender = of(message.sender);
        sender.is_send_done[static_cast<std::size_t>(message.send)] = true;
        --sender.open_sends;
        go_on(message.sender);
    }

    void arrive(Transmission& message) {
        message.has_arrived = true;
        if (!is_eager(message)) finish_send(message);
        go_on(message.receiver);
    }

    const Trace& trace_;
    const LinearModel& model_;
    NodeModel on_;
    std::vector<Actor> actors_;
    std::vector<Transmission> messages_;
    /// Of every rank what it sends and what it receives, then of every node the two directions of
    /// its card, then its memory.
    std::vector<Shared> shared_;
    std::size_t first_card_ = 0, first_memory_ = 0;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    double now_ = 0;
    std::size_t shares_ = 0;  ///< that were computed
};

}  // namespace

double time_on_nodes(const Trace& trace, const LinearModel& model) {
    return OnNodes(trace, model).duration();
}

}  // namespace mpiaudit
