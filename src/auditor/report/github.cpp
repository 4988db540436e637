// SPDX-License-Identifier: BSD-3-Clause
// Annotations of GitHub Actions, a row of MPIAUDIT_FORMATS: declared in report/gate.h.
#include <fmt/format.h>

#include <algorithm>

#include "report/findings.h"
#include "report/gate.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A command of a workflow. An unescaped line end or percent sign would end or change the command.
std::string annotation(std::string_view level, std::string_view title, std::string message) {
    for (const auto& [character, code] : {std::pair{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}})
        replace_all(message, character, code);
    return fmt::format("::{} title={}::{}\n", level, title, message);
}

}  // namespace

/// An error for each wrong operation and for each row of the overview that fails the gate, a
/// warning for each other row and for operations that are wrong in the baseline, too. A workflow
/// prints the lines, and GitHub shows them beside the run.
std::string writers::github(const Report& report, const GateOutcome& outcome) {
    std::string text;
    for (const WrongOperation& each : wrong_operations(report))
        text += annotation(outcome.wrong.empty() ? "warning" : "error", "Wrong result of MPI",
                           each.sentence());
    for (const OverviewRow& row : report.overview) {
        const bool fails = std::ranges::any_of(outcome.failing, [&](const JudgedCheck* each) {
            return each->left.way().operations() == row.operation;
        });
        text += annotation(
            fails ? "error" : "warning", "Slow operation of MPI",
            fmt::format("{}: {}. Instead: {}.", row.operation, row.sentence, row.instead));
    }
    return text;
}

}  // namespace mpiaudit
