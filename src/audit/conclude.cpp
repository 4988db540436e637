// SPDX-License-Identifier: BSD-3-Clause
#include "audit/conclude.h"

#include <fmt/format.h>

#include <filesystem>

#include "audit/commands.h"
#include "audit/confirmation.h"
#include "audit/resume_command.h"
#include "messages/interruption.h"
#include "report/console.h"
#include "report/report.h"
#include "report/report_json.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

void say_interrupted(const Session& session, int signal) {
    remark("{}: {} of {} problems are measured; --resume goes on:\n  {}",
           interruption::name(signal), session.audit().problems.size(),
           session.header().planned_problems, resume_command(session.header(), session.folder()));
}

}  // namespace

int conclude(const Session& session, const RunOptions& options, const judge::Rule& rule,
             int signal) {
    const Report report = make_report(session.audit(), rule);
    const std::string file = std::filesystem::path(session.folder()) / "report.json";
    write_report(report, file);
    const Terminal terminal = standard_output(options.color);
    if (options.confirm.empty())
        show(report, terminal);
    else
        say("{}", conclusions(joint_report(options, session.audit()), terminal));
    say("\nreport: {}\n", file);
    if (signal != 0) {
        say_interrupted(session, signal);
        return exit_interrupted;
    }
    if (report.summary.wrong > 0) return exit_wrong_result;
    if (options.fail_on == "violation" && report.summary.violated > 0) return exit_violations;
    return exit_done;
}

}  // namespace mpiaudit
