// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "machine/machine.h"
#include "options/options.h"
#include "options/recorded_options.h"
#include "options/shared_rows.h"
#include "problem/arrivals.h"
#include "problem/graph.h"
#include "problem/workspace.h"
#include "simulation/simulation.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using Run = RunOptions;
using enum BelongsTo;
using namespace shared;

constexpr const char* title_of_guidelines = "Guidelines";
constexpr const char* title_of_algorithms = "Algorithms of the MPI library";
constexpr const char* title_of_problems = "Problems";
constexpr const char* title_of_application = "Problems of an application";
constexpr const char* title_of_timing = "Timing";
constexpr const char* title_of_the_launch = "Launch";
constexpr const char* title_of_output = "Output";

/// Time in which two ranks check calls of every operation with most values of every property.
constexpr const char* time_of_generated_calls = "5s";
// Default time per problem: enough rounds to find a difference of 10 % between calls of 1 us.
constexpr const char* default_time_per_problem = "0.1s";
constexpr const char* block_sizes_of_verify = "1,10,1000";
// The sizes of OSU for ints, in steps of 4.
constexpr const char* block_sizes_of_table = "1..256Ki:x4";
/// Rounds of a long call with --table. Short calls have more, see default_time_per_problem.
constexpr int rounds_of_table = 100;

/// Returns the error in a value of --graph; empty if there is none.
std::string graph_error(const std::string& text) {
    constexpr int some_ranks = 4;
    if (is_graph_file(text)) return "";
    const std::string objection = objection_of([&] { make_graph(text, some_ranks); });
    constexpr std::string_view option = "--graph: ";
    return objection.substr(objection.starts_with(option) ? option.size() : 0);
}

std::string positive_time_error(const std::string& text) {
    const auto is_none = [&] { return parse_duration(text) <= 0; };
    // The type of the option rejects a text that is no time.
    const bool is_time = objection_of(is_none).empty();
    return is_time && is_none() ? "'" + text + "' is no positive time; give 60s, 5m ..." : "";
}

std::string rate_error(const std::string& text) {
    return objection_of([&] { parse_rate(text); });
}

std::string setting_error(const std::string& text) {
    const std::size_t equals = text.find('=');
    return equals > 0 && equals != std::string::npos ? "" : "'" + text + "' is not NAME=VALUE";
}

std::string_view name(BelongsTo whom) {
    constexpr std::array<std::string_view, 5> names = {"audit", "launch", "session", "drawn",
                                                       "terminal"};
    return names[static_cast<std::size_t>(whom)];
}

std::vector<std::string> available_buffers() {
    // A simulation has no caches.
    if (platform().time_stands_still) return {"same"};
    std::vector<std::string> names = OptionType<BufferChoice>::names();
    if (!Workspace::can_flush()) names.pop_back();
    return names;
}

bool is_judged_by_evidence(const Run& run) {
    return !platform().is_deterministic && run.criterion == judge::Criterion::evidence;
}

/// Returns whether the audit chooses block sizes itself, as an audit with the default guidelines
/// does.
bool chooses_sizes(const Run& run) {
    const bool is_of_library = run.guidelines == Words{library_guidelines};
    // verify has its own block sizes.
    const bool is_free =
        !run.is_given("block-sizes") && run.block_sizes.text() != block_sizes_of_verify;
    return is_of_library && is_free && run.counts.empty() && run.problems.empty() &&
           !run.is_given("distributions");
}

/// Sets the default of an option that depends on other options.
struct Dependent {
    std::string_view option;
    void (*settle)(Run& run);
};

/// An option follows the options on which its default depends.
constexpr Dependent dependents[] = {
    // Problems of an application are compared with all algorithms of the library by default.
    {"algorithms",
     [](Run& run) {
         run.algorithms.clear();
         if (!run.problems.empty() && !platform().is_deterministic) run.algorithms = {"all"};
     }},
    // --algorithms without --guidelines compares only the algorithms. A table compares nothing.
    {"guidelines",
     [](Run& run) {
         const bool has_own = !run.algorithms.empty() && run.problems.empty();
         if (has_own || run.has_table()) run.guidelines.clear();
     }},
    // --counts and --problems replace the default distributions; --counts adds to given
    // distributions.
    {"distributions",
     [](Run& run) {
         run.distributions = Run{}.distributions;
         if (!run.counts.empty() || !run.problems.empty()) run.distributions.clear();
         if (chooses_sizes(run)) run.distributions.emplace_back("even");
     }},
    {"block-sizes",
     [](Run& run) {
         if (run.block_sizes.text() == block_sizes_of_verify) return;
         if (chooses_sizes(run))
             run.block_sizes = spread_sizes;
         else if (run.has_table())
             run.block_sizes = block_sizes_of_table;
         else
             run.block_sizes = Run{}.block_sizes;
     }},
    // The large sizes of a default audit would fill the memory of the one process that holds all
    // simulated ranks.
    {"shared-buffers",
     [](Run& run) { run.shared_buffers = platform().ranks_share_memory && chooses_sizes(run); }},
    // An audit with the default guidelines has a limit. A confirmation measures what the audit
    // found.
    {"budget",
     [](Run& run) {
         const bool is_of_library = run.guidelines == Words{library_guidelines};
         const bool has_end = is_of_library && run.confirm.empty();
         run.budget = has_end ? std::string(platform().budget) : "";
     }},
    // A confirmation measures what the audit found.
    {"check-calls",
     [](Run& run) {
         // Generated calls have buffers on the host.
         const bool is_default = chooses_sizes(run) && run.confirm.empty() &&
                                 run.memory_kind->are_host() && !platform().is_deterministic;
         run.calls_time = is_default ? time_of_generated_calls : "0";
     }},
    // Delayed arrivals need an agreed start time.
    {"sync",
     [](Run& run) {
         run.sync = !run.arrivals->are_together ? "global" : platform().synchronisation;
     }},
    // A problem has no time of its own if --max-rounds is given or the rule of judging does not
    // stop early.
    {"time-per-problem",
     [](Run& run) {
         const bool is_open = is_judged_by_evidence(run) && !run.is_given("max-rounds");
         run.time_per_problem = is_open ? default_time_per_problem : "0";
     }},
    // The rules of papers are used with the heap as the program has it. A table has the conditions
    // of a loop.
    {"heap",
     [](Run& run) {
         const bool is_set = is_judged_by_evidence(run) && can_set_heap();
         run.heap = !is_set           ? HeapChoice::free
                    : run.has_table() ? HeapChoice::grown
                                      : HeapChoice::both;
     }},
    {"buffers",
     [](Run& run) {
         const bool is_set = is_judged_by_evidence(run) && !platform().time_stands_still &&
                             !run.has_table() && run.memory_kind->are_host();
         run.buffers = is_set ? BufferChoice::used : BufferChoice::same;
     }},
    {"tolerance", [](Run& run) { settle_rule(run, run); }},
    {"outliers", [](Run& run) { settle_rule(run, run); }},
};

/// Adds the rows of one group of the help. \param whom belongs_to of these rows
void add_group(std::vector<OptionRow<Run>>& rows, const char* group, BelongsTo whom,
               std::initializer_list<OptionRow<Run>> of_group) {
    for (OptionRow<Run> row : of_group) {
        row.group = group;
        row.belongs_to = whom;
        row.is_reproduced |= whom == audit && !row.is_replaced;
        rows.push_back(row);
    }
}

/// Returns all options of `run` group by group. The order here is the order of the help.
std::vector<OptionRow<Run>> make_run_rows() {
    std::vector<OptionRow<Run>> rows;
    add_group(
        rows, title_of_guidelines, audit,
        {{.name = "guidelines",
          .member = at<&Run::guidelines>,
          .help =
              "Guidelines to check: names of `mpiaudit list guidelines` or files of your own; "
              "library: the main ones about the library's operations; derived: all that follow "
              "from the graph of layouts; all: every file but controls, grid only with --network",
          .value = "NAME,...",
          .is_usual = true,
          .is_replaced = true},
         {.name = "only",
          .member = at<&Run::only>,
          .help = "Keep only the guidelines with these ids",
          .value = "ID,...",
          .is_replaced = true},
         {.name = "collectives",
          .member = at<&Run::collectives>,
          .help = "Keep only the guidelines whose left side is one of these: operations such as "
                  "gatherv or TUW_Gatherv, or families such as gather (MPI_Gather, MPI_Gatherv and "
                  "the algorithms for them)",
          .value = "NAME,...",
          .is_usual = true,
          .is_replaced = true}});
    add_group(rows, title_of_algorithms, audit,
              {{.name = "algorithms",
                .member = at<&Run::algorithms>,
                .help = "Compare these operations with each algorithm that the MPI library itself "
                        "has for them: gather, allreduce, ..., or all (default with --problems)",
                .value = "NAME,...",
                .acts_before_mpi = true},
               {.name = "library",
                .member = at<&Run::library>,
                .help = "Reference algorithms, with what messages cost them, in the place of "
                        "operations of a library that the simulator lacks: a name of libraries/ or "
                        "an own file; they are named MPI_Gather[as NAME]",
                .value = "FILE|NAME",
                .is_for_simulations = true,
                // jobs/simulate adds --library at the beginning of the command that reproduces a
                // measurement.
                .is_replaced = true},
               {.name = "setting",
                .member = at<&Run::library_variables>,
                .help = "Set environment variables that steer the MPI library, before it starts",
                .value = "NAME=VALUE,...",
                .check = setting_error,
                .acts_before_mpi = true}});
    add_group(
        rows, title_of_problems, audit,
        {{.name = "distributions",
          .member = at<&Run::distributions>,
          .help = "How the block sizes vary over the ranks: names of `mpiaudit list "
                  "distributions`, own files, parameters as in spikes:rho=10",
          .value = "NAME,...",
          .shown_default = "all of the paper",
          .is_replaced = true},
         {.name = "counts",
          .member = at<&Run::counts>,
          .help = "Use these block sizes of an application, a list or a file: 5,0,3 or sizes.json",
          .value = "LIST|FILE",
          .is_usual = true,
          .is_replaced = true},
         {.name = "block-sizes",
          .member = at<&Run::block_sizes>,
          .help =
              "Average block sizes b in elements: 1,10,100 or 1..1Mi:x10 or 0..100:+25; spread: a "
              "few for each distribution, then more around violations and jumps until the --budget "
              "ends (default: spread with the default guidelines, 1..256Ki:x4 with --table, else "
              "1..100000:x10)",
          .value = "SIZES|spread",
          .is_usual = true,
          .is_replaced = true},
         {.name = "root",
          .member = at<&Run::root>,
          .help = "Root rank, or half for floor(p/2)",
          .value = "RANK|half"},
         {.name = "graph",
          .member = at<&Run::graph>,
          .help = "Neighbours in neighbourhood collectives: ring, 5-point (on the torus nearest to "
                  "a square), or a file: {\"edges\": [[from, to], ...]}",
          .value = "NAME|FILE",
          .check = graph_error},
         {.name = "element",
          .member = at<&Run::element>,
          .help =
              "Element type: a predefined type such as int, double, unsigned-char, long-double, "
              "c-bool, double-int, or integer and logical of Fortran; vector, indexed, struct, "
              "tiled, block, bucket, alternating have gaps in memory",
          .value = "TYPE",
          .is_usual = true},
         {.name = "op",
          .member = at<&Run::op>,
          .help =
              "Operator of reductions: a predefined one such as sum, min, land, maxloc; user-sum "
              "(which the library cannot know), user-affine (which does not commute)",
          .value = "OPERATOR"},
         {.name = "seed",
          .member = at<&Run::seed>,
          .help = "Seed of the random block sizes",
          .value = "NUMBER"},
         {.name = "network",
          .member = at<&Run::network>,
          .help =
              "Description of the links between the hosts, measured by `mpiaudit probe`, written "
              "by hand, or shipped with mpiaudit; Min3_Allgather and others schedule by it",
          .value = "FILE|NAME"},
         {.name = "node-size",
          .member = at<&Run::node_size>,
          .help = "Treat every N consecutive ranks as a node in lane and hierarchical collectives; "
                  "0: the ranks on a host",
          .value = "NUMBER"},
         {.name = "memory-kind",
          .member = at<&Run::memory_kind>,
          .help = "Where buffers live: host, cuda, managed or hip; two kinds, as in cuda,host, for "
                  "the send and the receive buffer (docs/device.md)",
          .value = "KIND[,KIND]"},
         {.name = "memory",
          .member = at<&Run::memory>,
          .help = "Most memory per rank for buffers; larger problems are skipped (default: half of "
                  "what the node, or its control group, has per rank)",
          .value = "BYTES"},
         {.name = "shared-buffers",
          .member = at<&Run::shared_buffers>,
          .help =
              "All ranks share the memory of their buffers and long messages carry no data, "
              "which changes no time; larger blocks are verified on parts of them; set with the "
              "default guidelines and sizes",
          .is_for_simulations = true}});
    add_group(rows, title_of_application, audit,
              {{.name = "problems",
                .member = at<&Run::problems>,
                .help = "Audit the calls of an application that `mpiaudit record` has recorded: "
                        "each problem on this number of ranks, the longest total time first",
                .value = "FILE",
                .acts_before_mpi = true,
                .is_usual = true,
                .is_replaced = true}});
    add_group(
        rows, title_of_timing, audit,
        {{.name = "protocol",
          .member = at<&Run::protocol>,
          .help = "Measure and judge as a paper does: its repetitions, sizes and statistics, "
                  "unless other options are given",
          .choices = protocol_names,
          .is_replaced = true},
         {.name = "sync",
          .member = at<&Run::sync>,
          .help = "How ranks synchronise before each sample: MPI_Barrier, mpiaudit's own barrier, "
                  "or an agreed time of a global clock"},
         {.name = "arrivals",
          .member = at<&Run::arrivals>,
          .help = "When ranks arrive at a call: together, sorted, reversed, one-late, random, "
                  "host-late, or a formula in microseconds of i, p, u, host, hosts and t (the time "
                  "of the collectives if all ranks arrive together); measured by the global clock "
                  "from the last arrival on",
          .value = "NAME|FORMULA"},
         {.name = "clock", .member = at<&Run::clock>, .help = clock_help},
         {.name = "bind",
          .member = at<&Run::bind>,
          .help = "Bind the main threads of ranks that the launcher left unbound, to a core or a "
                  "NUMA node"},
         {.name = "link",
          .member = at<&Run::link>,
          .help = "Nominal rate of the links between nodes, such as 100Gb/s or 12.5GB/s, beside "
                  "which the first screen names the rate of messages",
          .value = "RATE",
          .check = rate_error},
         {.name = "warmup",
          .member = at<&Run::warmup>,
          .help = "Rounds before the measured ones; auto: until their time settles, at most 50",
          .value = "ROUNDS|auto"},
         {.name = "heap",
          .member = at<&Run::heap>,
          .help = "What malloc does with large blocks: grown (keeps them, as in a program that "
                  "repeats its calls), young (returns them to the system, as in first calls), both "
                  "(grown; where it matters also young), free (malloc is left alone)",
          .shown_default =
              "both; free with --judge other than evidence, or with glibc's own settings"},
         {.name = "buffers",
          .member = at<&Run::buffers>,
          .help = "Where the data are before each sample: used (each rank writes its data again, "
                  "as a program does between two calls), same (where the previous call left them), "
                  "rotate (each call uses the next of many buffers, more than the caches hold), "
                  "cold (removed from the caches)",
          .choices = available_buffers,
          .shown_default = "used; same in a simulation, on devices and with --judge other than "
                           "evidence"},
         {.name = "in-a-row",
          .member = at<&Run::in_a_row>,
          .help = "Call each operation many times in a row, warm-up first, before the next "
                  "operation, as papers do; this loses the protection of rounds in random order. "
                  "Not with --judge evidence or --sync global"},
         {.name = "no-communication",
          .member = at<&Run::no_communication>,
          .help = "Measure only the creation of the datatypes of a call, in all-to-all algorithms "
                  "that create any; all others are skipped"},
         {.name = "max-rounds",
          .member = at<&Run::max_rounds>,
          .help = "Most rounds per problem; checks that are unlikely to be decided by then are "
                  "given up earlier",
          .value = "ROUNDS",
          .bounds = {1}},
         {.name = "time-per-problem",
          .member = at<&Run::time_per_problem>,
          .help = "A problem with open checks continues beyond --max-rounds until it has taken "
                  "this time, so that short calls get thousands of rounds (default: 0.1s; none if "
                  "--max-rounds is given or --judge is not evidence)",
          .value = "TIME"}});
    add_group(
        rows, title_of_timing, session,
        {{.name = "budget",
          .member = at<&Run::budget>,
          .help = "Wall time for the whole audit: 90s, 5m, 1h30m; the most informative problems "
                  "come first (default: 60s with the default guidelines, 5m in a simulation; else "
                  "no limit)",
          .value = "TIME",
          .is_usual = true},
         {.name = "check-calls",
          .member = at<&Run::calls_time>,
          .help = "Time to check generated calls of the library after the measurements and the "
                  "screen, outside the budget; 0: check none (default: 5s with the default "
                  "guidelines and sizes, else 0)",
          .value = "TIME",
          .former_name = "time"},
         {.name = "hang-after",
          .member = at<&Run::hang_after>,
          .help = "A longer call counts as a hang: the audit ends with exit code 6 and says where "
                  "each rank is; --resume leaves the operation out (default: the larger of 60s and "
                  "100 times the expected time). In a simulation: most processor time to verify a "
                  "call, which is left out if it needs more (default: a fifth of --budget, or 30s "
                  "if this is more, for the audited operations; a hundredth, or 3s, for other "
                  "calls; 300s without --budget)",
          .value = "TIME",
          .check = positive_time_error}});
    add_group(
        rows, title_of_timing, drawn,
        {{.name = "order-seed",
          .member = at<&Run::order_seed>,
          .help = "Seed of the random order within a round (default: drawn at the start, recorded)",
          .value = "NUMBER"}});
    add_group(
        rows, title_of_the_launch, launch,
        {{.name = "confirm",
          .member = at<&Run::confirm>,
          .help = "Measure the violations of an audit again in this launch, with the options of "
                  "that audit, and some checks that held as a control",
          .value = "FOLDER",
          .is_usual = true},
         {.name = "launches",
          .member = at<&Run::launches>,
          .help =
              "With --confirm: measure only violations that N launches can still confirm: fewer "
              "launches have measured them, FOLDER/confirmation-1 and so on included, and none "
              "contradicts; for an application the largest savings first (default: all violations)",
          .value = "NUMBER",
          .bounds = {1}},
         {.name = "row",
          .member = at<&Run::row>,
          .help = "With --confirm: measure only the violations of the operation in this row of the "
                  "first screen",
          .value = "S1"}});
    add_group(rows, title_of_the_launch, session,
              {{.name = "ranks",
                .member = at<&Run::ranks>,
                .help = "Audit the first N ranks of the launch, for each number one after the "
                        "other: 2,4,8,all or 2..16:x2; all other ranks sleep. Several numbers "
                        "share --budget, alpha and --output, which gets a folder for each "
                        "(default: all)",
                .value = "NUMBERS",
                .is_reproduced = true,
                .is_usual = true},
               {.name = "nodes",
                .member = at<&Run::nodes>,
                .help = "The same by nodes: the first N nodes with all their ranks",
                .value = "NUMBERS",
                .is_reproduced = true},
               {.name = "ranks-per-node",
                .member = at<&Run::ranks_per_node>,
                .help = "Fail unless every node of the launch has N ranks",
                .value = "NUMBER",
                .bounds = {1}}});
    add_rule_rows(rows);
    add_gate_rows(rows);
    add_table_rows(rows);
    shared::add(
        rows,
        {{.name = "output",
          .member = at<&Run::output>,
          .help = "Folder for samples.jsonl and report.json (default: results/HOST-TIME)",
          .group = title_of_output,
          .value = "FOLDER",
          .is_usual = true},
         {.name = "resume",
          .member = at<&Run::resume>,
          .help = "Continue the interrupted audit in --output",
          .group = title_of_output,
          .is_usual = true},
         {.name = "overwrite",
          .member = at<&Run::overwrite>,
          .help = "Replace an audit in --output",
          .group = title_of_output},
         {.name = "dry-run",
          .member = at<&Run::dry_run>,
          .help = "Print the plan, and measure nothing; a single process with --ranks N prints the "
                  "plan for N ranks, with --nodes N and --ranks-per-node the plan for N nodes",
          .group = title_of_output,
          .is_usual = true}});
    rows.push_back(color_row<Run>());
    rows.push_back({.name = "progress",
                    .member = at<&Run::progress>,
                    .help = "Show progress on standard error as one moving line; auto: if standard "
                            "error of the launcher is a terminal",
                    .group = title_of_output,
                    .belongs_to = terminal});
    return rows;
}

}  // namespace

std::span<const OptionRow<RunOptions>> run_rows() {
    static const std::vector<OptionRow<Run>> rows = make_run_rows();
    return rows;
}

const OptionRow<RunOptions>* find_run_row(std::string_view name) {
    const auto rows = run_rows();
    const auto found = std::ranges::find_if(rows, [&](const OptionRow<RunOptions>& row) {
        return row.name == name || (row.former_name != nullptr && row.former_name == name);
    });
    return found == rows.end() ? nullptr : &*found;
}

std::vector<OptionRow<RunOptions>> offered_run_rows() {
    std::vector<OptionRow<RunOptions>> rows;
    std::ranges::copy_if(run_rows(), std::back_inserter(rows), [](const auto& each) {
        return platform().ranks_share_memory || !each.is_for_simulations;
    });
    return rows;
}

std::vector<OptionRow<RunOptions>> verify_rows() {
    const auto of_run = [](const char* name, const char* help) {
        OptionRow<RunOptions> row = *find_run_row(name);
        row.help = help;
        row.group = of_no_group;
        return row;
    };
    std::vector<OptionRow<RunOptions>> rows = {
        of_run("collectives",
               "Check only these: operations such as gatherv, or families such as gather, of "
               "`mpiaudit list collectives`"),
        of_run("algorithms",
               "Check only the algorithms that the MPI library itself has for these operations: "
               "gather, allreduce, ..., or all"),
        of_run("hang-after",
               "A longer call counts as a hang: the program ends with exit code 6 and says where "
               "each rank is (default: the larger of 60s and 100 times the expected time; "
               "with --check-calls 4s, then 30s to confirm a suspect)"),
        of_run("check-calls",
               "Generate valid calls for this long, check each, and report the simplest call of "
               "every fault: types, operators, communicators, displacements, pending operations"),
        {.name = "calls",
         .member = at<&Run::calls>,
         .help = "Generate so many calls, however long they take; with --check-calls, too: until "
                 "either is reached",
         .value = "NUMBER",
         .bounds = {1}},
        {.name = "call",
         .member = at<&Run::call>,
         .help = "Check one generated call, as --check-calls prints it: \"operation=MPI_Gather "
                 "counts=three\"",
         .value = "CALL"},
        {.name = "known",
         .member = at<&Run::known>,
         .help = "Generated calls during which this version of the library is known to hang or "
                 "crash: skip (named, not made), test (default: skip)"},
        of_run("output",
               "Folder for the state of --check-calls and --calls, so that --resume can go on "
               "after a crash"),
        of_run("resume", "Go on with the calls of --check-calls or --calls in --output"),
        of_run("order-seed", "Seed of the generated calls (default: another one in each launch)")};
    std::ranges::copy_if(offered_run_rows(), std::back_inserter(rows), [](const auto& each) {
        return std::string_view(each.group) == title_of_problems;
    });
    OptionRow<RunOptions>& sizes = *std::ranges::find_if(
        rows, [](const auto& each) { return std::string_view(each.name) == "block-sizes"; });
    sizes.help = "Average block sizes b in elements: 1,10,100 or 1..1Mi:x10 or 0..100:+25";
    sizes.value = "SIZES";
    return rows;
}

RunOptions default_run_options() {
    RunOptions run;
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
    for (const Dependent& each : dependents) {
        if (!run.is_given(std::string(each.option))) each.settle(run);
    }
    const bool is_timed = run.has_table() && !platform().is_deterministic;
    if (is_timed && !run.is_given("max-rounds")) run.max_rounds = rounds_of_table;
}

bool settle_default(RunOptions& run, std::string_view option) {
    const auto* const found = find_in(dependents, option, &Dependent::option);
    if (found != nullptr) found->settle(run);
    return found != nullptr;
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
        text += fmt::format("{} {} {} {} {} {}\n", row.name, name(row.belongs_to),
                            row.member.is_flag ? "flag" : "value",
                            is_taken              ? "taken"
                            : row.acts_before_mpi ? "repeated"
                                                  : "free",
                            commands.empty() ? "-" : commands.substr(1), row.group);
    }
    return text;
}

void settle_rule(judge::Rule& rule, const GivenOptions& options) {
    const bool is_plain = rule.criterion != judge::Criterion::evidence;
    if (!options.is_given("tolerance")) rule.tolerance = is_plain ? 0.0 : 0.05;
    if (!options.is_given("outliers"))
        rule.outliers = is_plain ? judge::Outliers::none : judge::Outliers::two_sided;
}

judge::Rule RunOptions::rule(int checks_of_audit) const {
    judge::Rule rule = *this;
    rule.checks = checks_of_audit;
    rule.deterministic = platform().is_deterministic;
    return rule;
}

}  // namespace mpiaudit
