// SPDX-License-Identifier: BSD-3-Clause
// The options of the commands but run and verify.
#include "options/option_checks.h"
#include "options/option_table.h"
#include "options/shared_options.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

using namespace shared;

std::vector<std::string> link_names() {
    return {"hosts", "ranks"};
}
std::vector<std::string> listable_names() {
    return {"guidelines", "collectives", "distributions", "networks", "paths", "options"};
}
std::vector<std::string> script_names() {
    return {"bash", "zsh", "fish", "man"};
}

constexpr OptionRow<ProbeOptions> rows_of_probe[] = {
    {.name = "output",
     .member = &ProbeOptions::output,
     .help = "The network file to write",
     .value = "FILE"},
    {.name = "overwrite",
     .member = &ProbeOptions::overwrite,
     .help = "Replace it when it is there"},
    {.name = "between",
     .member = &ProbeOptions::between,
     .help = "Links between hosts, from their first ranks (and within each, if it has two ranks), "
             "or between all ranks wherever they run",
     .choices = link_names},
    {.name = "bytes",
     .member = &ProbeOptions::bytes,
     .help = "Message sizes for the send overhead os(m) and the gap g(m); at most 1Gi",
     .value = "SIZES"},
    {.name = "largest",
     .member = &ProbeOptions::largest,
     .help = "Largest message for the bandwidth; slow links get smaller ones",
     .value = "BYTES"},
    {.name = "rounds",
     .member = &ProbeOptions::rounds,
     .help = "Rounds; in each every pair is measured once",
     .value = "ROUNDS",
     .check = positive_number},
    {.name = "clock", .member = &ProbeOptions::clock, .help = clock_help, .choices = clock_names},
};

std::vector<std::string> repair_modes() {
    return {"on", "off", "count", "verify"};
}

constexpr const char* application_help = "The application and its arguments, behind --";
constexpr const char* application_value = "-- APPLICATION ARGUMENTS...";

constexpr OptionRow<RecordOptions> rows_of_record[] = {
    {.name = "application",
     .member = &RecordOptions::application,
     .help = application_help,
     .value = application_value,
     .is_positional = true},
    {.name = "output",
     .member = &RecordOptions::output,
     .help =
         "Folder for problems.json, or a file that ends with .json; after MPI_Abort, or an exit "
         "without MPI_Finalize, each rank writes problems.json.rank-N",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = &RecordOptions::overwrite,
     .help = "Replace it when it is there"},
    {.name = "synchronise",
     .member = &RecordOptions::synchronise,
     .help =
         "A barrier before each blocking collective, timed apart: tells waiting for other ranks "
         "from the collective itself"},
    {.name = "problems",
     .member = &RecordOptions::problems,
     .help = "Most different problems of a rank; of calls beyond them only number and time are "
             "kept",
     .value = "NUMBER",
     .check = positive_number},
};

constexpr OptionRow<ApplyOptions> rows_of_apply[] = {
    {.name = "application",
     .member = &ApplyOptions::application,
     .help = application_help,
     .value = application_value,
     .is_positional = true},
    {.name = "rules",
     .member = &ApplyOptions::rules,
     .help = "Which calls take which path instead of the library's",
     .value = "FILE"},
    {.name = "mode",
     .member = &ApplyOptions::mode,
     .help = "on; count: only count which calls would take another path; verify: make each such "
             "call both ways and compare; off: look at nothing",
     .choices = repair_modes},
    {.name = "report",
     .member = &ApplyOptions::report,
     .help = "Write the time in blocking collectives and from MPI_Init to MPI_Finalize to this "
             "file, as JSON",
     .value = "FILE"},
};

constexpr OptionRow<ProveOptions> rows_of_prove[] = {
    {.name = "application",
     .member = &ProveOptions::application,
     .help = application_help,
     .value = application_value,
     .is_positional = true},
    {.name = "rules",
     .member = &ProveOptions::rules,
     .help = "Which calls take which path instead of the library's",
     .value = "FILE"},
    {.name = "settings",
     .member = &ProveOptions::settings,
     .help = "A file for a shell that sets variables of the environment, as mpiaudit repair writes "
             "it: the runs with rules have these, too",
     .value = "FILE"},
    {.name = "ranks",
     .member = &ProveOptions::ranks,
     .help = "Ranks of the application (default: the largest group that a rule is about)",
     .value = "NUMBER",
     .check = positive_number,
     .shown_default = ""},
    {.name = "launch",
     .member = &ProveOptions::launch,
     .help = "What starts the ranks, up to the program; words between spaces, {ranks} is their "
             "number",
     .value = "WORDS"},
    {.name = "compare",
     .member = &ProveOptions::compare,
     .help = "A command for a shell that ends with 0 when what the two runs of a pair have printed "
             "is the same: 'diff {base} {repaired}'",
     .value = "COMMAND"},
    {.name = "pairs",
     .member = &ProveOptions::pairs,
     .help = "Most pairs of runs, one without and one with the rules, in random order",
     .value = "NUMBER",
     .check = positive_number},
    {.name = "budget",
     .member = &ProveOptions::budget,
     .help = "No pair begins that would probably end later, as 30m or 2h",
     .value = "TIME",
     .check = duration},
    {.name = "tolerance",
     .member = &ProveOptions::tolerance,
     .help = "Share by which the run without rules has to take longer",
     .value = "SHARE",
     .check = share},
    {.name = "alpha",
     .member = &ProveOptions::alpha,
     .help = "Bound on the probability of calling anything faster that is not",
     .value = "PROBABILITY",
     .check = probability},
    {.name = "output",
     .member = &ProveOptions::output,
     .help = "Folder for what the runs print, and for proof.json",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = &ProveOptions::overwrite,
     .help = "Write into the folder when it is there"},
};

constexpr OptionRow<ListOptions> rows_of_list[] = {
    {.name = "what",
     .member = &ListOptions::what,
     .help = "guidelines, collectives, distributions, networks, paths (that rules can name) or "
             "options",
     .value = "WHAT",
     .choices = listable_names,
     .is_positional = true},
    {.name = "derived",
     .member = &ListOptions::derived,
     .help = "Guidelines that follow from the graph of layouts, as a file of guidelines"},
    {.name = "length",
     .member = &ListOptions::length,
     .help = length_help,
     .value = "NUMBER",
     .check = length_of_derived},
};

constexpr OptionRow<PrintOptions> rows_of_print[] = {
    {.name = "what",
     .member = &PrintOptions::what,
     .help = "bash, zsh, fish: a script that completes commands, options and values; man: the "
             "manual page",
     .value = "WHAT",
     .choices = script_names,
     .is_positional = true},
};

constexpr OptionRow<JudgeOptions> rows_of_judge[] = {
    {.name = "results",
     .member = &JudgeOptions::results,
     .help = "Folders of the launches of one audit, or of an audit and its confirmation",
     .value = "FOLDER...",
     .is_positional = true},
    {.name = "judge",
     .member = &JudgeOptions::criterion,
     .help = judge_help,
     .group = of_verdicts,
     .choices = criterion_names,
     .shown_default = "as in the audit"},
    {.name = "outliers",
     .member = &JudgeOptions::outliers,
     .help = outliers_help,
     .group = of_verdicts,
     .choices = outliers_names,
     .shown_default = "as in the audit"},
    {.name = "tolerance",
     .member = &JudgeOptions::tolerance,
     .help = "Share by which the left side may be slower (default: as in the audit)",
     .group = of_verdicts,
     .value = "SHARE",
     .check = share},
    {.name = "alpha",
     .member = &JudgeOptions::alpha,
     .help = "Bound on the probability of any false violation (default: as in the audit)",
     .group = of_verdicts,
     .value = "PROBABILITY",
     .check = probability},
    {.name = "report",
     .member = &JudgeOptions::report,
     .help = "Write the report here",
     .value = "FILE"},
    {.name = "fail-on",
     .member = &JudgeOptions::fail_on,
     .help = fail_on_help,
     .group = of_verdicts,
     .value = fail_on_value,
     .check = failure_condition},
    {.name = "baseline",
     .member = &JudgeOptions::baseline,
     .help = baseline_help,
     .group = of_verdicts,
     .value = "REPORT,..."},
    {.name = "junit", .member = &JudgeOptions::junit, .help = junit_help, .value = "FILE"},
    {.name = "tables", .member = &JudgeOptions::tables, .help = tables_help},
    {.name = "color", .member = &JudgeOptions::color, .help = color_help, .choices = when_names},
};

constexpr OptionRow<ReproduceOptions> rows_of_reproduce[] = {
    {.name = "results",
     .member = &ReproduceOptions::results,
     .help = "Folder of an audit, with the launches that confirm it in its folders confirmation-1, "
             "confirmation-2 and so on, or the folders of all these launches",
     .value = "FOLDER...",
     .is_positional = true},
    {.name = "check",
     .member = &ReproduceOptions::check,
     .help = "The check to show (default: the worst violation)",
     .value = "GUIDELINE@PROBLEM"},
};

constexpr OptionRow<RepairOptions> rows_of_repair[] = {
    {.name = "results",
     .member = &RepairOptions::results,
     .help = "Folder of an audit, with the launches that confirm it in its folders "
             "confirmation-1, confirmation-2 and so on, or the folders of all these launches; "
             "audits on other numbers of ranks, behind it, add their rules",
     .value = "FOLDER...",
     .is_positional = true},
    {.name = "output",
     .member = &RepairOptions::output,
     .help = "Folder for what is to be changed (default: repair in the first folder)",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = &RepairOptions::overwrite,
     .help = "Replace it when it is there"},
    {.name = "launches",
     .member = &RepairOptions::launches,
     .help = "Launches that have to have measured a violation: the audit and those that confirm it",
     .value = "NUMBER",
     .check = positive_number},
    {.name = "allow-reassociation",
     .member = &RepairOptions::allow_reassociation,
     .help = "Sums and products of floating-point numbers may be computed in another order, which "
             "changes their last bits"},
    {.name = "assume-commutative",
     .member = &RepairOptions::assume_commutative,
     .help = "The application has no operators that do not commute; an audit of --problems knows"},
    {.name = "checks",
     .member = &RepairOptions::checks,
     .help = "Launches that try each setting of the library; 0: none is tried, and none offered",
     .group = "Checks of settings",
     .value = "NUMBER",
     .check = number_of_launches},
    {.name = "budget",
     .member = &RepairOptions::budget,
     .help = "Wall time of each of these launches",
     .group = "Checks of settings",
     .value = "TIME",
     .check = duration},
    {.name = "launcher",
     .member = &RepairOptions::launcher,
     .help =
         "What starts the ranks of these launches, {ranks} being how many (default: as the audit "
         "has it on record, or mpirun -n RANKS)",
     .group = "Checks of settings",
     .value = "COMMAND"},
};

}  // namespace

std::span<const OptionRow<ProbeOptions>> probe_rows() {
    return rows_of_probe;
}

std::span<const OptionRow<RecordOptions>> record_rows() {
    return rows_of_record;
}

std::span<const OptionRow<ApplyOptions>> apply_rows() {
    return rows_of_apply;
}

std::span<const OptionRow<ProveOptions>> prove_rows() {
    return rows_of_prove;
}

std::span<const OptionRow<ListOptions>> list_rows() {
    return rows_of_list;
}

std::span<const OptionRow<PrintOptions>> print_rows() {
    return rows_of_print;
}

std::span<const OptionRow<RepairOptions>> repair_rows() {
    return rows_of_repair;
}

std::span<const OptionRow<ReproduceOptions>> reproduce_rows() {
    return rows_of_reproduce;
}

std::span<const OptionRow<JudgeOptions>> judge_rows() {
    return rows_of_judge;
}

}  // namespace mpiaudit
