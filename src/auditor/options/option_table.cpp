// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "machine/heap.h"
#include "machine/machine.h"
#include "options/option_checks.h"
#include "options/paper_protocols.h"
#include "options/shared_options.h"
#include "problem/arrivals.h"
#include "problem/workspace.h"
#include "simulation/platform.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

namespace mpiaudit {
namespace {

using Run = RunOptions;
using enum BelongsTo;
using namespace shared;

constexpr const char* of_guidelines = "Guidelines";
constexpr const char* of_algorithms = "Algorithms of the MPI library";
constexpr const char* of_problems = "Problems";
constexpr const char* of_application = "Problems of an application";
constexpr const char* of_timing = "Timing";
constexpr const char* of_the_launch = "Launch";
constexpr const char* of_output = "Output";

/// Wall time of an audit of the library; two ranks measure every collective in it.
constexpr const char* budget_of_library = "60s";
// So that calls of a microsecond that differ by a tenth are told apart.
constexpr const char* default_time_per_problem = "0.1s";
constexpr const char* block_sizes_of_verify = "1,10,1000";

/// Who asks for the library's algorithms and for no guidelines wants to compare the algorithms.
void settle_guidelines(Run& run) {
    if (!run.algorithms.empty() && run.problems.empty()) run.guidelines.clear();
}

/// The problems of an application are audited against all that is known.
void settle_algorithms(Run& run) {
    run.algorithms.clear();
    if (!run.problems.empty() && !platform().is_deterministic) run.algorithms = {"all"};
}

/// An audit of the library chooses its sizes itself.
bool chooses_sizes(const Run& run) {
    const bool is_of_library = run.guidelines == std::vector<std::string>{library_guidelines};
    // verify has sizes of its own.
    const bool is_free = !run.is_given("block-sizes") && run.block_sizes != block_sizes_of_verify;
    return is_of_library && is_free && !platform().is_deterministic && run.counts.empty() &&
           run.problems.empty() && !run.is_given("distributions");
}

/// Explicit counts take the place of the default distributions, and join those that are named. What
/// an application calls has no distribution.
void settle_distributions(Run& run) {
    run.distributions = Run{}.distributions;
    if (!run.counts.empty() || !run.problems.empty()) run.distributions.clear();
    if (chooses_sizes(run)) run.distributions.emplace_back("even");
}

void settle_block_sizes(Run& run) {
    if (run.block_sizes == block_sizes_of_verify) return;
    run.block_sizes = chooses_sizes(run) ? std::string(spread_sizes) : Run{}.block_sizes;
}

/// An audit of the library has an end of its own. In a simulation it must not depend on the time of
/// the machine, and a confirmation has what the audit found.
void settle_budget(Run& run) {
    const bool is_of_library = run.guidelines == std::vector<std::string>{library_guidelines};
    const bool has_end = is_of_library && run.confirm.empty() && !platform().is_deterministic;
    run.budget = has_end ? budget_of_library : "";
}

std::string_view name(BelongsTo whom) {
    constexpr std::array<std::string_view, 5> names = {"audit", "launch", "session", "drawn",
                                                       "terminal"};
    return names[static_cast<std::size_t>(whom)];
}

/// Ranks that come one by one need an agreed time to come after.
void settle_sync(Run& run) {
    run.sync = run.arrivals != all_together ? "global" : platform().synchronisation;
}

/// Who says how many rounds gets these, as does who judges without a rule that stops.
void settle_time_per_problem(Run& run) {
    const bool is_open = !run.is_given("max-rounds") && !platform().is_deterministic &&
                         judge::criterion(run.judge) == judge::Criterion::evidence;
    run.time_per_problem = is_open ? default_time_per_problem : "0";
}

std::vector<std::string> buffer_names() {
    // Caches are not simulated.
    if (platform().time_stands_still) return {"same"};
    std::vector<std::string> names = {"same", std::string(rotating)};
    if (Workspace::can_flush()) names.emplace_back("cold");
    return names;
}

std::vector<std::string> heap_names() {
    return {"grown", "young", "both", "free"};
}

/// Plain comparisons are those of the papers, whose heaps were what they were.
void settle_heap(Run& run) {
    const bool is_set = can_set_heap() && !platform().is_deterministic &&
                        judge::criterion(run.judge) == judge::Criterion::evidence;
    run.heap = is_set ? "both" : "free";
}

void settle_tolerance(Run& run) {
    run.tolerance = default_tolerance(judge::criterion(run.judge).value());
}

void settle_outliers(Run& run) {
    run.outliers = name(default_outliers(judge::criterion(run.judge).value()));
}

constexpr OptionRow<Run> rows_of_run[] = {
    {.name = "guidelines",
     .member = &Run::guidelines,
     .help = "Guidelines to check: names of `mpiaudit list guidelines` or own files; derived: what "
             "follows from the graph of layouts; library: what concerns the library's own "
             "operations; all: all of these but controls, and without --network but grid",
     .group = of_guidelines,
     .value = "NAME,...",
     .belongs_to = audit,
     .when_not_given = settle_guidelines},
    {.name = "length",
     .member = &Run::length,
     .help = length_help,
     .group = of_guidelines,
     .value = "NUMBER",
     .check = length_of_derived,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "only",
     .member = &Run::only,
     .help = "Keep only the guidelines with these ids",
     .group = of_guidelines,
     .value = "ID,...",
     .belongs_to = audit},
    {.name = "collectives",
     .member = &Run::collectives,
     .help = "Of these, only the guidelines about these (their left side): operations such as "
             "gatherv or TUW_Gatherv, families such as gather, which has MPI_Gather, MPI_Gatherv "
             "and the algorithms for them",
     .group = of_guidelines,
     .value = "NAME,...",
     .belongs_to = audit},

    {.name = "algorithms",
     .member = &Run::algorithms,
     .help = "Compare these operations with each algorithm that the MPI library has for them: "
             "gather, allreduce, ..., or all (default with --problems)",
     .group = of_algorithms,
     .value = "NAME,...",
     .belongs_to = audit,
     .is_reproduced = true,
     .acts_before_mpi = true,
     .when_not_given = settle_algorithms},
    {.name = "library",
     .member = &Run::library,
     .help = "Reference algorithms, with what messages cost them, in the place of operations of a "
             "library that the simulator lacks: a name of libraries/ or an own file; they are "
             "named MPI_Gather[as NAME]",
     .group = of_algorithms,
     .value = "FILE|NAME",
     // jobs/simulate, which begins the command that measures again, gives it.
     .belongs_to = audit,
     .is_for_simulations = true},
    {.name = "setting",
     .member = &Run::library_variables,
     .help = "Set environment variables that steer the MPI library, before it starts",
     .group = of_algorithms,
     .value = "NAME=VALUE,...",
     .check = name_and_value,
     .belongs_to = audit,
     .is_reproduced = true,
     .acts_before_mpi = true},

    {.name = "distributions",
     .member = &Run::distributions,
     .help = "How the block sizes vary over the ranks: names of `mpiaudit list distributions`, "
             "own files, parameters as in spikes:rho=10",
     .group = of_problems,
     .value = "NAME,...",
     .shown_default = "all of the paper",
     .belongs_to = audit,
     .when_not_given = settle_distributions},
    {.name = "counts",
     .member = &Run::counts,
     .help = "Block sizes of an application instead, as a list or a file: 5,0,3 or sizes.json",
     .group = of_problems,
     .value = "LIST|FILE",
     .belongs_to = audit},
    {.name = "block-sizes",
     .member = &Run::block_sizes,
     .help = "Average block sizes b in elements: 1,10,100 or 1..1Mi:x10 or 0..100:+25, or spread: "
             "few for each distribution, then others where they tell most, until the --budget ends "
             "(default: spread with the default guidelines, else 1..100000:x10)",
     .group = of_problems,
     .value = "SIZES|spread",
     .belongs_to = audit,
     .when_not_given = settle_block_sizes},
    {.name = "root",
     .member = &Run::root,
     .help = "Root rank, or half for floor(p/2)",
     .group = of_problems,
     .value = "RANK|half",
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "graph",
     .member = &Run::graph,
     .help =
         "Neighbours in neighbourhood collectives: ring, 5-point, moore, random (four), complete, "
         "a file with {\"edges\": [[from, to], ...]}, or a formula in i, j, p that is not 0 "
         "where i sends to j",
     .group = of_problems,
     .value = "NAME|FILE|FORMULA",
     .check = graph,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "element",
     .member = &Run::element,
     .help = "Element type: int, char, byte, long, float, double; vector, indexed, struct have "
             "gaps in memory",
     .group = of_problems,
     .value = "TYPE",
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "op",
     .member = &Run::op,
     .help = "Operator of reductions: sum, max, bor, user-sum (which the library cannot know), "
             "user-affine (which does not commute)",
     .group = of_problems,
     .value = "OPERATOR",
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "seed",
     .member = &Run::seed,
     .help = "Seed of the random block sizes",
     .group = of_problems,
     .check = seed,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "network",
     .member = &Run::network,
     .help = "What is known about the links between the hosts, from mpiaudit probe, by hand, or "
             "one that ships with mpiaudit: allgather is scheduled from it (Min3_Allgather and "
             "others)",
     .group = of_problems,
     .value = "FILE|NAME",
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "node-size",
     .member = &Run::node_size,
     .help = "Treat every N consecutive ranks as a node in lane and hierarchical collectives; 0: "
             "the ranks on a host",
     .group = of_problems,
     .value = "NUMBER",
     .check = number_from_0,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "memory",
     .member = &Run::memory,
     .help = "Most memory per rank for buffers; larger problems are skipped (default: half of "
             "what the node has per rank)",
     .group = of_problems,
     .value = "BYTES",
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "shared-buffers",
     .member = &Run::shared_buffers,
     .help = "All ranks share the memory of their buffers and long messages carry no data, which "
             "changes no time; larger blocks are verified on parts of them",
     .group = of_problems,
     .belongs_to = audit,
     .is_reproduced = true,
     .is_for_simulations = true},

    {.name = "problems",
     .member = &Run::problems,
     .help = "What an application calls, as `mpiaudit record` has written it, instead: each "
             "problem on as many ranks as there are here, what takes most time first",
     .group = of_application,
     .value = "FILE",
     .belongs_to = audit,
     .acts_before_mpi = true},

    {.name = "protocol",
     .member = &Run::protocol,
     .help = "Measure and judge as a paper does: its repetitions, sizes and statistics, where no "
             "other option says otherwise",
     .group = of_timing,
     .choices = protocol_names,
     .belongs_to = audit},
    {.name = "sync",
     .member = &Run::sync,
     .help = "What brings the ranks together before each sample: MPI_Barrier, our own barrier, or "
             "an agreed time of a global clock; both: first MPI_Barrier, then the clock",
     .group = of_timing,
     .choices = sample_start_names,
     .belongs_to = audit,
     .is_reproduced = true,
     .when_not_given = settle_sync},
    {.name = "arrivals",
     .member = &Run::arrivals,
     .help =
         "When ranks come to a call: together, sorted, reversed, one-late, random, host-late, or "
         "a formula of microseconds in i, p, u, host, hosts and t, the time that the collectives "
         "take when all come together; by the global clock, from the last arrival on",
     .group = of_timing,
     .value = "NAME|FORMULA",
     .check = arrivals,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "clock",
     .member = &Run::clock,
     .help = clock_help,
     .group = of_timing,
     .choices = clock_names,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "bind",
     .member = &Run::bind,
     .help = "Bind ranks that the launcher left unbound, to a core or a NUMA node",
     .group = of_timing,
     .choices = binding_names,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "warmup",
     .member = &Run::warmup,
     .help = "Rounds before the measured ones; auto: until their time settles, at most 50",
     .group = of_timing,
     .value = "ROUNDS|auto",
     .check = number_of_rounds_or_auto,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "rank-times",
     .member = &Run::rank_times,
     .help = "Keep in samples.jsonl when each rank began and ended each call; with --sync global "
             "or both",
     .group = of_timing,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "heap",
     .member = &Run::heap,
     .help = "What malloc does with large blocks: grown (kept, as in a program that repeats its "
             "calls), young (from the system and back, as in first calls), both (grown, and the "
             "checks that it changes also young), free (as it comes)",
     .group = of_timing,
     .choices = heap_names,
     .shown_default = "both; free with --judge other than evidence, or with glibc's own settings",
     .belongs_to = audit,
     .is_reproduced = true,
     .when_not_given = settle_heap},
    {.name = "buffers",
     .member = &Run::buffers,
     .help =
         "Where the data are before each sample: same (where the last call has left them, mostly "
         "in the caches), rotate (each call has the next of so many that the caches cannot hold "
         "them all), cold (taken out of the caches)",
     .group = of_timing,
     .choices = buffer_names,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "in-a-row",
     .member = &Run::in_a_row,
     .help = "All calls of an operation one after the other, those to warm up in front, then those "
             "of the next operation, as in papers: with it goes what rounds in random order are "
             "for. Not with --judge evidence or a window",
     .group = of_timing,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "no-communication",
     .member = &Run::no_communication,
     .help = "Only make and free the datatypes of a call: what they cost the all-to-all algorithms "
             "that make any; all others are skipped",
     .group = of_timing,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "max-rounds",
     .member = &Run::max_rounds,
     .help = "Most rounds per problem, however long they take; what is not likely to be decided by "
             "then is given up earlier",
     .group = of_timing,
     .value = "ROUNDS",
     .check = positive_number,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "time-per-problem",
     .member = &Run::time_per_problem,
     .help =
         "Time for rounds beyond these on a problem with checks that are still open: calls of a "
         "microsecond get thousands (default: 0.1s, and none where --max-rounds is given or "
         "--judge is not evidence)",
     .group = of_timing,
     .value = "TIME",
     .check = duration,
     .belongs_to = audit,
     .is_reproduced = true,
     .when_not_given = settle_time_per_problem},
    {.name = "budget",
     .member = &Run::budget,
     .help = "Wall time for the whole audit, for what tells most first: 90s, 5m, 1h30m (default: "
             "60s with the default guidelines, else no limit)",
     .group = of_timing,
     .value = "TIME",
     .check = duration,
     .when_not_given = settle_budget},
    {.name = "hang-after",
     .member = &Run::hang_after,
     .help = "Time after which one call of an operation hangs: the audit ends with exit code 6 and "
             "says where each rank is; --resume leaves it out (default: the larger of 60s and 100 "
             "times what is expected). In a simulation: of a processor, to verify an operation, "
             "which is left out then (default: 300s)",
     .group = of_timing,
     .value = "TIME"},
    {.name = "order-seed",
     .member = &Run::order_seed,
     .help = "Seed of the random order within a round (default: drawn at the start, recorded)",
     .group = of_timing,
     .check = seed,
     .belongs_to = drawn},

    {.name = "confirm",
     .member = &Run::confirm,
     .help = "Measure the violations that an audit found once more in this launch, with its "
             "options, and some other checks as a control",
     .group = of_the_launch,
     .value = "FOLDER",
     .belongs_to = launch},
    {.name = "launches",
     .member = &Run::launches,
     .help = "With --confirm: only what can still be confirmed by so many launches, with those in "
             "FOLDER/confirmation-1 and so on: what fewer have measured and none speaks against; "
             "of an application what saves most, most first (default: all that is violated)",
     .group = of_the_launch,
     .value = "NUMBER",
     .check = positive_number,
     .belongs_to = launch},
    {.name = "ranks",
     .member = &Run::ranks,
     .help = "Fail unless the job has N ranks",
     .group = of_the_launch,
     .value = "NUMBER",
     .check = positive_number},
    {.name = "ranks-per-node",
     .member = &Run::ranks_per_node,
     .help = "Fail unless every node has N ranks",
     .group = of_the_launch,
     .value = "NUMBER",
     .check = positive_number},

    {.name = "judge",
     .member = &Run::judge,
     .help = judge_help,
     .group = of_verdicts,
     .choices = criterion_names,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "tolerance",
     .member = &Run::tolerance,
     .help = "Share by which the left side may be slower (default: 0.05; with --judge other than "
             "evidence 0)",
     .group = of_verdicts,
     .value = "SHARE",
     .check = share,
     .belongs_to = audit,
     .is_reproduced = true,
     .when_not_given = settle_tolerance},
    {.name = "outliers",
     .member = &Run::outliers,
     .help = outliers_help,
     .group = of_verdicts,
     .choices = outliers_names,
     .shown_default = "two-sided; with --judge other than evidence none",
     .belongs_to = audit,
     .is_reproduced = true,
     .when_not_given = settle_outliers},
    {.name = "alpha",
     .member = &Run::alpha,
     .help = "Bound on the probability of any false violation in the whole audit",
     .group = of_verdicts,
     .value = "PROBABILITY",
     .check = probability,
     .belongs_to = audit,
     .is_reproduced = true},
    {.name = "fail-on",
     .member = &Run::fail_on,
     .help = fail_on_help,
     .group = of_verdicts,
     .value = fail_on_value,
     .check = failure_condition},
    {.name = "baseline",
     .member = &Run::baseline,
     .help = baseline_help,
     .group = of_verdicts,
     .value = "REPORT,..."},
    {.name = "junit",
     .member = &Run::junit,
     .help = junit_help,
     .group = of_output,
     .value = "FILE"},

    {.name = "output",
     .member = &Run::output,
     .help = "Folder for samples.jsonl and report.json (default: results/HOST-TIME)",
     .group = of_output,
     .value = "FOLDER"},
    {.name = "resume",
     .member = &Run::resume,
     .help = "Go on with an interrupted audit in --output",
     .group = of_output},
    {.name = "overwrite",
     .member = &Run::overwrite,
     .help = "Replace an audit in --output",
     .group = of_output},
    {.name = "dry-run",
     .member = &Run::dry_run,
     .help = "Print the plan and how long it may take, measure nothing; in a single process with "
             "--ranks the plan of a job with so many",
     .group = of_output},
    {.name = "tables",
     .member = &Run::tables,
     .help = tables_help,
     .group = of_output,
     .belongs_to = terminal},
    {.name = "color",
     .member = &Run::color,
     .help = color_help,
     .group = of_output,
     .choices = when_names,
     .belongs_to = terminal},
    {.name = "progress",
     .member = &Run::progress,
     .help = "Show progress on standard error as one moving line; auto: where the launcher's is a "
             "terminal",
     .group = of_output,
     .choices = when_names,
     .belongs_to = terminal},
};

}  // namespace

std::span<const OptionRow<RunOptions>> run_rows() {
    return rows_of_run;
}

const OptionRow<RunOptions>* find_run_row(std::string_view name) {
    const auto* const row =
        std::ranges::find(rows_of_run, name, [](const auto& each) { return each.name; });
    return row == std::end(rows_of_run) ? nullptr : row;
}

std::vector<OptionRow<RunOptions>> offered_run_rows() {
    std::vector<OptionRow<RunOptions>> rows;
    std::ranges::copy_if(rows_of_run, std::back_inserter(rows), [](const auto& each) {
        return platform().ranks_share_memory || !each.is_for_simulations;
    });
    return rows;
}

std::vector<OptionRow<RunOptions>> verify_rows() {
    OptionRow<RunOptions> collectives = *find_run_row("collectives");
    collectives.help =
        "Only what consists of these: operations such as gatherv, or families such as gather, of "
        "`mpiaudit list collectives`";
    collectives.group = OptionRow<RunOptions>{}.group;
    OptionRow<RunOptions> hang_after = *find_run_row("hang-after");
    hang_after.help =
        "Time after which one call of an operation hangs: the program ends with exit code 6 and "
        "says "
        "where each rank is (default: the larger of 60s and 100 times what is expected)";
    hang_after.group = OptionRow<RunOptions>{}.group;
    OptionRow<RunOptions> algorithms = *find_run_row("algorithms");
    algorithms.help =
        "Instead of everything, each algorithm that the MPI library has for these operations: "
        "gather, allreduce, ..., or all";
    algorithms.group = OptionRow<RunOptions>{}.group;
    std::vector<OptionRow<RunOptions>> rows = {collectives, algorithms, hang_after};
    std::ranges::copy_if(offered_run_rows(), std::back_inserter(rows), [](const auto& each) {
        return std::string_view(each.group) == of_problems;
    });
    return rows;
}

RunOptions default_run_options() {
    RunOptions run;
    run.guidelines = {std::string(platform().guidelines)};
    run.sync = platform().synchronisation;
    run.warmup = platform().warm_up_rounds;
    run.max_rounds = platform().max_rounds;
    settle_defaults(run);
    return run;
}

RunOptions default_verify_options() {
    RunOptions run = default_run_options();
    run.block_sizes = block_sizes_of_verify;
    return run;
}

void settle_defaults(RunOptions& run) {
    settle_protocol(run);
    for (const OptionRow<RunOptions>& row : rows_of_run) {
        if (row.when_not_given != nullptr && !run.is_given(row.name)) row.when_not_given(run);
    }
}

std::string options_for_scripts() {
    const auto has = [](auto rows, std::string_view name) {
        return std::ranges::any_of(rows, [&](const auto& row) { return row.name == name; });
    };
    std::string text;
    for (const OptionRow<RunOptions>& row : offered_run_rows()) {
        const bool is_taken = row.belongs_to == audit && !row.acts_before_mpi;
        std::string commands;
        if (has(verify_rows(), row.name)) commands += ",verify";
        if (has(judge_rows(), row.name)) commands += ",judge";
        text +=
            fmt::format("{} {} {} {} {} {}\n", row.name, name(row.belongs_to),
                        std::holds_alternative<bool RunOptions::*>(row.member) ? "flag" : "value",
                        is_taken              ? "taken"
                        : row.acts_before_mpi ? "repeated"
                                              : "free",
                        commands.empty() ? "-" : commands.substr(1), row.group);
    }
    return text;
}

}  // namespace mpiaudit
