// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/guideline_file.h"

#include <fmt/format.h>

#include <set>

#include "catalogue/catalogue.h"

namespace mpiaudit {
namespace {

/// All sequences of terms that lead from one layout to another, depth first.
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

    void try_arrow(const Arrow& arrow, Layout at) {
        const bool pads = arrow.kind == Kind::agreement;
        const Layout variant{{}, at.padded || pads};
        // Padding is dropped where the result is read, not on the way: that would be a copy.
        if (arrow.drops_padding() && (!at.padded || arrow.target(variant) != Layout{left_.to}))
            return;
        if (arrow.source(variant) != at || (pads && at.padded)) return;
        if (arrow.is_silent()) {
            visit(arrow.target(variant));
            return;
        }
        // Padding is for operations on equal blocks; and the left side itself is no alternative.
        const bool needs_padding = (arrow.needs & equal_blocks) != 0;
        if (&arrow == &left_ || arrow.name == left_.name || (at.padded && !needs_padding) ||
            static_cast<int>(terms_.size()) == length_)
            return;
        const Argument argument = arrow.argument() == Argument::one ? Argument::one
                                  : at.padded                       ? Argument::padded
                                                                    : Argument::whole;
        terms_.push_back({std::string(arrow.name), argument});
        visit(arrow.target(variant));
        terms_.pop_back();
    }

    const Arrow& left_;
    int length_;
    std::vector<const Arrow*> arrows_;  ///< that a path may take
    std::set<Layout> visited_;
    std::vector<Term> terms_;
    std::vector<std::vector<Term>> found_;
};

Guideline make_guideline(const Arrow& left, const std::vector<Term>& terms) {
    Term left_term{std::string(left.name)};
    left_term.is_bare = is_barrier(left.to);
    const std::string right = to_string(Side{terms, {}});
    Guideline guideline;
    guideline.statement = fmt::format("{} <= {}", to_string(Side{{left_term}, {}}), right);
    guideline.id = std::string(left.name) + "<=";
    for (const Term& term : terms)
        guideline.id += fmt::format("{}{}", &term == &terms.front() ? "" : "+", term.name);
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
        // Only the natural use of an operation is one that its library can be held to.
        if (left.kind != Kind::native || !names.insert(left.name).second) continue;
        for (const std::vector<Term>& terms : Enumeration(left, length).run()) {
            Guideline guideline = make_guideline(left, terms);
            if (ids.insert(guideline.id).second) guidelines.push_back(std::move(guideline));
        }
    }
    return guidelines;
}

}  // namespace mpiaudit
