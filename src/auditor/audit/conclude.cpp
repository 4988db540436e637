// SPDX-License-Identifier: BSD-3-Clause
#include "audit/conclude.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "audit/commands.h"
#include "audit/confirmation.h"
#include "audit/ending.h"
#include "audit/resume_command.h"
#include "audit/tables_command.h"
#include "messages/interruption.h"
#include "record/recorded_audit.h"
#include "report/console.h"
#include "report/report.h"
#include "report/report_json.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

void say_interrupted(const Session& session, int signal) {
    remark("{}: {} of {} problems are measured; --resume goes on:\n  {}",
           interruption::name(signal), session.audit().planned_and_measured(),
           session.header().planned_problems, resume_command(session.header(), session.folder()));
}

/// Whoever names a file of guidelines wants the table of its paper.
bool wants_tables(const RunOptions& options) {
    return options.tables || (options.is_given("guidelines") && options.confirm.empty() &&
                              std::ranges::none_of(options.guidelines, [](const std::string& name) {
                                  return name == "all" || name == library_guidelines;
                              }));
}

std::string where_to_look(const Session& session, const RunOptions& options,
                          const std::string& file, int columns) {
    std::vector<std::string> folders = {session.folder()};
    if (!options.confirm.empty()) folders.insert(folders.begin(), options.confirm);
    std::string text;
    if (!wants_tables(options)) text = tables_command(session.header(), folders, columns);
    return text + fmt::format("report: {}\n", file);
}

}  // namespace

std::string report_what_is_kept(const std::string& folder) {
    try {
        const record::Audit audit = read_results(folder).audit;
        const std::string file = std::filesystem::path(folder) / "report.json";
        write_report(make_report(audit, recorded_rule(audit.header.rule)), file);
        return fmt::format("mpiaudit: report of what is kept: {}\n", file);
    } catch (const std::exception& error) {
        return fmt::format("mpiaudit: {}\n", error.what());
    }
}

int conclude(const Session& session, const RunOptions& options, const judge::Rule& rule,
             int signal) {
    const std::string file = std::filesystem::path(session.folder()) / "report.json";
    Report report = make_report(session.audit(), rule);
    write_report(report, file);
    // Of a confirmation, what the audit and all that is known about it say together.
    if (!options.confirm.empty()) report = joint_report(options, session.audit());
    const Terminal terminal = standard_output(options.color);
    show(report, terminal, wants_tables(options),
         where_to_look(session, options, file, terminal.columns));
    const int code = end_with(report, options);
    if (signal == 0) return code;
    say_interrupted(session, signal);
    return exit_interrupted;
}

}  // namespace mpiaudit
