// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/report.h"

namespace mpiaudit {

/// The report as the text of a file that analysis/report.schema.json describes.
std::string report_json(const Report& report);

/// Writes that, see replace_file().
void write_report(const Report& report, const std::string& path);

}  // namespace mpiaudit
