// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "catalogue/stand_in.h"
#include "guidelines/guideline_file.h"
#include "plan/input_texts.h"

namespace mpiaudit {

/// Reads what stands for which operation of a library in a simulation (--library;
/// docs/simulation.md describes the file). Throws std::invalid_argument with the file and what is
/// wrong.
std::vector<StandIn> parse_stand_ins(const std::string& text, const std::string& origin);

/// The guideline with the stand-ins, by their names, in the place of the operations.
Guideline with_stand_ins(Guideline guideline, const std::vector<StandIn>& stand_ins);

}  // namespace mpiaudit
