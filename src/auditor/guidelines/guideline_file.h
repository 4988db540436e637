// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "guidelines/path.h"

namespace mpiaudit {

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
