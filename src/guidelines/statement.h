// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/arrow.h"

namespace mpiaudit {

/// An error in the text of a statement, with the place where it is.
class StatementError : public std::invalid_argument {
  public:
    /// `column` counts from 0 in `text`; the message shows the text and points there.
    StatementError(std::string_view text, std::size_t column, const std::string& what);
};

/// One operation of a side, e.g. MPI_Gather(m').
struct Term {
    std::string name;
    Argument argument = Argument::whole;
    std::size_t column = 0;  ///< where it begins in the text of the statement
};

/// A performance guideline `left <= right` as it is written: sums of operations in the notation of
/// the papers. m is the problem itself, m' the padded one, 1 a single element.
struct Statement {
    std::string text;
    std::vector<Term> left;
    std::vector<Term> right;
};

/// Reads `A(m) <= B(1) + C(m')`; the sign may also be ⪯, and a missing argument means m. Throws
/// StatementError.
Statement parse_statement(std::string_view text);

std::string to_string(const std::vector<Term>& side);

}  // namespace mpiaudit
