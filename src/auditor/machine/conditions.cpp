// SPDX-License-Identifier: BSD-3-Clause
#include "machine/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

namespace mpiaudit {
namespace {

/// The first word of a file of the kernel; empty when there is none.
std::string word_in(const char* file) {
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

/// Processes and threads that want a processor, at this moment.
std::optional<double> runnable_tasks() {
    std::ifstream file("/proc/loadavg");
    std::string skipped;
    double tasks = 0.0;
    if (file >> skipped >> skipped >> skipped >> tasks) return tasks;
    return std::nullopt;
}

std::optional<double> mean_runnable_tasks() {
    constexpr int looks = 11;
    double sum = 0.0;
    for (int i = 0; i < looks; ++i) {
        if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const std::optional<double> tasks = runnable_tasks();
        if (!tasks) return std::nullopt;
        sum += *tasks;
    }
    return sum / looks;
}

}  // namespace

NodeConditions node_conditions(int ranks) {
    NodeConditions conditions;
    double load = 0.0;
    if (std::ifstream("/proc/loadavg") >> load) conditions.load_average = load;
    if (const auto tasks = mean_runnable_tasks())
        conditions.other_tasks = std::max(0.0, *tasks - ranks);
    const std::string governor = word_in("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (!governor.empty()) conditions.frequency_governor = governor;
    const std::string smt = word_in("/sys/devices/system/cpu/smt/active");
    if (!smt.empty()) conditions.smt = smt == "1";
    return conditions;
}

double others_between(double before, double after, double seconds, int ranks) {
    constexpr double shortest_s = 20.0, minute_s = 60.0;
    if (seconds < shortest_s) return 0.0;
    const double kept = std::exp(-seconds / minute_s);
    return (after - before * kept) / (1.0 - kept) - ranks;
}

bool is_shared_with_others(const NodeConditions& conditions) {
    // Half a processor busy with something else shows in the times of two ranks.
    constexpr double bearable = 0.5;
    return conditions.other_tasks.value_or(0.0) > bearable;
}

std::vector<std::string> condition_warnings(const std::string& host,
                                            const NodeConditions& conditions) {
    std::vector<std::string> warnings;
    if (is_shared_with_others(conditions))
        warnings.push_back(
            // Without the number, which is in the report, so that it is said once for an audit.
            fmt::format("{}: other programs kept processors busy; wait until they have ended, or "
                        "ask for whole nodes (--exclusive)",
                        host));
    const std::string governor = conditions.frequency_governor.value_or("performance");
    if (governor != "performance")
        warnings.push_back(
            fmt::format("{}: processors slow down while they wait (frequency governor {}); as "
                        "root: cpupower frequency-set --governor performance",
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
