// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "audit/commands.h"
#include "audit/inputs.h"
#include "collectives/catalogue.h"

namespace mpiaudit {
namespace {

void list_guidelines() {
    for (const std::string& name : shipped_names("guidelines")) {
        const auto guidelines = parse_guidelines(read_file(shipped_file("guidelines", name)), name);
        fmt::print("{}  ({})\n", name, guidelines.front().source);
        for (const Guideline& each : guidelines)
            fmt::print("  {:<20} {}\n", each.id, each.statement);
    }
}

void list_collectives() {
    std::string_view previous;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.collective != previous) fmt::print("{}\n", arrow.collective);
        previous = arrow.collective;
        fmt::print("  {:<20} {} -> {}: {}", arrow.name,
                   name(arrow.source(arrow.kind != Kind::agreement ? false : true)),
                   name(arrow.target(arrow.kind == Kind::agreement)), arrow.summary);
        if (arrow.condition.text != "always") fmt::print(" ({})", arrow.condition.text);
        fmt::print("\n");
    }
}

void list_distributions() {
    for (const std::string& name : shipped_names("distributions")) {
        const Distribution each =
            parse_distribution(read_file(shipped_file("distributions", name)), name + ".json");
        fmt::print("{:<12} {}\n{:<12} m_i = {}\n", each.name, each.summary, "", each.formula);
        for (const auto& [parameter, value] : each.parameters)
            fmt::print("{:<12} {} = {}\n", "", parameter, value);
    }
}

}  // namespace

int list(const ListOptions& options) {
    if (options.what == "guidelines")
        list_guidelines();
    else if (options.what == "collectives")
        list_collectives();
    else
        list_distributions();
    return exit_done;
}

}  // namespace mpiaudit
