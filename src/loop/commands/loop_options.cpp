// SPDX-License-Identifier: BSD-3-Clause
// Defines the options of the commands of loop_commands.h.
#include "commands/loop_commands.h"

namespace mpiaudit {
namespace {

template <class Options>
constexpr OptionRow<Options> row_of_application{
    .name = "application",
    .member = at<&Options::application>,
    .help = "The application and its arguments, behind --",
    .value = "-- APPLICATION ARGUMENTS...",
    .is_positional = true,
    .is_behind_dashes = true};

constexpr OptionRow<RecordOptions> rows_of_record[] = {
    row_of_application<RecordOptions>,
    {.name = "output",
     .member = at<&RecordOptions::output>,
     .help =
         "Folder for problems.json, or a file that ends with .json; after MPI_Abort, or an exit "
         "without MPI_Finalize, each rank writes problems.json.rank-N",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = at<&RecordOptions::overwrite>,
     .help = "Replace it if it exists"},
    {.name = "synchronise",
     .member = at<&RecordOptions::synchronise>,
     .help = "Time a barrier before each blocking collective, to separate waiting for other ranks "
             "from the collective itself"},
    {.name = "problems",
     .member = at<&RecordOptions::problems>,
     .help = "Most different problems to keep per rank; calls of further problems are only "
             "counted and timed",
     .value = "NUMBER",
     .bounds = {1}},
};

constexpr OptionRow<ProveOptions> rows_of_prove[] = {
    row_of_application<ProveOptions>,
    {.name = "settings",
     .member = at<&ProveOptions::settings>,
     .help = "Set the environment variables of this shell script, as `mpiaudit repair` writes it, "
             "in one run of each pair",
     .value = "FILE"},
    {.name = "ranks",
     .member = at<&ProveOptions::ranks>,
     .help = "Ranks of the application, for --launch",
     .value = "NUMBER",
     .bounds = {1},
     .shown_default = ""},
    {.name = "launch",
     .member = at<&ProveOptions::launch>,
     .help = "Command that starts the ranks, without the program; {ranks} is their number",
     .value = "WORDS"},
    {.name = "compare",
     .member = at<&ProveOptions::compare>,
     .help = "Shell command that compares the outputs of the two runs of a pair and exits with 0 "
             "if they are equal: 'diff {base} {repaired}'",
     .value = "COMMAND"},
    {.name = "copy",
     .member = at<&ProveOptions::copy>,
     .help = "Give each run a copy of this folder to run in, so that --compare finds the files "
             "that the two runs of a pair write, in {base-folder} and {repaired-folder}",
     .value = "FOLDER"},
    {.name = "pairs",
     .member = at<&ProveOptions::pairs>,
     .help = "Most pairs of runs, one without and one with the settings, in random order",
     .value = "NUMBER",
     .bounds = {1}},
    {.name = "budget",
     .member = at<&ProveOptions::budget>,
     .help = "Start no pair that would probably end later: 30m, 2h",
     .value = "TIME"},
    {.name = "limit",
     .member = at<&ProveOptions::limit>,
     .help =
         "End a run, or the command of --compare, that takes longer, and report it as failed "
         "(default: 10 times the longest run without settings, and a minute; one such run comes "
         "first and is not counted)",
     .value = "TIME"},
    {.name = "tolerance",
     .member = at<&ProveOptions::tolerance>,
     .help = "Share by which the run without the settings must be slower",
     .value = "SHARE"},
    {.name = "alpha",
     .member = at<&ProveOptions::alpha>,
     .help = "Bound on the probability of calling anything faster that is not faster",
     .value = "PROBABILITY",
     .bounds = {1e-12, 0.5}},
    {.name = "output",
     .member = at<&ProveOptions::output>,
     .help = "Folder for the outputs of the runs, and for proof.json",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = at<&ProveOptions::overwrite>,
     .help = "Write into the folder if it exists"},
};

constexpr OptionRow<RepairOptions> rows_of_repair[] = {
    {.name = "results",
     .member = at<&RepairOptions::results>,
     .help = "Folder of an audit, with the launches that confirm it in its folders "
             "confirmation-1, confirmation-2 and so on, or the folders of all these launches; "
             "audits on other numbers of ranks, behind it, add their settings",
     .value = "FOLDER...",
     .is_positional = true},
    {.name = "output",
     .member = at<&RepairOptions::output>,
     .help = "Folder for the settings (default: `repair` in the first folder)",
     .value = "FOLDER"},
    {.name = "overwrite",
     .member = at<&RepairOptions::overwrite>,
     .help = "Replace it if it exists"},
    {.name = "launches",
     .member = at<&RepairOptions::launches>,
     .help = "Use only violations that this number of launches has measured, the audit itself "
             "included",
     .value = "NUMBER",
     .bounds = {1}},
    {.name = "assume-commutative",
     .member = at<&RepairOptions::assume_commutative>,
     .help = "Assume that all operators of the application commute (an audit of --problems knows "
             "them)"},
    {.name = "checks",
     .member = at<&RepairOptions::checks>,
     .help = "Launches that try each setting of the library; 0: try and offer no settings",
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
         "Command that starts the ranks of these launches; {ranks} is their number (default: the "
         "recorded launcher of the audit, or mpirun -n RANKS)",
     .group = "Checks of settings",
     .value = "COMMAND"},
};

constexpr OptionRow<ReproduceOptions> rows_of_reproduce[] = {
    {.name = "results",
     .member = at<&ReproduceOptions::results>,
     .help = "Folder of an audit, with the launches that confirm it in its folders confirmation-1, "
             "confirmation-2 and so on, or the folders of all these launches; or the folder of "
             "`verify --check-calls`",
     .value = "[FOLDER...]",
     .is_positional = true},
    {.name = "call",
     .member = at<&ReproduceOptions::call>,
     .help = "Show this generated call, as `verify --call` takes it: any call if no folder is "
             "given, else a call that has a fault in the folder",
     .value = "PROPERTIES"},
    {.name = "output",
     .member = at<&ReproduceOptions::output>,
     .help = "Write the program to this file, which it replaces (default: print the program)",
     .value = "FILE"},
    {.name = "check",
     .member = at<&ReproduceOptions::check>,
     .help = "The check to show, or a wrong result as in MPI_Gather_init(m)@forms/b=16 (default: "
             "the first row of the first screen)",
     .value = "GUIDELINE@PROBLEM"},
    {.name = "row",
     .member = at<&ReproduceOptions::row>,
     .help = "Show this row of the first screen: 1 is the first row",
     .value = "N"},
};

}  // namespace

std::vector<BoundOption> record_options(Command& command) {
    return bound(rows_of_record, command.own<RecordOptions>());
}
std::vector<BoundOption> prove_options(Command& command) {
    return bound(rows_of_prove, command.own<ProveOptions>());
}
std::vector<BoundOption> repair_options(Command& command) {
    return bound(rows_of_repair, command.own<RepairOptions>());
}
std::vector<BoundOption> reproduce_options(Command& command) {
    return bound(rows_of_reproduce, command.own<ReproduceOptions>());
}

}  // namespace mpiaudit
