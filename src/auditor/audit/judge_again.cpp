// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "audit/commands.h"
#include "audit/ending.h"
#include "audit/output_option.h"
#include "audit/read_launches.h"
#include "audit/tables_command.h"
#include "record/launches.h"
#include "record/recorded_audit.h"
#include "report/console.h"
#include "report/report.h"
#include "report/report_json.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

judge::Rule rule_of(const JudgeOptions& options, const record::RuleRecord& recorded) {
    judge::Rule rule = recorded_rule(recorded);
    if (!options.criterion.empty()) {
        rule.criterion = judge::criterion(options.criterion).value();
        rule.tolerance = default_tolerance(rule.criterion);
        rule.outliers = default_outliers(rule.criterion);
    }
    if (!options.outliers.empty()) rule.outliers = judge::outliers(options.outliers).value();
    rule.tolerance = options.tolerance.value_or(rule.tolerance);
    rule.alpha = options.alpha.value_or(rule.alpha);
    return rule;
}

Report judged(const JudgeOptions& options) {
    try {
        const std::vector<record::Audit> launches = joined_launches(read_launches(options.results));
        return make_report(launches, rule_of(options, launches.front().header.rule));
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

fs::path whole_path(const std::string& file) {
    return fs::weakly_canonical(fs::absolute(file));
}

}  // namespace

int judge_again(const JudgeOptions& options) {
    check_output("--report", options.report);
    check_gate(options);
    if (!options.report.empty() && !options.junit.empty() &&
        whole_path(options.report) == whole_path(options.junit))
        throw UsageError(fmt::format(
            "--report and --junit both name {}; give each a file of its own", options.report));
    const Report report = judged(options);
    const Terminal terminal = standard_output(options.color);
    std::string where;
    if (!options.tables) where = tables_command(report.header, options.results, terminal.columns);
    if (!options.report.empty()) {
        write_output("--report", [&] { write_report(report, options.report); });
        where += fmt::format("report: {}\n", options.report);
    }
    show(report, terminal, options.tables, where);
    return end_with(report, options);
}

}  // namespace mpiaudit
