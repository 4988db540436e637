// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "causes/fault.h"
#include "text/command.h"

namespace mpiaudit {

/// Properties of a real machine or of a simulated cluster, in which all ranks share one process and
/// time advances with messages only. The linker chooses the implementation. Code asks for the
/// property that matters, not for the kind of platform.
struct Platform {
    // Defaults of options.
    std::string_view budget;  ///< of an audit with the default guidelines
    std::string_view synchronisation;
    std::optional<int> warm_up_rounds;  ///< nullopt: until the durations settle
    int max_rounds;

    /// Untimed calls before the first timed one. A simulation verifies operations in a copy of the
    /// process, so the process itself has made no call yet. A first call may set up state that
    /// later calls use, such as the list of nodes.
    int least_warm_up_rounds;

    bool is_deterministic;       ///< all rounds are equal, so one round decides
    bool time_stands_still;      ///< between messages, so clocks have no resolution
    bool ranks_share_memory;     ///< memory limits apply to all ranks together
    bool starts_simultaneously;  ///< ranks can start at one instant without messages
    /// Wrong results accuse the library. In a simulator they do not, since its algorithms only
    /// imitate the library.
    bool wrong_results_count;
    /// Estimated work of the machine that runs the audit, per problem and per byte.
    double work_of_problem, work_of_byte;
};
const Platform& platform();

/// Draws the seed of the order of rounds if none is given. The error bound of verdicts rests on
/// this draw: launches must not share a seed, unless one round is exact.
std::uint64_t draw_order_seed();

}  // namespace mpiaudit

/// Differences of a simulated cluster (SimGrid's SMPI): all ranks live in one process and take
/// turns at MPI calls, and MPI_Wtime is simulated time. simulation.cpp implements these functions
/// for real MPI, simulation_smpi.cpp for the simulation.
namespace mpiaudit::simulation {

/// The simulator, its platform and all settings.
struct Description {
    std::string simulator, platform, platform_parameters;
    CommandLine start;  ///< the command that starts this simulation
    std::vector<std::string> settings;
    bool operator==(const Description&) const = default;
};

/// Mark begin and end of a rank. If a rank has not ended when the process ends, the exit code is
/// 70: SMPI's own is 0 after a deadlock or MPI_Abort. A rank that SimGrid unwinds after a deadlock
/// does not count as ended.
void enter();
void leave();

[[noreturn]] void end_all_ranks(int exit_code);

/// Returns the library's name for reports: its version, and the algorithms chosen in a simulation.
std::string library_name(std::string version);

/// Returns the description of the simulation; nullopt without one.
std::optional<Description> description();

/// Brings all simulated ranks to one instant without messages. Collective.
void wait_together();

/// Lets `seconds` of simulated time pass on this rank, without use of its core. Does nothing with
/// real MPI.
void pass_time(double seconds);

struct Outcome {
    std::optional<Fault> fault = {};  ///< nullopt: success
    bool is_too_slow = false;  ///< the attempt took more core seconds than it may; `fault` says so
    bool is_late = false;      ///< no time was left for the attempt
};
/// An attempt number i. Returns whether it was late, and its fault.
using Attempt = std::function<Outcome(int)>;

/// Returns the outcome of attempt(i) for each name. Collective; every rank must return equal
/// outcomes. A simulation runs the attempts in copies of the process, since an algorithm of SMPI
/// that does not fit the number of ranks ends the whole process: a crash, a deadlock and a missing
/// function become outcomes like a wrong result. An attempt that takes more core seconds than
/// limit_attempts() allows is given up, and no later attempt of this name is made.
/// \param are_audited whether the attempt is about an audited operation; empty: all are
std::vector<Outcome> attempt_each(const std::vector<std::string>& names, const Attempt& attempt,
                                  const std::vector<bool>& are_audited = {});

/// Sets the core seconds of each attempt: those of --hang-after if given, else a share of the
/// budget. Audited operations get far more than those that are compared with them. Only in a
/// simulation.
void limit_attempts(std::optional<double> processor_s, double budget_s);

/// Returns memory that all callers share while one of them holds it, for the buffers of all ranks.
/// Only in a simulation.
std::shared_ptr<std::byte> shared_stretch(std::size_t bytes);

/// Makes long messages carry no data: they take their time and leave the receive buffers unchanged.
/// Only in a simulation.
void leave_data_out();
/// Makes all messages carry data again.
void carry_data();

/// Returns a value that is equal on all ranks. Simulated ranks share the value that the first one
/// computes: thousands of equal plans would not fit the memory of one process. \param number
/// tells values of one type apart, because ranks may use different ones at a time
template <class T, class Make>
std::shared_ptr<const T> alike(const Make& make, std::size_t number = 0) {
    if (!platform().ranks_share_memory) return make();
    static std::map<std::size_t, std::weak_ptr<const T>> known;
    std::shared_ptr<const T> value = known[number].lock();
    if (!value) {
        value = make();
        known[number] = value;
    }
    return value;
}

}  // namespace mpiaudit::simulation
