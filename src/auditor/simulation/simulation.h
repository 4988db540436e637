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

#include "text/command.h"

namespace mpiaudit {

/// What the ranks run on: a real machine, or a simulated cluster, where all of them live in one
/// process and time moves with messages only. Chosen when the program is linked; who needs to know
/// asks for the property that matters to him, not for the kind.
struct Platform {
    // Defaults of options.
    std::string_view guidelines;
    std::string_view synchronisation;
    std::optional<int> warm_up_rounds;  ///< none: until their time settles
    int max_rounds;

    /// Calls before the first that is timed. In a simulation operations are verified in a copy of
    /// the process, so that nothing has been called yet in it itself; and the first call on a
    /// communicator may set up what later ones find, as nodes of all ranks.
    int least_warm_up_rounds;

    bool is_deterministic;       ///< all rounds are equal: one is exact, and decides
    bool time_stands_still;      ///< between messages: clocks have no resolution to be measured
    bool ranks_share_memory;     ///< limits of memory are those of all ranks together
    bool starts_simultaneously;  ///< ranks can be brought to the same instant without messages
    /// A wrong result accuses the library; that of a simulator says nothing about the library that
    /// it imitates.
    bool wrong_results_count;
    /// What a problem costs the machine that runs the audit: for being there, and for each byte.
    double work_of_problem, work_of_byte;
};
const Platform& platform();

/// The seed of the order of rounds where none is given. The guarantee of a verdict rests on this
/// draw: launches must not share it, unless one is as exact as many.
std::uint64_t draw_order_seed();

}  // namespace mpiaudit

/// What is different when the ranks are those of a simulated cluster (SimGrid's SMPI): they all
/// live in one process, take turns at MPI calls, and MPI_Wtime is simulated time. Under a real MPI
/// simulation.cpp answers, in a simulation simulation_smpi.cpp.
namespace mpiaudit::simulation {

/// Simulator, platform and every setting.
struct Description {
    std::string simulator, platform, platform_parameters;
    CommandLine start;  ///< the words that start the same simulation again
    std::vector<std::string> settings;
    bool operator==(const Description&) const = default;
};

/// A rank begins and ends. When some have not ended at the end of the process, its exit code is 70:
/// SMPI's own is 0 after a deadlock or MPI_Abort.
void enter();
void leave();

/// Ends all ranks with this exit code.
[[noreturn]] void end_all_ranks(int exit_code);

/// The library as a report names it: its version, and in a simulation its choice of algorithms.
std::string library_name(std::string version);

/// What is simulated; nothing without a simulation.
std::optional<Description> description();

/// Brings all ranks of the simulation to the same instant, without messages. Collective.
void wait_together();

/// This rank computes for so long. Only in a simulation.
void pass_time(double seconds);

/// What may go wrong: the error in words, nothing when all is well.
using Attempt = std::function<std::optional<std::string>(int)>;

/// The outcome of attempt(i) for each of the names. Collective; every rank has to return the same.
/// In a simulation the attempts run in copies of the process, since an algorithm of SMPI that does
/// not fit the number of ranks ends all of it: a crash, a deadlock and a missing function are
/// outcomes like a wrong result. So is one that does not end in time, which is not attempted again
/// under this name.
std::vector<std::optional<std::string>> attempt_each(const std::vector<std::string>& names,
                                                     const Attempt& attempt);

/// In a simulation, from now on: so much of a processor for each attempt.
void limit_attempts(double processor_s);

/// So many bytes for the buffers of all ranks, the same ones for every caller while one has them.
/// Only in a simulation.
std::shared_ptr<std::byte> shared_stretch(std::size_t bytes);

/// From now on only short messages carry data, long ones have their time and leave the buffers of
/// the receiver as they are. Only in a simulation.
void leave_data_out();
/// All messages carry data again.
void carry_data();

/// A value that all ranks compute alike. In a simulation the first computes it and all look at the
/// same one: thousands of equal plans would not fit the memory of one process. \param number tells
/// those of a type apart that some ranks still look at while others have gone on
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
