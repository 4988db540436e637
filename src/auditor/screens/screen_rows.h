// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "screens/screen.h"

namespace mpiaudit {

/// Adds the rows of the report to the screen: as rows, in clusters, or among the small ones.
void add_rows(const Report& report, Screen& screen);

/// Returns one row for all operations of a form: the row of the first, which loses most.
std::vector<ScreenRow> with_one_row_per_form(const std::vector<ScreenRow>& rows);

/// Returns the rows of the screen, those of clusters and small ones in the order of the report.
std::vector<ScreenRow> all_rows(const Screen& screen);

/// Returns "1.50 times as fast at 4 KiB (slower at 8 B: 1.30): NAME=VALUE".
std::string note_of_setting(const FasterSetting& setting);

}  // namespace mpiaudit
