// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "options/options.h"
#include "report/report.h"
#include "text/units.h"

namespace mpiaudit {

/// Colour and size of the console.
struct Terminal {
    bool colour = false;
    int columns = 80;
    int rows = 24;  ///< 0 for a file or a pipe: nothing is left out for want of room

    /// Returns the largest number of lines that a text may have; 0 means any number.
    std::size_t at_most(std::size_t lines) const { return rows == 0 ? 0 : lines; }
};

/// Returns true if the descriptor ends on a terminal, also if Open MPI's launcher is in between.
bool is_terminal(int descriptor);

/// Returns what standard output allows. Colour: as the user says, else if the output is a terminal
/// and NO_COLOR is not set. Width: from COLUMNS or the terminal, else 80. Height: from LINES or the
/// terminal, else 0.
Terminal standard_output(When colour);

/// Returns true if standard error ends on a terminal, directly or through a launcher on this host.
/// mpirun gives its ranks pipes, and passes their output on.
bool errors_reach_a_terminal();

/// Returns the text in bold red (a remark in magenta) if the terminal allows colour.
std::string emphasised(const std::string& text, const Terminal& terminal,
                       CheckKind kind = CheckKind::verdict);

}  // namespace mpiaudit
