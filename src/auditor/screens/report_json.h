// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/report.h"

namespace mpiaudit {

/// Returns the text of report.json, as described by analysis/report.schema.json.
std::string report_json(const Report& report);

/// Writes report_json() to a file, see replace_file().
void write_report(const Report& report, const std::string& path);

}  // namespace mpiaudit
