// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/arrow.h"
#include "guidelines/guideline.h"
#include "plan/inputs.h"
#include "problem/formula.h"

namespace mpiaudit {

/// Replaces an operation in a simulation, because the simulator lacks the library's algorithm.
/// Gives a reference algorithm for each size of the largest block, and a cost of each message that
/// the root pays on top of the cost of the simulated platform.
struct StandIn {
    struct Choice {
        const Arrow* algorithm;
        std::optional<Count> to_bytes = {};  ///< limit for the largest block; nullopt: none
        /// Microseconds of cost for the message of each block, in `bytes` of the block and i, p,
        /// b and root; null for no cost.
        std::shared_ptr<Formula> message_us = {};
        std::string reason = {};
    };
    std::string library;    ///< name of the file that defines the stand-in
    std::string operation;  ///< MPI_Gather
    std::vector<Choice> choices;

    /// Returns MPI_Gather[as openmpi-2.0.1], never the name of the operation alone.
    Form form() const { return {.operation = operation, .variant = "as " + library}; }
    std::string name() const { return form().name(); }
    /// Returns the rest of a sentence that starts with the name: the algorithm for each block size,
    /// its cost and the reason.
    std::string summary() const;
    const Choice& choice(Count largest_bytes) const;
};

/// Adds the stand-in to the catalogue. Does nothing if it is there, since all simulated ranks share
/// one catalogue. Violations of a stand-in accuse no library.
void join_stand_in(const StandIn& stand_in);

/// Reads the stand-ins for operations of a library in a simulation (--library; docs/simulation.md
/// describes the file). Throws std::invalid_argument with the file and the error.
std::vector<StandIn> parse_stand_ins(const std::string& text, const std::string& origin);

/// Replaces each operation that has a stand-in by the name of the stand-in, except calls on one
/// element, such as MPI_Allreduce(1).
Guideline with_stand_ins(Guideline guideline, const std::vector<StandIn>& stand_ins);

/// Reads the stand-ins of a library, adds them to the catalogue and to the guidelines of `inputs`,
/// and adds a warning for each. Throws UsageError if the file is wrong.
void put_stand_ins(const InputTexts::File& library, Inputs& inputs);

}  // namespace mpiaudit
