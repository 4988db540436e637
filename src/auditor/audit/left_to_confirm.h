// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "record/launches.h"
#include "report/report.h"

namespace mpiaudit {

/// A violation that another launch is to measure.
struct LeftToConfirm {
    record::CheckKey check;
    double worth_s = 0;  ///< what an application would save at least, over its calls

    bool operator==(const LeftToConfirm&) const = default;
};

/// Whether a contestant of a report is a path that an application can be made to take for the
/// collective; null where nothing can make it.
using IsPath = bool (*)(const std::string& collective, const std::string& contestant);

/// The violations of an audit that can still be confirmed by `wanted` launches: fewer have measured
/// them, and none of these speaks against. Of an application's problems what saves most first, and
/// of each problem two of the settings, two of the paths and two of other ways: those that save
/// most in all. \param launches the audit, and the launches that confirm it so far
std::vector<LeftToConfirm> left_to_confirm(const Report& audit, const Report& launches, int wanted,
                                           IsPath is_path);

}  // namespace mpiaudit
