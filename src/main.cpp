// SPDX-License-Identifier: BSD-3-Clause
// The program mpiaudit: parses the command line and runs the command.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "audit/commands.h"
#include "commands.h"
#include "device_trial/device_support.h"
#include "messages/interruption.h"
#include "mpi/incident.h"
#include "mpi/library_algorithms.h"
#include "mpi/texts.h"
#include "settings/in_effect.h"
#include "simulation/simulation.h"
#include "text/console.h"
#include "text/plain.h"

namespace {

using namespace mpiaudit;

/// Prints the error and returns `code`.
int report_error(const std::string& what, ExitCode code) {
    remark("{}", what);
    return code;
}

/// Prints a message if an earlier write to standard output failed, and then returns exit_output
/// instead of exit_done. Returns `code` otherwise.
int code_after_output(int code) {
    const char* error = output_error();
    if (error == nullptr) return code;
    remark("standard output cannot be written ({}), so that a part of it is lost", error);
    return code == exit_done ? exit_output : code;
}

/// Refuses a wrong command line or launch, else runs the command. Returns the exit code, also after
/// errors of usage and of rank 0; any other exception aborts all ranks.
int run_on_all_ranks(const CommandRow& run, const Command& command,
                     const Environment& environment) {
    try {
        if (!command.error.empty()) throw UsageError(command.error + " (see " + command.help + ")");
        check_launch(command.run, environment);
        return run.on_all_ranks(command, environment);
    } catch (const UsageError& error) {
        if (speaks_for_all(environment)) report_error(error.what(), exit_usage);
        return exit_usage;
    } catch (const FailureOfRank0& error) {
        if (environment.rank() == 0) report_error(error.what(), exit_internal);
        return exit_internal;
    } catch (const std::exception& error) {
        // An error that only one rank meets ends all ranks.
        abort_audit(error.what());
    }
}

/// Returns the error about a file that would make MPICH crash at its start, and takes the file's
/// variable out of the environment, so that all ranks can end with the message; nullopt for others.
std::optional<std::string> take_crashing_file() {
    constexpr const char* variable = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
    const char* const file = std::getenv(variable);
    if (file == nullptr || *file == '\0' || !Environment::name_of_library().starts_with("MPICH"))
        return std::nullopt;
    const auto reason = settings::reason_of_crash(file, settings::read_regular_file);
    if (!reason) return std::nullopt;
    std::string error = std::string(variable) + "=" + plain_line(file) +
                        ": MPICH would crash with the file: " + *reason;
    unsetenv(variable);
    return error;
}

/// Sets the variables that the MPI library reads at its start, starts MPI, installs the handlers of
/// signals and crashes, and runs the command. Returns the exit code.
int run_with_mpi(const CommandRow& run, Command command, int argc, char** argv) {
    if (!command.run.algorithms.empty()) prepare_for_forced_algorithms();
    for (const std::string& variable : command.run.library_variables) {
        const std::size_t equals = variable.find('=');
        setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    if (const auto error = take_crashing_file(); error && command.error.empty())
        command.error = *error;
    // A dry run and a probe have no results to keep when a signal arrives.
    const bool catches_interruptions =
        std::string_view(run.name) != "probe" && !command.run.dry_run && command.error.empty();
    if (catches_interruptions) interruption::listen();
    const Environment environment(argc, argv);
    if (catches_interruptions) interruption::listen();
    if (!platform().ranks_share_memory) {
        // watch_bounds() comes last, so that its handler is the first to see a fault.
        incident::name_crashes(environment.rank());
        incident::watch_bounds();
    }
    send_if_trial(*command.run.memory_kind);
    return code_after_output(run_on_all_ranks(run, command, environment));
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    // Exceeding the limit on file sizes is then an error of write(), like a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    joined_products();  // registers options and protocols, which parse_command() needs
    Command command = parse_command(argc, argv, commands());
    if (!command.error.empty() && argc > 1) command.error += remedy_for_missing(argv[1]);
    if (command.name == "version") return code_after_output(say_version());
    const auto row = std::ranges::find(commands(), command.name, &CommandRow::name);
    const bool is_known = row != commands().end();
    // A command for all ranks starts MPI even with a wrong command line, so that only one rank
    // prints the error.
    if (is_known && row->on_all_ranks != nullptr) return run_with_mpi(*row, command, argc, argv);
    try {
        if (!command.error.empty())
            return report_error(command.error + " (see " + command.help + ")", exit_usage);
        if (is_known) return code_after_output(row->alone(command));
        say("{}", command.text);
        return code_after_output(exit_done);
    } catch (const UsageError& error) {
        return report_error(error.what(), exit_usage);
    } catch (const std::exception& error) {
        return report_error(error.what(), exit_internal);
    }
}
