// SPDX-License-Identifier: BSD-3-Clause
#include "record/recorded_audit.h"

#include <fmt/format.h>

#include <filesystem>

namespace mpiaudit {

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

judge::Rule recorded_rule(const nlohmann::json& recorded) {
    judge::Rule rule;
    rule.criterion = judge::criterion(recorded.at("criterion").get<std::string>()).value();
    rule.tolerance = recorded.at("tolerance").get<double>();
    rule.alpha = recorded.at("alpha").get<double>();
    rule.checks = recorded.at("checks").get<int>();
    return rule;
}

}  // namespace mpiaudit
