// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

namespace mpiaudit::simulation {

/// Simulator, platform and every setting.
struct Description {
    std::string simulator, platform, platform_parameters, start;
    std::vector<std::string> settings;
    bool operator==(const Description&) const = default;
};

}  // namespace mpiaudit::simulation
