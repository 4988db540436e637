// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "collectives/catalogue.h"
#include "guidelines/path.h"
#include "problem/nearest_name.h"

namespace mpiaudit {
namespace {

using Steps = std::vector<PathStep>;

/// Looks for the arrows of one side, depth first: before each term and behind the last one at most
/// one silent arrow, the fewest possible.
class Search {
  public:
    Search(const std::string& text, const std::vector<Term>& terms, Layout goal)
        : text_{text}, terms_{terms}, goal_{goal} {}

    /// All steps of the best path from `start`, or nothing; then furthest() says how far it came.
    std::optional<Steps> from(Layout start) {
        best_.reset();
        Steps steps;
        visit(start, 0, steps);
        return best_;
    }

    [[noreturn]] void fail(Layout start) const {
        if (furthest_term_ < terms_.size()) {
            const Term& term = terms_[furthest_term_];
            std::string needs;
            for (const Arrow* arrow : uses(term)) {
                needs += fmt::format("{}{}", needs.empty() ? "" : " or ",
                                     name(arrow->source(is_padded(term))));
            }
            throw StatementError(
                text_, term.column,
                fmt::format("the path breaks here: {} starts from {}, but the data are {}",
                            term.name, needs,
                            name(furthest_term_ == 0 ? start : furthest_layout_)));
        }
        throw StatementError(text_, terms_.back().column,
                             fmt::format("this side ends {}, the left side ends {}",
                                         name(furthest_layout_), name(goal_)));
    }

    static bool is_padded(const Term& term) { return term.argument != Argument::whole; }
    static std::vector<const Arrow*> uses(const Term& term) {
        return find_arrows(term.name, term.argument);
    }

  private:
    void visit(Layout at, std::size_t next, Steps& steps) {
        if (next > furthest_term_ || (next == furthest_term_ && steps.size() <= next)) {
            furthest_term_ = next;
            furthest_layout_ = at;
        }
        if (best_ && steps.size() >= best_->size()) return;
        if (next == terms_.size()) {
            finish(at, steps);
            return;
        }
        step_over(at, next, steps);
        for (const Arrow& silent : silent_arrows()) {
            if (silent.drops_padding() || silent.source(at.padded) != at) continue;
            steps.push_back({&silent, at.padded});
            step_over(silent.target(at.padded), next, steps);
            steps.pop_back();
        }
    }

    void step_over(Layout at, std::size_t next, Steps& steps) {
        const bool padded = is_padded(terms_[next]);
        for (const Arrow* arrow : uses(terms_[next])) {
            if (arrow->source(padded) != at) continue;
            steps.push_back({arrow, padded});
            visit(arrow->target(padded), next + 1, steps);
            steps.pop_back();
        }
    }

    /// Behind the last term: nothing, a view, its padding dropped, or both.
    void finish(Layout at, Steps& steps) {
        if (at == goal_ && (!best_ || steps.size() < best_->size())) {
            best_ = steps;
            return;
        }
        for (const Arrow& silent : silent_arrows()) {
            if (silent.kind != Kind::view || silent.source(at.padded) != at) continue;
            if (silent.drops_padding() && !at.padded) continue;
            steps.push_back({&silent, at.padded});
            finish(silent.target(at.padded), steps);
            steps.pop_back();
        }
    }

    const std::string& text_;
    const std::vector<Term>& terms_;
    Layout goal_;
    std::optional<Steps> best_;
    std::size_t furthest_term_ = 0;
    Layout furthest_layout_{};
};

void check_names(const Statement& statement) {
    for (const auto* side : {&statement.left, &statement.right}) {
        for (const Term& term : *side) {
            if (!Search::uses(term).empty()) continue;
            const auto names = arrow_names();
            if (std::ranges::find(names, term.name) == names.end()) {
                throw StatementError(statement.text, term.column,
                                     unknown_name("operation", term.name, names));
            }
            throw StatementError(statement.text, term.column,
                                 term.argument == Argument::one
                                     ? "only MPI_Allreduce(1), the agreement on the largest block, "
                                       "takes a single element"
                                     : term.name + " is here only with the argument (1)");
        }
    }
}

/// The layouts between which the left side can run: the first term's sources, the last one's
/// targets.
std::vector<std::pair<Layout, Layout>> ends(const std::vector<Term>& left) {
    std::vector<std::pair<Layout, Layout>> pairs;
    for (const Arrow* first : Search::uses(left.front())) {
        for (const Arrow* last : Search::uses(left.back())) {
            if (left.size() == 1 && first != last) continue;
            pairs.emplace_back(
                Layout{first->from, first->source(Search::is_padded(left.front())).padded},
                Layout{last->to, false});
        }
    }
    return pairs;
}

}  // namespace

Inequality resolve(const Statement& statement) {
    check_names(statement);
    const auto candidates = ends(statement.left);
    bool left_exists = false;
    for (const auto& [from, to] : candidates) {
        auto left = Search(statement.text, statement.left, to).from(from);
        if (!left) continue;
        left_exists = true;
        auto right = Search(statement.text, statement.right, to).from(from);
        if (!right) continue;
        return {{to_string(statement.left), std::move(*left)},
                {to_string(statement.right), std::move(*right)}};
    }
    const auto& [from, to] = candidates.front();
    Search search(statement.text, left_exists ? statement.right : statement.left, to);
    search.from(from);
    search.fail(from);
}

}  // namespace mpiaudit
