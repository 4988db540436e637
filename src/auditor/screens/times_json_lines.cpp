// SPDX-License-Identifier: BSD-3-Clause
// The table of times as lines of JSON, a row of MPIAUDIT_TABLES: declared in report/times.h.
#include "screens/report_rows.h"
#include "screens/times.h"

namespace mpiaudit {

std::string printers_of_times::json_lines(const Report&, const std::vector<TimesRow>& rows) {
    std::string text;
    RowTables tables;
    for (const TimesRow& row : rows) {
        RowWriter writer(tables);
        members_of<TimesRow>(writer, row);
        text += writer.object() + '\n';
    }
    return text;
}

}  // namespace mpiaudit
