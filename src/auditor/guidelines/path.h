// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalogue/arrow.h"
#include "guidelines/statement.h"

namespace mpiaudit {

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
    Step prepare(const Instance& instance) const;

  private:
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
/// free views and local moves between the terms need not be written. Throws StatementError, which
/// says where the path breaks, or lists the valid names.
Inequality resolve(const Statement& statement);

}  // namespace mpiaudit
