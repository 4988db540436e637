// SPDX-License-Identifier: BSD-3-Clause
// Defines resolve() of guideline.h.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "catalogue/catalogue.h"
#include "guidelines/guideline.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using Steps = std::vector<PathStep>;

/// True if the preceding step, if any, can put the data where an operation in place expects them.
bool finds_its_data(const Arrow& arrow, std::span<const PathStep> before) {
    if (arrow.input == nullptr || before.empty()) return true;
    const PathStep& last = before.back();
    // A broadcast has one buffer: the data of the root stay in that buffer.
    const bool is_broadcast =
        last.arrow->from == Holding::rooted && arrow.to == Holding::replicated;
    return last.arrow->accepts_destination() || (is_broadcast && last.arrow->kind == Kind::local);
}

/// Returns the form of an operation that does not copy the data of this rank: the data lie in the
/// result buffer before the call, or stay among all blocks after the call. Null if there is no such
/// form.
const Arrow* without_copy(const Arrow& operation) {
    using enum Holding;
    const bool collects = (operation.from == scattered || operation.from == contributed) &&
                          (operation.to == rooted || operation.to == replicated);
    const bool scatters = operation.from == rooted && operation.to == scattered;
    if (operation.kind != Kind::native || !(collects || scatters)) return nullptr;
    const Form in_place{.operation = operation.form.operation, .is_in_place = true};
    for (const Arrow* form : find_arrows(in_place.name(), operation.argument())) {
        if (form->from == operation.from && form->to == operation.to &&
            form->needs == operation.needs)
            return form;
    }
    return nullptr;
}

/// Only the first input and the last result of a side need buffers of their own.
void avoid_copies(Steps& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::span all(steps);
        const bool is_result = std::ranges::all_of(all.subspan(i + 1), [](const PathStep& step) {
            return step.arrow->kind == Kind::view;
        });
        const Arrow* const form = without_copy(*steps[i].arrow);
        if (form == nullptr || !finds_its_data(*form, all.first(i))) continue;
        if (form->input != nullptr ? i > 0 : !is_result) steps[i].arrow = form;
    }
}

/// Returns the number of steps that arrive in a layout of an earlier step.
int returns(const Steps& steps) {
    if (steps.empty()) return 0;
    std::set<Layout> visited = {steps.front().source()};
    int count = 0;
    for (const PathStep& step : steps) count += visited.insert(step.target()).second ? 0 : 1;
    return count;
}

/// Searches the arrows of one side, depth first, with at most one silent arrow before each term and
/// behind the last term. The best path has the fewest returns to a layout, then the fewest steps.
class Search {
  public:
    Search(const std::string& text, const Side& side, Layout goal)
        : text_{text}, side_{side}, goal_{goal} {
        for (const Term& term : side.way.terms) uses_.push_back(uses(term));
    }

    /// Returns the steps of the best path from `start`; nothing if there is no path, and fail()
    /// then says how far the search came.
    std::optional<Steps> from(Layout start) {
        best_.reset();
        Steps steps;
        visit(start, 0, steps);
        if (best_) avoid_copies(*best_);
        return best_;
    }

    [[noreturn]] void fail(Layout start) const {
        if (furthest_term_ < uses_.size()) {
            const Term& term = side_.way.terms[furthest_term_];
            const std::size_t column = side_.columns[furthest_term_];
            if (finds_no_data_ == furthest_term_)
                throw NotationError(
                    text_, column,
                    fmt::format("the path breaks here: {} finds its data where its result will be, "
                                "and what comes before does not put them there",
                                term.form.name()));
            std::string needs;
            for (const Arrow* arrow : uses_[furthest_term_]) {
                const std::string source =
                    name(arrow->source({{}, is_padded(term, *arrow), false}));
                if (needs.find(source) == std::string::npos)
                    needs += (needs.empty() ? "" : " or ") + source;
            }
            throw NotationError(
                text_, column,
                fmt::format("the path breaks here: {} starts from {}, but the data are {}",
                            term.form.name(), needs,
                            name(furthest_term_ == 0 ? start : furthest_layout_)));
        }
        throw NotationError(text_, side_.columns.back(),
                            fmt::format("this side ends {}, the left side ends {}",
                                        name(furthest_layout_), name(goal_)));
    }

    /// Blocks are padded behind an agreement only: a barrier has the argument (1), too.
    static bool is_padded(const Term& term, const Arrow& arrow) {
        return term.argument == Argument::padded || arrow.kind == Kind::agreement;
    }
    static std::vector<const Arrow*> uses(const Term& term) {
        return find_arrows(term.form.name(), term.argument);
    }

  private:
    void visit(Layout at, std::size_t next, Steps& steps) {
        if (next > furthest_term_ || (next == furthest_term_ && steps.size() <= next)) {
            furthest_term_ = next;
            furthest_layout_ = at;
        }
        if (best_ && !is_better(steps)) return;
        if (next == uses_.size()) {
            finish(at, steps);
            return;
        }
        step_over(at, next, steps);
        for (const Arrow* const each : silent_arrows()) {
            const Arrow& silent = *each;
            if (silent.drops_padding() || silent.source(at) != at) continue;
            steps.push_back({&silent, at.padded, at.packed});
            step_over(silent.target(at), next, steps);
            steps.pop_back();
        }
    }

    /// Tries all arrows of term `next` that begin at this layout, and goes on behind each.
    void step_over(Layout at, std::size_t next, Steps& steps) {
        for (const Arrow* arrow : uses_[next]) {
            const bool padded = is_padded(side_.way.terms[next], *arrow);
            const Layout variant{{}, padded, at.packed || arrow->kind == Kind::packing};
            if (arrow->source(variant) != at) continue;
            if (!finds_its_data(*arrow, steps)) {
                finds_no_data_ = next;
                continue;
            }
            steps.push_back({arrow, padded, variant.packed});
            visit(arrow->target(variant), next + 1, steps);
            steps.pop_back();
        }
    }

    /// Ends a path behind the last term: with nothing, a view, a drop of the padding, or both.
    void finish(Layout at, Steps& steps) {
        if (at == goal_ && (!best_ || is_better(steps))) {
            best_ = steps;
            return;
        }
        for (const Arrow* const each : silent_arrows()) {
            const Arrow& silent = *each;
            if (silent.kind != Kind::view || silent.source(at) != at) continue;
            if (silent.drops_padding() && !at.padded) continue;
            steps.push_back({&silent, at.padded, at.packed});
            finish(silent.target(at), steps);
            steps.pop_back();
        }
    }

    bool is_better(const Steps& steps) const {
        return std::pair(returns(steps), steps.size()) < std::pair(returns(*best_), best_->size());
    }

    const std::string& text_;
    const Side& side_;
    std::vector<std::vector<const Arrow*>> uses_;  ///< [term]
    Layout goal_;
    std::optional<Steps> best_;
    std::size_t furthest_term_ = 0;
    /// The term that finds its data in the right layout, but not in the buffer where it expects
    /// them.
    std::optional<std::size_t> finds_no_data_;
    Layout furthest_layout_{};
};

/// The message has the nearest name only, which hundreds of names would hide.
std::string unknown_operation(const std::string& name, const std::vector<std::string>& names) {
    const std::string nearest = nearest_name(name, names);
    return fmt::format("unknown operation '{}'; {}`mpiaudit list collectives` has all {}", name,
                       nearest.empty() ? "" : "did you mean '" + nearest + "'? ", names.size());
}

/// Throws NotationError if the operation is unknown, takes no such argument, or lacks the
/// completion that it needs.
void check_term(const Statement& statement, const Term& term, std::size_t column) {
    const auto uses = Search::uses(term);
    const std::string name = term.form.name();
    const auto fail = [&](const std::string& what) {
        throw NotationError(statement.text, column, what);
    };
    if (uses.empty()) {
        const auto names = arrow_names();
        if (std::ranges::find(names, name) == names.end()) fail(unknown_operation(name, names));
        fail(term.argument == Argument::one ? "only MPI_Allreduce(1), the agreement on the largest "
                                              "block or a barrier, takes a single element"
                                            : name + " is here only with the argument (1)");
    }
    // The completion that has to follow an operation which only starts a call.
    const Arrow& arrow = *uses.front();
    const std::string_view completion = arrow.called_as != nullptr && arrow.called_as->parts > 1
                                            ? "MPI_Waitall"
                                        : arrow.form.start == Start::nonblocking ? "MPI_Wait"
                                                                                 : "";
    if (completion.empty() && !term.completion.empty())
        fail(fmt::format("{} leaves nothing to wait for: leave out {}", name, term.completion));
    if (completion != term.completion)
        fail(fmt::format("{} has to be completed: write {}(m) + {}", name, name, completion));
}

/// Returns the layouts between which the left side can run: from sources of its first term to
/// targets of its last term, without padding.
std::vector<std::pair<Layout, Layout>> ends(const Side& left) {
    std::vector<std::pair<Layout, Layout>> pairs;
    const std::vector<Term>& terms = left.way.terms;
    for (const Arrow* first : Search::uses(terms.front())) {
        for (const Arrow* last : Search::uses(terms.back())) {
            if (terms.size() == 1 && first != last) continue;
            const bool padded = Search::is_padded(terms.front(), *first);
            pairs.emplace_back(first->source({{}, padded, false}), Layout{last->to, false, false});
        }
    }
    return pairs;
}

/// Returns the name of a side, whatever way it was written: only operations without data have no
/// parentheses.
std::string canonical_name(Way way) {
    for (Term& term : way.terms)
        term.is_bare =
            term.argument == Argument::whole && Search::uses(term).front()->from == Holding::apart;
    return way.name();
}

}  // namespace

Inequality resolve(const Statement& statement) {
    for (const Side* side : {&statement.left, &statement.right}) {
        for (std::size_t i = 0; i < side->columns.size(); ++i)
            check_term(statement, side->way.terms[i], side->columns[i]);
    }
    if (!statement.left.way.scale.is_plain())
        throw NotationError(statement.text, 0, "the left side must be about m itself, once");
    const auto candidates = ends(statement.left);
    bool left_exists = false;
    for (const auto& [from, to] : candidates) {
        auto left = Search(statement.text, statement.left, to).from(from);
        if (!left) continue;
        left_exists = true;
        auto right = Search(statement.text, statement.right, to).from(from);
        if (!right) continue;
        return {
            {canonical_name(statement.left.way), std::move(*left), {}},
            {canonical_name(statement.right.way), std::move(*right), statement.right.way.scale}};
    }
    const auto& [from, to] = candidates.front();
    Search search(statement.text, left_exists ? statement.right : statement.left, to);
    search.from(from);
    search.fail(from);
}

}  // namespace mpiaudit
