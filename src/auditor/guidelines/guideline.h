// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/arrow.h"
#include "operations/form.h"

namespace mpiaudit {

/// One side of a statement.
struct Side {
    Way way;
    std::vector<std::size_t> columns;  ///< [term]: where it begins in the text of the statement
};

/// A performance guideline `left <= right` as people write it.
struct Statement {
    std::string text;
    Side left;
    Side right;
};

/// Reads
///     A(m) <= B(1) + C(m')      a pattern; the sign may also be ⪯, a missing argument means m
///     A(m) <= IA(m) + MPI_Wait  a non-blocking operation and its completion
///     A(m) <= IA[2 parts](m) + MPI_Waitall  several calls in flight
///     A(m) <= A(m+k)            monotony: compares with the next larger size of the sweep
///     A(m) <= 4 A(m/4)          split-robustness
/// Throws NotationError.
Statement parse_statement(std::string_view text);

/// An arrow in a path, and whether its blocks are padded or packed there.
struct PathStep {
    const Arrow* arrow;
    bool padded;
    bool packed;

    Layout source() const { return arrow->source({{}, padded, packed}); }
    Layout target() const { return arrow->target({{}, padded, packed}); }
    /// Returns where the step expects its input; `usual` unless the operation is in place.
    Place input(const Instance& instance, const Place& usual) const {
        return arrow->input != nullptr ? arrow->input(instance, usual, target()) : usual;
    }
};

/// A sequence of arrows from one layout to another: an implementation of every collective that runs
/// between these two layouts.
struct Path {
    std::string name;  ///< the terms as written: MPI_Allreduce(1) + MPI_Gather(m')
    std::vector<PathStep> steps;
    Scale scale = {};

    Layout from() const { return steps.front().source(); }
    Layout to() const { return steps.back().target(); }
    /// Returns a line for each step, silent steps included: "MPI_Gather: scattered -> rooted".
    std::vector<std::string> describe() const;
    Needs needs() const;
    /// Returns the algorithm of the library that is forced while the path runs; null if there is
    /// none.
    const LibraryAlgorithm* algorithm() const;
    /// True if a step is an algorithm of the literature.
    bool has_reference() const;
    /// Returns the reason why the path cannot solve `problem`; nothing if it can.
    std::optional<std::string> obstacle(const Problem& problem) const;
    /// Allocates memory and binds arguments. Collective. The prepared call runs all steps in order.
    Step prepare(const Instance& instance) const { return prepare(std::span(&instance, 1)); }
    /// Prepares a path that runs several times, each time on the next of `parts`. The result is
    /// that of the first part.
    Step prepare(std::span<const Instance> parts) const;

  private:
    /// Prepares one run and appends its calls to `calls`.
    Step prepare_run(const Instance& instance, std::vector<Call>& calls) const;
    /// Returns for each step where its result has to be, because the next step is in place; nothing
    /// for other steps.
    std::vector<std::optional<Place>> destinations(const Instance& instance) const;
};

/// A statement with both sides as paths between the same two layouts.
struct Inequality {
    Path left;
    Path right;
};

/// Finds the arrows that the terms mean. For an operation with several uses, takes the use that
/// fits. Terms leave out free views and local moves. Throws NotationError, which says where a path
/// breaks, or gives the nearest valid name.
Inequality resolve(const Statement& statement);

/// A performance guideline: an inequality with its source and the advice for violations.
struct Guideline {
    std::string id;
    std::string statement;
    std::string source;
    std::string advice;
    std::string file;  ///< the file that has the guideline
    /// The guideline is about problems with at least and at most this many bytes in all blocks
    /// together.
    Count from_bytes = 0, to_bytes = std::numeric_limits<Count>::max();
    int ranks = 0;               ///< the guideline is about this number of ranks; 0: any
    bool is_of_library = false;  ///< `--guidelines library` selected the guideline
    /// The name of the coarse look in which `--guidelines library` checks the guideline. Other
    /// selections check the guideline on all problems.
    std::string look = {};
    Inequality inequality;
    /// True if the budget decides how many such guidelines, one for each reference algorithm, are
    /// checked.
    bool is_one_of_many() const { return is_of_library && inequality.right.has_reference(); }
};

/// Reads {"title", "source", "guidelines": [{"id", "statement", "advice"}]}; a guideline may have
/// its own "source". `origin` is the name of the file. Throws std::invalid_argument with file and
/// line for malformed JSON, wrong members, and statements without sense.
std::vector<Guideline> parse_guidelines(const std::string& text, const std::string& origin);

/// Returns the ids of the guidelines that parse_guidelines() leaves out of this file, because the
/// program lacks their product.
std::vector<std::string> absent_guidelines(const std::string& text, const std::string& origin);

/// Returns guidelines that follow from the graph of layouts: every native collective must be no
/// slower than any simple path of native collectives between its two ends, with at most `length`
/// operations. An agreement counts as one operation; views and local moves do not count. The id is
/// the statement without its arguments. Left out are paths that differ only in the form of a call
/// (non-blocking, persistent, in place), and padding before an operation that does not need
/// padding.
std::vector<Guideline> derive_guidelines(int length);

}  // namespace mpiaudit
