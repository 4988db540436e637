// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "audit/commands.h"
#include "audit/conclude.h"
#include "options/option_table.h"
#include "record/launches.h"
#include "record/samples_file.h"
#include "report/console.h"
#include "report/report.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

/// That of the audit, but for what is given.
judge::Rule rule_of(const JudgeOptions& options, judge::Rule rule) {
    for (const OptionRow<judge::Rule>& row : rule_rows()) {
        if (options.is_given(row.name)) row.take(rule, row.member.record(options));
        if (options.is_given("judge")) settle_rule(rule, options);
    }
    return rule;
}

Report judged(const JudgeOptions& options) {
    const std::vector<record::Audit> launches = launches_of(options.results);
    return make_report(launches, rule_of(options, launches.front().header.rule));
}

fs::path whole_path(const std::string& file) {
    return fs::weakly_canonical(fs::absolute(file));
}

}  // namespace

int judge_again(const JudgeOptions& options) {
    check_output("--report", options.report);
    check_gate(options);
    for (std::size_t i = 0; i < std::size(formats); ++i) {
        if (!options.report.empty() && !options.files[i].empty() &&
            whole_path(options.report) == whole_path(options.files[i]))
            throw UsageError(
                fmt::format("--report and --{} both name {}; give each a file of its own",
                            formats[i].option, options.report));
    }
    const Report report = judged(options);
    std::string where;
    if (!options.report.empty()) {
        write_output("--report", [&] { write_report(report, options.report); });
        where = fmt::format("report: {}\n", plain_line(options.report));
    }
    show(report, standard_output(options.color), where);
    return end_with(report, options);
}

}  // namespace mpiaudit
