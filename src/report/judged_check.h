// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit {

/// A check as one launch measured it.
struct MeasuredCheck {
    const nlohmann::json* problem;  ///< a line of samples.jsonl
    const nlohmann::json* check;    ///< its entry in the line's "checks"
    std::uint64_t order_seed;
    int checks;  ///< over how many checks the launch divided alpha
    int launch;  ///< its number, counted from 1
};

/// The check of the report (analysis/report.schema.json) but for advice and the command that
/// reproduces it. Measured in several launches, it is judged over all of them, and its "launches"
/// keep what each of them says alone.
/// \param launches at least one, all of the same check
nlohmann::json judged_check(std::span<const MeasuredCheck> launches, const judge::Rule& rule);

/// The statistics of samples as the report has them.
nlohmann::json statistics_json(const judge::Summary& summary);

/// The samples of a contestant in seconds; none where it was not measured.
std::vector<double> samples_of(const nlohmann::json& contestant);

}  // namespace mpiaudit
