// SPDX-License-Identifier: BSD-3-Clause
#include "record/recorded_audit.h"

#include <fmt/format.h>

#include <filesystem>

#include "text/usage_error.h"

namespace mpiaudit {

SamplesFile read_results(const std::string& folder) {
    const auto file = std::filesystem::path(folder) / "samples.jsonl";
    std::error_code failure;
    if (!std::filesystem::is_regular_file(file, failure))
        throw UsageError(
            fmt::format("{}: is not the folder of an audit, it has no samples.jsonl", folder));
    try {
        return read_samples(file);
    } catch (const std::runtime_error& error) {
        throw UsageError(error.what());
    }
}

judge::Rule recorded_rule(const record::RuleRecord& recorded) {
    judge::Rule rule;
    rule.criterion = recorded.criterion;
    rule.outliers = recorded.outliers;
    rule.tolerance = recorded.tolerance;
    rule.alpha = recorded.alpha;
    rule.checks = recorded.checks;
    return rule;
}

}  // namespace mpiaudit
