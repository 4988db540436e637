// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>

#include "machine/machine.h"
#include "options/command_options.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

namespace mpiaudit {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
    return text;
}

/// What is wrong with a value of --warmup; empty when nothing is.
std::string warm_up_error(const std::string& text) {
    const bool is_number = !text.empty() && text.size() < 7 &&
                           text.find_first_not_of("0123456789") == std::string::npos;
    if (is_number || text == automatic_warm_up) return "";
    return "'" + text + "' is neither a number of rounds nor auto";
}

void add_timing_options(CLI::App& app, RunOptions& run) {
    app.add_option("--sync", run.sync,
                   "What brings the ranks together before each sample: MPI_Barrier, our own "
                   "barrier, or an agreed time of a global clock; both: first MPI_Barrier, then "
                   "the clock")
        ->check(CLI::IsMember(sample_start_names()).description(""))
        ->type_name(joined(sample_start_names()))
        ->group("Timing")
        ->capture_default_str();
    app.add_option("--clock", run.clock, "Clock: MPI_Wtime or CLOCK_MONOTONIC")
        ->check(CLI::IsMember(clock_names()).description(""))
        ->type_name("mpi|monotonic")
        ->group("Timing")
        ->capture_default_str();
    app.add_option("--bind", run.bind,
                   "Bind ranks that the launcher left unbound, to a core or a NUMA node")
        ->check(CLI::IsMember(binding_names()).description(""))
        ->type_name("core|numa|none")
        ->group("Timing")
        ->capture_default_str();
    app.add_option_function<std::string>(
           "--warmup",
           [&run](const std::string& text) {
               if (text != automatic_warm_up) run.warmup = std::stoi(text);
           },
           "Rounds before the measured ones; auto: until their time settles, at most 50")
        ->check(CLI::Validator(warm_up_error, ""))
        ->type_name("ROUNDS|auto")
        ->group("Timing")
        ->default_str(automatic_warm_up);
    app.add_flag("--rank-times", run.rank_times,
                 "Keep in samples.jsonl when each rank began and ended each call; with --sync "
                 "global or both")
        ->group("Timing");
    app.callback([&run] {
        if (run.rank_times && !find_sample_starts(run.sync).value().in_window)
            throw CLI::ValidationError("--rank-times",
                                       "without a global clock the times of the ranks cannot be "
                                       "compared; add --sync global or --sync both");
    });
    app.add_flag("--no-communication", run.no_communication,
                 "Only make and free the datatypes of a call: what they cost the all-to-all "
                 "algorithms that make any; all others are skipped")
        ->group("Timing");
    app.add_option("--max-rounds", run.max_rounds,
                   "Most rounds per problem; what is not likely to be decided by then is given up "
                   "earlier")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("ROUNDS")
        ->group("Timing")
        ->capture_default_str();
    app.add_option("--budget", run.budget,
                   "Wall time for the whole audit, shared over what is left: 90s, 5m, 1h30m")
        ->type_name("TIME")
        ->group("Timing");
    app.add_option(
           "--order-seed", run.order_seed,
           "Seed of the random order within a round (default: drawn at the start, recorded)")
        ->check(CLI::NonNegativeNumber.description(""))
        ->group("Timing");
}

void add_launch_options(CLI::App& app, RunOptions& run) {
    app.add_option("--ranks", run.ranks, "End with an error unless there are so many ranks")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("NUMBER")
        ->group("Launch");
    app.add_option("--ranks-per-node", run.ranks_per_node,
                   "End with an error unless every node has so many ranks")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("NUMBER")
        ->group("Launch");
}

void add_guideline_options(CLI::App& app, RunOptions& run) {
    app.add_option(
           "--guidelines", run.guidelines,
           "Guidelines to check: names of `mpiaudit list guidelines` or own files; derived: what "
           "follows from the graph of layouts; all: all of these but controls, and without "
           "--network but grid")
        ->delimiter(',')
        ->type_name("NAME,...")
        ->group("Guidelines")
        ->capture_default_str();
    add_length(app, run.length)->group("Guidelines");
    app.add_option("--only", run.only, "Of these, only the guidelines with these ids")
        ->delimiter(',')
        ->type_name("ID,...")
        ->group("Guidelines");
    app.add_option("--collectives", run.collectives,
                   "Of these, only the guidelines about these operations (their left side)")
        ->delimiter(',')
        ->type_name("NAME,...")
        ->group("Guidelines");
}

void add_algorithm_options(CLI::App& app, RunOptions& run) {
    app.add_option("--algorithms", run.algorithms,
                   "Compare these operations with each algorithm that the MPI library has for "
                   "them: gather, allreduce, ..., or all")
        ->delimiter(',')
        ->type_name("NAME,...")
        ->group("Algorithms of the MPI library");
    app.add_option("--setting", run.settings,
                   "Set environment variables that steer the MPI library, before it starts")
        ->delimiter(',')
        ->type_name("NAME=VALUE,...")
        ->check([](const std::string& text) {
            return text.find('=') > 0 && text.find('=') != std::string::npos
                       ? ""
                       : "'" + text + "' is not NAME=VALUE";
        })
        ->group("Algorithms of the MPI library");
}

/// A confirmation has the options of the audit that it confirms.
void exclude_what_the_audit_decides(CLI::App& app, CLI::Option& confirm) {
    for (CLI::Option* each : app.get_options()) {
        const std::string& name = each->get_single_name();
        const std::string& group = each->get_group();
        const bool is_of_the_audit = group == "Guidelines" || group == "Problems" ||
                                     group == "Timing" || group == "Verdicts";
        if (is_of_the_audit && name != "budget" && name != "order-seed") confirm.excludes(each);
    }
}

}  // namespace

void add_problem_options(CLI::App& app, RunOptions& run) {
    app.add_option(
           "--distributions", run.distributions,
           "How the block sizes vary over the ranks: names of `mpiaudit list distributions`, "
           "own files, parameters as in spikes:rho=10")
        ->delimiter(',')
        ->type_name("NAME,...")
        ->group("Problems")
        ->default_str("all of the paper");
    app.add_option(
           "--counts", run.counts,
           "Block sizes of an application instead, as a list or a file: 5,0,3 or sizes.json")
        ->type_name("LIST|FILE")
        ->group("Problems");
    app.add_option("--block-sizes", run.block_sizes,
                   "Average block sizes b in elements: 1,10,100 or 1..1Mi:x10 or 0..100:+25")
        ->type_name("SIZES")
        ->group("Problems")
        ->capture_default_str();
    app.add_option("--root", run.root, "Root rank, or half for floor(p/2)")
        ->type_name("RANK|half")
        ->group("Problems")
        ->capture_default_str();
    app.add_option(
           "--element", run.element,
           "Element type: int, char, byte, long, float, double; vector, indexed, struct have "
           "gaps in memory")
        ->type_name("TYPE")
        ->group("Problems")
        ->capture_default_str();
    app.add_option(
           "--op", run.op,
           "Operator of reductions: sum, max, bor, user-sum (which the library cannot know), "
           "user-affine (which does not commute)")
        ->type_name("OPERATOR")
        ->group("Problems")
        ->capture_default_str();
    app.add_option("--seed", run.seed, "Seed of the random block sizes")
        ->check(CLI::NonNegativeNumber.description(""))
        ->group("Problems")
        ->capture_default_str();
    app.add_option(
           "--network", run.network,
           "What is known about the links between the hosts, from mpiaudit probe, by hand, or one "
           "that ships with mpiaudit: allgather is scheduled from it (Min3_Allgather and others)")
        ->type_name("FILE|NAME")
        ->group("Problems");
    app.add_option(
           "--memory", run.memory,
           "Most memory per rank for buffers; larger problems are skipped (default: half of "
           "what the node has per rank)")
        ->type_name("BYTES")
        ->group("Problems");
    if (!simulation::is_running()) return;
    app.add_flag(
           "--shared-buffers", run.shared_buffers,
           "All ranks share the memory of their buffers and long messages carry no data, which "
           "changes no time; larger blocks are verified on parts of them")
        ->group("Problems");
}

void add_run(CLI::App& app, RunOptions& run) {
    app.footer(
        "Examples:\n"
        "  mpirun -n 16 mpiaudit run --output results/first\n"
        "  mpirun -n 16 mpiaudit run --distributions spikes:rho=10 --block-sizes 1..1Mi:x4\n"
        "  mpirun -n 4 mpiaudit run --counts 120,7,0,33 --element double --root 0\n"
        "  mpirun -n 16 mpiaudit run --budget 5m --output results/first --resume\n"
        "  mpirun -n 16 mpiaudit run --confirm results/first");
    auto* confirm =
        app.add_option("--confirm", run.confirm,
                       "Measure the violations that an audit found once more in this launch, with "
                       "its options, and some other checks as a control")
            ->type_name("FOLDER");
    add_guideline_options(app, run);
    add_algorithm_options(app, run);
    add_problem_options(app, run);
    add_timing_options(app, run);
    add_launch_options(app, run);
    add_verdict_options(app, run.judge, run.tolerance);
    app.add_option("--alpha", run.alpha,
                   "Bound on the probability of any false violation in the whole audit")
        ->check(CLI::Range(1e-12, 0.5).description(""))
        ->type_name("PROBABILITY")
        ->group("Verdicts")
        ->capture_default_str();
    exclude_what_the_audit_decides(app, *confirm);
    add_fail_on(app, run.fail_on);
    app.add_option("--output", run.output,
                   "Folder for samples.jsonl and report.json (default: "
                   "results/HOST-TIME)")
        ->type_name("FOLDER")
        ->group("Output");
    auto* resume =
        app.add_flag("--resume", run.resume, "Go on with an interrupted audit in --output")
            ->group("Output");
    app.add_flag("--overwrite", run.overwrite, "Replace an audit in --output")
        ->group("Output")
        ->excludes(resume);
    app.add_flag("--dry-run", run.dry_run,
                 "Print the plan and how long it may take, measure nothing")
        ->group("Output");
    add_when(app, "--color", run.color, "Mark violations in colour")->group("Output");
    add_when(app, "--progress", run.progress, "Show progress on standard error as one moving line")
        ->group("Output");
}
}  // namespace mpiaudit
