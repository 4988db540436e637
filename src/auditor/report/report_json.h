// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/baseline.h"
#include "report/report.h"

namespace mpiaudit {

/// The report as the text of a file that analysis/report.schema.json describes.
std::string report_json(const Report& report);

/// Writes that, see replace_file().
void write_report(const Report& report, const std::string& path);

/// Of the audit that a report tells of. The path is that of a report.json or of a folder that has
/// one. Throws UsageError where there is no report.
NativeTimes native_times_in(const std::string& path);

}  // namespace mpiaudit
