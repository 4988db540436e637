// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace mpiaudit {

/// A message that could be sent next, and when it would have arrived.
struct Candidate {
    double end_s = std::numeric_limits<double>::infinity();
    int destination = -1;
    int datum = -1;

    explicit operator bool() const { return destination >= 0; }
};

/// Schedules the message that arrives first, again and again until none is left; of several the
/// one that the options prefer, or else the one of the lowest sender.
///
/// The papers compare all messages every time. But ports and links only become busier, and whoever
/// receives a datum can send it on only after that. So what was found for a sender stays a lower
/// bound until it gains a datum, and it is enough to look again at the sender with the lowest
/// bound.
///
/// `Options` has:
///   Candidate best(int sender)                  what the sender could send that arrives first
///   bool is_unchanged(int sender, Candidate)    still possible, at the same time
///   void send(int sender, Candidate)            schedules it
///   double fastest_s(int sender)                least time that any of its messages takes
/// and may have
///   bool is_before(int, Candidate, int, Candidate)  of two senders' messages that arrive at the
///   same
///                                               time, whether the first one is sent first
template <class Options>
class EarliestFirst {
    using Entry = std::pair<double, int>;

  public:
    EarliestFirst(Options& options, const std::vector<int>& senders, int hosts)
        : options_{options},
          bounds_s_(static_cast<std::size_t>(hosts), infinite),
          candidates_(static_cast<std::size_t>(hosts)) {
        for (const int sender : senders) lower_bound(sender, 0.0);
    }

    void run() {
        for (int sender = first(); sender >= 0; sender = first())
            send(sender, std::exchange(candidate(sender), Candidate{}));
    }

  private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();
    static constexpr bool has_preferences =
        requires(const Options& options, int sender, const Candidate& found) {
        options.is_before(sender, found, sender, found);
    };

    Candidate& candidate(int sender) { return candidates_[static_cast<std::size_t>(sender)]; }

    /// Whose message is next, or -1.
    int first() {
        int found = -1;
        std::vector<Entry> others;
        while (!queue_.empty()) {
            const auto [bound_s, sender] = queue_.top();
            if (found >= 0 && (!has_preferences || bound_s > candidate(found).end_s)) break;
            queue_.pop();
            // A later entry has replaced this one, or it stands there twice.
            if (bound_s != bounds_s_[static_cast<std::size_t>(sender)] || sender == found) continue;
            if (!candidate(sender) || !options_.is_unchanged(sender, candidate(sender))) {
                candidate(sender) = options_.best(sender);
                set_bound(sender, candidate(sender).end_s);
            } else if (found < 0) {
                found = sender;
            } else {
                others.emplace_back(
                    bound_s, is_before(sender, found) ? std::exchange(found, sender) : sender);
            }
        }
        for (const Entry& entry : others) queue_.push(entry);
        return found;
    }

    bool is_before(int sender, int other) {
        if constexpr (has_preferences)
            return options_.is_before(sender, candidate(sender), other, candidate(other));
        return sender < other;
    }

    void send(int sender, const Candidate& sent) {
        options_.send(sender, sent);
        set_bound(sender, sent.end_s);
        const double earliest_s = sent.end_s + options_.fastest_s(sent.destination);
        if (earliest_s <= bounds_s_[static_cast<std::size_t>(sent.destination)])
            lower_bound(sent.destination, earliest_s);
    }

    /// The sender may have something better than what was found.
    void lower_bound(int sender, double bound_s) {
        candidates_[static_cast<std::size_t>(sender)] = {};
        set_bound(sender, bound_s);
    }

    void set_bound(int sender, double bound_s) {
        bounds_s_[static_cast<std::size_t>(sender)] = bound_s;
        if (bound_s < infinite) queue_.emplace(bound_s, sender);
    }

    Options& options_;
    std::vector<double> bounds_s_;
    std::vector<Candidate> candidates_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace mpiaudit
