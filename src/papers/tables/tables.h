// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/commands.h"
#include "catalogue/arrow.h"
#include "options/recorded_options.h"
#include "plan/inputs.h"
#include "problem/formula.h"

namespace mpiaudit {

/// Registers algorithms, arrows, protocols and lists of papers with the auditor. Must run once,
/// before any of these is used.
void join_papers(OtherProducts& other_products);

/// Returns the measuring protocols of the papers whose tables and figures the project has, by year.
std::span<const NamedProtocol> paper_protocols();
/// Returns the arrows of persistent all-to-alls without copies, whose datatypes are created once.
std::vector<Arrow> zero_copy_arrows();
/// Registers the datatype work of the algorithms of zero_copy.h for --no-communication.
void join_types_only();

/// Replaces an operation of a library in a simulation, whose own algorithm the simulator lacks: a
/// reference algorithm for each size of the largest block, and the cost of each message at the root
/// beside that of the simulated platform.
struct StandIn {
    struct Choice {
        const Arrow* algorithm;
        std::optional<Count> to_bytes = {};  ///< limit for the largest block; nullopt: none
        /// Microseconds of cost for the message of each block, in p and the block's `bytes`; may be
        /// null.
        std::shared_ptr<Formula> message_us = {};
        std::string reason = {};
    };
    std::string library;    ///< name of the file that defines the stand-in
    std::string operation;  ///< MPI_Gather
    std::vector<Choice> choices;

    /// Returns MPI_Gather[as openmpi-2.0.1], never the name of the operation alone.
    Form form() const { return {.operation = operation, .variant = "as " + library}; }
    std::string name() const { return form().name(); }
    /// Returns which algorithm is used for which blocks, as text.
    std::string summary() const;
    const Choice& choice(Count largest_bytes) const;
};

/// The variable of StandIn::Choice::message_us for the bytes of a block.
inline constexpr const char* message_bytes = "bytes";

/// Adds the stand-in to the catalogue unless it is there: simulated ranks share their memory, and
/// each of them calls this. Violations of a stand-in accuse no library.
void join_stand_in(const StandIn& stand_in);

/// Reads the stand-ins for operations of a library in a simulation (--library; docs/simulation.md
/// describes the file). Throws std::invalid_argument with the file and the error.
std::vector<StandIn> parse_stand_ins(const std::string& text, const std::string& origin);

/// Returns the guideline with the names of stand-ins in place of the operations.
Guideline with_stand_ins(Guideline guideline, const std::vector<StandIn>& stand_ins);

/// Puts the stand-ins of a library into the guidelines of `inputs`, and adds a warning for each.
void put_stand_ins(const InputTexts::File& library, Inputs& inputs);

}  // namespace mpiaudit
