// SPDX-License-Identifier: BSD-3-Clause
// explain() of audit/commands.h.
#include <filesystem>
#include <string>
#include <vector>

#include "audit/commands.h"
#include "audit/steps.h"
#include "screens/codes.h"
#include "screens/explanation.h"
#include "text/console.h"
#include "text/exit_code.h"

namespace mpiaudit {

/// Explains the row with the last word as its code, or the first row.
int explain(const ExplainOptions& options) {
    std::vector<std::string> folders = options.words;
    std::string code = "S1";
    if (folders.size() > 1 && is_code_of_row(folders.back())) {
        code = folders.back();
        folders.pop_back();
    }
    if (folders.empty())
        throw UsageError("explain: name the folder of an audit: mpiaudit explain FOLDER S1");
    const Report report = report_with_settings(folders, options.settings_of, {});
    const Where where{.program = program_of(report.header), .folder = folders.front()};
    say("{}", explanation(report, row_of_code(report, "row", code), standard_output(options.color),
                          where));
    return exit_done;
}

}  // namespace mpiaudit
