// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "record/scale_folders.h"
#include "report/report.h"
#include "screens/console.h"

namespace mpiaudit {

/// The joint report of the launches at one scale.
struct ScaleReport {
    AuditScale scale;
    std::vector<std::string> folders;  ///< of the launches
    Report report;
};

/// Reads and judges the launches at this scale, with the confirmations in a single folder.
/// \param folders of audits with several scales
/// \param rule returns the rule of judging for the rule of the audit
/// Throws UsageError if there is no audit of this scale.
ScaleReport report_of_scale(const std::vector<std::string>& folders, const AuditScale& scale,
                            const std::function<judge::Rule(const judge::Rule&)>& rule);

/// Returns a line about one scale: "4 ranks: 2 of 16 operations take 1.2 times as long ...".
std::string line_of_scale(const AuditScale& scale, const Report& report, const Terminal& terminal);

/// Returns a table of the operations that are slow at some scale, blocking operations first, then
/// by the time that a call loses: the ratio at each scale, and a sentence that says from which
/// scale on the operation is slow. \param scales by rising number, in one unit
std::string answer_of_scales(std::span<const ScaleReport> scales, const Terminal& terminal);

/// Returns one document with the reports of all scales, as `python3 -m analysis merge` makes it.
/// \param folder of the document; the folders of launches are named relative to it
std::string scaling_json(std::span<const ScaleReport> scales, const std::string& folder);

}  // namespace mpiaudit
