// SPDX-License-Identifier: BSD-3-Clause
// `mpiaudit list`, declared in audit/commands.h.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "answer/answer.h"
#include "audit/commands.h"
#include "catalogue/catalogue.h"
#include "files/files.h"
#include "files/shipped_files.h"
#include "guidelines/guideline.h"
#include "options/option_table.h"
#include "plan/inputs.h"
#include "problem/distribution.h"
#include "screens/console.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

std::string range_in_words(const Guideline& guideline) {
    std::string range;
    if (guideline.from_bytes > 0) range += fmt::format(", from {} bytes", guideline.from_bytes);
    if (guideline.to_bytes < std::numeric_limits<Count>::max())
        range += fmt::format(", up to {} bytes", guideline.to_bytes);
    return range.empty() ? "" : range + " in all";
}

void list_guidelines() {
    for (const std::string& name : shipped_names("guidelines")) {
        const auto guidelines = parse_guidelines(read_file(shipped_file("guidelines", name)), name);
        if (guidelines.empty()) continue;
        say_entry(name + "  ", fmt::format("({})", guidelines.front().source));
        for (const Guideline& each : guidelines)
            say_entry(fmt::format("  {:<24} ", each.id), each.statement + range_in_words(each));
    }
    say("derived  (all that follow from the graph of layouts)\n");
}

void list_arrow(const Arrow& arrow) {
    // Agreements and packing are listed with the padded or packed side that they change.
    const Layout variant{{},
                         arrow.kind == Kind::agreement,
                         arrow.kind == Kind::packing || arrow.kind == Kind::unpacking};
    const std::string needs = needs_in_words(arrow.needs);
    say("  {}\n", arrow.name);
    say_entry("    ", fmt::format("{} -> {}: {}{}", name(arrow.source(variant)),
                                  name(arrow.target(variant)), arrow.summary,
                                  needs.empty() ? "" : " (" + needs + ")"));
}

void list_collectives() {
    std::set<std::string_view> listed;
    for (const Arrow& first : catalogue()) {
        if (first.is_silent() || !listed.insert(first.collective).second) continue;
        say("{}\n", first.collective);
        for (const Arrow& arrow : catalogue()) {
            if (!arrow.is_silent() && arrow.collective == first.collective) list_arrow(arrow);
        }
    }
}

void list_distributions() {
    for (const std::string& name : shipped_names("distributions")) {
        const Distribution each =
            parse_distribution(read_file(shipped_file("distributions", name)), name + ".json");
        say_entry(fmt::format("{:<12} ", each.name), each.summary);
        say_entry(fmt::format("{:<12} m_i = ", ""), each.formula);
        for (const auto& [parameter, value] : each.parameters)
            say("{:<12} {} = {}\n", "", parameter, value);
    }
}

}  // namespace

void say_entry(const std::string& name, const std::string& text) {
    if (!is_terminal(STDOUT_FILENO)) {
        say("{}{}\n", name, text);
        return;
    }
    const std::string indent(std::min<std::size_t>(name.size(), 27), ' ');
    // wrapped() breaks lines between words, so a word as long as the name stands for the name.
    std::string lines =
        wrapped(std::string(name.size(), '-') + text, standard_output(When::never).columns, indent);
    say("{}", lines.replace(0, name.size(), name));
}

void OtherProducts::require_checker(std::string_view asked) const {
    if (!has_checker())
        throw UsageError("{}: this mpiaudit generates no calls; build it with MPIAUDIT_CHECKER",
                         asked);
}

int list(const ListOptions& options, const OtherProducts& other_products) {
    auto lists = other_products.lists;
    lists.insert(lists.end(), {{"guidelines", list_guidelines},
                               {"collectives", list_collectives},
                               {"options", [] { say("{}", options_for_scripts()); }},
                               {"distributions", list_distributions}});
    for (const auto& [what, list_them] : lists) {
        if (what != options.what) continue;
        list_them();
        return exit_done;
    }
    if (options.what == "properties") other_products.require_checker("list properties");
    throw UsageError("list {}: {}", options.what, without_papers);
}

}  // namespace mpiaudit
