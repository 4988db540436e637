// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"
#include "rules/rules.h"

/// From confirmed violations to what to change about them.
namespace mpiaudit::repair {

/// An algorithm for a range of bytes, as MPICH compares them.
struct SelectedAlgorithm {
    std::int64_t from = 0, to = 0;
    std::string algorithm = {};
};

/// A way to run an operation of the library with another one of its algorithms, by variables of
/// the environment. A candidate until an audit under it has shown that it helps.
struct Setting {
    std::string collective = {};              ///< MPI_Allreduce
    std::vector<std::string> variables = {};  ///< NAME=VALUE
    /// Of a file of tuned rules, which a variable names: what belongs to this collective. Empty
    /// where variables alone do.
    std::string tuned_rules = {};
    /// The same of MPICH's selection; the variables then go with the one that names the file.
    std::vector<SelectedAlgorithm> selected = {};
    std::string algorithms = {};             ///< in words
    std::vector<std::string> problems = {};  ///< ids of those on which it was found faster
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

/// The rules that go with settings which were tried on so many ranks: those about collectives, or
/// numbers of ranks, that no setting repairs.
rules::Rules rules_beside(rules::Rules rules, const std::vector<Setting>& settings, int ranks);

/// The file of tuned rules for these settings.
std::string tuned_rules_file(const std::vector<Setting>& settings);

}  // namespace mpiaudit::repair
