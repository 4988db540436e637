// SPDX-License-Identifier: BSD-3-Clause
// Declared in machine/machine.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

#include "machine/machine.h"
#include "messages/messages.h"
#include "mpi/shared_memory.h"

namespace mpiaudit {
namespace {

/// Returns the first word of a kernel file; "" if the file is missing.
std::string word_in(const char* file) {
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

/// Returns the number of running or ready processes and threads at this moment.
std::optional<double> runnable_tasks() {
    std::ifstream file("/proc/loadavg");
    std::string skipped;
    double tasks = 0.0;
    if (file >> skipped >> skipped >> skipped >> tasks) return tasks;
    return std::nullopt;
}

/// Returns the mean of eleven looks in 50 ms; nullopt if the kernel does not tell.
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

double other_processes_between(double before, double after, double seconds, int ranks) {
    constexpr double shortest_s = 20.0, minute_s = 60.0;
    if (seconds < shortest_s) return 0.0;
    const double kept = std::exp(-seconds / minute_s);
    return (after - before * kept) / (1.0 - kept) - ranks;
}

bool is_shared_with_others(const NodeConditions& conditions) {
    // Half a core used by another program shows in the times of two ranks.
    constexpr double bearable = 0.5;
    return conditions.other_tasks.value_or(0.0) > bearable;
}

std::vector<std::string> condition_warnings(const std::string& host,
                                            const NodeConditions& conditions) {
    std::vector<std::string> warnings;
    if (is_shared_with_others(conditions))
        warnings.push_back(
            // Leaves out the number, which is in the report, so that the message appears once per
            // audit.
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

namespace {

constexpr int looks = 9, round_trips = 100;
constexpr std::size_t copied_bytes = std::size_t{1} << 20, turn_bytes = 4096;

double median(std::array<double, looks> samples) {
    std::ranges::nth_element(samples, samples.begin() + looks / 2);
    return samples[looks / 2];
}

template <class Work>
double median_s(const Work& work) {
    std::array<double, looks> samples{};
    for (double& sample : samples) {
        const auto start = std::chrono::steady_clock::now();
        work();
        sample = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return median(samples);
}

/// Spins until it is this process's turn.
void wait_for(const std::atomic<int>& turn, int own) {
    // Two processes on one core must yield it to each other.
    constexpr int spins = 2000;
    for (int i = 0; turn.load(std::memory_order_acquire) != own; ++i) {
        if (i >= spins) std::this_thread::yield();
    }
}

}  // namespace

std::optional<HostSpeed> measure_host_speed(MPI_Comm node) {
    const int rank = messages::rank_in(node), other = 1 - rank;
    if (messages::size_of(node) < 2) return std::nullopt;
    // A turn variable that two processes hand to each other, and room for a block.
    const SharedMemory memory(node, turn_bytes + copied_bytes);
    if (rank > 1 || !memory.is_shared()) return std::nullopt;
    auto& turn = *static_cast<std::atomic<int>*>(memory.get());
    std::byte* const room = static_cast<std::byte*>(memory.get()) + turn_bytes;
    const auto play = [&] {
        for (int i = 0; i < round_trips; ++i) {
            wait_for(turn, rank);
            turn.store(other, std::memory_order_release);
        }
        if (rank == 0) wait_for(turn, rank);
    };
    const double round_trips_s = median_s(play);
    if (rank == 1) return std::nullopt;
    const std::vector<std::byte> block(copied_bytes, std::byte{1});
    const double copy_s = median_s([&] { std::memcpy(room, block.data(), copied_bytes); });
    return HostSpeed{.handover_s = round_trips_s / round_trips / 2,
                     .copy_bytes_per_s = copied_bytes / std::max(copy_s, 1e-9)};
}

}  // namespace mpiaudit
