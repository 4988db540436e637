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
#include "messages/interruption.h"
#include "record/samples_file.h"
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

}  // namespace

std::string report_what_is_kept(const std::string& folder) {
    try {
        const record::Audit audit = read_results(folder).audit;
        const std::string file = std::filesystem::path(folder) / "report.json";
        write_report(make_report(std::span(&audit, 1)), file);
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
    show(report, standard_output(options.color), fmt::format("report: {}\n", file));
    const int code = end_with(report, options);
    if (signal == 0) return code;
    say_interrupted(session, signal);
    return exit_interrupted;
}

}  // namespace mpiaudit
