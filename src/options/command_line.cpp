// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>

#include "options/command_options.h"
#include "text/nearest_name.h"
#include "timing/clock.h"

#ifndef MPIAUDIT_VERSION
#error "the build defines the version"
#endif

namespace mpiaudit {
namespace {

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
    verify->footer(
        "Examples:\n  mpirun -n 7 mpiaudit verify --element struct\n"
        "  mpirun -n 16 mpiaudit verify --collectives gather,scatter");
    verify
        ->add_option("--collectives", command.run.collectives,
                     "Only what consists of these operations: names or families of `mpiaudit list "
                     "collectives`")
        ->delimiter(',')
        ->type_name("NAME,...");
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
}  // namespace mpiaudit
