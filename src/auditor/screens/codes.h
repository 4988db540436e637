// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/report.h"

namespace mpiaudit {

/// Returns "S3" for the third row of the report.
std::string code_of_row(const Report& report, const OverviewRow& row);

/// Returns true for "S3": a code of a row, and not the name of a folder.
bool is_code_of_row(const std::string& text);

/// Returns the row with this code, "S3" or "3". Throws UsageError, with the rows that the report
/// has, if there is no such row. \param said_in where the user said the code: "--row"
const OverviewRow& row_of_code(const Report& report, const std::string& said_in,
                               const std::string& code);

}  // namespace mpiaudit
