// SPDX-License-Identifier: BSD-3-Clause
#include "machine/conditions.h"

#include <fmt/format.h>

#include <fstream>

namespace mpiaudit {
namespace {

/// The first word of a file of the kernel; empty when there is none.
std::string word_in(const char* file) {
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

}  // namespace

NodeConditions node_conditions() {
    NodeConditions conditions;
    double load = 0.0;
    if (std::ifstream("/proc/loadavg") >> load) conditions.load_average = load;
    const std::string governor = word_in("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (!governor.empty()) conditions.frequency_governor = governor;
    const std::string smt = word_in("/sys/devices/system/cpu/smt/active");
    if (!smt.empty()) conditions.smt = smt == "1";
    return conditions;
}

std::vector<std::string> condition_warnings(const std::string& host,
                                            const NodeConditions& conditions, int ranks) {
    // Half a processor busy with something else shows in the times of two ranks.
    constexpr double bearable_load = 0.5;
    std::vector<std::string> warnings;
    const double load = conditions.load_average.value_or(0.0) - ranks;
    if (load > bearable_load)
        warnings.push_back(
            // Without the number, which is in the report, so that it is said once for an audit.
            fmt::format("{}: other programs kept processors busy before or during the audit; wait "
                        "until they have ended, or ask the scheduler for whole nodes (--exclusive)",
                        host));
    const std::string governor = conditions.frequency_governor.value_or("performance");
    if (governor != "performance")
        warnings.push_back(
            fmt::format("{}: the frequency governor is {}, so that processors slow down while they "
                        "wait; as root: cpupower frequency-set --governor performance",
                        host, governor));
    return warnings;
}

long migrations() {
    std::ifstream file("/proc/self/sched");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("se.nr_migrations")) continue;
        return std::stol(line.substr(line.find(':') + 1));
    }
    return -1;
}

}  // namespace mpiaudit
