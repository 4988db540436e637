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
/// Throws NotationError.
Statement parse_statement(std::string_view text);

/// An arrow at its place in a path.
struct PathStep {
    const Arrow* arrow;
    bool padded;
    bool packed;

    Layout source() const { return arrow->source({{}, padded, packed}); }
    Layout target() const { return arrow->target({{}, padded, packed}); }
    /// Where the step has to find its data, which would else be in `usual`.
    Place input(const Instance& instance, const Place& usual) const {
        return arrow->input != nullptr ? arrow->input(instance, usual, target()) : usual;
    }
};

/// A sequence of arrows from one layout to another: an implementation of whatever collective runs
/// between the two.
struct Path {
    std::string name;  ///< the terms as written, e.g. MPI_Allreduce(1) + MPI_Gather(m')
    std::vector<PathStep> steps;
    Scale scale = {};

    Layout from() const { return steps.front().source(); }
    Layout to() const { return steps.back().target(); }
    /// The steps one by one, silent ones included, in words.
    std::vector<std::string> describe() const;
    Needs needs() const;
    /// The library's own algorithm that has to be selected while the path runs, if any.
    const LibraryAlgorithm* algorithm() const;
    /// Whether a step is an algorithm of the literature.
    bool has_reference() const;
    /// Why this path cannot solve `problem`; nothing when it can.
    std::optional<std::string> obstacle(const Problem& problem) const;
    /// Allocates and binds everything. Collective. The call runs all steps in order.
    Step prepare(const Instance& instance) const { return prepare(std::span(&instance, 1)); }
    /// The same for a path that runs several times, on each of the parts in turn: the result is
    /// that of the first one.
    Step prepare(std::span<const Instance> parts) const;

  private:
    /// Of one run, whose calls go to `calls`.
    Step prepare_run(const Instance& instance, std::vector<Call>& calls) const;
    /// Where each step has to put its result for the next one, which is in place; nothing for
    /// others.
    std::vector<std::optional<Place>> destinations(const Instance& instance) const;
};

/// A statement whose sides are paths between the same two layouts.
struct Inequality {
    Path left;
    Path right;
};

/// Finds the arrows that the terms mean. An operation with several uses takes the one that fits;
/// free views and local moves between the terms need not be written. Throws NotationError, which
/// says where the path breaks, or lists the valid names.
Inequality resolve(const Statement& statement);

/// A performance guideline: an inequality, where it comes from and what a violation advises.
struct Guideline {
    std::string id;
    std::string statement;
    std::string source;
    std::string advice;
    std::string file;  ///< the file it was read from
    /// The bytes of all data together that it is about.
    Count from_bytes = 0, to_bytes = std::numeric_limits<Count>::max();
    bool is_of_library = false;  ///< `--guidelines library` has taken it
    /// The coarse look in which `--guidelines library` takes it; in others it is about all
    /// problems.
    std::string look = {};
    Inequality inequality;
    /// Whether the library is compared with as many reference algorithms as there is time for.
    bool is_one_of_many() const { return is_of_library && inequality.right.has_reference(); }
};

/// Reads {"title", "source", "guidelines": [{"id", "statement", "advice"}]}; a guideline may name a
/// "source" of its own. `origin` is the file's name. Throws std::invalid_argument with file and
/// line of what is malformed, ill-formed or senseless.
std::vector<Guideline> parse_guidelines(const std::string& text, const std::string& origin);

/// Guidelines that follow from the graph of layouts: every native collective must be no slower than
/// any simple path of native collectives between its two ends, of at most `length` operations (an
/// agreement counts as one; views and local moves do not). The id is the statement without its
/// arguments. Left out are the forms that only differ in how they are called (non-blocking,
/// persistent, in place), and padding before an operation that does not need it.
std::vector<Guideline> derive_guidelines(int length);

}  // namespace mpiaudit
