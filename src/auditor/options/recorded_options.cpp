// SPDX-License-Identifier: BSD-3-Clause
#include "options/recorded_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "options/option_table.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using RunRow = OptionRow<RunOptions>;

void take(RunOptions& run, const RunRow& row, const OptionValue& value) {
    if (const std::string error = row.take(run, value); !error.empty())
        throw UsageError("--confirm: the audit recorded an invalid --{}: {}", row.name, error);
    run.given.insert(row.name);
}

/// Returns the recorded options that this version has, as far as their values are valid.
RunOptions as_far_as_known(const OptionValues& recorded) {
    RunOptions run;
    for (const auto& [name, value] : recorded) {
        if (const RunRow* const row = find_run_row(name)) row->take(run, value);
    }
    return run;
}

OptionValues values_of(const RunOptions& run, auto is_wanted) {
    OptionValues values;
    for (const RunRow& row : run_rows()) {
        if (is_wanted(row)) set_option(values, row.name, row.member.record(run));
    }
    return values;
}

bool is_of_the_launch(const RunRow& row) {
    return row.belongs_to == BelongsTo::audit || row.belongs_to == BelongsTo::launch;
}

bool is_recorded(const RunRow& row) {
    return row.belongs_to != BelongsTo::terminal && row.belongs_to != BelongsTo::drawn;
}

/// Adds an option as words of a command line; adds nothing for a flag that is not set.
void add_words(std::string_view name, const OptionValue& value, std::vector<std::string>& words) {
    if (text_of(value).empty() || value == OptionValue(false)) return;
    words.push_back(fmt::format("--{}", name));
    if (!is_one_of<bool>(value)) words.push_back(text_of(value));
}

/// Returns "--root 3", or "no --root" for an option without a value.
std::string option_in_words(const RunRow& row, const OptionValue& value) {
    const std::string text = text_of(value);
    return text.empty() ? fmt::format("no --{}", row.name) : fmt::format("--{} {}", row.name, text);
}

}  // namespace

OptionValues audit_options(const RunOptions& run) {
    return values_of(run, is_of_the_launch);
}

OptionValues all_options(const RunOptions& run) {
    return values_of(run, is_recorded);
}

bool may_differ_between_launches(const std::string& name) {
    const RunRow* const row = find_run_row(name);
    return row != nullptr && row->belongs_to != BelongsTo::audit;
}

void take_audit_options(RunOptions& run, const OptionValues& recorded,
                        const OptionValues& defaults) {
    for (const auto& [name, value] : recorded) {
        const RunRow* const row = find_run_row(name);
        if (row == nullptr && value == option_in(defaults, name)) continue;
        if (row == nullptr)
            throw UsageError(
                "--confirm: the audit has an option --{} that this version of mpiaudit does not "
                "have; confirm it with the version that made it",
                name);
        if (row->belongs_to == BelongsTo::audit) take(run, *row, value);
    }
}

void require_same_before_mpi(const RunOptions& run, const OptionValues& recorded) {
    for (const RunRow& row : run_rows()) {
        const OptionValue& expected = option_in(recorded, row.name);
        if (!row.acts_before_mpi || is_one_of<std::monostate>(expected)) continue;
        const OptionValue here = row.member.record(run);
        if (here == expected) continue;
        const bool had = !text_of(expected).empty();
        throw UsageError(
            "--confirm: the audit in {} had {}, here is {}; it acts when the MPI library starts, "
            "before anything is known of the audit: {}",
            run.confirm, option_in_words(row, expected), option_in_words(row, here),
            had ? "give " + option_in_words(row, expected) + " here, too" : "leave it out");
    }
}

std::vector<std::string> audit_arguments(const OptionValues& recorded,
                                         const OptionValues& defaults) {
    std::vector<std::string> words;
    const bool is_of_application = !text_of(option_in(recorded, "problems")).empty();
    for (const RunRow& row : run_rows()) {
        const std::string_view name = row.name;
        if (row.belongs_to != BelongsTo::audit ||
            (is_of_application && is_among(taken_from_recording, name)))
            continue;
        const OptionValue& value = option_in(recorded, name);
        // --algorithms would otherwise replace the default guidelines.
        if (value != option_in(defaults, name) || name == "guidelines")
            add_words(name, value, words);
    }
    return words;
}

std::vector<std::string> reproduced_arguments(const OptionValues& recorded,
                                              const OptionValues& defaults) {
    std::vector<std::string> words;
    const RunOptions known = as_far_as_known(recorded);
    for (const RunRow& row : run_rows()) {
        if (!row.is_reproduced) continue;
        OptionValue unless_given = option_in(defaults, row.name);
        RunOptions run = known;
        if (settle_default(run, row.name)) unless_given = row.member.record(run);
        const OptionValue& value = option_in(recorded, row.name);
        if (value != unless_given) add_words(row.name, value, words);
    }
    return words;
}

std::vector<std::string> protocol_names() {
    std::vector<std::string> names = {"none"};
    std::ranges::transform(paper_protocols(), std::back_inserter(names), &NamedProtocol::name);
    return names;
}

void settle_protocol(RunOptions& run) {
    const auto protocols = paper_protocols();
    const auto* const protocol = find_in(protocols, run.protocol, &NamedProtocol::name);
    if (protocol == nullptr) return;
    OptionValues options = protocol->options();
    const bool has_own_guidelines = run.is_given("guidelines");
    const bool needs_rounds =
        (run.is_given("judge") && run.criterion == judge::Criterion::evidence) ||
        run.is_given("sync") || run.is_given("arrivals");
    std::erase_if(options, [&](const NamedOption& each) {
        const bool is_of_rounds = each.name == "in-a-row" && needs_rounds;
        return run.is_given(each.name) || is_of_rounds ||
               (each.name == "only" && has_own_guidelines);
    });
    take_audit_options(run, options);
    for (const NamedOption& each : options) run.given.insert(each.name);
}

}  // namespace mpiaudit
