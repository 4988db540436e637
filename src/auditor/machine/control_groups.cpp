// SPDX-License-Identifier: BSD-3-Clause
// Declared in machine/machine_description.h.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {
namespace {

using GroupFolder = std::filesystem::path;

/// A mounted hierarchy of control groups, from a line of /proc/self/mountinfo.
struct Hierarchy {
    GroupFolder root;         ///< the mounted group
    GroupFolder mounted_on;   ///< its folder
    std::string controllers;  ///< "cpu,memory"; "" in version 2, which has all controllers
};

bool has_controller(const std::string& controllers, const std::string& name) {
    return ("," + controllers + ",").find("," + name + ",") != std::string::npos;
}

/// Returns the mounted hierarchies of control groups of both versions; none if the kernel does not
/// tell.
std::vector<Hierarchy> mounted_hierarchies(const GroupFolder& system) {
    std::vector<Hierarchy> found;
    std::ifstream file(system / "proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string number, parent, device, root, mounted_on, word, kind, source, options;
        words >> number >> parent >> device >> root >> mounted_on;
        while (words >> word && word != "-") {
        }
        words >> kind >> source >> options;
        if (kind != "cgroup" && kind != "cgroup2") continue;
        found.push_back({root, system / GroupFolder(mounted_on).relative_path(),
                         kind == "cgroup" ? options : ""});
    }
    return found;
}

/// Returns the folders from the mounted group down to the group of this process. A group outside of
/// the mounted one, as in some containers, counts as the mounted one.
std::vector<GroupFolder> folders_of(const Hierarchy& hierarchy, const GroupFolder& group) {
    const GroupFolder below = group.lexically_relative(hierarchy.root);
    const bool is_inside = !below.empty() && *below.begin() != "..";
    std::vector<GroupFolder> folders = {hierarchy.mounted_on};
    if (is_inside && below != ".")
        for (const GroupFolder& name : below) folders.push_back(folders.back() / name);
    return folders;
}

/// Returns the number at the start of a file; 0 for a word like "max", a negative number or a
/// missing file.
double positive_number_in(const GroupFolder& file) {
    double number = 0.0;
    std::ifstream(file) >> number;
    return std::max(number, 0.0);
}

/// Returns the smaller of two limits; 0 means no limit.
template <class Number>
Number tighter(Number one, Number other) {
    return one == 0 || (other != 0 && other < one) ? other : one;
}

/// Returns the limit of memory of one control group in bytes; 0 for no limit.
std::uint64_t memory_limit_in(const GroupFolder& folder, bool is_version_2) {
    // Version 1 shows "no limit" as a number beyond any machine's memory.
    constexpr double unlimited = 1e18;
    double bytes = 0.0;
    if (is_version_2)
        // The kernel slows processes down above memory.high.
        bytes = tighter(positive_number_in(folder / "memory.max"),
                        positive_number_in(folder / "memory.high"));
    else
        bytes = positive_number_in(folder / "memory.limit_in_bytes");
    return bytes < unlimited ? static_cast<std::uint64_t>(bytes) : 0;
}

double processor_limit_in(const GroupFolder& folder, bool is_version_2) {
    double quota = 0.0, period = 0.0;
    if (is_version_2) {
        std::ifstream(folder / "cpu.max") >> quota >> period;  // quota stays 0 for "max"
    } else {
        quota = positive_number_in(folder / "cpu.cfs_quota_us");
        period = positive_number_in(folder / "cpu.cfs_period_us");
    }
    return quota > 0 && period > 0 ? quota / period : 0.0;
}

}  // namespace

std::vector<GroupLimits> control_groups(const std::string& system) {
    std::vector<GroupLimits> limited;
    const std::vector<Hierarchy> hierarchies = mounted_hierarchies(system);
    std::ifstream file(GroupFolder(system) / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool is_version_2 = controllers.empty();
        for (const Hierarchy& hierarchy : hierarchies) {
            if (hierarchy.controllers.empty() != is_version_2) continue;
            const bool has_memory =
                is_version_2 || (has_controller(controllers, "memory") &&
                                 has_controller(hierarchy.controllers, "memory"));
            const bool has_processors =
                is_version_2 || (has_controller(controllers, "cpu") &&
                                 has_controller(hierarchy.controllers, "cpu"));
            for (const GroupFolder& folder : folders_of(hierarchy, line.substr(second + 1))) {
                GroupLimits limits = {.folder = folder};
                if (has_memory) limits.memory_bytes = memory_limit_in(folder, is_version_2);
                if (has_processors) limits.processors = processor_limit_in(folder, is_version_2);
                if (limits.memory_bytes > 0 || limits.processors > 0)
                    limited.push_back(std::move(limits));
            }
        }
    }
    return limited;
}

std::vector<GroupLimits> machine_limits() {
    std::vector<GroupLimits> limits = control_groups("/");
    limits.push_back({.folder = "",
                      .memory_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))});
    return limits;
}

std::uint64_t machine_memory_bytes() {
    std::uint64_t bytes = 0;
    for (const GroupLimits& each : machine_limits()) bytes = tighter(bytes, each.memory_bytes);
    return bytes;
}

namespace {

/// Returns the number of ranks in each control group of each host.
std::map<std::pair<std::string, std::string>, int> ranks_in_groups(
    std::span<const RankReport> ranks) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const RankReport& rank : ranks)
        for (const GroupLimits& each : rank.limits) ++counts[{rank.host, each.folder}];
    return counts;
}

}  // namespace

std::uint64_t smallest_share_of_memory(std::span<const RankReport> ranks) {
    const auto counts = ranks_in_groups(ranks);
    std::uint64_t share = 0;
    for (const RankReport& rank : ranks)
        for (const GroupLimits& each : rank.limits)
            share = tighter(share, each.memory_bytes / static_cast<std::uint64_t>(
                                                           counts.at({rank.host, each.folder})));
    return share;
}

std::vector<std::string> quota_warnings(std::span<const RankReport> ranks) {
    auto counts = ranks_in_groups(ranks);
    std::vector<std::string> warnings;
    for (const RankReport& rank : ranks) {
        for (const GroupLimits& each : rank.limits) {
            const int sharing = std::exchange(counts[{rank.host, each.folder}], 0);
            if (each.processors > 0 && each.processors < sharing)
                warnings.push_back(fmt::format(
                    "{}: the control group {} grants {:.3g} processors to {} ranks, and times "
                    "include waiting; start fewer ranks or raise the limit",
                    rank.host, each.folder, each.processors, sharing));
        }
    }
    return warnings;
}

}  // namespace mpiaudit
