// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/catalogue.h"
#include "cost/prediction.h"
#include "joined_papers.h"

namespace mpiaudit {

/// A vector of `elements` elements, in any blocks.
inline std::vector<Count> vector_of(int ranks, Count elements) {
    std::vector<Count> counts(static_cast<std::size_t>(ranks), 0);
    counts.front() = elements;
    return counts;
}

/// Traces of reference algorithms on blocks of elements.
class Recorded {
  public:
    Recorded(std::vector<Count> counts, int root, const char* element = "int",
             const char* op = "sum")
        : element_{element}, op_{op} {
        problem_.counts = std::move(counts);
        problem_.root = root;
        problem_.element = &element_;
        problem_.op = &op_;
    }
    Recorded(int ranks, Count count)
        : Recorded(std::vector<Count>(static_cast<std::size_t>(ranks), count), 0) {}
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;

    double time(std::string_view name, LinearModel in = {1000, 1, 10}) const {
        return trace(name).time(in);
    }
    /// Returns the time if every message takes 1.
    double rounds(std::string_view name) const { return time(name, {1, 0}); }

    using Numbers = std::vector<std::int64_t>;  // of the ranks
    Numbers messages_sent(std::string_view name) const {
        return of_ranks(name,
                        [](const Trace& trace, int rank) { return trace.messages_sent(rank); });
    }
    Numbers bytes_sent(std::string_view name) const {
        return of_ranks(name, [](const Trace& trace, int rank) { return trace.bytes_sent(rank); });
    }
    Numbers bytes_received(std::string_view name) const {
        const Trace recorded = trace(name);
        Numbers all(problem_.counts.size());
        for (int rank = 0; rank < recorded.ranks(); ++rank)
            for (const Trace::Operation& each : recorded.program(rank))
                if (each.action == Trace::Action::send)
                    all[static_cast<std::size_t>(each.partner)] += each.amount;
        return all;
    }

    void put_on_nodes(int ranks_per_node) {
        problem_.nodes = problem_.ranks() / ranks_per_node;
        problem_.ranks_per_node = ranks_per_node;
    }
    /// Returns the fewest ranks on whose entry the exit of a rank depends: all ranks for a barrier.
    std::size_t fewest_awaited(std::string_view name) const {
        const Trace recorded = trace(name);
        std::vector<RankInBarrier> ranks(static_cast<std::size_t>(recorded.ranks()));
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank].awaited = {rank};
        // A message of an earlier rank may let a later rank go on, and the other way around.
        for (std::size_t i = 0; i < ranks.size() * ranks.size(); ++i)
            advance(recorded, i % ranks.size(), ranks);
        std::size_t fewest = ranks.size();
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const auto length = recorded.program(static_cast<int>(rank)).size();
            EXPECT_EQ(ranks[rank].done, length) << name << " deadlocks on rank " << rank;
            fewest = std::min(fewest, ranks[rank].awaited.size());
        }
        return fewest;
    }

    /// Returns the number of messages that leave a node.
    int between_nodes(std::string_view name) const {
        const Trace recorded = trace(name);
        int messages = 0;
        for (int rank = 0; rank < recorded.ranks(); ++rank)
            for (const Trace::Operation& each : recorded.program(rank))
                messages +=
                    each.action == Trace::Action::send &&
                    each.partner / problem_.ranks_per_node != rank / problem_.ranks_per_node;
        return messages;
    }

  private:
    struct RankInBarrier {
        std::set<std::size_t> awaited;          ///< ranks that are known to have entered
        std::size_t done = 0;                   ///< operations of the program
        std::vector<std::size_t> senders = {};  ///< of the started receives, in order
        std::size_t merged = 0;                 ///< receives whose messages have been read
        /// Messages on their way to this rank, by sender: what the sender knew.
        std::map<std::size_t, std::deque<std::set<std::size_t>>> coming = {};
    };
    /// Runs the program of a rank until it waits for a message that is not sent yet.
    static void advance(const Trace& recorded, std::size_t rank,
                        std::vector<RankInBarrier>& ranks) {
        RankInBarrier& own = ranks[rank];
        const auto& program = recorded.program(static_cast<int>(rank));
        for (; own.done < program.size(); ++own.done) {
            const Trace::Operation& each = program[own.done];
            const auto partner = static_cast<std::size_t>(each.partner);
            if (each.action == Trace::Action::send)
                ranks[partner].coming[rank].push_back(own.awaited);
            else if (each.action == Trace::Action::receive)
                own.senders.push_back(partner);
            else if (each.action != Trace::Action::wait_for_send && !read_messages(own))
                return;
        }
    }
    /// Reads the messages of all started receives, in order. Returns false if one is not sent yet.
    static bool read_messages(RankInBarrier& own) {
        for (; own.merged < own.senders.size(); ++own.merged) {
            auto& queue = own.coming[own.senders[own.merged]];
            if (queue.empty()) return false;
            own.awaited.insert(queue.front().begin(), queue.front().end());
            queue.pop_front();
        }
        return true;
    }

    Numbers of_ranks(std::string_view name, std::int64_t (*number)(const Trace&, int)) const {
        const Trace recorded = trace(name);
        Numbers all;
        for (int rank = 0; rank < recorded.ranks(); ++rank) all.push_back(number(recorded, rank));
        return all;
    }
    Trace trace(std::string_view name) const {
        return trace_of(*find_arrows(name, argument(name)).front(), problem_, false);
    }
    static Argument argument(std::string_view name) {
        return name.ends_with("_Barrier") ? Argument::one : Argument::whole;
    }

    Element element_;
    Operator op_;
    Problem problem_;
};

// Whole numbers: all times are exact.
inline constexpr LinearModel costs{1000, 1, 10};
constexpr double alpha = costs.alpha, beta = costs.beta, gamma = costs.gamma;

/// The sizes at which schedules for any number of ranks go wrong if they do.
inline std::vector<int> awkward_sizes() {
    std::vector<int> sizes;
    for (int p = 1; p <= 24; ++p) sizes.push_back(p);
    sizes.insert(sizes.end(), {31, 33, 63, 65, 127});
    return sizes;
}

}  // namespace mpiaudit
