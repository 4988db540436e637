// SPDX-License-Identifier: BSD-3-Clause
#include "audit/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "problem/nearest_name.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

#ifndef MPIAUDIT_VERSION
#error "the build defines the version"
#endif

namespace mpiaudit {
namespace {

const std::map<std::string, When> whens = {
    {"auto", When::automatic}, {"always", When::always}, {"never", When::never}};

CLI::Option* add_when(CLI::App& app, const char* name, When& value, const char* help) {
    return app.add_option(name, value, help)
        ->transform(CLI::CheckedTransformer(whens, CLI::ignore_case).description(""))
        ->type_name("auto|always|never")
        ->default_str("auto");
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
    return text;
}

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

constexpr const char* automatic_warm_up = "auto";

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

void add_verdict_options(CLI::App& app, std::string& criterion, std::optional<double>& tolerance) {
    app.add_option("--judge", criterion,
                   "What decides: evidence bounds the probability of a wrong verdict, averages and "
                   "minima are the plain comparisons of the papers")
        ->check(CLI::IsMember(std::vector<std::string>{"evidence", "averages", "minima"})
                    .description(""))
        ->type_name("evidence|averages|minima")
        ->group("Verdicts")
        ->capture_default_str();
    app.add_option(
           "--tolerance", tolerance,
           "Share by which the left side may be slower (default: 0.05; averages, minima: 0)")
        ->check(CLI::NonNegativeNumber.description(""))
        ->type_name("SHARE")
        ->group("Verdicts");
}

void add_fail_on(CLI::App& app, std::string& fail_on) {
    app.add_option("--fail-on", fail_on, "Exit with 1 when a guideline is violated")
        ->check(CLI::IsMember(std::vector<std::string>{"never", "violation"}).description(""))
        ->type_name("never|violation")
        ->group("Verdicts")
        ->capture_default_str();
}

void add_probe(CLI::App& app, ProbeOptions& probe) {
    app.footer(
        "Examples:\n"
        "  mpirun -n 40 mpiaudit probe --output cluster.json\n"
        "  mpirun -n 40 mpiaudit run --guidelines grid --network ./cluster.json");
    app.add_option("--output", probe.output, "The network file to write")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_flag("--overwrite", probe.overwrite, "Replace it when it is there");
    app.add_option("--between", probe.between,
                   "Links between hosts, from their first ranks (and within each, if it has two "
                   "ranks), or between all ranks wherever they run")
        ->check(CLI::IsMember(std::vector<std::string>{"hosts", "ranks"}).description(""))
        ->type_name("hosts|ranks")
        ->capture_default_str();
    app.add_option("--bytes", probe.bytes,
                   "Message sizes for the send overhead os(m) and the gap g(m); at most 1Gi")
        ->type_name("SIZES")
        ->capture_default_str();
    app.add_option("--largest", probe.largest,
                   "Largest message for the bandwidth; slow links get smaller ones")
        ->type_name("BYTES")
        ->capture_default_str();
    app.add_option("--rounds", probe.rounds, "Rounds; in each every pair is measured once")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("ROUNDS")
        ->capture_default_str();
    app.add_option("--clock", probe.clock, "Clock: MPI_Wtime or CLOCK_MONOTONIC")
        ->check(CLI::IsMember(clock_names()).description(""))
        ->type_name("mpi|monotonic")
        ->capture_default_str();
}

CLI::Option* add_length(CLI::App& app, int& length) {
    return app
        .add_option("--length", length, "Most operations on the right side of derived guidelines")
        ->check(CLI::Range(1, 4).description(""))
        ->type_name("NUMBER")
        ->capture_default_str();
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

/// The application with all subcommands bound to the members of `command`.
void define(CLI::App& app, Command& command) {
    app.require_subcommand(1);
    app.set_version_flag("--version", MPIAUDIT_VERSION);
    app.footer(
        "Exit codes: 0 done, 1 violations (with --fail-on violation), 2 wrong use, 3 an "
        "implementation\ngives wrong results, 4 nothing selected, 70 MPI or internal failure, 75 "
        "interrupted by\nSIGUSR1 or SIGTERM: the report has the problems so far, go on with "
        "--resume.");

    add_run(*app.add_subcommand("run", "Measure, judge and report; start with mpirun or srun"),
            command.run);

    auto* verify = app.add_subcommand(
        "verify", "Check the results of every operation on every distribution, without timing");
    verify->footer("Example:\n  mpirun -n 7 mpiaudit verify --element struct");
    add_problem_options(*verify, command.run);
    verify->get_option("--block-sizes")->default_str("1,10,1000");

    add_probe(*app.add_subcommand(
                  "probe", "Measure the links between the hosts, for run and verify --network"),
              command.probe);

    auto* list = app.add_subcommand("list", "List what can be named");
    list->add_option("what", command.list.what,
                     "guidelines, collectives, distributions or networks")
        ->check(CLI::IsMember(std::vector<std::string>{"guidelines", "collectives", "distributions",
                                                       "networks"})
                    .description(""))
        ->type_name("WHAT")
        ->required();
    list->add_flag("--derived", command.list.derived,
                   "Guidelines that follow from the graph of layouts, as a file of guidelines");
    add_length(*list, command.list.length);
    list->footer(
        "Examples:\n  mpiaudit list guidelines\n"
        "  mpiaudit list guidelines --derived --length 3 > my.json");

    auto* judge = app.add_subcommand(
        "judge", "Judge the samples of an audit again, or those of several launches together");
    judge
        ->add_option("results", command.judge.results,
                     "Folders of the launches of one audit, or of an audit and its confirmation")
        ->type_name("FOLDER...")
        ->required();
    add_verdict_options(*judge, command.judge.criterion, command.judge.tolerance);
    judge->get_option("--judge")->default_str("as in the audit");
    judge->get_option("--tolerance")
        ->description(
            "Share by which the left side may be slower "
            "(default: as in the audit)");
    judge
        ->add_option("--alpha", command.judge.alpha,
                     "Bound on the probability of any false violation (default: as in the audit)")
        ->check(CLI::Range(1e-12, 0.5).description(""))
        ->type_name("PROBABILITY")
        ->group("Verdicts");
    judge->add_option("--report", command.judge.report, "Write the report here")->type_name("FILE");
    add_fail_on(*judge, command.judge.fail_on);
    add_when(*judge, "--color", command.judge.color, "Mark violations in colour");
    judge->footer(
        "Examples:\n  mpiaudit judge results/first --judge minima\n"
        "  mpiaudit judge results/first results/second results/third --report results/all.json");
}

std::string all_help(CLI::App& app) {
    return app.help("", CLI::AppFormatMode::All);
}

/// A first word that is no command, in words; the parser would only say that one is missing.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, const char* const* argv) {
    if (argc < 2 || argv[1][0] == '-') return std::nullopt;
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
    if (std::ranges::find(names, argv[1]) != names.end()) return std::nullopt;
    return unknown_name("command", argv[1], names);
}

}  // namespace

Command parse_command(int argc, const char* const* argv) {
    Command command;
    command.arguments.assign(argv, argv + argc);
    CLI::App app{
        "mpiaudit audits the collectives of an MPI library against self-consistent\n"
        "performance guidelines such as MPI_Gather(m) <= MPI_Gatherv(m).",
        "mpiaudit"};
    app.get_formatter()->column_width(32);
    app.set_help_all_flag("--help-all", "Print the help of all commands");
    define(app, command);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForAllHelp&) {
        command.text = all_help(app);
    } catch (const CLI::CallForHelp&) {
        command.text = app.help();
    } catch (const CLI::CallForVersion&) {
        command.text = std::string("mpiaudit ") + MPIAUDIT_VERSION + "\n";
    } catch (const CLI::ParseError& error) {
        command.error = unknown_command(app, argc, argv).value_or(error.what());
    }
    const auto parsed = [&](const char* name) { return app.get_subcommand(name)->parsed(); };
    if (command.text.empty() || !command.error.empty()) {
        if (parsed("run")) command.name = Command::Name::run;
        if (parsed("probe")) command.name = Command::Name::probe;
        if (parsed("list")) command.name = Command::Name::list;
        if (parsed("judge")) command.name = Command::Name::judge;
        if (parsed("verify")) {
            command.name = Command::Name::verify;
            if (app.get_subcommand("verify")->count("--block-sizes") == 0)
                command.run.block_sizes = "1,10,1000";
        }
        if (command.name == Command::Name::judge &&
            app.get_subcommand("judge")->count("--judge") == 0)
            command.judge.criterion.clear();
    }
    return command;
}

double default_tolerance(judge::Criterion criterion) {
    return criterion == judge::Criterion::evidence ? 0.05 : 0.0;
}

nlohmann::json RunOptions::audit_json() const {
    return {{"guidelines", guidelines},
            {"length", length},
            {"only", only},
            {"collectives", collectives},
            {"algorithms", algorithms},
            {"setting", settings},
            {"distributions", distributions},
            {"counts", counts},
            {"block-sizes", block_sizes},
            {"root", root},
            {"element", element},
            {"op", op},
            {"seed", seed},
            {"memory", memory},
            {"network", network},
            {"no-communication", no_communication},
            {"shared-buffers", shared_buffers},
            {"sync", sync},
            {"rank-times", rank_times},
            {"clock", clock},
            {"bind", bind},
            {"confirm", confirm},
            {"warmup", warmup ? nlohmann::json(*warmup) : nlohmann::json(automatic_warm_up)},
            {"max-rounds", max_rounds},
            {"judge", judge},
            {"tolerance", rule(1).tolerance},
            {"alpha", alpha}};
}

void RunOptions::take_audit_options(const nlohmann::json& recorded) {
    const auto take = [&](const char* option, auto& value) {
        if (recorded.contains(option)) recorded[option].get_to(value);
    };
    take("guidelines", guidelines);
    take("length", length);
    take("only", only);
    take("collectives", collectives);
    take("distributions", distributions);
    take("counts", counts);
    take("block-sizes", block_sizes);
    take("root", root);
    take("element", element);
    take("op", op);
    take("seed", seed);
    take("memory", memory);
    take("shared-buffers", shared_buffers);
    take("sync", sync);
    take("rank-times", rank_times);
    take("clock", clock);
    take("bind", bind);
    if (recorded.contains("warmup") && recorded["warmup"].is_number())
        warmup = recorded["warmup"].get<int>();
    take("max-rounds", max_rounds);
    take("judge", judge);
    tolerance = recorded.at("tolerance").get<double>();
    take("alpha", alpha);
}

nlohmann::json RunOptions::session_json() const {
    return {{"budget", budget},   {"ranks", ranks},    {"ranks-per-node", ranks_per_node},
            {"output", output},   {"resume", resume},  {"overwrite", overwrite},
            {"fail-on", fail_on}, {"dry-run", dry_run}};
}

judge::Rule RunOptions::rule(int checks) const {
    judge::Rule rule;
    rule.criterion = judge::criterion(judge).value();
    rule.tolerance = tolerance.value_or(default_tolerance(rule.criterion));
    rule.alpha = alpha;
    rule.checks = checks;
    rule.deterministic = simulation::is_running();
    return rule;
}

}  // namespace mpiaudit
