// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of rules.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "rules/rules.h"
#include "settings/profile.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit::rules {
namespace {

using Type = LocatedJson::Type;

constexpr std::string_view format = "mpiaudit-rules";
constexpr int version = 1;
constexpr std::int64_t most_ranks = std::numeric_limits<int>::max();

/// Returns a text and refuses an empty one.
std::string text_of(const LocatedJson& value) {
    std::string text = value.text();
    if (text.empty()) value.refuse("must not be empty");
    return text;
}

/// Returns the blocking collective of this name, and refuses other names.
const MpiOperation& collective_of(const LocatedJson& value) {
    const std::string name = text_of(value);
    if (const MpiOperation* found = find_collective(name)) return *found;
    value.refuse(
        "is no blocking collective: " +
        unknown_name("collective", name, names_of(all_collectives(), &MpiOperation::name)));
}

Range range_of(const LocatedJson& object, const std::string& origin) {
    check_keys(object, {"from", "to"}, origin);
    Range range;
    range.from = object.at("from").integer(0);
    range.to = object.at("to").integer(range.from);
    return range;
}

/// Reads the sizes of a rule, and refuses sizes that not all ranks of a call know: ranks that
/// decide differently would wait for each other for ever.
void read_size(const LocatedJson& object, const MpiOperation& collective, Rule& rule,
               const std::string& origin) {
    if (const auto bytes = object.find("bytes")) {
        if (collective.known_size() == KnownSize::nothing)
            bytes->refuse(
                fmt::format("must be left out: the ranks of an {} do not know alike how "
                            "much the others have",
                            collective.name));
        rule.bytes = range_of(*bytes, origin);
    }
    const auto blocks = object.find("blocks");
    if (!blocks) return;
    if (collective.known_size() != KnownSize::blocks)
        blocks->refuse(
            "must be left out: only the ranks of MPI_Allgatherv and MPI_Reduce_scatter "
            "know all blocks");
    rule.blocks = blocks->list([](const LocatedJson& block) { return block.integer(0); });
    if (rule.blocks.size() != static_cast<std::size_t>(rule.ranks()))
        blocks->refuse(fmt::format("has {} blocks for {} ranks", rule.blocks.size(), rule.ranks()));
}

/// Reads the ranks, their distribution over hosts and the root. Refuses a `per_host` that does not
/// add up to `ranks`, and a root if the collective has none.
void read_ranks_and_root(const LocatedJson& object, const MpiOperation& collective, Rule& rule) {
    std::int64_t sum = 0;
    rule.per_host = object.at("per_host").list([&](const LocatedJson& ranks) {
        const std::int64_t number = ranks.integer(1, most_ranks);
        sum += number;
        return static_cast<int>(number);
    });
    const std::int64_t ranks = object.at("ranks").integer(2, most_ranks);
    if (sum != ranks)
        object.at("per_host")
            .refuse(fmt::format("must add up to the {} ranks, not {}", ranks, sum));
    const auto root = object.find("root");
    if (!root || root->is(Type::null)) return;
    if (!collective.has_root())
        root->refuse(fmt::format("must be left out: {} has none", collective.name));
    rule.root = static_cast<int>(root->integer(0, ranks - 1));
}

/// Reads one rule. Refuses unknown members, and `reassociates` for a collective without operands.
Rule rule_of(const LocatedJson& object, const std::string& origin) {
    check_keys(object,
               {"collective", "path", "ranks", "per_host", "root", "bytes", "blocks",
                "reassociates", "factor", "saves_seconds_per_call", "evidence"},
               origin);
    Rule rule;
    const MpiOperation& collective = collective_of(object.at("collective"));
    rule.collective = collective.name;
    rule.path = text_of(object.at("path"));
    read_ranks_and_root(object, collective, rule);
    read_size(object, collective, rule, origin);
    if (const auto reassociates = object.find("reassociates")) {
        rule.reassociates = reassociates->boolean();
        if (rule.reassociates && !collective.is_reduction())
            reassociates->refuse(
                fmt::format("must be left out: {} adds nothing up", collective.name));
    }
    if (const auto factor = object.find("factor")) rule.factor = factor->number(0);
    if (const auto saves = object.find("saves_seconds_per_call"))
        rule.saves_seconds_per_call = saves->number(0);
    if (const auto evidence = object.find("evidence")) rule.evidence = evidence->text();
    return rule;
}

using Json = nlohmann::ordered_json;

Json json_of(const Rule& rule) {
    Json json{
        {"collective", rule.collective}, {"ranks", rule.ranks()}, {"per_host", rule.per_host}};
    if (rule.root) json["root"] = *rule.root;
    if (rule.bytes) json["bytes"] = {{"from", rule.bytes->from}, {"to", rule.bytes->to}};
    if (!rule.blocks.empty()) json["blocks"] = rule.blocks;
    json["path"] = rule.path;
    if (rule.reassociates) json["reassociates"] = true;
    json["factor"] = rule.factor;
    json["saves_seconds_per_call"] = rule.saves_seconds_per_call;
    if (!rule.evidence.empty()) json["evidence"] = rule.evidence;
    return json;
}

}  // namespace

std::span<const MpiOperation> all_collectives() {
    static constexpr auto is_of_all_ranks = [](const MpiOperation& each) {
        return !each.is_among_neighbours();
    };
    static constexpr auto sorted = [] {
        std::array<MpiOperation, std::ranges::count_if(mpi_operations, is_of_all_ranks)> made{};
        std::ranges::copy_if(mpi_operations, made.begin(), is_of_all_ranks);
        std::ranges::sort(made, {}, &MpiOperation::name);
        return made;
    }();
    return sorted;
}

const MpiOperation* find_collective(std::string_view name) {
    const auto found = std::ranges::find(all_collectives(), name, &MpiOperation::name);
    return found == all_collectives().end() ? nullptr : &*found;
}

int Rule::ranks() const {
    int sum = ranks_anywhere;
    for (const int ranks : per_host) sum += ranks;
    return sum;
}

bool Rule::is_for(std::span<const int> ranks_per_host) const {
    if (ranks_anywhere == 0) return std::ranges::equal(per_host, ranks_per_host);
    int sum = 0;
    for (const int ranks : ranks_per_host) sum += ranks;
    return sum == ranks_anywhere;
}

namespace {

Rules rules_of_profile(const std::string& text, const std::string& origin) {
    const settings::Profile profile = settings::parse_profile(text, origin);
    Rules rules{.library = any_library, .report = {}, .rules = {}};
    const MpiOperation* const collective = find_collective(profile.operation);
    for (const settings::ProfileRange& range : profile.ranges) {
        Rule rule;
        rule.collective = profile.operation;
        rule.path = range.path;
        rule.ranks_anywhere = profile.ranks;
        const std::int64_t blocks =
            collective->known_size() == KnownSize::blocks ? profile.ranks : 1;
        rule.bytes = Range{range.from_bytes * blocks, range.to_bytes * blocks};
        if (collective->known_size() == KnownSize::nothing)
            throw std::invalid_argument(fmt::format(
                "{}: the ranks of an {} do not know its sizes alike", origin, profile.operation));
        rules.rules.push_back(std::move(rule));
    }
    return rules;
}

}  // namespace

Rules parse_rules(const std::string& text, const std::string& origin) {
    if (settings::is_profile(text)) return rules_of_profile(text, origin);
    if (!text.empty() && text.find_first_of("{[") == std::string::npos)
        throw std::invalid_argument(
            settings::neither_json_nor_profile(text, origin, "a file of rules in JSON"));
    const JsonDocument document(text, origin);
    try {
        const LocatedJson file = document.root();
        if (!file.is(Type::object) || !file.contains("format") || !file.at("format").is(format))
            throw make_invalid_argument(
                "this is no file of rules: it must be an object with \"format\": \"{}\"", format);
        if (file.at("version").integer(1) != version)
            file.at("version").refuse(
                fmt::format("must be {}, which is what this mpiaudit reads", version));
        check_keys(file, {"format", "version", "library", "report", "rules"}, origin);
        Rules rules;
        rules.library = text_of(file.at("library"));
        if (const auto report = file.find("report")) rules.report = report->text();
        rules.rules = file.at("rules").list(
            [&](const LocatedJson& object) { return rule_of(object, origin); });
        return rules;
    } catch (const std::invalid_argument& error) {
        const std::string_view what = error.what();
        if (what.starts_with(origin)) throw;
        throw make_invalid_argument("{}: {}", origin, what);
    }
}

std::string rules_file(const Rules& rules) {
    std::string lines;
    for (const Rule& rule : rules.rules)
        lines += (lines.empty() ? "\n  " : ",\n  ") + json_text(json_of(rule));
    return fmt::format(
        "{{\n \"format\": {},\n \"version\": {},\n \"library\": {},\n \"report\": "
        "{},\n \"rules\": [{}]\n}}\n",
        json_quoted(format), version, json_text(Json(rules.library)), json_text(Json(rules.report)),
        lines.empty() ? lines : lines + "\n ");
}

}  // namespace mpiaudit::rules
