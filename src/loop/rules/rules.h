// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What a preloaded library takes instead of which calls of an application: what `mpiaudit repair`
/// writes and libmpiaudit-repair.so reads.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/operations.h"

namespace mpiaudit::rules {

/// The blocking collectives that rules may be about, by name: all of MPI but those of neighbours.
std::span<const MpiOperation> all_collectives();
/// Null when there is no such collective.
const MpiOperation* find_collective(std::string_view name);

/// Bytes from the first to the last, both included.
struct Range {
    std::int64_t from = 0, to = 0;
};

/// Calls that all ranks of a communicator know to be these, and what to do instead.
struct Rule {
    std::string collective;     ///< MPI_Gatherv
    std::string path;           ///< linear_Gatherv(m), or MPI_Gather(m) + MPI_Bcast(m)
    std::vector<int> per_host;  ///< ranks of the communicator on each of its hosts, in the order in
                                ///< which its ranks come to them
    std::optional<int> root;    ///< of any root where there is none
    /// Of the block or vector; of Allgatherv and Reduce_scatter the sum of all blocks. Any where
    /// there is none.
    std::optional<Range> bytes;
    /// Exactly these blocks, one for each rank: of Allgatherv and Reduce_scatter only.
    std::vector<std::int64_t> blocks;
    /// The user has allowed results of other bits: a path that adds up in another order may take
    /// sums and products of floating-point numbers.
    bool reassociates = false;
    double factor = 1;                  ///< how many times longer the library took
    double saves_seconds_per_call = 0;  ///< as audited
    std::string evidence;               ///< for people

    int ranks() const;  ///< of the communicator
};

struct Rules {
    std::string library;  ///< first line of what MPI_Get_library_version says
    std::string report;   ///< where the evidence is
    std::vector<Rule> rules;
};

/// Throws std::invalid_argument that names the file, the place and what is wrong.
/// \param origin the file's name
Rules parse_rules(const std::string& text, const std::string& origin);

/// The JSON of analysis/rules.schema.json, a rule in each line.
std::string rules_file(const Rules& rules);

// What `mpiaudit apply` and `mpiaudit prove` tell libmpiaudit-repair.so, as environment variables.

inline constexpr const char* mode_variable = "MPIAUDIT_REPAIR";  ///< on, off, count or verify
inline constexpr const char* rules_variable = "MPIAUDIT_REPAIR_RULES";
/// A file that rank 0 writes at the end: times and numbers of calls.
inline constexpr const char* report_variable = "MPIAUDIT_REPAIR_REPORT";

}  // namespace mpiaudit::rules
