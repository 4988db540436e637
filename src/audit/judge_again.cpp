// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "audit/commands.h"
#include "record/recorded_audit.h"
#include "report/choices.h"
#include "report/console.h"
#include "record/launches.h"
#include "report/report.h"

namespace mpiaudit {
namespace {

judge::Rule rule_of(const JudgeOptions& options, const nlohmann::json& recorded) {
    judge::Rule rule = recorded_rule(recorded);
    if (!options.criterion.empty()) {
        rule.criterion = judge::criterion(options.criterion).value();
        rule.tolerance = default_tolerance(rule.criterion);
    }
    rule.tolerance = options.tolerance.value_or(rule.tolerance);
    rule.alpha = options.alpha.value_or(rule.alpha);
    return rule;
}

}  // namespace

int judge_again(const JudgeOptions& options) {
    std::vector<NamedSamples> launches;
    for (const std::string& folder : options.results) {
        launches.push_back({folder, read_results(folder)});
        if (launches.back().samples.is_truncated)
            fmt::print(stderr,
                       "mpiaudit: warning: the last line of {}/samples.jsonl is incomplete and "
                       "left out\n",
                       folder);
    }
    nlohmann::json report;
    try {
        const std::vector<SamplesFile> joined = joined_launches(std::move(launches));
        report = make_report(joined, rule_of(options, joined.front().header.at("rule")));
    } catch (const nlohmann::json::exception& error) {
        throw UsageError(fmt::format("{}: samples.jsonl is damaged: {}",
                                     fmt::join(options.results, ", "), error.what()));
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
    Terminal terminal = standard_output();
    if (options.color != When::automatic) terminal.colour = options.color == When::always;
    fmt::print("{}{}{}{}", tables(report, terminal), model_table(report),
               choices_table(report, terminal), conclusions(report, terminal));
    if (!options.report.empty()) {
        try {
            write_report(report, options.report);
        } catch (const std::runtime_error& error) {
            throw UsageError(fmt::format("--report: {}", error.what()));
        }
        fmt::print("\nreport: {}\n", options.report);
    }
    const bool fails = options.fail_on == "violation" && report["summary"]["violated"] > 0;
    return fails ? exit_violations : exit_done;
}

}  // namespace mpiaudit
