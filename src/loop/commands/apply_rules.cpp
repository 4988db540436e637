// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "commands/loop_commands.h"
#include "commands/preloaded_application.h"
#include "files/read_file.h"
#include "paths/paths.h"
#include "repair/repair.h"
#include "rules/rules.h"
#include "rules/variables.h"
#include "text/console.h"

namespace mpiaudit {

void list_paths() {
    for (const MpiOperation& collective : rules::all_collectives())
        for (const std::string& path : paths::paths_of(collective.name))
            say("{:<24} {}\n", collective.name, path);
}

bool is_path_of(const std::string& collective, const std::string& contestant) {
    try {
        paths::find_path(collective, repair::path_of(contestant));
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

int apply_rules(const ApplyOptions& options) {
    try {
        if (options.rules.empty()) throw UsageError("apply: give the rules with --rules FILE");
        // What is wrong with them is said before anything starts.
        const rules::Rules rules = rules::parse_rules(read_file(options.rules), options.rules);
        for (const rules::Rule& rule : rules.rules) paths::find_path(rule.collective, rule.path);
        preload("apply", "libmpiaudit-repair.so", options.application);
    } catch (const std::invalid_argument& error) {
        return refuse_on_all_ranks(error.what());
    }
    // The application may change its folder.
    const std::string file = std::filesystem::absolute(options.rules);
    setenv(rules::rules_variable, file.c_str(), 1);
    setenv(rules::mode_variable, options.mode.c_str(), 1);
    if (!options.report.empty()) setenv(rules::report_variable, options.report.c_str(), 1);
    return become("apply", options.application);
}

}  // namespace mpiaudit
