// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "collectives/call/node_communicators.h"
#include "options/options.h"
#include "plan/inputs.h"
#include "problem/problem.h"

namespace mpiaudit {

/// What the data are and how they are reduced. Throws UsageError for an unknown name.
struct Types {
    explicit Types(const RunOptions& options, const application::Selection* selection = nullptr);
    Element element;
    Operator op;
    // Those of an application's problems, by name.
    std::map<std::string, Element> elements = {};
    std::map<std::string, Operator> operators = {};
};

/// The rank that --root names. Throws UsageError.
int root_rank(const std::string& root, int ranks);

/// The problems alone, without contestants. \param nodes on which the ranks are
std::vector<Problem> make_problems(const Inputs& inputs, const RunOptions& options,
                                   const Types& types, int ranks, const NodeSplit& nodes = {});

/// Those of the application that were selected, in their order.
std::vector<Problem> selected_problems(const application::Selection& selection, const Types& types,
                                       const NodeSplit& nodes = {});

}  // namespace mpiaudit
