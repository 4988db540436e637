// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "network/network.h"

namespace mpiaudit {

/// A message that could be sent next, and its time of arrival.
struct Candidate {
    double end_s = std::numeric_limits<double>::infinity();
    int destination = -1;
    int datum = -1;

    explicit operator bool() const { return destination >= 0; }
};

/// Base for options of EarliestFirst: the lowest sender goes first at equal times, and every
/// message may take 0 seconds.
struct LowestSenderFirst {
    static int preference(int sender, const Candidate&) { return sender; }
    static int lowest_preference(int sender) { return sender; }
    static double fastest_s(int) { return 0.0; }
};

/// Schedules the message that arrives first, again and again until none is left. Preferences of the
/// options decide between equal times.
///
/// The papers compare all messages every time. But ports and links only become busier, and a host
/// can send a datum only after receiving it. So the best time found for a sender stays a lower
/// bound until the sender gains a datum, and only the sender with the lowest bound is searched
/// again.
///
/// `Options` has:
///   Candidate best(int sender)                  the sender's message that arrives first
///   bool is_unchanged(int sender, Candidate)    still possible, at the same time
///   void send(int sender, Candidate)            schedules the message
///   double fastest_s(int sender)                least time of any message of the sender
///   Preference preference(int sender, Candidate)
///                                               at equal times the lowest goes first; becomes
///                                               lower only when the sender gains a datum
///   Preference lowest_preference(int sender)    lower bound of the sender's preferences
template <class Options>
class EarliestFirst {
    using Preference = decltype(std::declval<const Options&>().lowest_preference(0));
    using Entry = std::tuple<double, Preference, int>;

  public:
    EarliestFirst(Options& options, const std::vector<int>& senders, int hosts)
        : options_{options}, bounds_s_(index(hosts), infinite), candidates_(index(hosts)) {
        for (const int sender : senders) reset(sender, 0.0);
    }

    void run() {
        for (int sender = first(); sender >= 0; sender = first())
            send(sender, std::exchange(kept_candidate(sender), Candidate{}));
    }

  private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    Candidate& kept_candidate(int sender) { return candidates_[index(sender)]; }
    Preference preference(int sender) {
        return kept_candidate(sender) ? options_.preference(sender, kept_candidate(sender))
                                      : options_.lowest_preference(sender);
    }

    /// Returns the sender of the next message, or -1.
    int first() {
        while (!queue_.empty()) {
            const auto [bound_s, preferred, sender] = queue_.top();
            queue_.pop();
            // Skips an entry that a later one has replaced.
            if (bound_s != bounds_s_[index(sender)] || preferred != preference(sender)) continue;
            if (kept_candidate(sender) && options_.is_unchanged(sender, kept_candidate(sender)))
                return sender;
            kept_candidate(sender) = options_.best(sender);
            set_bound(sender, kept_candidate(sender).end_s);
        }
        return -1;
    }

    void send(int sender, const Candidate& sent) {
        options_.send(sender, sent);
        set_bound(sender, sent.end_s);
        const double earliest_s = sent.end_s + options_.fastest_s(sent.destination);
        if (earliest_s <= bounds_s_[index(sent.destination)]) reset(sent.destination, earliest_s);
    }

    /// Discards the candidate of the sender, which may have gained a better one, and sets the
    /// bound.
    void reset(int sender, double bound_s) {
        candidates_[index(sender)] = {};
        set_bound(sender, bound_s);
    }

    void set_bound(int sender, double bound_s) {
        bounds_s_[index(sender)] = bound_s;
        if (bound_s < infinite) queue_.emplace(bound_s, preference(sender), sender);
    }

    Options& options_;
    std::vector<double> bounds_s_;
    std::vector<Candidate> candidates_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace mpiaudit
