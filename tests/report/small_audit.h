// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "record/samples_file.h"

namespace mpiaudit {

/// The same time in every round.
inline std::vector<double> times(std::size_t rounds, double seconds) {
    return std::vector<double>(rounds, seconds);
}

/// A contestant's entry in a line of samples.jsonl, scattered -> rooted.
nlohmann::json contestant(const std::string& name, const std::vector<double>& samples_s);
nlohmann::json skipped_contestant(const std::string& name, const std::string& reason);
nlohmann::json wrong_contestant(const std::string& name, const std::string& finding);

/// A line of samples.jsonl for four ranks: its check k is guideline k of the header, between the
/// contestants 2k and 2k + 1. `stopped`: decided, rounds or budget.
nlohmann::json problem_line(const std::string& distribution, const nlohmann::json& contestants,
                            const std::string& stopped = "decided");

/// The header of an audit of two problems with three guidelines, alpha divided over three checks.
nlohmann::json audit_header();

}  // namespace mpiaudit
