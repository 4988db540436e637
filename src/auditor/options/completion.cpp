// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "options/described_commands.h"
#include "options/option_row.h"

namespace mpiaudit {
namespace {

constexpr const char* general = "--help --help-all --version";

std::string names_of(const std::vector<DescribedCommand>& commands) {
    std::string names;
    for (const DescribedCommand& each : commands) names += each.name + " ";
    return names;
}

/// The options of a command, and where it has words of its own, the choices for these.
std::string words_of(const DescribedCommand& command) {
    std::string words = "--help";
    for (const DescribedOption& each : command.options)
        words += " " + (each.is_positional ? joined(each.choices, " ") : each.name);
    return words;
}

// mpiaudit stands behind a launcher more often than not, so the command is looked for in all words.
std::string for_bash() {
    const auto commands = described_commands();
    std::string values, options;
    for (const DescribedCommand& command : commands) {
        options += fmt::format("        {}) words=\"{}\" ;;\n", command.name, words_of(command));
        for (const DescribedOption& each : command.options) {
            if (each.choices.empty() || each.is_positional) continue;
            values += fmt::format("        \"{} {}\") words=\"{}\" ;;\n", command.name, each.name,
                                  joined(each.choices, " "));
        }
    }
    return fmt::format(
        "# bash completion for mpiaudit; made by `mpiaudit print bash`\n"
        "_mpiaudit() {{\n"
        "    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
        "    local command=${{COMP_WORDS[1]}} words=\"\"\n"
        "    ((COMP_CWORD > 1)) || command=\"\"\n"
        "    case $command in\n"
        "        \"\") words=\"{}{}\" ;;\n{}"
        "    esac\n"
        "    case \"$command $previous\" in\n{}"
        "    esac\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
        "}}\n"
        "complete -o default -F _mpiaudit mpiaudit\n",
        names_of(commands), general, options, values);
}

/// As text between single quotes.
std::string in_single_quotes(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + result + "'";
}

/// What a description of zsh's _arguments must not contain as it is.
std::string for_brackets(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_argument(const DescribedOption& option) {
    const std::string choices =
        option.choices.empty() ? "_files" : "(" + joined(option.choices, " ") + ")";
    if (option.is_positional) return in_single_quotes("*:" + option.name + ":" + choices);
    std::string text = option.name + "[" + for_brackets(option.help) + "]";
    if (!option.value.empty()) text += ":" + for_brackets(option.value) + ":" + choices;
    return in_single_quotes(text);
}

std::string for_zsh() {
    std::string commands, cases;
    for (const DescribedCommand& command : described_commands()) {
        commands += "        " +
                    in_single_quotes(command.name + ":" + for_brackets(command.summary)) + "\n";
        cases += fmt::format("        {}) _arguments", command.name);
        for (const DescribedOption& each : command.options)
            cases += " \\\n            " + zsh_argument(each);
        cases += " ;;\n";
    }
    return fmt::format(
        "#compdef mpiaudit\n"
        "# made by `mpiaudit print zsh`\n"
        "_mpiaudit() {{\n"
        "    local -a commands=(\n{}    )\n"
        "    if ((CURRENT == 2)); then\n"
        "        _describe command commands\n"
        "        return\n"
        "    fi\n"
        "    local command=$words[2]\n"
        "    shift words\n"
        "    ((CURRENT--))\n"
        "    case $command in\n{}"
        "    esac\n"
        "}}\n"
        "_mpiaudit \"$@\"\n",
        commands, cases);
}

std::string for_fish() {
    std::string text = "# fish completion for mpiaudit; made by `mpiaudit print fish`\n";
    for (const DescribedCommand& command : described_commands()) {
        text += fmt::format("complete -c mpiaudit -n __fish_use_subcommand -a {} -d {}\n",
                            command.name, in_single_quotes(command.summary));
        for (const DescribedOption& each : command.options) {
            text += fmt::format("complete -c mpiaudit -n '__fish_seen_subcommand_from {}'",
                                command.name);
            if (!each.is_positional) text += " -l " + each.name.substr(2);
            if (!each.choices.empty())
                text += fmt::format(" -x -a {}", in_single_quotes(joined(each.choices, " ")));
            else if (!each.value.empty())
                text += " -r";
            text += " -d " + in_single_quotes(each.help) + "\n";
        }
    }
    return text;
}

}  // namespace

std::string completion_for(const std::string& shell) {
    return shell == "bash" ? for_bash() : shell == "zsh" ? for_zsh() : for_fish();
}

}  // namespace mpiaudit
