// SPDX-License-Identifier: BSD-3-Clause
// Annotations of GitHub Actions, a row of MPIAUDIT_FORMATS: declared in screens/formats.h.
#include <fmt/format.h>

#include <algorithm>

#include "answer/answer.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "screens/formats.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// A command of a workflow. An unescaped line end or percent sign would end or change the command.
std::string annotation(std::string_view level, std::string_view title, std::string message) {
    for (const auto& [character, code] : {std::pair{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}})
        replace_all(message, character, code);
    return fmt::format("::{} title={}::{}\n", level, title, message);
}

}  // namespace

namespace {

/// Returns the failing violation of an operation with the largest ratio; null if none fails.
const JudgedCheck* worst_failing(const Report& report, const GateOutcome& outcome,
                                 const std::string& operation) {
    const JudgedCheck* worst = nullptr;
    for (const JudgedCheck* each : outcome.failing)
        if (each->left.way().operations() == operation &&
            (worst == nullptr || gated_ratio(report, *each) > gated_ratio(report, *worst)))
            worst = each;
    return worst;
}

/// Returns the sentence of the row, and the failing violation if the row shows another one.
std::string annotated(const Report& report, const OverviewRow& row, const RowInWords& words,
                      const JudgedCheck* failing) {
    const std::string caveat = words.caveat.empty() ? "" : fmt::format(" ({})", words.caveat);
    std::string text =
        fmt::format("{}: {}. Instead: {}{}.", row.operation, words.sentence, words.instead, caveat);
    if (failing == nullptr || row_of(report, *failing) == &row) return text;
    const double ratio = gated_ratio(report, *failing);
    return text + fmt::format(" The largest ratio that fails: {} on {}.", ratio_text(ratio),
                              failing->problem);
}

}  // namespace

/// An error for each wrong operation and for each row of the overview that fails the gate, a
/// warning for each other row and for operations that are wrong in the baseline, too. A workflow
/// prints the lines, and GitHub shows them beside the run.
std::string writers::github(const Report& report, const GateOutcome& outcome) {
    std::string text;
    for (const WrongOperation& each : wrong_operations(report))
        text += annotation(outcome.wrong.empty() ? "warning" : "error", "Wrong result of MPI",
                           in_words(each));
    const std::vector<RowInWords> words = rows_in_words(report);
    for (const OverviewRow& row : report.overview) {
        const JudgedCheck* const failing = worst_failing(report, outcome, row.operation);
        text += annotation(
            failing != nullptr ? "error" : "warning", "Slow operation of MPI",
            annotated(report, row, words[static_cast<std::size_t>(&row - report.overview.data())],
                      failing));
    }
    return text;
}

}  // namespace mpiaudit
