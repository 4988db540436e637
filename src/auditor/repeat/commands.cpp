// SPDX-License-Identifier: BSD-3-Clause
// Commands that measure or verify again: declared in report/report.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>

#include "machine/machine_description.h"
#include "options/option_table.h"
#include "options/recorded_options.h"
#include "repeat/commands.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

bool is_relative_of_mpich(const std::string& library) {
    return std::ranges::any_of(
        std::array{"MPICH", "Intel(R) MPI", "MVAPICH"},
        [&](const char* name) { return library.find(name) != std::string::npos; });
}

/// Returns true if the variable steers the library with this version text. A library ignores
/// variables of other libraries.
bool steers_library(std::string_view variable, const std::string& library) {
    const auto begins_with = [&](const auto& prefixes) {
        return std::ranges::any_of(
            prefixes, [&](std::string_view prefix) { return variable.starts_with(prefix); });
    };
    if (variable.starts_with("OMPI_MCA_")) {
        if (is_relative_of_mpich(library)) return false;
        const std::string_view parameter = variable.substr(std::string_view("OMPI_MCA_").size());
        // The first two variables say how the launcher reaches other hosts.
        return parameter == "plm_rsh_agent" || parameter == "oob_tcp_if_include" ||
               std::ranges::any_of(std::array{"coll", "btl", "pml", "mtl", "mpi", "osc"},
                                   [&](std::string_view component) {
                                       return parameter == component ||
                                              parameter.starts_with(fmt::format("{}_", component));
                                   });
    }
    // the launcher sets this variable
    if (variable == "MPIR_CVAR_CH3_INTERFACE_HOSTNAME") return false;
    if (begins_with(std::array{"MPIR_CVAR_", "MPICH_", "I_MPI_", "MV2_"}))
        return !library.starts_with("Open MPI");
    return variable.starts_with("UCX_");
}

/// Returns true if the recorded launcher sets the variable: mpirun -x NAME, --mca PARAMETER.
bool is_set_by_launcher(std::string_view variable, const record::Header& header) {
    constexpr std::string_view prefix = "OMPI_MCA_";
    const std::string_view parameter =
        variable.starts_with(prefix) ? variable.substr(prefix.size()) : variable;
    return std::ranges::any_of(header.job.launcher.words, [&](std::string_view word) {
        const std::string_view name = word.substr(0, word.find('='));
        return name == variable || name == parameter;
    });
}

/// Returns true if a shell accepts the name of a variable.
bool is_variable_name(std::string_view name) {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    return !name.empty() && name.find_first_not_of(letters) == std::string_view::npos &&
           (name.front() < '0' || name.front() > '9');
}

std::string library_variables(const record::Header& header) {
    std::string text;
    for (const auto& [name, value] : library_settings(header))
        text += name + '=' + shell_word(value) + ' ';
    return text;
}

/// Returns what a user must add to the command if no job script recorded the launcher: the place of
/// ranks in irregular order, and the way to hosts that only the host of the audit reaches.
std::string reservation(const record::Header& header) {
    if (!header.job.launcher.empty() || header.simulated) return "";
    const RankPlacement placement = placement_of(header.machine.hosts);
    if (placement.hosts < 2) return "";
    if (placement.order == RankOrder::irregular)
        return "  # where the audit was started, with its placement of ranks";
    return "  # where the audit was started";
}

/// Returns the options of a problem of an application, which does not need the recording.
std::string options_of_selected(const application::Selection& selection, const std::string& name) {
    const auto* const found =
        find_in(selection.problems, name, &application::SelectedProblem::name);
    if (found == nullptr) return "";
    std::string text = fmt::format(" --counts {} --element {}", fmt::join(found->counts, ","),
                                   shell_word(found->element));
    if (!found->op.empty()) text += " --op " + shell_word(found->op);
    return text + fmt::format(" --root {}", found->root);
}

/// Returns the distribution of the problem as the user gave it: a name, a file, or --counts.
std::string block_size_options(const record::Header& header,
                               const record::ProblemDescription& problem) {
    if (header.application) return options_of_selected(*header.application, problem.distribution);
    // No distribution has blocks of size 0.
    if (problem.total == 0)
        return fmt::format(
            " --counts {}",
            fmt::join(std::vector<int>(static_cast<std::size_t>(problem.ranks)), ","));
    const auto& distributions = header.distributions;
    const auto found =
        std::ranges::find(distributions, problem.distribution, &record::DistributionRecord::name);
    const bool is_explicit = found != distributions.end() && found->counts;
    // Counts come behind all distributions that were given.
    const std::string counts = text_of(option_in(header.options, "counts"));
    if (is_explicit && !counts.empty() && found + 1 == distributions.end())
        return " --counts " + shell_word(counts);
    if (found != distributions.end() && !found->repeats.empty())
        return fmt::format(" --distributions {} --block-sizes {} --element {} --op {} --root {}",
                           shell_word(found->repeats), problem.block_size,
                           shell_word(problem.element), shell_word(problem.op), problem.root);
    std::string given = problem.distribution;
    const auto place = static_cast<std::size_t>(found - distributions.begin());
    const std::vector<std::string> names = words_of(option_in(header.options, "distributions"));
    if (names != std::vector<std::string>{"all"} && place < names.size()) given = names[place];
    std::string text = " --distributions " + shell_word(given);
    if (!is_explicit) text += fmt::format(" --block-sizes {}", problem.block_size);
    return text;
}

/// Returns the option that names the file of the guideline; --algorithms adds its own guidelines.
std::string guideline_option(const record::Header& header, const std::string& guideline) {
    const auto* const found = find_in(header.guidelines, guideline, &record::GuidelineRecord::id);
    if (found == nullptr) return "";
    std::string file = found->file;
    const bool is_shipped = file.find('/') == std::string::npos && file.ends_with(".json");
    if (is_shipped) file.resize(file.size() - std::string_view(".json").size());
    return file == "algorithms" ? "" : " --guidelines " + shell_word(file);
}

/// Flags and lists choose the kind of audit and come first; single values choose how the audit
/// measures.
bool is_flag_or_list(const NamedOption& option) {
    return std::holds_alternative<bool>(option.value) ||
           std::holds_alternative<std::vector<std::string>>(option.value);
}

bool is_option_of_verify(const std::string& name) {
    return std::ranges::any_of(verify_rows(), [&](const auto& row) { return row.name == name; });
}

/// \param blocks block_size_options(), whose options are not given twice
std::string repeated_options(const record::Header& header, const std::string& blocks,
                             const std::function<bool(const NamedOption&)>& is_wanted) {
    OptionValues wanted;
    std::ranges::copy_if(header.options, std::back_inserter(wanted), [&](const NamedOption& each) {
        return is_wanted(each) &&
               blocks.find(fmt::format(" --{} ", each.name)) == std::string::npos;
    });
    std::string text;
    for (const std::string& word : reproduced_arguments(wanted, header.default_options))
        text += ' ' + shell_word(word);
    return text;
}

/// Returns variables, launcher and program, with the command behind them.
std::string start_of(const record::Header& header, std::string_view command) {
    if (header.simulation)
        return fmt::format("{}{} --{}", library_variables(header), header.simulation->start.text(),
                           command);
    return fmt::format("{} {}{}", start_of_ranks(header),
                       shell_word(header.command.empty() ? "mpiaudit" : header.command.front()),
                       command);
}

}  // namespace

Variables library_settings(const record::Header& header) {
    Variables variables;
    std::ranges::copy_if(header.environment, std::back_inserter(variables), [&](const auto& each) {
        const std::string& name = each.first;
        return is_variable_name(name) && steers_library(name, header.mpi.library) &&
               !is_set_by_launcher(name, header);
    });
    return variables;
}

int ranks_of_launch(const record::Header& header) {
    return header.launch_ranks.value_or(header.machine.ranks);
}

CommandLine launcher_of(const record::Header& header) {
    if (!header.job.launcher.empty()) return header.job.launcher;
    CommandLine command{{"mpirun"}};
    std::vector<std::string>& words = command.words;
    const RankPlacement placement = placement_of(header.machine.hosts);
    // The hosts of the other ranks of a launch are not recorded.
    if (placement.hosts > 1 && !header.simulated && !header.launch_ranks) {
        std::vector<std::string> names, slots;
        for (const Host& host : header.machine.hosts) {
            names.push_back(host.name);
            slots.push_back(fmt::format("{}:{}", host.name, host.ranks.size()));
        }
        const bool is_cyclic = placement.order == RankOrder::cyclic;
        if (header.mpi.library.starts_with("MPICH")) {
            const std::string ranks = std::to_string(is_cyclic ? 1 : placement.most_ranks);
            words.insert(words.end(),
                         {"-hosts", fmt::format("{}", fmt::join(names, ",")), "-ppn", ranks});
        } else {
            // Open MPI's options; launchers of other libraries take the list of hosts, too.
            words.insert(words.end(), {"--host", fmt::format("{}", fmt::join(slots, ","))});
            if (is_cyclic && placement.most_ranks > 1)
                words.insert(words.end(), {"--map-by", "node"});
        }
    }
    words.insert(words.end(), {"-n", std::to_string(ranks_of_launch(header))});
    return command;
}

std::string start_of_ranks(const record::Header& header) {
    return library_variables(header) + launcher_of(header).text();
}

const RepeatedOptions::Words& RepeatedOptions::beside(const std::string& blocks) {
    std::vector<std::string> left_out;
    for (const NamedOption& each : header_.options)
        if (blocks.find(fmt::format(" --{} ", each.name)) != std::string::npos)
            left_out.push_back(each.name);
    const auto [known, is_new] = known_.try_emplace(left_out);
    if (is_new)
        known->second = {repeated_options(header_, blocks, is_flag_or_list),
                         repeated_options(header_, blocks, [](const NamedOption& option) {
                             return !is_flag_or_list(option);
                         })};
    return known->second;
}

std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem, RepeatedOptions& options) {
    const std::string blocks = block_size_options(header, problem);
    const RepeatedOptions::Words& words = options.beside(blocks);
    return start_of(header, header.simulation ? "" : " run") + guideline_option(header, guideline) +
           words.flags_and_lists + " --only " + shell_word(guideline) + blocks + words.values +
           reservation(header);
}

std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem) {
    RepeatedOptions options(header);
    return reproduce_command(header, guideline, problem, options);
}

std::vector<std::string> called_operations(const record::ContestantDescription& contestant) {
    std::vector<std::string> all, called;
    for (const Form& each : contestant.forms()) {
        all.push_back(each.name());
        if (!each.is_move()) called.push_back(all.back());
    }
    return called.empty() ? all : called;
}

std::string verify_command(const record::Header& header,
                           const record::ContestantDescription& contestant,
                           const record::ProblemDescription& problem) {
    std::string command = start_of(header, " verify");
    command += " --collectives " +
               shell_word(fmt::format("{}", fmt::join(called_operations(contestant), ",")));
    std::string blocks = block_size_options(header, problem);
    if (blocks.find(" --root ") == std::string::npos)
        blocks += fmt::format(" --element {} --op {} --root {}", shell_word(problem.element),
                              shell_word(problem.op), problem.root);
    command += blocks;
    command += repeated_options(header, blocks, [&](const NamedOption& option) {
        // Only the forced algorithms are verified with --algorithms.
        return is_option_of_verify(option.name) &&
               (option.name != "algorithms" || contestant.forced);
    });
    return command + reservation(header);
}

std::string start_of_command(const record::Header& header, std::string_view command) {
    return start_of(header, fmt::format(" {}", command));
}

}  // namespace mpiaudit
