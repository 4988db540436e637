// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_command() of option_table.h. Only this file and contradictions.cpp use the CLI11
// parser.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "options/contradictions.h"
#include "options/option_table.h"
#include "simulation/simulation.h"
#include "text/console.h"
#include "text/plain.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

/// Returns `left` and `text` as two columns in 80: `text` begins at column 26. A long `left` has a
/// line of its own.
std::string beside(const std::string& left, const std::string& text) {
    constexpr std::size_t right_column = 26;
    const std::string margin(right_column, ' ');
    const std::string lines = wrapped(margin + text, 80, margin);
    const bool is_long = left.size() + 2 > right_column;
    return is_long ? left + "\n" + lines : left + lines.substr(left.size());
}

/// Prints the help in 80 columns: names of options on the left, explanations on the right.
class FoldedHelp : public CLI::Formatter {
  public:
    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override {
        std::erase_if(options, [&](const CLI::Option* each) { return hidden.contains(each); });
        return options.empty() ? "" : CLI::Formatter::make_group(group, is_positional, options);
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        // A former name stands behind the first long name.
        const bool has_short_name = !option->get_snames().empty();
        std::string left = "  " + option->get_name(is_positional, has_short_name);
        if (option->get_type_size() != 0 && !option->get_type_name().empty())
            left += " " + option->get_type_name();
        std::string text = make_option_desc(option);
        const std::string given = option->get_default_str();
        // The defaults of lists have brackets already.
        if (!given.empty()) text += given.starts_with('[') ? " " + given : " [" + given + "]";
        return beside(left, text);
    }
    std::string make_subcommand(const CLI::App* command) const override {
        return beside("  " + command->get_name(), command->get_description());
    }

    /// Prints at most one empty line in a row: hidden groups leave more.
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        const std::string help = CLI::Formatter::make_help(app, name, mode);
        std::string text;
        for (const char c : help)
            if (c != '\n' || !text.ends_with("\n\n")) text += c;
        return text;
    }

    std::set<const CLI::Option*> hidden;
};

/// Returns a check that rejects the name of an option as a value: the user has forgotten the value.
CLI::Validator no_option_of(const CLI::App& app) {
    return {[&app](const std::string& text) -> std::string {
                const bool is_option =
                    text.starts_with("--") && app.get_option_no_throw(text) != nullptr;
                return is_option ? "its value is missing: '" + text + "' is an option" : "";
            },
            ""};
}

/// Adds one option to the parser and returns the option. Parsing calls `set` of `bound`. Positional
/// words are required, other lists are split at commas, and flags take no value.
CLI::Option* add(CLI::App& app, const BoundOption& bound) {
    CLI::Option* option = nullptr;
    const std::string names =
        bound.name + (bound.former_name.empty() ? "" : "," + bound.former_name);
    if (bound.is_flag)
        // --overwrite=false must not set the flag, and --overwrite=x must not end the program.
        option = app.add_flag_function(
                        names, [set = bound.set](std::int64_t) { set({"true"}); }, bound.help)
                     ->disable_flag_override();
    else if (bound.is_list)
        option = app.add_option_function<Words>(names, bound.set, bound.help);
    else
        option = app.add_option_function<std::string>(
            names, [set = bound.set](const std::string& text) { set({text}); }, bound.help);
    // As in a synopsis, a value in brackets may be missing.
    option->group(bound.group)->required(bound.is_positional && !bound.value.starts_with('['));
    if (!bound.value.empty()) option->type_name(bound.value);
    if (bound.is_list && !bound.is_positional) option->delimiter(',');
    if (!bound.is_positional && !bound.is_flag) option->check(no_option_of(app));
    if (!bound.is_flag) option->check(CLI::Validator(bound.error_in, ""));
    if (!bound.shown_default.empty()) option->default_str(bound.shown_default);
    return option;
}

/// Returns the parser's message. For a flag with a value, returns "--NAME takes no value" instead.
std::string message_of(const CLI::ParseError& error) {
    const std::string text = error.what();
    constexpr std::string_view of_flag = " was given a disallowed flag override";
    if (!text.ends_with(of_flag)) return text;
    return fmt::format("--{} takes no value", text.substr(0, text.size() - of_flag.size()));
}

/// Adds the commands and their options, bound to the members of `command`, to the parser.
/// Parsing `run` then also calls check_constraints().
/// \param with_all whether the help of run shows all options or only the usual ones
void define(CLI::App& app, std::span<const CommandRow> commands, Command& command, bool with_all) {
    app.formatter(std::make_shared<FoldedHelp>());
    app.set_help_all_flag("--help-all", "Print the help of every command, or every option");
    app.require_subcommand(1);
    app.set_version_flag("--version", "");
    app.footer(exit_codes_in_words);
    for (const CommandRow& row : commands) {
        CLI::App& added = *app.add_subcommand(row.name, row.summary);
        const bool is_run = std::string_view(row.name) == "run";
        const std::vector<BoundOption> options = row.options(command);
        const auto help = std::make_shared<FoldedHelp>();
        added.formatter(help);
        for (const BoundOption& each : options) {
            const CLI::Option* const option = add(added, each);
            if (is_run && !with_all && !each.is_usual) help->hidden.insert(option);
        }
        std::string examples = std::string("Examples:\n") + row.examples;
        if (is_run && !with_all) {
            examples += fmt::format("\n\nmpiaudit run --help-all shows {} more options.",
                                    help->hidden.size());
        }
        added.footer(examples);
        if (is_run) added.callback([&added, &command] { check_constraints(added, command.run); });
    }
}

/// Returns the help of the command before --help-all, or of all commands.
std::string all_help(CLI::App& app) {
    const bool is_of_one = !app.get_subcommands().empty();
    return is_of_one ? app.help() : app.help("", CLI::AppFormatMode::All);
}

/// Returns an error if the first word is no command; nullopt if it is one or there is no word.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, const char* const* argv) {
    if (argc < 2 || argv[1][0] == '-') return std::nullopt;
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
    if (is_among(names, argv[1])) return std::nullopt;
    return unknown_name("command", argv[1], names);
}

/// Returns an error if an argument is no UTF-8: reports contain the arguments, and are UTF-8.
std::optional<std::string> non_utf8_argument(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        if (const auto at = first_invalid_utf8(argv[i]))
            return "'" + as_utf8(argv[i]) + "': " + not_utf8(argv[i], *at);
    }
    return std::nullopt;
}

/// Looks at the words that begin with two dashes, up to a lone "--". Returns an error for the first
/// word whose option is neither in `known` nor in `former` or that ends with its only "="; nullopt
/// if there is none. The parser itself would give a less helpful message, or none.
std::optional<std::string> wrong_words(const Words& known, const Words& former,
                                       const Words& arguments) {
    for (const std::string& word : arguments) {
        if (word == "--") break;
        if (!word.starts_with("--")) continue;
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (!is_among(known, name) && !is_among(former, name)) {
            const std::string nearest = nearest_name(name, known);
            return fmt::format("unknown option {}{}", name,
                               nearest.empty() ? "" : "; did you mean " + nearest + "?");
        }
        if (equals + 1 == word.size())
            return fmt::format("{} has no value behind the =; write {}=VALUE or {} VALUE", name,
                               name, name);
    }
    return std::nullopt;
}

/// Call this when the parser misses a required word. Returns an error that asks for the first
/// option of the parsed command if this option is positional; else `otherwise`.
std::string missing_word(const CLI::App& app, std::span<const CommandRow> commands,
                         Command& command, const std::string& otherwise) {
    for (const CommandRow& row : commands) {
        const BoundOption word = row.options(command).front();
        if (!app.get_subcommand(row.name)->parsed() || !word.is_positional) continue;
        return word.choices.empty()
                   ? std::string(row.name) + " " + word.value + ": " + word.help
                   : std::string(row.name) + " what? Valid: " + joined(word.choices, ", ");
    }
    return otherwise;
}

/// Returns an error that lists the words which belong to no option, in their order.
std::string extra_words(const CLI::App& app, const std::vector<std::string>& arguments) {
    const std::vector<std::string> extras = app.remaining(true);
    std::string text;
    for (const std::string& word : arguments) {
        if (is_among(extras, word)) text += " " + word;
    }
    return "unexpected:" + text + "; a value follows its option, as in --guidelines all";
}

/// Marks the options of the command line as given.
void note_given(const CLI::App& app, GivenOptions& options) {
    for (const CLI::Option* each : app.get_options()) {
        if (each->count() > 0 && !each->get_lnames().empty())
            options.given.insert(each->get_lnames().front());
    }
}

}  // namespace

Command parse_command(int argc, const char* const* argv, std::span<const CommandRow> commands) {
    Command command;
    for (int i = 0; i < argc; ++i) command.arguments.push_back(as_utf8(argv[i]));
    const auto end = std::ranges::find(command.arguments, "--");
    const Words words(command.arguments.begin() + std::min(argc, 1), end);
    command.run = !words.empty() && words.front() == "verify" ? default_verify_options()
                                                              : default_run_options();
    CLI::App app{
        "mpiaudit audits the collectives of an MPI library against self-consistent\n"
        "performance guidelines such as MPI_Gather(m) <= MPI_Gatherv(m).",
        "mpiaudit"};
    define(app, commands, command, is_among(words, "--help-all"));
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForAllHelp&) {
        command.text = all_help(app);
    } catch (const CLI::CallForHelp&) {
        command.text = app.help();
    } catch (const CLI::CallForVersion&) {
        command.name = "version";
        return command;
    } catch (const CLI::RequiredError& error) {
        command.error = unknown_command(app, argc, argv)
                            .value_or(missing_word(app, commands, command, error.what()));
    } catch (const CLI::ExtrasError&) {
        command.error =
            unknown_command(app, argc, argv).value_or(extra_words(app, command.arguments));
    } catch (const CLI::ParseError& error) {
        command.error = unknown_command(app, argc, argv).value_or(message_of(error));
    }
    if (!command.text.empty()) return command;
    for (const CommandRow& row : commands) {
        CLI::App& parsed = *app.get_subcommand(row.name);
        if (!parsed.parsed()) continue;
        command.name = row.name;
        command.help = "mpiaudit " + command.name + " --help";
        Words known = {"--help", "--help-all"}, former;
        for (const BoundOption& each : row.options(command)) {
            known.push_back(each.name);
            former.push_back(each.former_name);
            // These words go to the application unchanged, whatever the parser made of them.
            const auto behind = std::find(argv, argv + argc, std::string_view("--"));
            if (each.is_behind_dashes && behind != argv + argc)
                each.set(Words(behind + 1, argv + argc));
        }
        if (const auto wrong = wrong_words(known, former, words)) command.error = *wrong;
        note_given(parsed, command.run);
        note_given(parsed, command.judge);
    }
    if (const auto error = non_utf8_argument(argc, argv)) command.error = *error;
    if (command.error.empty()) {
        settle_defaults(command.run);
        settle_rule(command.judge, command.judge);
    }
    return command;
}

}  // namespace mpiaudit
