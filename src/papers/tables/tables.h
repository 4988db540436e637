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

/// Joins what reproduces papers to the auditor, before anything asks for its algorithms, arrows or
/// options: once in a program.
void join_papers(Additions& additions);

/// How the papers measured whose tables and figures the project has, by their years.
std::span<const NamedProtocol> paper_protocols();
/// All-to-all without copies, with datatypes that are made once.
std::vector<Arrow> zero_copy_arrows();
/// The datatype work of the algorithms of zero_copy.h alone.
void join_types_only();

/// What runs in a simulation in the place of an operation of a library whose own algorithm the
/// simulator lacks: reference algorithms by the size of the largest block, and what each message
/// costs the root beside what the platform says.
struct StandIn {
    struct Choice {
        const Arrow* algorithm;
        std::optional<Count> to_bytes = {};  ///< of the largest block; without: any
        /// Microseconds for the message of each block, in p and the block's `bytes`; may be null.
        std::shared_ptr<Formula> message_us = {};
        std::string reason = {};
    };
    std::string library;    ///< the name of the file that says so
    std::string operation;  ///< MPI_Gather
    std::vector<Choice> choices;

    /// MPI_Gather[as openmpi-2.0.1]: never the name of the operation alone.
    Form form() const { return {.operation = operation, .variant = "as " + library}; }
    std::string name() const { return form().name(); }
    /// Which algorithm is taken for which blocks, in words.
    std::string summary() const;
    const Choice& choice(Count largest_bytes) const;
};

/// The parameter of a message's formula that stands for the bytes of its block.
inline constexpr const char* message_bytes = "bytes";

/// Joins the catalogue, once in a program: with simulated ranks that share their memory each of
/// them asks for it. An algorithm of ours: what it violates accuses no library.
void join_stand_in(const StandIn& stand_in);

/// Reads what stands for which operation of a library in a simulation (--library;
/// docs/simulation.md describes the file). Throws std::invalid_argument with the file and what is
/// wrong.
std::vector<StandIn> parse_stand_ins(const std::string& text, const std::string& origin);

/// The guideline with the stand-ins, by their names, in the place of the operations.
Guideline with_stand_ins(Guideline guideline, const std::vector<StandIn>& stand_ins);

/// Puts what stands for the library's operations into the guidelines about these, and says so.
void put_stand_ins(const InputTexts::File& library, Inputs& inputs);

}  // namespace mpiaudit
