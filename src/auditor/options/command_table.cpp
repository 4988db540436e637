// SPDX-License-Identifier: BSD-3-Clause
// The commands, and the options of those but run and verify.
#include "options/option_table.h"
#include "options/shared_rows.h"

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
     .member = at<&ProbeOptions::output>,
     .help = "The network file to write",
     .value = "FILE"},
    {.name = "overwrite",
     .member = at<&ProbeOptions::overwrite>,
     .help = "Replace it when it is there"},
    {.name = "between",
     .member = at<&ProbeOptions::between>,
     .help = "Links between hosts, from their first ranks (and within each, if it has two ranks), "
             "or between all ranks wherever they run",
     .choices = link_names},
    {.name = "bytes",
     .member = at<&ProbeOptions::bytes>,
     .help = "Message sizes for the send overhead os(m) and the gap g(m); at most 1Gi",
     .value = "SIZES"},
    {.name = "largest",
     .member = at<&ProbeOptions::largest>,
     .help = "Largest message for the bandwidth; slow links get smaller ones",
     .value = "BYTES"},
    {.name = "rounds",
     .member = at<&ProbeOptions::rounds>,
     .help = "Rounds; in each every pair is measured once",
     .value = "ROUNDS",
     .bounds = {1}},
    {.name = "clock", .member = at<&ProbeOptions::clock>, .help = clock_help},
};

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
     .is_positional = true},
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
     .is_positional = true},
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
     .is_positional = true},
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

constexpr OptionRow<ListOptions> rows_of_list[] = {
    {.name = "what",
     .member = at<&ListOptions::what>,
     .help = "guidelines, collectives, distributions, networks, paths (that rules can name) or "
             "options",
     .value = "WHAT",
     .choices = listable_names,
     .is_positional = true},
    {.name = "derived",
     .member = at<&ListOptions::derived>,
     .help = "Guidelines that follow from the graph of layouts, as a file of guidelines"},
    {.name = "length",
     .member = at<&ListOptions::length>,
     .help = length_help,
     .value = "NUMBER",
     .bounds = {1, 4}},
};

constexpr OptionRow<PrintOptions> rows_of_print[] = {
    {.name = "what",
     .member = at<&PrintOptions::what>,
     .help = "bash, zsh, fish: a script that completes commands, options and values; man: the "
             "manual page",
     .value = "WHAT",
     .choices = script_names,
     .is_positional = true},
};

constexpr OptionRow<ReproduceOptions> rows_of_reproduce[] = {
    {.name = "results",
     .member = at<&ReproduceOptions::results>,
     .help = "Folder of an audit, with the launches that confirm it in its folders confirmation-1, "
             "confirmation-2 and so on, or the folders of all these launches",
     .value = "FOLDER...",
     .is_positional = true},
    {.name = "check",
     .member = at<&ReproduceOptions::check>,
     .help = "The check to show (default: the worst violation)",
     .value = "GUIDELINE@PROBLEM"},
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

constexpr CommandRow rows_of_commands[] = {
    {"run", "Measure, judge and report; start with mpirun or srun",
     "  mpirun -n 16 mpiaudit run --output results/first\n"
     "  mpirun -n 16 mpiaudit run --distributions spikes:rho=10 --block-sizes 1..64:x4\n"
     "  mpirun -n 4 mpiaudit run --counts 120,7,0,33 --element double --root 0\n"
     "  mpirun -n 16 mpiaudit run --budget 5m --output results/first --resume\n"
     "  mpirun -n 16 mpiaudit run --confirm results/first",
     [](Command& command) { return bound(offered_run_rows(), command.run); }},
    {"verify", "Check the results of every operation on every distribution, without timing",
     "  mpirun -n 7 mpiaudit verify --element struct\n"
     "  mpirun -n 16 mpiaudit verify --collectives gather,scatter",
     [](Command& command) { return bound(verify_rows(), command.run); }},
    {"probe", "Measure the links between the hosts, for run and verify --network",
     "  mpirun -n 40 mpiaudit probe --output cluster.json\n"
     "  mpirun -n 40 mpiaudit run --guidelines grid --network ./cluster.json",
     [](Command& command) { return bound(rows_of_probe, command.probe); }},
    {"record", "Become an application, and record which collectives it calls",
     "  mpirun -n 4 mpiaudit record -- ./application input.txt\n"
     "  mpirun -n 4 mpiaudit record --synchronise --output waiting.json -- ./application",
     [](Command& command) { return bound(rows_of_record, command.record); }},
    {"apply", "Become an application, some of whose calls take another path",
     "  mpirun -n 4 mpiaudit apply --rules rules.json -- ./application input.txt\n"
     "  mpirun -n 4 mpiaudit apply --rules rules.json --mode verify -- ./application",
     [](Command& command) { return bound(rows_of_apply, command.apply); }},
    {"prove",
     "Run an application with rules and without, and judge which is faster; start without mpirun",
     "  mpiaudit prove --rules rules.json -- ./application input.txt\n"
     "  mpiaudit prove --rules rules.json --launch 'srun -n {ranks}' \\\n"
     "      --compare 'diff {base} {repaired}' -- ./application\n\n"
     "Exit codes: 0 faster, 1 not shown to be faster, 2 wrong use, 3 other results,\n"
     "70 a run failed.",
     [](Command& command) { return bound(rows_of_prove, command.prove); }},
    {"list", "List what can be named",
     "  mpiaudit list guidelines\n"
     "  mpiaudit list guidelines --derived --length 3 > my.json",
     [](Command& command) { return bound(rows_of_list, command.list); }},
    {"judge", "Judge the samples of an audit again, or those of several launches together",
     "  mpiaudit judge results/first --judge minima\n"
     "  mpiaudit judge results/first results/second --report results/all.json",
     [](Command& command) { return bound(judge_rows(), command.judge); }},
    {"reproduce", "Write a C program that shows a violation without mpiaudit",
     "  mpiaudit reproduce results/first > reproduce.c\n"
     "  mpiaudit reproduce results/first --check scan-exscan@spikes/b=1000 > scan.c",
     [](Command& command) { return bound(rows_of_reproduce, command.reproduce); }},
    {"repair", "Write what to change about the violations of an audit",
     "  mpiaudit repair results/application\n"
     "  mpiaudit repair results/application --allow-reassociation --checks 3",
     [](Command& command) { return bound(rows_of_repair, command.repair); }},
    {"print", "Print a script for completion, or the manual page",
     "  source <(mpiaudit print bash)\n  man -l <(mpiaudit print man)",
     [](Command& command) { return bound(rows_of_print, command.print); }},
};

}  // namespace

std::span<const CommandRow> command_rows() {
    return rows_of_commands;
}

std::vector<OptionRow<judge::Rule>> rule_rows() {
    std::vector<OptionRow<judge::Rule>> rows;
    add_rule_rows(rows);
    return rows;
}

std::vector<OptionRow<JudgeOptions>> judge_rows() {
    std::vector<OptionRow<JudgeOptions>> rows = {
        {.name = "results",
         .member = at<&JudgeOptions::results>,
         .help = "Folders of the launches of one audit, or of an audit and its confirmation",
         .value = "FOLDER...",
         .is_positional = true}};
    add_rule_rows(rows, "as in the audit");
    add_gate_rows(rows);
    rows.push_back({.name = "report",
                    .member = at<&JudgeOptions::report>,
                    .help = "Write the report here",
                    .group = of_output,
                    .value = "FILE"});
    rows.push_back(color_row<JudgeOptions>());
    return rows;
}

}  // namespace mpiaudit
