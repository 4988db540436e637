// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// Returns the operations of the library of which some calls take far longer than usual, while the
/// other ways have no such calls: those that take most of their time in long calls first. Nothing
/// for verdicts by another rule than evidence, and in a simulation.
/// \param rule with the number of checks over which alpha is divided
std::vector<Tail> tails_of(std::span<const record::Audit> launches, const judge::Rule& rule);

}  // namespace mpiaudit
