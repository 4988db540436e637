// SPDX-License-Identifier: BSD-3-Clause
// `mpiaudit verify --check-calls` and `--call`; declared in call_search.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>

#include "files/files.h"
#include "measure/protocol.h"
#include "messages/interruption.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "record/json_form.h"
#include "record/samples_file.h"
#include "search/call_search.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/json_text.h"

namespace mpiaudit {
namespace {

using calls::ChosenCall;

std::string text_of(const record::GeneratedCalls& state) {
    return line_text(record::line_of(state));
}

record::GeneratedCalls read_state(const std::string& text) {
    return record::generated_calls_of(parsed_json(text));
}

/// The folder of a search, on rank 0; other ranks have none.
class SearchFolder {
  public:
    SearchFolder(const std::string& folder, bool resumes, std::uint64_t seed)
        : file_{folder + "/calls.json"} {
        std::filesystem::create_directories(folder);
        lock_.emplace(folder);
        check_replaceable(file_);
        state_.seed = seed;
        if (resumes)
            resume(folder);
        else if (std::filesystem::exists(file_))
            throw UsageError(
                "--output: there are generated calls in {}; give --resume to go on, or another "
                "folder",
                folder);
        remove_incidents(folder);
        save(state_);
    }

    const record::GeneratedCalls& state() const { return state_; }
    void save(const record::GeneratedCalls& state) { replace_file(file_, text_of(state)); }

  private:
    void resume(const std::string& folder) {
        if (!std::filesystem::exists(file_))
            throw UsageError("--resume: there are no generated calls in {}", folder);
        state_ = in_file(file_, [&] { return read_state(read_file(file_)); });
        const auto incidents = noted_incidents(folder);
        if (!incidents.empty())
            in_file(folder, [&] { return take_incident(state_, incidents.front()), 0; });
    }

    std::string file_;
    std::optional<FolderLock> lock_;
    record::GeneratedCalls state_;
};

/// Throws UsageError if options are given that generated calls do not have, or do not fit together.
void check_options(const RunOptions& options) {
    constexpr std::array known{"check-calls", "calls",  "call",   "collectives", "known",
                               "hang-after",  "output", "resume", "order-seed"};
    for (const std::string& each : options.given)
        if (std::ranges::find(known, each) == known.end())
            throw UsageError(
                "--{} does not apply to the generated calls of --check-calls and --call", each);
    for (const char* each : {"check-calls", "calls"})
        if (options.is_given(each) && options.is_given("call"))
            throw UsageError("--call checks one call: leave out --{}", each);
    if (options.is_given("known") && options.is_given("call"))
        throw UsageError("--call makes the call also if it is known to fail: leave out --known");
    if (options.resume && options.output.empty())
        throw UsageError("--resume: name the folder of the earlier launch with --output");
}

/// Checks the call of --call.
void examine_call(const RunOptions& options, CallSearch& search) {
    const ChosenCall call = or_usage_error([&] { return calls::parse_call(options.call); });
    if (const char* reason = calls::obstacle(call, search.setting()))
        throw UsageError("--call: {}", reason);
    const Watchdog watchdog(options.hang_limit_s().value_or(hang_of_generated_call_s), exit_hang,
                            audited_ranks());
    search.examine(call, search.state().seed);
}

/// Whether a finding is a fault that an audit counts, too; --call and --known test ask for all.
bool counts(const record::CallFinding& finding, const RunOptions& options) {
    return !finding.is_known || !options.call.empty() || options.known == KnownCalls::test;
}

void show(const record::GeneratedCalls& found, const RunOptions& options, int ranks) {
    for (const record::CallFinding& each : found.findings)
        say("{} {}, {} ranks: {}{}\n    mpiaudit verify --call \"{}\"\n",
            counts(each, options) ? "WRONG" : "KNOWN", each.call_in_words(), ranks, each.what.text,
            each.is_known ? " (known in this version)" : "", each.call);
    const auto wrong = std::ranges::count_if(
        found.findings, [&](const auto& each) { return counts(each, options); });
    const std::size_t known = found.findings.size() - static_cast<std::size_t>(wrong);
    if (options.call.empty())
        say("{} ranks, seed {}: {} calls in {:.1f} s have {} of {} pairs of properties; {} "
            "wrong{}\n",
            ranks, found.seed, found.calls, found.seconds, found.covered_pairs, found.valid_pairs,
            wrong, known > 0 ? fmt::format(", {} known in this version", known) : "");
    else if (found.findings.empty())
        say("no fault on {} ranks\n", ranks);
}

}  // namespace

int verify_calls(const RunOptions& options, const Environment& environment) {
    check_options(options);
    SearchConditions conditions{.operations = operations_of(options.collectives),
                                .hang_limit_s = options.hang_limit_s(),
                                .known_faults = known_faults_of_library(),
                                .skips_known = options.known == KnownCalls::skip,
                                .limit_of_audit_s = std::nullopt};
    std::optional<SearchFolder> folder;
    const record::GeneratedCalls state = read_state(text_of_rank_0([&] {
        const std::uint64_t seed = options.order_seed.value_or(std::random_device{}());
        if (!options.output.empty()) folder.emplace(options.output, options.resume, seed);
        return text_of(folder ? folder->state() : record::GeneratedCalls{.seed = seed});
    }));
    note_incidents_in(
        options.output,
        "The findings are kept. Give the same command with --resume: it goes on without "
        "the call that hangs or crashes.");
    const ReturnedErrors returned_errors;
    CallSearch::Save save;
    if (folder) save = [&](const record::GeneratedCalls& found) { folder->save(found); };
    CallSearch search(std::move(conditions), state, std::move(save));
    int signal = 0;
    try {
        if (options.call.empty())
            search.run(options.is_given("check-calls") ? options.calls_time->count
                                                       : std::numeric_limits<double>::infinity(),
                       options.calls);
        else
            examine_call(options, search);
    } catch (const Interrupted& by) {
        signal = by.signal;
    }
    if (environment.rank() == 0) show(search.state(), options, environment.ranks());
    const bool is_wrong = std::ranges::any_of(
        search.state().findings, [&](const auto& each) { return counts(each, options); });
    if (is_wrong) return exit_wrong_result;
    return signal != 0 ? exit_interrupted : exit_done;
}

}  // namespace mpiaudit
