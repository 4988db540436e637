// SPDX-License-Identifier: BSD-3-Clause
#include "commands.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "audit/commands.h"
#include "launches/local.h"
#include "launches/scales.h"
#ifdef MPIAUDIT_CHECKER
#include "search/join_checker.h"
#endif
#ifdef MPIAUDIT_LOOP
#include "commands/loop_commands.h"
#endif
#ifdef MPIAUDIT_PAPERS
#include "grid/job_network.h"
#include "tables/tables.h"
#endif

namespace mpiaudit {
namespace {

constexpr CommandRow rows[] = {
    {"run", "Measure, judge and report; start with mpirun or srun",
     "  mpirun -n 16 mpiaudit run --output results/first\n"
     "  mpirun -n 16 mpiaudit run --distributions spikes:rho=10 --block-sizes 1..64:x4\n"
     "  mpirun -n 4 mpiaudit run --counts 120,7,0,33 --element double --root 0\n"
     "  mpirun -n 16 mpiaudit run --ranks 2,4,8,all --output results/scales\n"
     "  mpirun -n 4 mpiaudit run --collectives gatherv --table\n"
     "  mpirun -n 16 mpiaudit run --budget 5m --output results/first --resume\n"
     "  mpirun -n 16 mpiaudit run --confirm results/first",
     &run_options, nullptr,
     [](const Command& command, const Environment& environment) {
         return run_launch(command, environment, joined_products());
     }},
    {"verify", "Check the results of every operation on every distribution; time nothing",
     "  mpirun -n 7 mpiaudit verify --element struct\n"
     "  mpirun -n 16 mpiaudit verify --collectives gather,scatter\n"
     "  mpirun -n 4 mpiaudit verify --check-calls 1m",
     &verify_options, nullptr,
     [](const Command& command, const Environment& environment) {
         return verify(command.run, environment, joined_products());
     }},
#ifdef MPIAUDIT_PAPERS
    {"probe", "Measure the links between the hosts, for run and verify --network",
     "  mpirun -n 40 mpiaudit probe --output cluster.json\n"
     "  mpirun -n 40 mpiaudit run --guidelines grid --network ./cluster.json",
     &probe_options, nullptr,
     [](const Command& command, const Environment& environment) {
         return probe_network(command.own<ProbeOptions>(), environment);
     }},
#endif
#ifdef MPIAUDIT_LOOP
    {"record", "Become an application, and record which collectives it calls",
     "  mpirun -n 4 mpiaudit record -- ./application input.txt\n"
     "  mpirun -n 4 mpiaudit record --synchronise --output waiting.json -- ./application",
     &record_options,
     [](const Command& command) { return record_application(command.own<RecordOptions>()); }},
    {"prove",
     "Run an application with settings and without, and judge which is faster; start without "
     "mpirun",
     "  mpiaudit prove --settings settings.sh --ranks 4 -- ./application input.txt\n"
     "  mpiaudit prove --settings settings.sh --ranks 4 --launch 'srun -n {ranks}' \\\n"
     "      --compare 'diff {base} {repaired}' -- ./application\n\n"
     "Exit codes: 0 faster, 1 not shown to be faster, 2 wrong use, 3 other results,\n"
     "70 a run failed.",
     &prove_options, [](const Command& command) { return prove(command.own<ProveOptions>()); }},
#endif
    {"local",
     "Audit the library of this machine: starts the ranks, and more launches that measure the "
     "violations again",
     "  mpiaudit local --ranks 4\n"
     "  mpiaudit local --launcher mpirun.mpich --output results/mpich -- --budget 5m",
     &local_options,
     [](const Command& command) { return audit_locally(command, commands(), joined_products()); }},
    {"list", "List guidelines, collectives, distributions, networks, options",
     "  mpiaudit list guidelines", &list_options,
     [](const Command& command) { return list(command.own<ListOptions>(), joined_products()); }},
    {"judge", "Judge the samples of an audit again, or those of several launches together",
     "  mpiaudit judge results/first --judge minima\n"
     "  mpiaudit judge results/first results/second --report results/all.json",
     &judge_options, [](const Command& command) { return judge_again(command.judge); }},
    {"explain", "Show one row of the first screen: times over sizes, evidence, code, commands",
     "  mpiaudit explain results/first S1", &explain_options,
     [](const Command& command) { return explain(command.own<ExplainOptions>()); }},
    {"reproduce", "Write a C program that shows a violation without mpiaudit",
     "  mpiaudit reproduce results/first > reproduce.c\n"
     "  mpiaudit reproduce results/first --check scan-exscan@spikes/b=1000 --output scan.c\n"
     "  mpiaudit reproduce --call \"operation=MPI_Scan start=nonblocking\" --output iscan.c",
     &reproduce_options,
     [](const Command& command) {
         return reproduce(command.own<ReproduceOptions>(), joined_products());
     }},
#ifdef MPIAUDIT_LOOP
    {"repair", "Turn the violations of an audit into settings of the library",
     "  mpiaudit repair results/application\n"
     "  mpiaudit repair results/application --checks 3",
     &repair_options,
     [](const Command& command) { return repair_library(command.own<RepairOptions>()); }},
#endif
    {"print", "Print a script for completion, or the manual page",
     "  source <(mpiaudit print bash)\n  man -l <(mpiaudit print man)", &print_options, &print},
};

}  // namespace

const OtherProducts& joined_products() {
    static const OtherProducts all = [] {
        OtherProducts added;
#ifdef MPIAUDIT_CHECKER
        join_checker(added);
#endif
#ifdef MPIAUDIT_PAPERS
        join_papers(added);
#endif
        return added;
    }();
    return all;
}

std::span<const CommandRow> commands() {
    return rows;
}

std::string remedy_for_missing(std::string_view command) {
    constexpr std::array<std::string_view, 4> of_products = {"record", "prove", "repair", "probe"};
    const bool is_built = std::ranges::find(rows, command, &CommandRow::name) != std::end(rows);
    if (is_built || std::ranges::find(of_products, command) == of_products.end()) return "";
    return "; this program lacks the command, and jobs/build makes one with all commands";
}

}  // namespace mpiaudit
