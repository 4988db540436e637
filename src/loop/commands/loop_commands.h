// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"
#include "rules/rules.h"

namespace mpiaudit {

struct RecordOptions {
    std::string output = "problems.json";
    bool overwrite = false;
    bool synchronise = false;
    int problems = 20'000;
    std::vector<std::string> application;  ///< with its arguments
};

struct ApplyOptions {
    std::string rules;
    std::string mode = "on";
    std::string report;                    ///< of times, which prove reads
    std::vector<std::string> application;  ///< with its arguments
};

struct ProveOptions {
    std::string rules;
    std::string settings;
    int ranks = 0;  ///< 0: the largest number that a rule is about
    std::string launch = "mpirun -n {ranks}";
    std::string compare;
    std::string copy;  ///< of this folder each run has one
    int pairs = 40;
    AsGiven<Seconds> budget = "30m";
    AsGiven<Seconds> limit;  ///< of a run; empty: learnt from runs without rules
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
    bool allow_reassociation = false;
    bool assume_commutative = false;
};

struct ReproduceOptions {
    std::vector<std::string> results;
    std::string check;  ///< GUIDELINE@PROBLEM; empty: the worst violation
};

// From a library to an application: the commands of this product. Each returns its exit code.

/// Becomes the application: returns only when it cannot be started.
int record_application(const RecordOptions& options);
/// As the functions take them that start a program: the words stay where they are.
std::vector<char*> pointers_to(const std::vector<std::string>& words);

/// Those of a file, with paths that there are: what is wrong with them is said before anything
/// starts. Throws std::invalid_argument. \param command that is given them
rules::Rules checked_rules(const std::string& command, const std::string& file);

/// Becomes the application: returns only when it cannot be started.
int apply_rules(const ApplyOptions& options);
/// In one process, which starts the ranks of the application.
int prove(const ProveOptions& options);
int repair_library(const RepairOptions& options);
/// Writes a program that shows a violation without mpiaudit.
int reproduce(const ReproduceOptions& options);

std::vector<BoundOption> record_options(Command& command);
std::vector<BoundOption> apply_options(Command& command);
std::vector<BoundOption> prove_options(Command& command);
std::vector<BoundOption> repair_options(Command& command);
std::vector<BoundOption> reproduce_options(Command& command);

/// `mpiaudit list paths`: a line for each, the collective and what can take its place.
void list_paths();
/// Whether a rule for the collective can name a contestant of a report.
bool is_path_of(const std::string& collective, const std::string& contestant);

}  // namespace mpiaudit
