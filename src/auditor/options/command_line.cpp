// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "options/described_commands.h"
#include "options/help_format.h"
#include "options/option_table.h"
#include "options/wrong_words.h"
#include "problem/arrivals.h"
#include "simulation/platform.h"
#include "text/nearest_name.h"
#include "text/plain.h"
#include "text/version.h"
#include "timing/synchronisation.h"

// The only file that knows the parser.

namespace mpiaudit {
namespace {

/// Binds options of a command to the members of its struct, the types of which decide how.
struct Binder {
    CLI::App& app;
    const std::string& name;
    const char* help;

    CLI::Option* operator()(bool& value) { return app.add_flag(name, value, help); }
    CLI::Option* operator()(std::vector<std::string>& value) {
        auto* option = app.add_option(name, value, help);
        if (!value.empty()) option->capture_default_str();
        return name.starts_with("--") ? option->delimiter(',') : option;
    }
    CLI::Option* operator()(std::optional<int>& value) {
        const auto take = [&value](const std::string& text) {
            value = text == automatic_warm_up ? std::nullopt : std::optional(std::stoi(text));
        };
        return app.add_option_function<std::string>(name, take, help)
            ->default_str(value ? std::to_string(*value) : automatic_warm_up);
    }
    CLI::Option* operator()(When& value) {
        const auto take = [&value](const std::string& text) {
            value = text == "always"  ? When::always
                    : text == "never" ? When::never
                                      : When::automatic;
        };
        return app.add_option_function<std::string>(name, take, help)->default_str("auto");
    }
    template <class T>
    CLI::Option* operator()(std::optional<T>& value) {
        return app.add_option(name, value, help);
    }
    template <class T>
    CLI::Option* operator()(T& value) {
        auto* option = app.add_option(name, value, help);
        // Nothing, and no number of ranks, is no default to show.
        return value == T{} ? option : option->capture_default_str();
    }
};

/// Whoever forgets a value does not mean the next option to be it.
CLI::Validator no_option_of(const CLI::App& app) {
    return {[&app](const std::string& text) -> std::string {
                const bool is_option =
                    text.starts_with("--") && app.get_option_no_throw(text) != nullptr;
                return is_option ? "its value is missing: '" + text + "' is an option" : "";
            },
            ""};
}

template <class Options>
CLI::Option* add(CLI::App& app, const OptionRow<Options>& row, Options& options) {
    const std::string name = row.is_positional ? row.name : std::string("--") + row.name;
    CLI::Option* option = std::visit(
        [&](auto member) {
            return Binder{app, name, row.help}(options.*member);
        },
        row.member);
    option->group(row.group)->required(row.is_positional);
    if (row.value != nullptr)
        option->type_name(row.value);
    else if (row.choices != nullptr)
        option->type_name(joined(row.choices(), "|"));
    if (name.starts_with("--") && option->get_expected_max() > 0) option->check(no_option_of(app));
    if (row.choices != nullptr || row.check != nullptr)
        option->check(
            CLI::Validator([row](const std::string& text) { return row.error_in(text); }, ""));
    return row.shown_default == nullptr ? option : option->default_str(row.shown_default);
}

template <class Options>
void add_all(CLI::App& app, const auto& rows, Options& options) {
    for (const OptionRow<Options>& row : rows) add(app, row, options);
}

/// Throws when options of `run` contradict each other.
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
    for (const char* other : {"distributions", "counts", "block-sizes", "root", "element", "op"}) {
        if (is_given("problems") && is_given(other))
            throw CLI::ValidationError(std::string("--") + other,
                                       "--problems takes this from the recording; leave it out");
    }
    if (is_given("overwrite") && is_given("resume"))
        throw CLI::ValidationError("--overwrite", "contradicts --resume; give one of the two");
    // What is not given is settled later: ranks that come one by one do so by the global clock.
    const bool is_in_window =
        find_sample_starts(run.sync).value().in_window || run.arrivals != all_together;
    // The protocol of a paper brings a rule of its own.
    const bool judges_by_evidence = run.judge == name(judge::Criterion::evidence) &&
                                    (is_given("judge") || !is_given("protocol"));
    if (run.in_a_row && (is_in_window || judges_by_evidence))
        throw CLI::ValidationError("--in-a-row",
                                   "goes with --sync barrier or dissemination, and with --judge "
                                   "averages, minima, intervals or pgmpi: evidence needs rounds "
                                   "in random order");
    if (run.rank_times && !is_in_window)
        throw CLI::ValidationError("--rank-times",
                                   "without a global clock the times of the ranks cannot be "
                                   "compared; add --sync global or --sync both");
    if (run.arrivals != all_together && is_given("sync") && run.sync != "global")
        throw CLI::ValidationError("--arrivals",
                                   "ranks can only come at different times by an agreed clock; "
                                   "leave out --sync, or give --sync global");
    if (is_in_window && platform().time_stands_still)
        throw CLI::ValidationError("--sync",
                                   "'" + run.sync +
                                       "' waits for a clock, and simulated time stands still "
                                       "while a rank waits; use --sync simultaneous");
}

void define_run(CLI::App& app, RunOptions& run) {
    add_all(app, offered_run_rows(), run);
    app.callback([&app, &run] { check_constraints(app, run); });
    app.footer(
        "Examples:\n"
        "  mpirun -n 16 mpiaudit run --output results/first\n"
        "  mpirun -n 16 mpiaudit run --distributions spikes:rho=10 --block-sizes 1..64:x4\n"
        "  mpirun -n 4 mpiaudit run --counts 120,7,0,33 --element double --root 0\n"
        "  mpirun -n 16 mpiaudit run --budget 5m --output results/first --resume\n"
        "  mpirun -n 16 mpiaudit run --confirm results/first");
}

void define_verify(CLI::App& app, RunOptions& run) {
    add_all(app, verify_rows(), run);
    app.footer(
        "Examples:\n  mpirun -n 7 mpiaudit verify --element struct\n"
        "  mpirun -n 16 mpiaudit verify --collectives gather,scatter");
}

void define_probe(CLI::App& app, ProbeOptions& probe) {
    add_all(app, probe_rows(), probe);
    app.footer(
        "Examples:\n"
        "  mpirun -n 40 mpiaudit probe --output cluster.json\n"
        "  mpirun -n 40 mpiaudit run --guidelines grid --network ./cluster.json");
}

void define_record(CLI::App& app, RecordOptions& record) {
    add_all(app, record_rows(), record);
    app.footer(
        "Examples:\n  mpirun -n 4 mpiaudit record -- ./application input.txt\n"
        "  mpirun -n 4 mpiaudit record --synchronise --output waiting.json -- ./application");
}

void define_apply(CLI::App& app, ApplyOptions& apply) {
    add_all(app, apply_rows(), apply);
    app.footer(
        "Examples:\n  mpirun -n 4 mpiaudit apply --rules rules.json -- ./application input.txt\n"
        "  mpirun -n 4 mpiaudit apply --rules rules.json --mode verify -- ./application");
}

void define_prove(CLI::App& app, ProveOptions& prove) {
    add_all(app, prove_rows(), prove);
    app.footer(
        "Exit codes: 0 faster, 1 not shown to be faster, 2 wrong use, 3 other results,\n"
        "70 a run failed.\n\n"
        "Examples:\n  mpiaudit prove --rules rules.json -- ./application input.txt\n"
        "  mpiaudit prove --rules rules.json --launch 'srun -n {ranks}' \\\n"
        "      --compare 'diff {base} {repaired}' -- ./application");
}

void define_list(CLI::App& app, ListOptions& list) {
    add_all(app, list_rows(), list);
    app.footer(
        "Examples:\n  mpiaudit list guidelines\n"
        "  mpiaudit list guidelines --derived --length 3 > my.json");
}

void define_judge(CLI::App& app, JudgeOptions& judge) {
    add_all(app, judge_rows(), judge);
    app.footer(
        "Examples:\n  mpiaudit judge results/first --judge minima\n"
        "  mpiaudit judge results/first results/second --report results/all.json");
}

void define_reproduce(CLI::App& app, ReproduceOptions& reproduce) {
    add_all(app, reproduce_rows(), reproduce);
    app.footer(
        "Examples:\n  mpiaudit reproduce results/first > reproduce.c\n"
        "  mpiaudit reproduce results/first --check scan-exscan@spikes/b=1000 > scan.c");
}

void define_repair(CLI::App& app, RepairOptions& repair) {
    add_all(app, repair_rows(), repair);
    app.footer(
        "Examples:\n  mpiaudit repair results/application\n"
        "  mpiaudit repair results/application --allow-reassociation --checks 3");
}

void define_print(CLI::App& app, PrintOptions& print) {
    add_all(app, print_rows(), print);
    app.footer("Examples:\n  source <(mpiaudit print bash)\n  man -l <(mpiaudit print man)");
}

/// The application with all subcommands bound to the members of `command`, verify to those of
/// `verify`.
void define(CLI::App& app, Command& command, RunOptions& verify) {
    app.formatter(std::make_shared<FoldedHelp>());
    app.set_help_all_flag("--help-all", "Print the help of all commands");
    app.require_subcommand(1);
    app.set_version_flag("--version", "");
    app.footer(exit_codes_in_words);
    for (const DescribedCommand& each : described_commands())
        app.add_subcommand(each.name, each.summary);
    define_run(*app.get_subcommand("run"), command.run);
    define_verify(*app.get_subcommand("verify"), verify);
    define_probe(*app.get_subcommand("probe"), command.probe);
    define_record(*app.get_subcommand("record"), command.record);
    define_apply(*app.get_subcommand("apply"), command.apply);
    define_prove(*app.get_subcommand("prove"), command.prove);
    define_list(*app.get_subcommand("list"), command.list);
    define_judge(*app.get_subcommand("judge"), command.judge);
    define_reproduce(*app.get_subcommand("reproduce"), command.reproduce);
    define_repair(*app.get_subcommand("repair"), command.repair);
    define_print(*app.get_subcommand("print"), command.print);
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

/// Arguments end in reports, which are UTF-8.
std::optional<std::string> argument_that_is_no_text(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        if (const auto at = first_invalid_utf8(argv[i]))
            return "'" + as_utf8(argv[i]) + "': " + not_utf8(argv[i], *at);
    }
    return std::nullopt;
}

/// What the parser would say in its own words, or not at all.
std::optional<std::string> wrong_words(const std::vector<std::string>& arguments) {
    if (arguments.size() < 2) return std::nullopt;
    for (const DescribedCommand& each : described_commands()) {
        if (each.name != arguments[1]) continue;
        CommandWords known{each.name, {"--help", "--help-all"}};
        for (const DescribedOption& option : each.options) known.options.push_back(option.name);
        // What stands behind -- is somebody else's.
        return wrong_option(known, {arguments.begin() + 2, std::ranges::find(arguments, "--")});
    }
    return std::nullopt;
}

/// A command that stands alone, which needs a word behind it.
std::string missing_word(const CLI::App& app, const std::string& otherwise) {
    for (const DescribedCommand& each : described_commands()) {
        const CLI::App* command = app.get_subcommand(each.name);
        if (!command->parsed() || each.options.empty() || !each.options.front().is_positional)
            continue;
        const DescribedOption& word = each.options.front();
        return word.choices.empty() ? each.name + " " + word.value + ": " + word.help
                                    : each.name + " what? Valid: " + joined(word.choices, ", ");
    }
    return otherwise;
}

/// Words that belong to nothing, in the order in which they stand.
std::string extra_words(const CLI::App& app, const std::vector<std::string>& arguments) {
    const std::vector<std::string> extras = app.remaining(true);
    std::string text;
    for (const std::string& word : arguments) {
        if (std::ranges::find(extras, word) != extras.end()) text += " " + word;
    }
    return "unexpected:" + text + "; a value stands behind its option, as in --guidelines all";
}

/// What the command line gives, and with it what is not given.
void note_given(const CLI::App& app, RunOptions& run) {
    for (const OptionRow<RunOptions>& row : run_rows()) {
        const CLI::Option* option = app.get_option_no_throw(std::string("--") + row.name);
        if (option != nullptr && option->count() > 0) run.given.insert(row.name);
    }
    settle_defaults(run);
}

Command::Name name_of(const CLI::App& app) {
    using Name = Command::Name;
    for (const auto& [text, name] : {std::pair{"run", Name::run},
                                     {"verify", Name::verify},
                                     {"probe", Name::probe},
                                     {"record", Name::record},
                                     {"apply", Name::apply},
                                     {"prove", Name::prove},
                                     {"list", Name::list},
                                     {"judge", Name::judge},
                                     {"reproduce", Name::reproduce},
                                     {"repair", Name::repair},
                                     {"print", Name::print}}) {
        if (app.get_subcommand(text)->parsed()) return name;
    }
    return Name::nothing;
}

}  // namespace

Command parse_command(int argc, const char* const* argv) {
    Command command;
    for (int i = 0; i < argc; ++i) command.arguments.push_back(as_utf8(argv[i]));
    command.run = default_run_options();
    RunOptions verify = default_verify_options();
    CLI::App app{
        "mpiaudit audits the collectives of an MPI library against self-consistent\n"
        "performance guidelines such as MPI_Gather(m) <= MPI_Gatherv(m).",
        "mpiaudit"};
    define(app, command, verify);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForAllHelp&) {
        command.text = all_help(app);
    } catch (const CLI::CallForHelp&) {
        command.text = app.help();
    } catch (const CLI::CallForVersion&) {
        command.name = Command::Name::version;
        return command;
    } catch (const CLI::RequiredError& error) {
        command.error = unknown_command(app, argc, argv).value_or(missing_word(app, error.what()));
    } catch (const CLI::ExtrasError&) {
        command.error =
            unknown_command(app, argc, argv).value_or(extra_words(app, command.arguments));
    } catch (const CLI::ParseError& error) {
        command.error = unknown_command(app, argc, argv).value_or(error.what());
    }
    if (!command.text.empty()) return command;
    if (const auto wrong = wrong_words(command.arguments)) command.error = *wrong;
    if (const auto error = argument_that_is_no_text(argc, argv)) command.error = *error;
    command.name = name_of(app);
    if (command.name != Command::Name::nothing)
        command.help = "mpiaudit " + app.get_subcommands().front()->get_name() + " --help";
    if (command.name == Command::Name::verify) command.run = std::move(verify);
    const bool has_run_options =
        command.name == Command::Name::run || command.name == Command::Name::verify;
    // As it stands, whatever the parser makes of it.
    const auto application = std::find(argv, argv + argc, std::string_view("--"));
    if (application != argv + argc)
        for (auto* words :
             {&command.record.application, &command.apply.application, &command.prove.application})
            words->assign(application + 1, argv + argc);
    if (has_run_options && command.error.empty())
        note_given(*app.get_subcommands().front(), command.run);
    return command;
}

}  // namespace mpiaudit
