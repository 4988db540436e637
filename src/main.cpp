// SPDX-License-Identifier: BSD-3-Clause
// The program: the auditor, and what the other products add to it.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string_view>

#include "audit/commands.h"
#include "audit/launch.h"
#include "messages/interruption.h"
#include "mpi/incident.h"
#include "mpi/library_algorithms.h"
#include "mpi/rank_0.h"
#include "simulation/platform.h"
#include "text/console.h"
#ifdef MPIAUDIT_LOOP
#include "commands/loop_commands.h"
#endif
#ifdef MPIAUDIT_PAPERS
#include "grid/job_network.h"
#include "tables/tables.h"
#endif

namespace {

using namespace mpiaudit;

int complain(const std::string& what, ExitCode code) {
    remark("{}", what);
    return code;
}

/// The code of what was done, unless that was all right and nobody will read it.
int after_output(int code) {
    const char* error = output_error();
    if (error == nullptr) return code;
    remark("standard output cannot be written ({}), so that a part of it is lost", error);
    return code == exit_done ? exit_output : code;
}

/// Made once: simulated ranks share it.
const Additions& additions() {
    static const Additions all = [] {
        Additions added;
#ifdef MPIAUDIT_LOOP
        added.is_path = is_path_of;
        added.lists.emplace_back("paths", list_paths);
#endif
#ifdef MPIAUDIT_PAPERS
        join_papers(added);
#endif
        return added;
    }();
    return all;
}

/// What a command does. Those on all ranks fail alike, and speak through rank 0.
struct Run {
    std::string_view name;
    int (*alone)(const Command& command);
    int (*on_all_ranks)(const Command& command, const Environment& environment) = nullptr;
};

constexpr Run runs[] = {
    {"run", nullptr,
     [](const Command& command, const Environment& environment) {
         return run_audit(command, environment, additions());
     }},
    {"verify", nullptr,
     [](const Command& command, const Environment& environment) {
         return verify_collectives(command.run, environment, additions());
     }},
#ifdef MPIAUDIT_PAPERS
    {"probe", nullptr,
     [](const Command& command, const Environment& environment) {
         return probe_network(command.probe, environment);
     }},
#endif
#ifdef MPIAUDIT_LOOP
    {"record", [](const Command& command) { return record_application(command.record); }},
    {"apply", [](const Command& command) { return apply_rules(command.apply); }},
    {"prove", [](const Command& command) { return prove(command.prove); }},
    {"repair", [](const Command& command) { return repair_library(command.repair); }},
#endif
    {"list", [](const Command& command) { return list(command.list, additions()); }},
    {"judge", [](const Command& command) { return judge_again(command.judge); }},
    {"reproduce", [](const Command& command) { return reproduce(command.reproduce); }},
    {"print", [](const Command& command) { return print(command.print); }},
    {"version", [](const Command&) { return say_version(); }},
    {"",
     [](const Command& command) {
         say("{}", command.text);
         return int(exit_done);
     }},
};

int on_all_ranks(const Run& run, const Command& command, const Environment& environment) {
    try {
        if (!command.error.empty()) throw UsageError(command.error + " (see " + command.help + ")");
        check_launch(command.run, environment);
        return run.on_all_ranks(command, environment);
    } catch (const UsageError& error) {
        if (speaks_for_all(environment)) complain(error.what(), exit_usage);
        return exit_usage;
    } catch (const FailureOfRank0& error) {
        if (environment.rank() == 0) complain(error.what(), exit_internal);
        return exit_internal;
    } catch (const std::exception& error) {
        // What one rank alone meets ends all of them.
        abort_audit(error.what());
    }
}

int with_mpi(const Run& run, const Command& command, int argc, char** argv) {
    // Read by the MPI library when it starts.
    if (!command.run.algorithms.empty()) prepare_for_forced_algorithms();
    for (const std::string& variable : command.run.library_variables) {
        const std::size_t equals = variable.find('=');
        setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    // A dry run and a probe have nothing to be kept.
    const bool listens = run.name != "probe" && !command.run.dry_run && command.error.empty();
    if (listens) interruption::listen();
    const Environment environment(argc, argv);
    if (listens) interruption::listen();
    if (!platform().ranks_share_memory) {
        // The bounds of buffers are looked at first.
        incident::name_crashes(environment.rank());
        incident::watch_bounds(environment.rank(), exit_wrong_result);
    }
    return after_output(on_all_ranks(run, command, environment));
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    // A file that may not grow any more is an error of its own, as a full disk is.
    std::signal(SIGXFSZ, SIG_IGN);
    additions();  // of which options know some
    const Command command = parse_command(argc, argv);
    const Run* const found = std::ranges::find(runs, command.name, &Run::name);
    if (found == std::end(runs))
        return complain(
            command.name +
                ": this mpiaudit is without it; build it with MPIAUDIT_LOOP and MPIAUDIT_PAPERS on",
            exit_usage);
    const Run& run = *found;
    if (run.on_all_ranks != nullptr) return with_mpi(run, command, argc, argv);
    try {
        if (!command.error.empty())
            return complain(command.error + " (see " + command.help + ")", exit_usage);
        return after_output(run.alone(command));
    } catch (const UsageError& error) {
        return complain(error.what(), exit_usage);
    } catch (const std::exception& error) {
        return complain(error.what(), exit_internal);
    }
}
