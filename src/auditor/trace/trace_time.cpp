// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>

#include "trace/node_time.h"
#include "trace/trace.h"

namespace mpiaudit {
namespace {

using Action = Trace::Action;

struct Message {
    int sender;
    int receiver;
    std::int64_t bytes;
    int receive = -1;  ///< which of the receiver's receives it matches
    bool is_offered = false;
    bool is_expected = false;
};

/// Of one rank, while time passes.
struct Progress {
    std::size_t next_operation = 0;
    std::vector<std::size_t> sends;     ///< messages, in the order of the program
    std::vector<std::size_t> receives;  ///< likewise
    std::size_t started_sends = 0, sent = 0;
    std::size_t started_receives = 0, received = 0;
    std::vector<bool> is_received;
    bool is_sending = false, is_receiving = false;
    bool is_reducing = false;
    /// Messages to this rank that could begin, the first to come and then the first receive first.
    std::priority_queue<std::tuple<double, int, std::size_t>,
                        std::vector<std::tuple<double, int, std::size_t>>, std::greater<>>
        ready;
};

/// Lets a trace happen in the model, event by event.
class Happening {
  public:
    Happening(const Trace& trace, LinearModel model)
        : trace_{trace}, model_{model}, ranks_(static_cast<std::size_t>(trace.ranks())) {
        match();
    }

    double duration() {
        for (int rank = 0; rank < trace_.ranks(); ++rank) go_on(rank);
        start_messages();
        while (!events_.empty()) {
            now_ = events_.top().time;
            // All that happens at once comes first, so that the order of the ranks decides nothing.
            while (!events_.empty() && events_.top().time == now_) {
                const Event event = events_.top();
                events_.pop();
                if (event.is_message)
                    finish_message(event.number);
                else
                    finish_reduction(static_cast<int>(event.number));
            }
            start_messages();
        }
        for (int rank = 0; rank < trace_.ranks(); ++rank)
            if (of(rank).next_operation < trace_.program(rank).size())
                throw std::logic_error("rank " + std::to_string(rank) +
                                       " of a trace waits for ever");
        return now_;
    }

  private:
    struct Event {
        double time;
        bool is_message;
        std::size_t number;  ///< of the message, or the rank
        bool operator>(const Event& other) const { return time > other.time; }
    };

    Progress& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    /// Finds the receive of every message, by the order within a pair of ranks.
    void match() {
        std::vector<std::tuple<int, int, int>> wanted;  // receiver, sender, receive
        for (int rank = 0; rank < trace_.ranks(); ++rank) {
            for (const Trace::Operation& operation : trace_.program(rank)) {
                if (operation.action == Action::send) {
                    of(rank).sends.push_back(messages_.size());
                    messages_.push_back({rank, operation.partner, operation.amount});
                } else if (operation.action == Action::receive) {
                    wanted.emplace_back(rank, operation.partner,
                                        static_cast<int>(of(rank).receives.size()));
                    of(rank).receives.push_back(0);
                }
            }
            of(rank).is_received.assign(of(rank).receives.size(), false);
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
            of(receiver).receives[static_cast<std::size_t>(receive)] = sent[i];
        }
    }

    bool is_blocked(const Progress& rank, const Trace::Operation& operation) const {
        if (operation.action == Action::wait)
            return rank.sent < rank.started_sends || rank.received < rank.started_receives;
        const auto number = static_cast<std::size_t>(operation.amount);
        if (operation.action == Action::wait_for_send) return rank.sent <= number;
        return operation.action == Action::wait_for_receive && !rank.is_received[number];
    }

    /// Lets a rank act until it has to wait.
    void go_on(int number) {
        Progress& rank = of(number);
        const auto& program = trace_.program(number);
        for (; !rank.is_reducing && rank.next_operation < program.size(); ++rank.next_operation) {
            const Trace::Operation& operation = program[rank.next_operation];
            if (is_blocked(rank, operation)) return;
            if (operation.action == Action::send) {
                ++rank.started_sends;
                offer_next(rank);
            } else if (operation.action == Action::receive) {
                Message& message = messages_[rank.receives[rank.started_receives++]];
                message.is_expected = true;
                if (message.is_offered) make_ready(message);
            } else if (operation.action == Action::reduce && model_.gamma > 0) {
                rank.is_reducing = true;
                events_.push({now_ + model_.gamma * static_cast<double>(operation.amount), false,
                              static_cast<std::size_t>(number)});
            }
        }
    }

    /// The first message that a rank has not sent becomes visible to its receiver.
    void offer_next(Progress& sender) {
        if (sender.is_sending || sender.sent == sender.started_sends) return;
        Message& message = messages_[sender.sends[sender.sent]];
        if (message.is_offered) return;
        message.is_offered = true;
        if (message.is_expected) make_ready(message);
    }

    void make_ready(const Message& message) {
        of(message.receiver)
            .ready.emplace(now_, message.receive,
                           static_cast<std::size_t>(&message - &messages_[0]));
        touched_.push_back(message.receiver);
    }

    void start_messages() {
        for (const int number : touched_) {
            Progress& receiver = of(number);
            if (receiver.is_receiving || receiver.ready.empty()) continue;
            const std::size_t i = std::get<2>(receiver.ready.top());
            receiver.ready.pop();
            receiver.is_receiving = true;
            of(messages_[i].sender).is_sending = true;
            const double bytes = static_cast<double>(messages_[i].bytes);
            events_.push({now_ + model_.alpha + model_.beta * bytes, true, i});
        }
        touched_.clear();
    }

    void finish_message(std::size_t i) {
        const Message& message = messages_[i];
        Progress& sender = of(message.sender);
        sender.is_sending = false;
        ++sender.sent;
        offer_next(sender);
        Progress& receiver = of(message.receiver);
        receiver.is_receiving = false;
        ++receiver.received;
        receiver.is_received[static_cast<std::size_t>(message.receive)] = true;
        touched_.push_back(message.receiver);
        go_on(message.sender);
        go_on(message.receiver);
    }

    void finish_reduction(int number) {
        of(number).is_reducing = false;
        go_on(number);
    }

    const Trace& trace_;
    LinearModel model_;
    std::vector<Progress> ranks_;
    std::vector<Message> messages_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<int> touched_;  ///< receivers for which a message may begin now
    double now_ = 0;
};

}  // namespace

double Trace::time(LinearModel model) const {
    return model.nodes ? time_on_nodes(*this, model) : Happening(*this, model).duration();
}

}  // namespace mpiaudit
