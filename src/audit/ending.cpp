// SPDX-License-Identifier: BSD-3-Clause
#include "audit/ending.h"

#include <fmt/format.h>

#include <stdexcept>

#include "audit/commands.h"
#include "files/written_file.h"
#include "record/samples_file.h"
#include "report/findings.h"
#include "report/junit.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

void write_junit(const std::string& path, const std::string& text) {
    try {
        replace_file(path, text);
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("--junit: {}", error.what()));
    }
}

}  // namespace

void check_gate(const GateOptions& options) {
    const Gate gate(options);
    if (options.junit.empty()) return;
    if (holds_samples(options.junit))
        throw UsageError(fmt::format(
            "--junit: {} holds the samples of an audit, which would be lost; give another name",
            options.junit));
    try {
        check_replaceable(options.junit);
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("--junit: {}", error.what()));
    }
}

int end_with(const Report& report, const GateOptions& options) {
    const Gate gate(options);
    const GateOutcome outcome = gate.outcome(report);
    if (!options.junit.empty()) write_junit(options.junit, junit_xml(report, outcome));
    if (const std::string words = in_words(outcome); gate.is_wanted() && !words.empty())
        say("{}\n", words);
    if (report.summary.wrong > 0) return exit_wrong_result;
    if (gate.is_wanted() && !outcome.failing.empty()) return exit_violations;
    // What has no answer is no reason to pass.
    const bool is_answered = report.summary.decided() > 0 || report.checks.empty() ||
                             (!gate.is_wanted() && !is_nothing_decided(report));
    return is_answered ? exit_done : exit_nothing_decided;
}

}  // namespace mpiaudit
