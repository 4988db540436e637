// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// A report of two distributions and three contestants: on same/b=10 the guideline g1 is violated
/// by A, on two-blocks/b=1000 A does not apply and C is wrong.
Report small_report();

/// The same check of a reference algorithm.
JudgedCheck as_remark(JudgedCheck check);
/// The summary of the checks that the report has now.
void count_again(Report& report);

std::vector<std::string> lines_of(const std::string& text);

/// The text without the escape sequences that colour it.
std::string without_colour(const std::string& text);

}  // namespace mpiaudit
