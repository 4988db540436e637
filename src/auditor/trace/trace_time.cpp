// SPDX-License-Identifier: BSD-3-Clause
// Declared in trace/trace.h.
#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace mpiaudit {
namespace {

using Action = Trace::Action;

// Limits the computation to a tenth or two tenths of a second.
constexpr std::size_t max_rate_updates = 500'000;

/// A bandwidth that several messages share in equal parts.
struct Shared {
    double bytes_per_s;
    std::vector<std::size_t> users = {};  ///< messages in transit

    double part() const { return bytes_per_s / static_cast<double>(users.size()); }
};

struct Message {
    int sender, receiver;
    std::int64_t bytes;
    std::size_t send;         ///< index among the sender's sends
    std::size_t receive = 0;  ///< index among the receiver's receives
    bool is_sent = false, is_expected = false, has_begun = false, has_arrived = false;
    // Used with nodes while the bytes are in transit:
    bool is_flowing = false;
    double remaining = 0, rate = 0, since = 0;
    /// Number of rate changes; an end event computed before the last change is stale.
    int changes = 0;
};

/// The state of one rank at the current time.
struct Actor {
    std::size_t next_operation = 0;
    bool is_busy = false;  ///< works, or waits for a processor to do so
    std::vector<std::size_t> sends = {}, receives = {};  ///< messages, in program order
    std::size_t started_sends = 0, started_receives = 0;
    std::vector<bool> is_send_done = {}, is_received = {};
    std::size_t open_sends = 0, open_receives = 0;  ///< started and not finished
    std::optional<std::size_t> sending = {};        ///< the message that its work prepares
    // Used without nodes, with one message sent and one received at a time:
    std::size_t sent = 0;
    bool is_receiving = false;
    /// Messages to this rank that could begin, ordered by arrival, then by the start of their
    /// receives.
    std::priority_queue<std::tuple<double, std::size_t, std::size_t>,
                        std::vector<std::tuple<double, std::size_t, std::size_t>>, std::greater<>>
        ready = {};
};

/// The processors of a node. Ranks that find none free wait in the order of their arrival.
struct Processors {
    int busy = 0;
    std::queue<std::pair<int, double>> waiting = {};  ///< ranks, and seconds of their work
};

/// Simulates a trace in the model, event by event.
class EventSimulation {
  public:
    EventSimulation(const Trace& trace, const LinearModel& model)
        : trace_{trace}, model_{model}, actors_(static_cast<std::size_t>(trace.ranks())) {
        match();
        if (!model.nodes) return;
        nodes_ = *model.nodes;
        const auto nodes = static_cast<std::size_t>(node_of(trace.ranks() - 1) + 1);
        processors_.resize(nodes);
        const double card = speed(model.beta);
        const double copying = speed(nodes_.beta);
        shared_.assign(2 * actors_.size(), {std::max(card, copying)});
        first_card_ = shared_.size();
        shared_.resize(first_card_ + 2 * nodes, {card});
        first_memory_ = shared_.size();
        shared_.resize(first_memory_ + nodes, {copying * nodes_.memory});
    }

    double duration() {
        for (int rank = 0; rank < trace_.ranks(); ++rank) advance(rank);
        start_messages();
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            if (event.what == What::end_of_flow && !is_current(event)) continue;
            now_ = event.time;
            handle(event);
            // Handles all simultaneous events before starting messages, so that the order of the
            // ranks has no effect.
            if (events_.empty() || events_.top().time > now_) start_messages();
        }
        for (int rank = 0; rank < trace_.ranks(); ++rank)
            if (of(rank).next_operation < trace_.program(rank).size())
                throw std::logic_error("rank " + std::to_string(rank) +
                                       " of a trace waits for ever");
        return now_;
    }

  private:
    enum class What { work_is_done, arrival, begin_of_flow, end_of_flow };
    struct Event {
        double time;
        What what;
        std::size_t number;  ///< rank or message
        int changes;
        bool operator>(const Event& other) const { return time > other.time; }
    };

    Actor& of(int rank) { return actors_[static_cast<std::size_t>(rank)]; }

    /// Matches messages and receives by their order within a pair of ranks.
    void match() {
        std::vector<std::tuple<int, int, std::size_t>> wanted;  // receiver, sender, receive
        for (int rank = 0; rank < trace_.ranks(); ++rank) {
            Actor& actor = of(rank);
            for (const Trace::Operation& operation : trace_.program(rank)) {
                if (operation.action == Action::send) {
                    messages_.push_back(
                        {rank, operation.partner, operation.amount, actor.sends.size()});
                    actor.sends.push_back(messages_.size() - 1);
                } else if (operation.action == Action::receive) {
                    wanted.emplace_back(rank, operation.partner, actor.receives.size());
                    actor.receives.push_back(0);
                }
            }
            actor.is_send_done.assign(actor.sends.size(), false);
            actor.is_received.assign(actor.receives.size(), false);
        }
        std::ranges::sort(wanted);
        std::vector<std::size_t> sent(messages_.size());
        for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = i;
        std::ranges::stable_sort(sent, {}, [&](std::size_t i) {
            return std::pair(messages_[i].receiver, messages_[i].sender);
        });
        if (sent.size() != wanted.size()) throw std::logic_error("a trace's messages differ");
        for (std::size_t i = 0; i < sent.size(); ++i) {
            const auto [receiver, sender, receive] = wanted[i];
            Message& message = messages_[sent[i]];
            if (message.receiver != receiver || message.sender != sender)
                throw std::logic_error("a message of a trace is not received");
            message.receive = receive;
            of(receiver).receives[receive] = sent[i];
        }
    }

    /// Makes a rank work for `duration_s`, as soon as its node has a processor for the rank.
    void work(int rank, double duration_s) {
        of(rank).is_busy = true;
        if (nodes_.processors > 0) {
            Processors& processors = processors_of(rank);
            if (processors.busy == nodes_.processors) {
                processors.waiting.emplace(rank, duration_s);
                return;
            }
            ++processors.busy;
        }
        events_.push({now_ + duration_s, What::work_is_done, static_cast<std::size_t>(rank), 0});
    }

    /// Lets the rank go on, which keeps its processor while it has work, then ranks that wait.
    void finish_work(int rank) {
        Actor& actor = of(rank);
        actor.is_busy = false;
        if (nodes_.processors > 0) --processors_of(rank).busy;
        if (actor.sending) {
            const std::size_t number = *std::exchange(actor.sending, std::nullopt);
            messages_[number].is_sent = true;
            if (is_eager(messages_[number])) finish_send(messages_[number]);
            begin(number);
        }
        advance(rank);
        if (nodes_.processors == 0) return;
        Processors& processors = processors_of(rank);
        if (processors.waiting.empty() || processors.busy == nodes_.processors) return;
        const auto [next, duration_s] = processors.waiting.front();
        processors.waiting.pop();
        work(next, duration_s);
    }
    Processors& processors_of(int rank) {
        return processors_[static_cast<std::size_t>(node_of(rank))];
    }

    /// Returns true if the awaited operation is finished; otherwise the rank works or is blocked.
    bool is_over(int rank, const Trace::Operation& operation) {
        const Actor& actor = of(rank);
        const auto number = static_cast<std::size_t>(operation.amount);
        if (operation.action == Action::wait_for_send) return actor.is_send_done[number];
        if (operation.action == Action::wait_for_receive) {
            if (actor.is_received[number]) return true;
            receive_any(rank, number, number + 1);
            return false;
        }
        if (actor.open_receives > 0) {
            receive_any(rank, 0, actor.started_receives);
            return false;
        }
        return actor.open_sends == 0;
    }

    /// Returns the bytes of the next copy and of the copies right behind it, as one event is
    /// cheaper than many. Moves on to the last of these copies.
    static std::int64_t take_copies(Actor& actor, const std::vector<Trace::Operation>& program) {
        std::int64_t bytes = program[actor.next_operation].amount;
        while (actor.next_operation + 1 < program.size() &&
               program[actor.next_operation + 1].action == Action::copy)
            bytes += program[++actor.next_operation].amount;
        return bytes;
    }

    /// Advances a rank until it must wait or its core is busy.
    void advance(int rank) {
        Actor& actor = of(rank);
        const auto& program = trace_.program(rank);
        for (; !actor.is_busy && actor.next_operation < program.size(); ++actor.next_operation) {
            const Trace::Operation& operation = program[actor.next_operation];
            if (operation.action == Action::send) {
                const std::size_t message = actor.sends[actor.started_sends++];
                ++actor.open_sends;
                if (!model_.nodes) {
                    offer_next(actor);
                    continue;
                }
                actor.sending = message;
                work(rank, overhead(messages_[message]).send);
            } else if (operation.action == Action::receive) {
                const std::size_t message = actor.receives[actor.started_receives++];
                ++actor.open_receives;
                messages_[message].is_expected = true;
                begin(message);
            } else if (operation.action == Action::reduce) {
                if (model_.gamma > 0)
                    work(rank, model_.gamma * static_cast<double>(operation.amount));
            } else if (operation.action == Action::copy) {
                const std::int64_t bytes = take_copies(actor, program);
                if (model_.copying > 0) work(rank, model_.copying * static_cast<double>(bytes));
            } else if (!is_over(rank, operation)) {
                return;
            }
        }
    }

    /// Lets one event happen: the rank goes on, or the message begins, flows or arrives. A message
    /// that begins or ends to flow changes the rates of the messages with which it shares links.
    void handle(const Event& event) {
        if (event.what == What::work_is_done) return finish_work(static_cast<int>(event.number));
        Message& message = messages_[event.number];
        if (event.what == What::arrival) {
            finish(message);
        } else if (event.what == What::begin_of_flow) {
            if (message.bytes == 0) return arrive(message);
            message.is_flowing = true;
            message.remaining = static_cast<double>(message.bytes);
            message.since = now_;
            for (const std::size_t each : resources_of(message))
                shared_[each].users.push_back(event.number);
            update_rates(message);
        } else {
            message.is_flowing = false;
            for (const std::size_t each : resources_of(message))
                std::erase(shared_[each].users, event.number);
            update_rates(message);
            arrive(message);
        }
    }

    /// Starts a message if both ranks are ready.
    void begin(std::size_t number) {
        Message& message = messages_[number];
        if (message.has_begun || !message.is_sent) return;
        const bool travels_unasked = model_.nodes && !nodes_.waits_to_be_asked && is_eager(message);
        if (!message.is_expected && !travels_unasked) return;
        message.has_begun = true;
        if (!model_.nodes) {
            of(message.receiver).ready.emplace(now_, message.receive, number);
            touched_.push_back(message.receiver);
            return;
        }
        const NodeModel::Overhead& costs = overhead(message);
        const double alpha = crosses(message) ? model_.alpha : nodes_.alpha;
        const double latency = std::max(0.0, alpha - costs.send - costs.receive);
        events_.push({now_ + latency, What::begin_of_flow, number, 0});
    }

    // The next functions model ranks without nodes: a message needs both ranks from its begin to
    // its end.

    /// Makes the first unsent message of a rank visible to its receiver.
    void offer_next(const Actor& sender) {
        if (sender.sent == sender.started_sends) return;
        const std::size_t next = sender.sends[sender.sent];
        messages_[next].is_sent = true;
        begin(next);
    }

    void start_messages() {
        for (const int number : touched_) {
            Actor& receiver = of(number);
            if (receiver.is_receiving || receiver.ready.empty()) continue;
            const std::size_t i = std::get<2>(receiver.ready.top());
            receiver.ready.pop();
            receiver.is_receiving = true;
            const double bytes = static_cast<double>(messages_[i].bytes);
            events_.push({now_ + model_.alpha + model_.beta * bytes, What::arrival, i, 0});
        }
        touched_.clear();
    }

    void finish(const Message& message) {
        Actor& sender = of(message.sender);
        ++sender.sent;
        offer_next(sender);
        Actor& receiver = of(message.receiver);
        receiver.is_receiving = false;
        receiver.is_received[message.receive] = true;
        --receiver.open_receives;
        touched_.push_back(message.receiver);
        finish_send(message);
        advance(message.receiver);
    }

    void finish_send(const Message& message) {
        Actor& sender = of(message.sender);
        sender.is_send_done[message.send] = true;
        --sender.open_sends;
        advance(message.sender);
    }

    // The next functions model nodes. A rank sends, receives, reduces and copies one after the
    // other. A message takes its latency, then its bytes use equal shares of both ranks' bandwidth
    // and of the cards or the memory of the nodes.

    static double speed(double s_per_byte) {
        return s_per_byte > 0 ? 1 / s_per_byte : std::numeric_limits<double>::max();
    }
    int node_of(int rank) const { return rank / nodes_.ranks_per_node; }
    bool crosses(const Message& message) const {
        return node_of(message.sender) != node_of(message.receiver);
    }
    const NodeModel::Overhead& overhead(const Message& message) const {
        return crosses(message) ? nodes_.between : nodes_.within;
    }
    bool is_eager(const Message& message) const { return message.bytes <= nodes_.eager_bytes; }

    /// Lets a waiting rank receive one of its arrived messages among [first, end), which keeps its
    /// core busy.
    void receive_any(int rank, std::size_t first, std::size_t end) {
        if (!model_.nodes) return;
        Actor& actor = of(rank);
        for (std::size_t i = first; i < end; ++i) {
            const Message& message = messages_[actor.receives[i]];
            if (actor.is_received[i] || !message.has_arrived) continue;
            actor.is_received[i] = true;
            --actor.open_receives;
            return work(rank, overhead(message).receive);
        }
    }

    /// Returns the indices in shared_ that a message uses.
    std::vector<std::size_t> resources_of(const Message& message) const {
        const auto sender = static_cast<std::size_t>(message.sender);
        const auto receiver = static_cast<std::size_t>(message.receiver);
        const auto from = static_cast<std::size_t>(node_of(message.sender));
        const auto to = static_cast<std::size_t>(node_of(message.receiver));
        if (from == to) return {2 * sender, 2 * receiver + 1, first_memory_ + from};
        return {2 * sender, 2 * receiver + 1, first_card_ + 2 * from, first_card_ + 2 * to + 1};
    }

    /// Returns false for a stale end event.
    bool is_current(const Event& event) const {
        const Message& message = messages_[event.number];
        return message.is_flowing && message.changes == event.changes;
    }

    /// Updates the rates of all messages that share a resource with a message that has begun or
    /// ended.
    void update_rates(const Message& cause) {
        std::vector<std::size_t> affected;
        for (const std::size_t each : resources_of(cause))
            affected.insert(affected.end(), shared_[each].users.begin(), shared_[each].users.end());
        std::ranges::sort(affected);
        affected.erase(std::ranges::unique(affected).begin(), affected.end());
        rate_updates_ += affected.size();
        if (rate_updates_ > max_rate_updates) throw TooLong();
        for (const std::size_t number : affected) {
            Message& message = messages_[number];
            double rate = crosses(message) ? speed(model_.beta) : speed(nodes_.beta);
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

    void arrive(Message& message) {
        message.has_arrived = true;
        if (!is_eager(message)) finish_send(message);
        advance(message.receiver);
    }

    const Trace& trace_;
    const LinearModel& model_;
    NodeModel nodes_ = {};
    std::vector<Actor> actors_;
    std::vector<Processors> processors_;  ///< by node
    std::vector<Message> messages_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<int> touched_;  ///< receivers for which a message may begin now
    /// Sending and receiving of every rank, then both directions of every node's card, then every
    /// node's memory.
    std::vector<Shared> shared_;
    std::size_t first_card_ = 0, first_memory_ = 0;
    double now_ = 0;
    std::size_t rate_updates_ = 0;  ///< number of computed rates
};

}  // namespace

double Trace::time(LinearModel model) const {
    return EventSimulation(*this, model).duration();
}

}  // namespace mpiaudit
