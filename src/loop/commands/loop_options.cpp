// SPDX-License-Identifier: BSD-3-Clause
#include "commands/loop_commands.h"

namespace mpiaudit {
namespace {

std::vector<std::string> repair_modes() {
    return {"on", "off", "count", "verify"};
}

constexpr const char* application_help = "The application and its arguments, behind --";
constexpr const char* application_value = "-- APPLICATION ARGUMENTS...";

constexpr OptionRow<RecordOptions> rows_of_record[] = {
    {.name = "application",
     .member = at<&RecordOptions::application>,
     .help = application_help,
     .value = application_value,
     .is_positional = true,
     .is_behind_dashes = true},
    {.name = "output",
     .member = at<&RecordOptions::output>,
     .help =
         "Folder for problems.json, or a file that ends with .json; after MPI_Abort, or an exit "
         "without MPI_Finalize, each rank writes problems.json.rank-N",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = at<&RecordOptions::overwrite>,
     .help = "Replace it when it is there"},
    {.name = "synchronise",
     .member = at<&RecordOptions::synchronise>,
     .help =
         "A barrier before each blocking collective, timed apart: tells waiting for other ranks "
         "from the collective itself"},
    {.name = "problems",
     .member = at<&RecordOptions::problems>,
     .help = "Most different problems of a rank; of calls beyond them only number and time are "
             "kept",
     .value = "NUMBER",
     .bounds = {1}},
};

constexpr OptionRow<ApplyOptions> rows_of_apply[] = {
    {.name = "application",
     .member = at<&ApplyOptions::application>,
     .help = application_help,
     .value = application_value,
     .is_positional = true,
     .is_behind_dashes = true},
    {.name = "rules",
     .member = at<&ApplyOptions::rules>,
     .help = "Which calls take which path instead of the library's",
     .value = "FILE"},
    {.name = "mode",
     .member = at<&ApplyOptions::mode>,
     .help = "on; count: only count which calls would take another path; verify: make each such "
             "call both ways and compare; off: look at nothing",
     .choices = repair_modes},
    {.name = "report",
     .member = at<&ApplyOptions::report>,
     .help = "Write the time in blocking collectives and from MPI_Init to MPI_Finalize to this "
             "file, as JSON",
     .value = "FILE"},
};

constexpr OptionRow<ProveOptions> rows_of_prove[] = {
    {.name = "application",
     .member = at<&ProveOptions::application>,
     .help = application_help,
     .value = application_value,
     .is_positional = true,
     .is_behind_dashes = true},
    {.name = "rules",
     .member = at<&ProveOptions::rules>,
     .help = "Which calls take which path instead of the library's",
     .value = "FILE"},
    {.name = "settings",
     .member = at<&ProveOptions::settings>,
     .help = "A file for a shell that sets variables of the environment, as mpiaudit repair writes "
             "it: the runs with rules have these, too",
     .value = "FILE"},
    {.name = "ranks",
     .member = at<&ProveOptions::ranks>,
     .help = "Ranks of the application (default: the largest group that a rule is about)",
     .value = "NUMBER",
     .bounds = {1},
     .shown_default = ""},
    {.name = "launch",
     .member = at<&ProveOptions::launch>,
     .help = "What starts the ranks, up to the program; words between spaces, {ranks} is their "
             "number",
     .value = "WORDS"},
    {.name = "compare",
     .member = at<&ProveOptions::compare>,
     .help = "A command for a shell that ends with 0 when what the two runs of a pair have printed "
             "is the same: 'diff {base} {repaired}'",
     .value = "COMMAND"},
    {.name = "copy",
     .member = at<&ProveOptions::copy>,
     .help = "Run in a copy of this folder each, so that --compare finds the files that the two "
             "runs of a pair write, in {base-folder} and {repaired-folder}",
     .value = "FOLDER"},
    {.name = "pairs",
     .member = at<&ProveOptions::pairs>,
     .help = "Most pairs of runs, one without and one with the rules, in random order",
     .value = "NUMBER",
     .bounds = {1}},
    {.name = "budget",
     .member = at<&ProveOptions::budget>,
     .help = "No pair begins that would probably end later, as 30m or 2h",
     .value = "TIME"},
    {.name = "tolerance",
     .member = at<&ProveOptions::tolerance>,
     .help = "Share by which the run without rules has to take longer",
     .value = "SHARE"},
    {.name = "alpha",
     .member = at<&ProveOptions::alpha>,
     .help = "Bound on the probability of calling anything faster that is not",
     .value = "PROBABILITY",
     .bounds = {1e-12, 0.5}},
    {.name = "output",
     .member = at<&ProveOptions::output>,
     .help = "Folder for what the runs print, and for proof.json",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = at<&ProveOptions::overwrite>,
     .help = "Write into the folder when it is there"},
};

constexpr OptionRow<RepairOptions> rows_of_repair[] = {
    {.name = "results",
     .member = at<&RepairOptions::results>,
     .help = "Folder of an audit, with the launches that confirm it in its folders "
             "confirmation-1, confirmation-2 and so on, or the folders of all these launches; "
             "audits on other numbers of ranks, behind it, add their rules",
     .value = "FOLDER...",
     .is_positional = true},
    {.name = "output",
     .member = at<&RepairOptions::output>,
     .help = "Folder for what is to be changed (default: repair in the first folder)",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = at<&RepairOptions::overwrite>,
     .help = "Replace it when it is there"},
    {.name = "launches",
     .member = at<&RepairOptions::launches>,
     .help = "Launches that have to have measured a violation: the audit and those that confirm it",
     .value = "NUMBER",
     .bounds = {1}},
    {.name = "allow-reassociation",
     .member = at<&RepairOptions::allow_reassociation>,
     .help = "Sums and products of floating-point numbers may be computed in another order, which "
             "changes their last bits"},
    {.name = "assume-commutative",
     .member = at<&RepairOptions::assume_commutative>,
     .help = "The application has no operators that do not commute; an audit of --problems knows"},
    {.name = "checks",
     .member = at<&RepairOptions::checks>,
     .help = "Launches that try each setting of the library; 0: none is tried, and none offered",
     .group = "Checks of settings",
     .value = "NUMBER"},
    {.name = "budget",
     .member = at<&RepairOptions::budget>,
     .help = "Wall time of each of these launches",
     .group = "Checks of settings",
     .value = "TIME"},
    {.name = "launcher",
     .member = at<&RepairOptions::launcher>,
     .help =
         "What starts the ranks of these launches, {ranks} being how many (default: as the audit "
         "has it on record, or mpirun -n RANKS)",
     .group = "Checks of settings",
     .value = "COMMAND"},
};

}  // namespace

std::vector<BoundOption> record_options(Command& command) {
    return bound(rows_of_record, command.own<RecordOptions>());
}
std::vector<BoundOption> apply_options(Command& command) {
    return bound(rows_of_apply, command.own<ApplyOptions>());
}
std::vector<BoundOption> prove_options(Command& command) {
    return bound(rows_of_prove, command.own<ProveOptions>());
}
std::vector<BoundOption> repair_options(Command& command) {
    return bound(rows_of_repair, command.own<RepairOptions>());
}

}  // namespace mpiaudit
