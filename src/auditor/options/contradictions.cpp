// SPDX-License-Identifier: BSD-3-Clause
#include "options/contradictions.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "options/option_table.h"
#include "problem/arrivals.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

/// Throws CLI::ValidationError if other options of `run` contradict --memory-kind. Caches and
/// generated calls are of the host.
void check_memory_kind(const RunOptions& run, bool has_buffers, bool checks_calls) {
    if (run.memory_kind->are_host()) return;
    const std::string kind = "--memory-kind " + run.memory_kind.text();
    if (platform().time_stands_still)
        throw CLI::ValidationError("--memory-kind", "a simulation has no devices; leave it out");
    const bool is_of_caches =
        run.buffers == BufferChoice::used || run.buffers == BufferChoice::cold;
    if (has_buffers && is_of_caches)
        throw CLI::ValidationError("--buffers", "'" + std::string(buffer_names[run.buffers]) +
                                                    "' is about the caches of the host; with " +
                                                    kind + " give same or rotate");
    if (checks_calls && run.calls_time->count > 0)
        throw CLI::ValidationError("--check-calls",
                                   "generated calls have buffers on the host; leave out "
                                   "--check-calls or " +
                                       kind);
}

}  // namespace

void check_constraints(const CLI::App& app, const RunOptions& run) {
    const auto is_given = [&app](const char* name) {
        const CLI::Option* option = app.get_option_no_throw(std::string("--") + name);
        return option != nullptr && option->count() > 0;
    };
    for (const OptionRow<RunOptions>& row : run_rows()) {
        const bool is_taken = row.belongs_to == BelongsTo::audit && !row.acts_before_mpi;
        if (is_given("confirm") && is_taken && is_given(row.name))
            throw CLI::ValidationError(std::string("--") + row.name,
                                       "--confirm takes this from the audit; leave it out");
    }
    for (const char* other : taken_from_recording) {
        if (is_given("problems") && is_given(other))
            throw CLI::ValidationError(std::string("--") + other,
                                       "--problems takes this from the recording; leave it out");
    }
    if (is_given("launches") && !is_given("confirm"))
        throw CLI::ValidationError("--launches",
                                   "it says how many launches --confirm is about; give both");
    if (is_given("row") && !is_given("confirm"))
        throw CLI::ValidationError("--row", "it names a row of the audit in --confirm; give both");
    if (is_given("row") && is_given("launches"))
        throw CLI::ValidationError("--row", "contradicts --launches; give one of the two");
    if (is_given("ranks") && is_given("nodes"))
        throw CLI::ValidationError("--nodes", "contradicts --ranks; give one of the two");
    if (std::ranges::count(run.tables, true) > 1)
        throw CLI::ValidationError("--table", "give one of --table, --csv and --json-lines");
    for (const char* other : {"guidelines", "only"}) {
        if (run.has_table() && is_given(other))
            throw CLI::ValidationError(std::string("--") + other,
                                       "--table, --csv and --json-lines time operations and "
                                       "compare nothing; name the operations by --collectives");
    }
    check_memory_kind(run, is_given("buffers"), is_given("check-calls"));
    if (is_given("overwrite") && is_given("resume"))
        throw CLI::ValidationError("--overwrite", "contradicts --resume; give one of the two");
    // Defaults are settled later: with --arrivals the default of --sync is the global clock.
    const bool is_in_window = run.sync->in_window || !run.arrivals->are_together;
    // The protocol of a paper may set --judge.
    const bool judges_by_evidence =
        run.criterion == judge::Criterion::evidence && (is_given("judge") || !is_given("protocol"));
    if (run.in_a_row && (is_in_window || judges_by_evidence))
        throw CLI::ValidationError("--in-a-row",
                                   "goes with --sync barrier or dissemination, and with --judge "
                                   "averages, minima, intervals or pgmpi: evidence needs rounds "
                                   "in random order");
    if (!run.arrivals->are_together && is_given("sync") && run.sync.text() != "global")
        throw CLI::ValidationError("--arrivals",
                                   "ranks can only come at different times by an agreed clock; "
                                   "leave out --sync, or give --sync global");
    if (is_in_window && platform().time_stands_still)
        throw CLI::ValidationError("--sync",
                                   "'" + run.sync.text() +
                                       "' waits for a clock, and simulated time stands still "
                                       "while a rank waits; use --sync simultaneous");
}

}  // namespace mpiaudit
