// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
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

}  // namespace

std::string reproduce_command(const json& header, const std::string& guideline,
                              const json& problem) {
    const json& options = header["options"];
    std::string command = settings(header["environment"]);
    command += fmt::format("mpirun -n {} {} run", problem["ranks"].get<int>(),
                           shell_word(header["command"].front().get<std::string>()));
    for (const json& each : header["guidelines"]) {
        if (each["id"] != guideline) continue;
        std::string file = each["file"];
        const bool is_shipped = file.find('/') == std::string::npos && file.ends_with(".json");
        if (is_shipped) file.resize(file.size() - std::string_view(".json").size());
        if (file != "irregular") command += " --guidelines " + shell_word(file);
    }
    command += " --only " + shell_word(guideline);
    const auto counts = options.value("counts", "");
    bool is_explicit = false;
    for (const json& each : header["distributions"])
        is_explicit =
            is_explicit || (each["name"] == problem["distribution"] && each.contains("counts"));
    if (is_explicit) {
        command += " --counts " + shell_word(counts);
    } else {
        command += " --distributions " + shell_word(problem["distribution"].get<std::string>());
        command += fmt::format(" --block-sizes {}", problem["block_size"].get<std::int64_t>());
    }
    // What else decides how this problem is measured, where it is not as by default.
    const json& defaults = header["default_options"];
    for (const char* name :
         {"root", "element", "seed", "sync", "clock", "bind", "warmup", "max-rounds"}) {
        if (options[name] == defaults[name]) continue;
        const json& value = options[name];
        command +=
            fmt::format(" --{} {}", name,
                        value.is_string() ? shell_word(value.get<std::string>()) : value.dump());
    }
    return command;
}

}  // namespace mpiaudit
