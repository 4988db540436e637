// SPDX-License-Identifier: BSD-3-Clause
#include "machine/cores.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "machine/machine_description.h"

namespace mpiaudit {

int usable_cores(const std::string& system) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    // Fails on machines with more processors than the set has room for.
    const bool is_known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    std::set<std::string> cores;  // each as the list of its processing units
    for (int processor = 0; is_known && processor < CPU_SETSIZE; ++processor) {
        if (!CPU_ISSET(processor, &allowed)) continue;
        std::string siblings;
        std::ifstream(fmt::format("{}/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list",
                                  system, processor)) >>
            siblings;
        cores.insert(siblings.empty() ? std::to_string(processor) : siblings);
    }
    double usable = is_known ? static_cast<double>(cores.size())
                             : std::max(1U, std::thread::hardware_concurrency());
    for (const GroupLimits& group : control_groups(system))
        if (group.processors > 0) usable = std::min(usable, group.processors);
    return std::max(1, static_cast<int>(usable));
}

}  // namespace mpiaudit
