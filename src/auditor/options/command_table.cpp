// SPDX-License-Identifier: BSD-3-Clause
// Options of the commands other than run and verify, declared in option_table.h.
#include "options/local_options.h"
#include "options/option_table.h"
#include "options/reproduce_options.h"
#include "options/shared_rows.h"

namespace mpiaudit {
namespace {

using namespace shared;

std::vector<std::string> listable_names() {
    return {"guidelines", "collectives", "distributions", "networks", "options", "properties"};
}

constexpr OptionRow<ListOptions> rows_of_list[] = {
    {.name = "what",
     .member = at<&ListOptions::what>,
     .help = "guidelines, collectives, distributions, networks, "
             "properties (of generated calls) or options",
     .value = "WHAT",
     .choices = listable_names,
     .is_positional = true},
};

constexpr OptionRow<LocalOptions> rows_of_local[] = {
    {.name = "audit",
     .member = at<&LocalOptions::audit>,
     .help = "Options of `mpiaudit run`, behind --",
     .value = "[-- OPTION...]",
     .is_positional = true,
     .is_behind_dashes = true},
    {.name = "launcher",
     .member = at<&LocalOptions::launcher>,
     .help = "The command that starts ranks; -n and the number follow",
     .value = "COMMAND"},
    {.name = "ranks",
     .member = at<&LocalOptions::ranks>,
     .help = "Number of ranks (default: the physical cores that this process may use, at least 2)",
     .value = "NUMBER",
     .bounds = {1}},
    {.name = "confirmations",
     .member = at<&LocalOptions::confirmations>,
     .help = "Launches that measure the violations again",
     .value = "NUMBER",
     .bounds = {0}},
    {.name = "output",
     .member = at<&LocalOptions::output>,
     .help = "Folder for the audit and its launches (default: results/HOST-TIME)",
     .value = "FOLDER"},
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
     .help = "Show this row of the first screen",
     .value = "S1"},
};

std::vector<OptionRow<ExplainOptions>> rows_of_explain() {
    return {
        {.name = "words",
         .member = at<&ExplainOptions::words>,
         .help = "The folder of an audit with its confirmations, or the folders of all launches; "
                 "and the code of a row of the first screen (default: S1)",
         .value = "FOLDER... [S1]",
         .is_positional = true},
        {.name = "settings-of",
         .member = at<&ExplainOptions::settings_of>,
         .help = "Name the confirmed settings of another audit, which was made with --algorithms",
         .value = "FOLDER"},
        color_row<ExplainOptions>()};
}

}  // namespace

std::vector<BoundOption> run_options(Command& command) {
    return bound(offered_run_rows(), command.run);
}
std::vector<BoundOption> verify_options(Command& command) {
    return bound(verify_rows(), command.run);
}
std::vector<BoundOption> judge_options(Command& command) {
    return bound(judge_rows(), command.judge);
}
std::vector<BoundOption> list_options(Command& command) {
    return bound(rows_of_list, command.own<ListOptions>());
}

std::vector<BoundOption> local_options(Command& command) {
    return bound(rows_of_local, command.own<LocalOptions>());
}

std::vector<BoundOption> reproduce_options(Command& command) {
    return bound(rows_of_reproduce, command.own<ReproduceOptions>());
}

std::vector<BoundOption> explain_options(Command& command) {
    return bound(rows_of_explain(), command.own<ExplainOptions>());
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
         .help = "Folders of the launches of one audit; a folder alone has its confirmations in it",
         .value = "FOLDER...",
         .is_positional = true}};
    add_rule_rows(rows, "as in the audit");
    add_gate_rows(rows);
    add_table_rows(rows);
    rows.push_back({.name = "report",
                    .member = at<&JudgeOptions::report>,
                    .help = "Write the report here",
                    .group = of_output,
                    .value = "FILE"});
    rows.push_back({.name = "settings-of",
                    .member = at<&JudgeOptions::settings_of>,
                    .help = "Name the confirmed settings of another audit, which was made with "
                            "--algorithms, in the report, too",
                    .group = of_output,
                    .value = "FOLDER"});
    rows.push_back(color_row<JudgeOptions>());
    return rows;
}

}  // namespace mpiaudit
