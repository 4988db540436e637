// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "report/report.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

/// A word as a shell needs it.
std::string shell_word(const std::string& word) {
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

/// Settings of Open MPI that a user gives, as its launcher passes them on to the ranks.
std::string settings(const json& environment) {
    std::string text;
    for (const auto& [name, value] : environment.items()) {
        if (name == "OMPI_MCA_mpi_oversubscribe") continue;  // the launcher's own note to the ranks
        for (const std::string_view component : {"coll", "btl", "pml", "mtl", "mpi", "osc"}) {
            if (name.starts_with(fmt::format("OMPI_MCA_{}_", component)) ||
                name == fmt::format("OMPI_MCA_{}", component))
                text += fmt::format("{}={} ", name, shell_word(value.get<std::string>()));
        }
    }
    for (const auto& [name, value] : environment.items()) {
        for (const std::string_view prefix : {"MPIR_CVAR_", "MPICH_", "I_MPI_", "MV2_", "UCX_"}) {
            if (name.starts_with(prefix))
                text += fmt::format("{}={} ", name, shell_word(value.get<std::string>()));
        }
    }
    return text;
}

/// The distribution of the problem as the user gave it, which may be a file of his own or --counts.
std::string block_size_options(const json& header, const json& problem) {
    const json& options = header["options"];
    const json& distributions = header["distributions"];
    const auto found = std::ranges::find_if(
        distributions, [&](const json& each) { return each["name"] == problem["distribution"]; });
    const bool is_explicit = found != distributions.end() && found->contains("counts");
    // Counts come last, behind all distributions that were given.
    if (is_explicit && options["counts"] != "" && found + 1 == distributions.end())
        return " --counts " + shell_word(options["counts"].get<std::string>());
    std::string given = problem["distribution"];
    const auto place = static_cast<std::size_t>(found - distributions.begin());
    if (options["distributions"] != json{"all"} && place < options["distributions"].size())
        given = options["distributions"][place];
    std::string text = " --distributions " + shell_word(given);
    if (!is_explicit) text += fmt::format(" --block-sizes {}", problem["block_size"].dump());
    return text;
}

}  // namespace

std::string reproduce_command(const json& header, const std::string& guideline,
                              const json& problem) {
    const json& options = header["options"];
    std::string command = settings(header["environment"]);
    if (header.value("simulated", false))
        command += header["simulation"]["start"].get<std::string>() + " --";
    else
        command += fmt::format("mpirun -n {} {} run", problem["ranks"].get<int>(),
                               shell_word(header["command"].front().get<std::string>()));
    for (const json& each : header["guidelines"]) {
        if (each["id"] != guideline) continue;
        std::string file = each["file"];
        const bool is_shipped = file.find('/') == std::string::npos && file.ends_with(".json");
        if (is_shipped) file.resize(file.size() - std::string_view(".json").size());
        if (file != "irregular" && file != "algorithms")
            command += " --guidelines " + shell_word(file);
    }
    for (const auto& [name, option] :
         {std::pair{"algorithms", " --algorithms "}, std::pair{"setting", " --setting "}}) {
        const auto given = options.value(name, std::vector<std::string>{});
        if (!given.empty())
            command += option + shell_word(fmt::format("{}", fmt::join(given, ",")));
    }
    if (options.value("no-communication", false)) command += " --no-communication";
    if (options.value("shared-buffers", false)) command += " --shared-buffers";
    command += " --only " + shell_word(guideline);
    command += block_size_options(header, problem);
    // What else decides how this problem is measured, where it is not as by default.
    const json& defaults = header["default_options"];
    for (const char* name : {"root", "element", "op", "seed", "sync", "clock", "bind", "warmup",
                             "max-rounds", "network"}) {
        // An audit by an earlier version may lack an option of this one.
        const json value = options.value(name, json());
        if (value == defaults.value(name, json())) continue;
        command +=
            fmt::format(" --{} {}", name,
                        value.is_string() ? shell_word(value.get<std::string>()) : value.dump());
    }
    return command;
}

}  // namespace mpiaudit
