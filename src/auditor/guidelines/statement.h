// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/arrow.h"

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
    std::size_t column = 0;       ///< where it begins in the text of the statement
    bool is_bare = false;         ///< written without parentheses, as MPI_Barrier is
    std::string completion = {};  ///< MPI_Wait or MPI_Waitall, when + and this follow
};

/// The size of the problem that a side solves, compared with the m of the guideline.
struct Scale {
    bool is_next = false;  ///< m+k: the next larger size of the sweep
    int parts = 1;         ///< m/2: blocks of half the size, rounded up
    int repeats = 1;       ///< 2 A(m/2): the side is run twice
    auto operator<=>(const Scale&) const = default;
    bool is_plain() const { return *this == Scale{}; }
};

/// A sum of operations in the notation of the papers. m is the problem itself, m' the padded one, 1
/// a single element.
struct Side {
    std::vector<Term> terms;
    Scale scale;
};

/// A performance guideline `left <= right` as it is written.
struct Statement {
    std::string text;
    Side left;
    Side right;
};

/// Reads
///     A(m) <= B(1) + C(m')      a pattern; the sign may also be ⪯, a missing argument means m
///     A(m) <= IA(m) + MPI_Wait  a non-blocking operation and its completion
///     A(m) <= IA[2 parts](m) + MPI_Waitall  several in flight
///     A(m) <= A(m+k)            monotony: against the next larger size of the sweep
///     A(m) <= 4 A(m/4)          split-robustness
/// Throws StatementError.
Statement parse_statement(std::string_view text);

std::string to_string(const Side& side);

}  // namespace mpiaudit
