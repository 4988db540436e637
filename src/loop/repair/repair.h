// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "rules/rules.h"

/// From confirmed violations to what to change about them.
namespace mpiaudit::repair {

constexpr std::int64_t any_size = std::numeric_limits<std::int64_t>::max();

/// An algorithm for a range of bytes, as the library compares them; from 0 to any_size where it
/// does not look at them.
struct SelectedAlgorithm {
    std::int64_t from = 0, to = any_size;
    std::string algorithm = {};
    int number = 0;  ///< that of Open MPI
};

/// What an algorithm is selected by: variables alone, and so for all calls, or also a file that a
/// variable names, of Open MPI or of MPICH.
enum class SelectionFile { none, tuned_rules, selection };

/// A way to run an operation of the library with another one of its algorithms, by variables of
/// the environment. A candidate until an audit under it has shown that it helps.
struct Setting {
    std::string collective = {};              ///< MPI_Allreduce
    int ranks = 0;                            ///< of the audit; a file selects on as many only
    std::vector<std::string> variables = {};  ///< NAME=VALUE; of a file those that go with it
    SelectionFile file = SelectionFile::none;
    std::vector<SelectedAlgorithm> selected = {};  ///< in the file
    std::string algorithms = {};                   ///< in words
    std::vector<std::string> problems = {};        ///< ids of those on which it was found faster
    double saved_s = 0;  ///< as audited, in all calls; of one call each without an application
};

/// What cannot be repaired, and why.
struct Obstacle {
    std::string what, why;
};

struct Wishes {
    std::size_t launches = 7;  ///< that have to have measured a violation: an audit and six more
    bool allows_reassociation = false;  ///< results of other bits
    bool assumes_commutative = false;   ///< of an audit that was not told what is called
    /// Whether audits on other numbers of ranks are repaired, too: what is forced acts on all.
    bool has_other_ranks = false;
};

struct Repairs {
    std::size_t confirmed = 0;  ///< violated checks that enough launches have measured
    /// For each collective those to be tried, the best first.
    std::vector<std::vector<Setting>> settings;
    rules::Rules rules;
    std::vector<Obstacle> obstacles;
};

/// A contestant as a rule names it: that of a barrier is written without an argument.
std::string path_of(const std::string& contestant);

/// What the violations of a report allow. Nothing here has been tried.
Repairs find_repairs(const Report& report, const Wishes& wishes);

/// Audits with the settings that are tried, and in turns with them without.
struct Trial {
    const Report& under;
    const Report& without;
};

/// Why the setting is not to be offered, by an audit under it and the others that are tried
/// together with it; nothing when it does what it is for: on each of its problems the collective is
/// no longer slower than something that it was slower than before, no guideline about it or about
/// what none of the settings is for is violated that held, and holds without it, where the left
/// side has become slower than all else, and no result is wrong that was right.
std::optional<std::string> objection(const Setting& setting, const std::vector<Setting>& together,
                                     const Report& before, const Trial& trial);

/// The rules that go with settings: those about collectives that none repairs on as many ranks.
rules::Rules rules_beside(rules::Rules rules, const std::vector<Setting>& settings);

}  // namespace mpiaudit::repair
