// SPDX-License-Identifier: BSD-3-Clause
#include "options/described_commands.h"

#include "options/option_table.h"

namespace mpiaudit {
namespace {

template <class Options>
DescribedCommand described(const char* name, const char* summary, const auto& rows) {
    DescribedCommand command{name, summary, {}};
    for (const OptionRow<Options>& row : rows) {
        DescribedOption& option = command.options.emplace_back();
        option.name = row.is_positional ? row.name : std::string("--") + row.name;
        option.help = row.help;
        option.group = row.group;
        option.is_positional = row.is_positional;
        if (row.choices != nullptr) option.choices = row.choices();
        const bool is_flag = std::holds_alternative<bool Options::*>(row.member);
        option.value = row.value != nullptr      ? row.value
                       : !option.choices.empty() ? joined(option.choices, "|")
                       : is_flag                 ? ""
                                                 : "VALUE";
    }
    return command;
}

}  // namespace

std::vector<DescribedCommand> described_commands() {
    return {
        described<RunOptions>("run", "Measure, judge and report; start with mpirun or srun",
                              offered_run_rows()),
        described<RunOptions>("verify",
                              "Check the results of every operation on every distribution, without "
                              "timing",
                              verify_rows()),
        described<ProbeOptions>("probe",
                                "Measure the links between the hosts, for run and verify --network",
                                probe_rows()),
        described<RecordOptions>("record",
                                 "Become an application, and record which collectives it calls",
                                 record_rows()),
        described<ApplyOptions>(
            "apply", "Become an application, some of whose calls take another path", apply_rows()),
        described<ProveOptions>("prove",
                                "Run an application with rules and without, and judge which is "
                                "faster; start without mpirun",
                                prove_rows()),
        described<ListOptions>("list", "List what can be named", list_rows()),
        described<JudgeOptions>("judge",
                                "Judge the samples of an audit again, or those of several launches "
                                "together",
                                judge_rows()),
        described<ReproduceOptions>("reproduce",
                                    "Write a C program that shows a violation without mpiaudit",
                                    reproduce_rows()),
        described<RepairOptions>("repair", "Write what to change about the violations of an audit",
                                 repair_rows()),
        described<PrintOptions>("print", "Print a script for completion, or the manual page",
                                print_rows())};
}

}  // namespace mpiaudit
