// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Rules for libmpiaudit-repair.so: which calls of an application take another path. `mpiaudit
/// repair` writes them.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/operations.h"

namespace mpiaudit::rules {

/// Returns the blocking collectives that rules may name, sorted by name: all of MPI but the
/// neighbourhood collectives.
std::span<const MpiOperation> all_collectives();
/// Returns null if there is no such collective.
const MpiOperation* find_collective(std::string_view name);

/// A range of bytes, both ends included.
struct Range {
    std::int64_t from = 0, to = 0;
};

/// Selects calls by properties that all ranks of the communicator know, and names their path.
struct Rule {
    std::string collective;     ///< MPI_Gatherv
    std::string path;           ///< linear_Gatherv(m), or MPI_Gather(m) + MPI_Bcast(m)
    std::vector<int> per_host;  ///< ranks on each host, for hosts in the order of their first ranks
    int ranks_anywhere = 0;     ///< ranks on any hosts, with an empty `per_host`
    std::optional<int> root;    ///< nullopt: any root
    /// Bytes of the block or vector; of all blocks for MPI_Allgatherv and MPI_Reduce_scatter.
    /// nullopt: any.
    std::optional<Range> bytes;
    /// The exact block sizes in bytes, for MPI_Allgatherv and MPI_Reduce_scatter only.
    std::vector<std::int64_t> blocks;
    /// The user accepts results that differ in the last bits: paths may then compute sums and
    /// products of floating-point numbers in another order.
    bool reassociates = false;
    double factor = 1;                  ///< time of the library divided by the time of the path
    double saves_seconds_per_call = 0;  ///< seconds saved, by the audit
    std::string evidence;               ///< text for people

    int ranks() const;  ///< number of ranks of the communicator
    /// Returns whether the rule is about communicators with these numbers of ranks on their hosts.
    bool is_for(std::span<const int> ranks_per_host) const;
};

inline constexpr const char* any_library = "any";

struct Rules {
    std::string library;  ///< first line of MPI_Get_library_version, or any_library
    std::string report;   ///< path of the report with the evidence
    std::vector<Rule> rules;
};

/// Reads a file of rules, or a profile of PGMPITuneLib, whose rules are for any library and any
/// hosts. Throws std::invalid_argument that names the file, the place and the
/// error.
/// \param origin the file's name
Rules parse_rules(const std::string& text, const std::string& origin);

/// Returns the text of a file of rules (analysis/rules.schema.json), with one rule per line.
std::string rules_file(const Rules& rules);

// Environment variables by which `mpiaudit apply` and `prove` steer libmpiaudit-repair.so.

inline constexpr const char* mode_variable = "MPIAUDIT_REPAIR";  ///< on, off, count or verify
inline constexpr const char* rules_variable = "MPIAUDIT_REPAIR_RULES";
/// File for times and numbers of calls, which rank 0 writes at the end.
inline constexpr const char* report_variable = "MPIAUDIT_REPAIR_REPORT";

}  // namespace mpiaudit::rules
