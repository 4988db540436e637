// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/gate.h"
#include "report/report.h"

namespace mpiaudit {

/// The checks as JUnit XML, the form of test results that every CI system reads, as analysis/
/// writes it: a test case is a guideline on a problem. Violations that the gate does not excuse
/// fail. Undecided checks pass with a word about it, since nothing was found; skipped ones and
/// remarks are skipped.
std::string junit_xml(const Report& report, const GateOutcome& outcome);

}  // namespace mpiaudit
