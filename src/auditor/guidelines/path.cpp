// SPDX-License-Identifier: BSD-3-Clause
// Defines class Path and derive_guidelines() of guideline.h.
#include "guidelines/guideline.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "catalogue/catalogue.h"

namespace mpiaudit {

std::vector<std::string> Path::describe() const {
    std::vector<std::string> lines;
    for (const PathStep& step : steps)
        lines.push_back(fmt::format("{}: {} -> {}", step.arrow->name, mpiaudit::name(step.source()),
                                    mpiaudit::name(step.target())));
    return lines;
}

Needs Path::needs() const {
    Needs needs;
    needs.sources.insert(from());
    for (const PathStep& step : steps) {
        if (step.arrow->scratch)
            needs.targets.insert({*step.arrow->scratch, step.padded, step.packed});
        // Views and agreements leave the data where they are.
        if (step.arrow->kind == Kind::view) continue;
        if (step.arrow->kind != Kind::agreement)
            needs.targets.insert(step.target());
        else if (step.source() == from())
            needs.sources.insert(step.target());
    }
    return needs;
}

const LibraryAlgorithm* Path::algorithm() const {
    for (const PathStep& step : steps) {
        if (step.arrow->algorithm) return step.arrow->algorithm.get();
    }
    return nullptr;
}

bool Path::has_reference() const {
    return std::ranges::any_of(
        steps, [](const PathStep& step) { return step.arrow->kind == Kind::reference; });
}

std::optional<std::string> Path::obstacle(const Problem& problem) const {
    for (const PathStep& step : steps) {
        if (auto reason = step.arrow->obstacle(problem, step.padded, step.packed)) return reason;
        if (step.arrow->is_reordered() && steps.size() > 1)
            return fmt::format("{}: on other ranks nothing can come before or after it",
                               step.arrow->name);
        // An algorithm cannot be selected between two operations of a path: the clock is running.
        if (step.arrow->algorithm && step.arrow->algorithm.get() != algorithm())
            return "a path can force one of the library's algorithms only";
        for (const Layout layout : {step.source(), step.target()}) {
            if (std::string reason = oversize(problem, layout); !reason.empty()) return reason;
        }
    }
    return std::nullopt;
}

std::vector<std::optional<Place>> Path::destinations(const Instance& instance) const {
    std::vector<std::optional<Place>> all(steps.size());
    for (std::size_t i = steps.size() - 1; i > 0; --i) {
        if (steps[i].arrow->input == nullptr) continue;
        Instance next = instance;
        if (all[i]) next.destination = &*all[i];
        all[i - 1] = steps[i].input(next, instance.workspace.target(steps[i].source()));
    }
    return all;
}

Step Path::prepare_run(const Instance& instance, std::vector<Call>& calls) const {
    const auto destination = destinations(instance);
    Step path{{}, instance.workspace.source(from())};
    path.targets = needs().targets;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const PathStep& step = steps[i];
        const LibraryAlgorithm* forced = step.arrow->algorithm.get();
        const Variant* variant = step.arrow->called_as;
        const MPI_Comm comm =
            forced != nullptr
                ? forced->communicator(instance.comm)
                : communicator(instance.comm, variant != nullptr ? variant->origin : Origin::given);
        const Instance own{instance.workspace, comm, instance.network, variant,
                           destination[i] ? &*destination[i] : nullptr};
        if (i == 0 && step.arrow->input != nullptr)
            path.source = path.result = step.input(own, path.result);
        Step prepared = step.arrow->prepared(own, path.result, step.target());
        if (prepared.call) calls.push_back(std::move(prepared.call));
        path.result = prepared.result;
        path.data_of_rank = prepared.data_of_rank;
        std::ranges::move(prepared.agreements, std::back_inserter(path.agreements));
    }
    path.used = {path.result, path.source ? *path.source : instance.workspace.source(from())};
    return path;
}

Step Path::prepare(std::span<const Instance> parts) const {
    std::vector<Call> calls;
    Step path = prepare_run(parts.front(), calls);
    for (const Instance& part : parts.subspan(1)) {
        Step next = prepare_run(part, calls);
        std::ranges::move(next.agreements, std::back_inserter(path.agreements));
        std::ranges::move(next.used, std::back_inserter(path.used));
    }
    const int rounds = scale.repeats / static_cast<int>(parts.size());
    if (calls.size() == 1 && rounds == 1) {
        path.call = std::move(calls.front());
    } else {
        path.call = [calls = std::move(calls), rounds] {
            for (int i = 0; i < rounds; ++i) {
                for (const Call& call : calls) call();
            }
        };
    }
    return path;
}

namespace {

/// Enumerates all sequences of terms that lead from one layout to another, depth first.
class Enumeration {
  public:
    Enumeration(const Arrow& left, int length) : left_{left}, length_{length} {
        for (const Arrow& arrow : catalogue()) {
            if (arrow.is_silent() || is_operation(arrow)) arrows_.push_back(&arrow);
        }
    }

    std::vector<std::vector<Term>> run() {
        visit({left_.from});
        return std::move(found_);
    }

  private:
    static bool is_operation(const Arrow& arrow) {
        return arrow.kind == Kind::native || arrow.kind == Kind::local ||
               arrow.kind == Kind::agreement;
    }

    void visit(Layout at) {
        if (!visited_.insert(at).second) return;
        if (at == Layout{left_.to}) {
            if (!terms_.empty()) found_.push_back(terms_);
        } else {
            for (const Arrow* const arrow : arrows_) try_arrow(*arrow, at);
        }
        visited_.erase(at);
    }

    /// Goes on behind the arrow if the arrow begins at this layout and may be part of an
    /// alternative to the left side. Silent arrows add no term.
    void try_arrow(const Arrow& arrow, Layout at) {
        const bool pads = arrow.kind == Kind::agreement;
        const Layout variant{{}, at.padded || pads};
        // A reader of the result ignores padding at the end of a path. Within a path, dropping
        // padding would be a copy.
        if (arrow.drops_padding() && (!at.padded || arrow.target(variant) != Layout{left_.to}))
            return;
        if (arrow.source(variant) != at || (pads && at.padded)) return;
        if (arrow.is_silent()) {
            visit(arrow.target(variant));
            return;
        }
        // Only operations on equal blocks need padding. The left side is no alternative to itself.
        const bool needs_padding = (arrow.needs & equal_blocks) != 0;
        if (&arrow == &left_ || arrow.name == left_.name || (at.padded && !needs_padding) ||
            static_cast<int>(terms_.size()) == length_)
            return;
        const Argument argument = arrow.argument() == Argument::one ? Argument::one
                                  : at.padded                       ? Argument::padded
                                                                    : Argument::whole;
        terms_.push_back({.form = arrow.form, .argument = argument});
        visit(arrow.target(variant));
        terms_.pop_back();
    }

    const Arrow& left_;
    int length_;
    std::vector<const Arrow*> arrows_;  ///< arrows that a path may take
    std::set<Layout> visited_;
    std::vector<Term> terms_;
    std::vector<std::vector<Term>> found_;
};

/// Returns the guideline that the left operation is no slower than these terms one after the other.
Guideline make_guideline(const Arrow& left, const std::vector<Term>& terms) {
    const Way only_left{{{.form = left.form, .is_bare = is_barrier(left.to)}}};
    const std::string right = Way{terms}.name();
    Guideline guideline;
    guideline.statement = fmt::format("{} <= {}", only_left.name(), right);
    guideline.id = left.name + "<=";
    for (const Term& term : terms)
        guideline.id += fmt::format("{}{}", &term == &terms.front() ? "" : "+", term.form.name());
    guideline.source = "derived from the graph of layouts";
    guideline.advice =
        fmt::format("Use {} in place of {}, which the library could do itself.", right, left.name);
    guideline.file = "derived";
    guideline.inequality = resolve(parse_statement(guideline.statement));
    return guideline;
}

}  // namespace

std::vector<Guideline> derive_guidelines(int length) {
    std::vector<Guideline> guidelines;
    std::set<std::string_view> names;
    std::set<std::string> ids;
    for (const Arrow& left : catalogue()) {
        // A library can be held only to the natural use of an operation.
        if (left.kind != Kind::native || !names.insert(left.name).second) continue;
        for (const std::vector<Term>& terms : Enumeration(left, length).run()) {
            Guideline guideline = make_guideline(left, terms);
            if (ids.insert(guideline.id).second) guidelines.push_back(std::move(guideline));
        }
    }
    return guidelines;
}

}  // namespace mpiaudit
