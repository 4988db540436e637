// SPDX-License-Identifier: BSD-3-Clause
// Declared in machine/machine_description.h.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "machine/machine_description.h"
#include "mpi/watchdog.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Reads a thread from the folder /proc/self/task/NUMBER.
ThreadGroup thread_in(const std::filesystem::path& folder) {
    ThreadGroup thread;
    std::ifstream status(folder / "status");
    for (std::string line; std::getline(status, line);) {
        const auto value = [&] { return plain_line(line.substr(line.find('\t') + 1)); };
        if (line.starts_with("Name:\t")) thread.name = value();
        if (line.starts_with("Cpus_allowed_list:\t")) thread.processing_units = value();
    }
    return thread;
}

}  // namespace

std::string own_processing_units() {
    return thread_in("/proc/thread-self").processing_units;
}

std::vector<ThreadGroup> other_threads() {
    std::vector<ThreadGroup> groups;
    const std::string own = std::to_string(gettid());
    std::error_code error;  // a thread may end meanwhile
    for (const auto& folder : std::filesystem::directory_iterator("/proc/self/task", error)) {
        if (folder.path().filename() == own) continue;
        ThreadGroup thread = thread_in(folder.path());
        if (thread.processing_units.empty() || thread.name == watchdog_thread_name) continue;
        const auto group = std::ranges::find_if(groups, [&](const ThreadGroup& each) {
            return each.name == thread.name && each.processing_units == thread.processing_units;
        });
        if (group == groups.end())
            groups.push_back(std::move(thread)), groups.back().count = 1;
        else
            ++group->count;
    }
    std::ranges::sort(groups, {}, [](const ThreadGroup& each) {
        return std::pair(each.name, each.processing_units);
    });
    return groups;
}

}  // namespace mpiaudit
