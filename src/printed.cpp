// SPDX-License-Identifier: BSD-3-Clause
// The commands that print something about the program: print and --version. commands.h declares
// them.
#include "commands.h"

#include <fmt/format.h>

#include "machine/machine_description.h"
#include "mpi/environment.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/plain.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

using Commands = std::span<const CommandRow>;

struct PrintOptions {
    std::string what;
};

std::vector<std::string> script_names() {
    return {"bash", "man"};
}

constexpr OptionRow<PrintOptions> rows_of_print[] = {
    {.name = "what",
     .member = at<&PrintOptions::what>,
     .help = "bash: a script that completes commands, options and values; man: the manual page",
     .value = "WHAT",
     .choices = script_names,
     .is_positional = true},
};

/// The options of a command, with their default values.
std::vector<BoundOption> options_of(const CommandRow& row) {
    Command command;
    command.run = default_run_options();
    return row.options(command);
}

constexpr const char* general = "--help --help-all --version";

std::string names_of(Commands commands) {
    std::string names;
    for (const CommandRow& each : commands) names += std::string(each.name) + " ";
    return names;
}

/// Returns the words that may follow the command: its options and the choices of its positional
/// arguments.
std::string words_of(const CommandRow& command) {
    std::string words = "--help";
    for (const BoundOption& each : options_of(command))
        words += " " + (each.is_positional ? joined(each.choices, " ") : each.name);
    return words;
}

/// Returns the completion script of bash.
std::string for_bash(Commands commands) {
    std::string values, options;
    for (const CommandRow& command : commands) {
        options += fmt::format("        {}) words=\"{}\" ;;\n", command.name, words_of(command));
        for (const BoundOption& each : options_of(command)) {
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

/// Escapes text for roff: readers can copy the hyphens, and no line begins with a request.
std::string roff(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '-')
            result += "\\-";
        else if (c == '\\')
            result += "\\e";
        else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
            result += std::string("\\&") + c;
        else
            result += c;
    }
    return result;
}

std::string of_option(const BoundOption& option) {
    std::string head = ".TP\n\\fB" + roff(option.name) + "\\fR";
    if (!option.value.empty() && !option.is_positional)
        head += " \\fI" + roff(option.value) + "\\fR";
    return head + "\n" + roff(option.help) + "\n";
}

std::string of_command(const CommandRow& command) {
    std::string text = fmt::format(".SH \"MPIAUDIT {}\"\n{}\n", command.name,
                                   roff(std::string(command.summary) + "."));
    std::string group = of_no_group;
    for (const BoundOption& each : options_of(command)) {
        if (each.group != group) text += fmt::format(".SS {}\n", each.group);
        group = each.group;
        text += of_option(each);
    }
    return text;
}

/// Returns the manual page in the format of man: all commands with all options, and the exit codes.
std::string manual_page(Commands commands) {
    std::string text = fmt::format(
        ".TH MPIAUDIT 1 \"\" \"mpiaudit {}\" \"User commands\"\n"
        ".SH NAME\nmpiaudit \\- audits the collectives of an MPI library\n"
        ".SH SYNOPSIS\n"
        "\\fBmpirun\\fR \\-n \\fIRANKS\\fR \\fBmpiaudit\\fR run|verify|probe [\\fIOPTION\\fR...]\n"
        ".br\n\\fBmpiaudit\\fR list|judge|repair|print \\fIWHAT\\fR [\\fIOPTION\\fR...]\n"
        ".SH DESCRIPTION\n"
        "mpiaudit runs the collective operations of an MPI library, compositions of them and\n"
        "reference algorithms from the literature on the same problems, and checks\n"
        "self\\-consistent performance guidelines such as MPI_Gather(m) <= MPI_Gatherv(m).\n",
        roff(std::string(version())));
    for (const CommandRow& each : commands) text += of_command(each);
    return text + ".SH \"EXIT STATUS\"\n" + roff(exit_codes_in_words) + "\n";
}

std::string compiler() {
#if defined(__clang__)
    return fmt::format("Clang {}", __clang_version__);
#elif defined(__GNUC__)
    return fmt::format("GCC {}", __VERSION__);
#else
    return "unknown";
#endif
}

}  // namespace

std::vector<BoundOption> print_options(Command& command) {
    return bound(rows_of_print, command.own<PrintOptions>());
}

int print(const Command& command) {
    const std::string& what = command.own<PrintOptions>().what;
    say("{}", what == "man" ? manual_page(commands()) : for_bash(commands()));
    return exit_done;
}

int say_version() {
    // Some libraries add lines about their configuration.
    const std::string library = Environment::library_version();
    const std::string hwloc = hwloc_version();
    say("mpiaudit {}\ncommit:   {}\nMPI:      {}, standard {}\n", version(), commit(),
        library.substr(0, library.find('\n')), Environment::standard_version());
    if (is_of_binary_archive())
        say("library:  {}\nprogram:  {}\n", Environment::library_file().value_or("unknown"),
            plain(program_of_archive()));
    say("compiler: {}\nhwloc:    {}\n", compiler(),
        hwloc.empty() ? "none, topology not known" : hwloc);
    return exit_done;
}

}  // namespace mpiaudit
