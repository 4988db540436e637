// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "judge/verdict.h"
#include "record/samples_file.h"

namespace mpiaudit {

/// Judges all checks of an audit by `rule` and returns the report (analysis/report.schema.json).
/// The number of checks that alpha is divided by is the one that the audit planned.
nlohmann::json make_report(const SamplesFile& samples, judge::Rule rule);

/// The same for several launches of one audit that belong together (report/launches.h): the checks
/// and problems of the first one, each judged over all launches that measured it.
nlohmann::json make_report(std::span<const SamplesFile> launches, judge::Rule rule);

/// Writes to a temporary file beside `path` and renames it, so that a reader never sees half of it.
/// Throws std::runtime_error when that is not possible.
void write_report(const nlohmann::json& report, const std::string& path);

/// The command that measures one check of the report again.
std::string reproduce_command(const nlohmann::json& header, const std::string& guideline,
                              const nlohmann::json& problem);

}  // namespace mpiaudit
