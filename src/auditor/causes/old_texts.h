// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "causes/fault.h"
#include "causes/reason.h"

namespace mpiaudit {

/// Returns the fault that a text of a version before 2.3 of samples and reports is about. Only
/// old_texts.cpp looks into such texts.
Fault fault_of_old_text(const std::string& text);
/// Returns the reason why a contestant was skipped.
Reason reason_of_old_text(const std::string& text);

}  // namespace mpiaudit
