// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

/// Turns confirmed violations into settings of the library.
namespace mpiaudit::repair {

constexpr std::int64_t any_size = std::numeric_limits<std::int64_t>::max();

/// An algorithm for a range of sizes in bytes, as the library compares them; 0 to any_size if the
/// library does not compare sizes.
struct SelectedAlgorithm {
    std::int64_t from = 0, to = any_size;
    std::string algorithm = {};
    int number = 0;  ///< number in files of Open MPI
};

/// Ways to select an algorithm: by variables alone, and so for all calls, or by a file of Open MPI
/// (tuned_rules) or MPICH (selection) that a variable names.
enum class SelectionFile { none, tuned_rules, selection };

/// Environment variables by which the library uses another of its own algorithms. A candidate until
/// an audit with the setting has shown that it helps.
struct Setting {
    std::string collective = {};  ///< MPI_Allreduce
    int ranks = 0;                ///< ranks of the audit; a file selects on this number only
    std::vector<std::string> variables = {};  ///< NAME=VALUE; those that a file needs beside it
    SelectionFile file = SelectionFile::none;
    std::vector<SelectedAlgorithm> selected = {};  ///< contents of the file
    std::string algorithms = {};                   ///< text for people
    std::vector<std::string> problems =
        {};  ///< ids of the problems on which the algorithm is faster
    double saved_s =
        0;  ///< seconds saved in all calls of the application, or in one call of each problem
};

/// A violation that cannot be repaired, and the reason.
struct Obstacle {
    std::string what, why;
};

struct Wishes {
    std::size_t launches = 7;          ///< launches that must have measured a violation
    bool assumes_commutative = false;  ///< operators of an unrecorded application commute
    /// Audits on other numbers of ranks are repaired, too: variables act on all of them.
    bool has_other_ranks = false;
};

struct Repairs {
    std::size_t confirmed = 0;  ///< violations that enough launches have measured
    /// Candidates for each collective, the best first.
    std::vector<std::vector<Setting>> settings;
    std::vector<Obstacle> obstacles;
};

/// Returns the settings that the violations suggest; nothing is tried yet.
Repairs find_repairs(const Report& report, const Wishes& wishes);

/// Reports of audits with the tried settings, and of audits without them that took turns with
/// these.
struct Trial {
    const Report& under;
    const Report& without;
};

/// Returns why a setting must not be offered; nullopt if all of this holds: no result became wrong;
/// on each problem of the setting the collective no longer violates a guideline that it violated
/// before; and no guideline that held, and holds without the setting, is violated because its left
/// side became slower. Guidelines about collectives of other tried settings do not count.
/// \param together all settings that were tried together
std::optional<std::string> objection(const Setting& setting, const std::vector<Setting>& together,
                                     const Report& before, const Trial& trial);

}  // namespace mpiaudit::repair
