// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"

namespace mpiaudit {

struct RecordOptions {
    std::string output = "problems.json";
    bool overwrite = false;
    bool synchronise = false;
    int problems = 20'000;
    std::vector<std::string> application;  ///< with its arguments
};

struct ProveOptions {
    std::string settings;
    int ranks = 0;  ///< 0: not given
    std::string launch = "mpirun -n {ranks}";
    std::string compare;
    std::string copy;  ///< folder of which each run gets a copy
    int pairs = 40;
    AsGiven<Seconds> budget = "30m";
    AsGiven<Seconds> limit;  ///< of a run; empty: learnt from runs without settings
    double tolerance = 0.05;
    double alpha = 0.05;
    std::string output = "proof";
    bool overwrite = false;
    std::vector<std::string> application;  ///< with its arguments
};

struct RepairOptions {
    std::vector<std::string> results;
    std::string output;
    bool overwrite = false;
    int launches = 7;
    int checks = 2;
    AsGiven<Seconds> budget = "20s";
    std::string launcher;
    bool assume_commutative = false;
};

// The commands about applications; each returns its exit code.

/// Becomes the application with the recorder preloaded; returns only if it cannot be started.
int record_application(const RecordOptions& options);

/// Runs the application with and without settings; runs in one process, which starts the ranks.
int prove(const ProveOptions& options);
/// Writes settings that repair the confirmed violations of audits, and prints them.
int repair_library(const RepairOptions& options);

std::vector<BoundOption> record_options(Command& command);
std::vector<BoundOption> prove_options(Command& command);
std::vector<BoundOption> repair_options(Command& command);

}  // namespace mpiaudit
