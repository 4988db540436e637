// SPDX-License-Identifier: BSD-3-Clause
#include "plan/stand_ins.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "catalogue/catalogue.h"
#include "text/json_text.h"
#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

/// The arrow of this kind with the name; a list of the valid ones where there is none.
const Arrow& named_arrow(const LocatedJson& name, Kind kind, const char* what,
                         std::string_view collective, const std::string& origin) {
    std::vector<std::string> valid;
    for (const Arrow& each : catalogue()) {
        if (each.kind != kind || each.called_as != nullptr) continue;
        if (!collective.empty() && each.collective != collective) continue;
        if (each.name == name.text()) return each;
        valid.push_back(each.name);
    }
    throw std::invalid_argument(origin + ": " + unknown_name(what, name.text(), valid));
}

StandIn::Choice read_choice(const LocatedJson& entry, const Arrow& operation,
                            const std::string& origin) {
    check_keys(entry, {"algorithm", "to_bytes", "message_us", "reason"}, origin);
    const Arrow& algorithm = named_arrow(entry.at("algorithm"), Kind::reference, "algorithm",
                                         operation.collective, origin);
    StandIn::Choice choice{.algorithm = &algorithm, .reason = entry.at("reason").text()};
    if (algorithm.from != operation.from || algorithm.to != operation.to)
        throw std::invalid_argument(
            fmt::format("{}: {} moves other data than {}", origin, algorithm.name, operation.name));
    if (const auto bytes = entry.find("to_bytes")) choice.to_bytes = bytes->integer(1);
    if (const auto cost = entry.find("message_us")) {
        if (operation.from != Holding::scattered || operation.to != Holding::rooted)
            cost->refuse("is for operations that gather at a root");
        choice.message_us = std::make_shared<Formula>(
            origin, cost->text(), std::map<std::string, double>{{message_bytes, 0.0}});
    }
    return choice;
}

StandIn read_stand_in(const LocatedJson& entry, const std::string& library,
                      const std::string& origin) {
    check_keys(entry, {"operation", "choices"}, origin);
    const Arrow& operation =
        named_arrow(entry.at("operation"), Kind::native, "operation", {}, origin);
    StandIn stand_in{.library = library, .operation = operation.name, .choices = {}};
    stand_in.choices = entry.at("choices").list(
        [&](const LocatedJson& choice) { return read_choice(choice, operation, origin); });
    const auto& all = stand_in.choices;
    const bool ends_open = !all.empty() && !all.back().to_bytes;
    const bool ascends =
        std::ranges::adjacent_find(all, [](const auto& one, const auto& next) {
            return !one.to_bytes || (next.to_bytes && *next.to_bytes <= *one.to_bytes);
        }) == all.end();
    if (!ends_open || !ascends)
        entry.at("choices").refuse("must ascend by to_bytes and end with one that has none");
    return stand_in;
}

}  // namespace

std::vector<StandIn> parse_stand_ins(const std::string& text, const std::string& origin) {
    const JsonDocument document(text, origin);
    const LocatedJson file = document.root();
    const std::string library = std::filesystem::path(origin).stem();
    check_keys(file, {"title", "source", "base", "parameters", "fitted", "stand_ins"}, origin);
    return file.at("stand_ins").list([&](const LocatedJson& entry) {
        return read_stand_in(entry, library, origin);
    });
}

Guideline with_stand_ins(Guideline guideline, const std::vector<StandIn>& stand_ins) {
    Statement statement = parse_statement(guideline.statement);
    // From the end, so that columns in front stay what they are.
    for (const Side* side : {&statement.right, &statement.left}) {
        for (auto term = side->terms.rbegin(); term != side->terms.rend(); ++term) {
            const auto found = std::ranges::find(stand_ins, term->name, &StandIn::operation);
            // MPI_Allreduce(1) is an agreement, not the operation on the problem's data.
            if (found == stand_ins.end() || term->argument == Argument::one) continue;
            guideline.statement.replace(term->column, term->name.size(), found->name());
        }
    }
    guideline.inequality = resolve(parse_statement(guideline.statement));
    return guideline;
}

}  // namespace mpiaudit
