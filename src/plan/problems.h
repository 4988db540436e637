// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options/options.h"
#include "plan/inputs.h"
#include "problem/problem.h"

namespace mpiaudit {

/// What the data are and how they are reduced. Throws UsageError for an unknown name.
struct Types {
    explicit Types(const RunOptions& options);
    Element element;
    Operator op;
};

/// The rank that --root names. Throws UsageError.
int root_rank(const std::string& root, int ranks);

/// The problems alone, without contestants.
std::vector<Problem> make_problems(const Inputs& inputs, const RunOptions& options,
                                   const Types& types, int ranks);

}  // namespace mpiaudit
