// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "collectives/patterns/node_communicators.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// A step of a way that is a reference algorithm.
struct AlgorithmStep {
    record::Step step;
    std::string function;              ///< its name in C
    std::vector<std::int64_t> counts;  ///< elements of each block
};

/// Reference algorithms as C that needs nothing but MPI.
struct AlgorithmsInC {
    std::string text;  ///< tables of steps, and a function (in, out) for each algorithm
    std::set<std::string> conditions;  ///< what the text needs, as in Program::conditions
};

/// Returns the messages that the algorithms send on this problem: each is recorded once, for all
/// ranks. Needs MPI. Throws std::invalid_argument if an algorithm cannot be written: it has too
/// many messages, or is none that can be recorded.
/// \param op_in_c the operator of reductions
AlgorithmsInC algorithms_in_c(const std::vector<AlgorithmStep>& steps,
                              const record::ProblemDescription& problem, const NodeSplit& nodes,
                              const std::string& op_in_c);

}  // namespace mpiaudit
