// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <simgrid/version.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string_view>

#include "simulation/simulation.h"

namespace mpiaudit::simulation {
namespace {

constexpr int internal_failure = 70;  // EX_SOFTWARE of sysexits.h

// All ranks share these variables.
int ranks_begun = 0;
int ranks_ended = 0;

const auto start = std::chrono::steady_clock::now();

rusage used_by(int whose) {
    rusage usage{};
    getrusage(whose, &usage);
    return usage;
}

double processor_s(const rusage& usage) {
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Returns the peak memory in MiB. A page that the process shares with its copy counts for both.
double most_mebibytes(const rusage& usage) {
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Prints what the simulation took if all ranks have ended. Otherwise prints an error and ends the
/// process with exit code 70.
void report_end() {
    if (ranks_ended == ranks_begun) {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        const rusage own = used_by(RUSAGE_SELF), copies = used_by(RUSAGE_CHILDREN);
        fmt::print(
            stderr,
            "mpiaudit: {} simulated ranks took {:.1f} s, {:.1f} core seconds, {:.0f} MiB, and "
            "{:.0f} MiB for verification\n",
            ranks_ended, taken.count(), processor_s(own) + processor_s(copies), most_mebibytes(own),
            most_mebibytes(copies));
        return;
    }
    std::fputs(
        "mpiaudit: the simulation ended before its ranks did: a deadlock, or a rank aborted\n",
        stderr);
    std::fflush(nullptr);
    std::_Exit(internal_failure);
}

/// Returns the values of --cfg= on the command line of this process, without those that differ
/// between runs.
std::vector<std::string> settings() {
    std::vector<std::string> found;
    std::ifstream file("/proc/self/cmdline");
    for (std::string word; std::getline(file, word, '\0');) {
        constexpr std::string_view prefix = "--cfg=";
        // The host file and the temporary folder have no effect on times.
        if (word.starts_with(prefix) && !word.starts_with("--cfg=smpi/hostfile") &&
            !word.starts_with("--cfg=smpi/tmpdir"))
            found.push_back(word.substr(prefix.size()));
    }
    return found;
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

void enter() {
    if (ranks_begun++ == 0) std::atexit(report_end);
}

void leave() {
    // SimGrid unwinds waiting ranks after a deadlock; they have not ended.
    if (std::uncaught_exceptions() == 0) ++ranks_ended;
}

void end_all_ranks(int exit_code) {
    std::fflush(nullptr);
    std::_Exit(exit_code);
}

std::string library_name(std::string version) {
    version = version.substr(0, version.find(". "));  // the rest is SMPI's copyright
    for (const std::string& setting : settings()) {
        const std::string_view name = std::string_view(setting).substr(0, setting.find(':'));
        if (!name.starts_with("smpi/")) continue;
        const std::string value = setting.substr(std::min(name.size() + 1, setting.size()));
        if (name == "smpi/coll-selector") version += fmt::format(", algorithms of {}", value);
        for (const std::string_view collective :
             {"gather", "scatter", "allgather", "allgatherv", "bcast", "reduce", "reduce_scatter",
              "allreduce", "alltoall", "alltoallv", "barrier"}) {
            if (name.substr(5) == collective) version += fmt::format(", {} {}", collective, value);
        }
    }
    return version;
}

std::optional<Description> description() {
    int major = 0, minor = 0, patch = 0;
    sg_version_get(&major, &minor, &patch);
    return Description{.simulator = fmt::format("SimGrid {}.{}.{}", major, minor, patch),
                       .platform = variable("MPIAUDIT_PLATFORM"),
                       .platform_parameters = variable("MPIAUDIT_PLATFORM_PARAMETERS"),
                       .start = CommandLine::of(variable("MPIAUDIT_START")),
                       .settings = settings()};
}

void wait_together() {
    static const sg_bar_t barrier = [] {
        int ranks = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        return sg_barrier_init(static_cast<unsigned>(ranks));
    }();
    sg_barrier_wait(barrier);
}

void pass_time(double seconds) {
    sg_actor_sleep_for(seconds);
}

}  // namespace mpiaudit::simulation

namespace mpiaudit {

const Platform& platform() {
    static constexpr Platform simulated{
        // A core measures a medium, a small and a large size of every collective of 64 ranks in
        // this time.
        .budget = "5m",
        // Simulated times are exact: one warm-up round and one measured round suffice.
        .synchronisation = "simultaneous",
        .warm_up_rounds = 1,
        .max_rounds = 1,
        .least_warm_up_rounds = 1,
        .is_deterministic = true,
        .time_stands_still = true,
        .ranks_share_memory = true,
        .starts_simultaneously = true,
        .wrong_results_count = false,
        // A simulator's work depends on the messages, not on their lengths.
        .work_of_problem = 1.0,
        .work_of_byte = 0.0,
    };
    return simulated;
}

std::uint64_t draw_order_seed() {
    return 0;
}

}  // namespace mpiaudit
