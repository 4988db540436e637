// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace mpiaudit
