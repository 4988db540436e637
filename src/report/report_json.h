// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/report.h"

namespace mpiaudit {

/// The report as the text of a file that analysis/report.schema.json describes.
std::string report_json(const Report& report);

/// Writes that to a temporary file beside `path` and renames it, so that a reader never sees half
/// of it. Throws std::runtime_error when that is not possible.
void write_report(const Report& report, const std::string& path);

}  // namespace mpiaudit
