// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "audit/commands.h"
#include "report/console.h"
#include "report/report.h"

namespace mpiaudit {
namespace {

SamplesFile read_results(const std::string& folder) {
    const auto file = std::filesystem::path(folder) / "samples.jsonl";
    if (!std::filesystem::exists(file))
        throw UsageError(
            fmt::format("{}: is not the folder of an audit, it has no samples.jsonl", folder));
    try {
        return read_samples(file);
    } catch (const std::runtime_error& error) {
        throw UsageError(error.what());
    }
}

judge::Rule rule_of(const JudgeOptions& options, const nlohmann::json& recorded) {
    judge::Rule rule;
    const bool same_criterion = options.criterion.empty();
    rule.criterion = judge::criterion(same_criterion ? recorded["criterion"].get<std::string>()
                                                     : options.criterion)
                         .value();
    rule.tolerance = options.tolerance.value_or(same_criterion ? recorded["tolerance"].get<double>()
                                                               : default_tolerance(rule.criterion));
    rule.alpha = options.alpha.value_or(recorded["alpha"].get<double>());
    return rule;
}

}  // namespace

int judge_again(const JudgeOptions& options) {
    const SamplesFile samples = read_results(options.results);
    if (samples.is_truncated)
        fmt::print(
            stderr,
            "mpiaudit: warning: the last line of samples.jsonl is incomplete and left out\n");
    nlohmann::json report;
    try {
        report = make_report(samples, rule_of(options, samples.header.at("rule")));
    } catch (const nlohmann::json::exception& error) {
        throw UsageError(
            fmt::format("{}: samples.jsonl is damaged: {}", options.results, error.what()));
    }
    Terminal terminal = standard_output();
    if (options.color != When::automatic) terminal.colour = options.color == When::always;
    fmt::print("{}{}{}", tables(report, terminal), model_table(report),
               conclusions(report, terminal));
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
