// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "report/report.h"

namespace mpiaudit {

/// A check as one launch measured it.
struct MeasuredCheck {
    const record::ProblemRecord* problem;
    const record::Check* check;
    std::uint64_t order_seed;
    int checks;  ///< over how many checks the launch divided alpha
    int launch;  ///< its number, counted from 1
};

/// The check of the report but for advice and the command that reproduces it. Measured in several
/// launches, it is judged over all of them, and its `launches` keep what each of them says alone.
/// \param launches at least one, all of the same check
JudgedCheck judged_check(std::span<const MeasuredCheck> launches, const judge::Rule& rule);

}  // namespace mpiaudit
