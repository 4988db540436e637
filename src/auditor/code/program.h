// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "code/calls.h"
#include "collectives/patterns/node_communicators.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// One of the two ways that a program compares.
struct ProgramSide {
    std::string name;      ///< of the contestant
    CallsOfWay calls;      ///< of the way
    std::string from, to;  ///< layouts of the way
    std::string result;    ///< the layout in which the last call leaves the data
    Scale scale;
    bool is_padded = false;  ///< the result; the way begins without padding
    bool has_equal_blocks =
        false;  ///< all blocks are as long as the largest: the way begins padded
    std::vector<std::int64_t> counts = {};  ///< elements of each block

    bool counts_bytes() const { return names_in(calls.calls).contains(c_text::Name::sendtypes); }
};

/// Returns a side without counts; nothing for ways that no program can show.
std::optional<ProgramSide> program_side(const record::ContestantDescription& way,
                                        const record::Header& header);

/// A C program that needs nothing but MPI: it checks the results of both sides, measures them in
/// pairs and prints the ratio of their times.
struct Program {
    ProgramSide left, right;
    record::ProblemDescription problem;
    std::string comment;  ///< at the beginning; a C comment with its signs
    /// Words between bars of code/program.inc: lines that begin with them are in the program.
    std::set<std::string> conditions = {};
    int pairs = 0;
    NodeSplit nodes = {};  ///< of the ranks, for algorithms that depend on them

    /// Whether text() records messages, and so can run only between MPI_Init and MPI_Finalize.
    bool records_messages() const {
        return !left.calls.algorithms.empty() || !right.calls.algorithms.empty();
    }
    /// Throws std::invalid_argument if the program cannot be written, with the reason.
    std::string text() const;
};

}  // namespace mpiaudit
