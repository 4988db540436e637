// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine_description.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;
using Units = std::set<int>;

// The masks of the kernel, of as many words as it has processors for.
using Mask = std::vector<unsigned long>;
constexpr int bits_of_word = sizeof(unsigned long) * CHAR_BIT;

Units affinity() {
    Mask mask(16);
    while (sched_getaffinity(0, mask.size() * sizeof mask[0],
                             reinterpret_cast<cpu_set_t*>(mask.data())) < 0) {
        if (errno != EINVAL || mask.size() > 4096) return {0};
        mask.resize(2 * mask.size());
    }
    Units units;
    for (int unit = 0; unit < static_cast<int>(mask.size()) * bits_of_word; ++unit)
        if (((mask[static_cast<std::size_t>(unit / bits_of_word)] >> (unit % bits_of_word)) & 1) !=
            0)
            units.insert(unit);
    return units;
}

bool set_affinity(pid_t thread, const Mask& mask) {
    return sched_setaffinity(thread, mask.size() * sizeof mask[0],
                             reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

/// Of all threads, since MPI libraries have some of their own.
bool bind_threads(const Units& units) {
    if (units.empty()) return false;
    Mask mask(static_cast<std::size_t>(*units.rbegin() / bits_of_word) + 1);
    for (const int unit : units)
        mask[static_cast<std::size_t>(unit / bits_of_word)] |= 1UL << (unit % bits_of_word);
    if (!set_affinity(0, mask)) return false;
    std::error_code none;
    for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task", none))
        set_affinity(std::stoi(thread.path().filename()), mask);
    return true;
}

/// What a control group or a container allows: the kernel leaves it of a mask that asks for
/// everything.
Units allowed_units() {
    const Units own = affinity();
    if (!set_affinity(0, Mask(128, ~0UL))) return own;
    Units allowed = affinity();
    bind_threads(own);
    return allowed;
}

std::string line_of(const fs::path& file) {
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
}

int number_in(const fs::path& file, int otherwise) {
    int number = otherwise;
    std::ifstream(file) >> number;
    return number;
}

/// Of a list like 0-3,8 those that are among these.
Units listed(const std::string& list, const Units& among) {
    Units units;
    std::istringstream ranges(list);
    for (std::string range; std::getline(ranges, range, ',');) {
        int first = 0;
        char dash = 0;
        std::istringstream ends(range);
        if (!(ends >> first)) continue;
        int last = first;
        ends >> dash >> last;
        for (int unit = first; unit <= last; ++unit)
            if (among.contains(unit)) units.insert(unit);
    }
    return units;
}

Units numa_node_numbers() {
    Units numbers;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator("/sys/devices/system/node", none)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("node") && name.size() > 4 && name[4] >= '0' && name[4] <= '9')
            numbers.insert(std::stoi(name.substr(4)));
    }
    return numbers;
}

fs::path files_of(int unit) {
    return "/sys/devices/system/cpu/cpu" + std::to_string(unit);
}

/// Of data and of both: bytes of each cache of a level, by the units that share it.
using Caches = std::map<int, std::map<Units, std::uint64_t>>;

Caches caches_of(const Units& units) {
    Caches caches;
    for (const int unit : units) {
        for (int i = 0;; ++i) {
            const fs::path cache = files_of(unit) / "cache" / ("index" + std::to_string(i));
            const int level = number_in(cache / "level", 0);
            if (level == 0) break;
            if (line_of(cache / "type") == "Instruction") continue;
            std::uint64_t size = 0;
            char factor = 0;
            std::ifstream(cache / "size") >> size >> factor;
            if (factor == 'K') size <<= 10;
            if (factor == 'M') size <<= 20;
            caches[level][listed(line_of(cache / "shared_cpu_list"), units)] = size;
        }
    }
    return caches;
}

std::string processor_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        if (key == "model name" || key == "Processor" || key == "cpu")
            return line.substr(colon + 2);
    }
    return "";
}

}  // namespace

Topology::Topology() : allowed_{allowed_units()} {
    std::map<std::tuple<int, int>, Units> cores;  // by package and first unit
    for (const int unit : allowed_) {
        const fs::path files = files_of(unit) / "topology";
        const int package = number_in(files / "physical_package_id", 0);
        Units siblings = listed(line_of(files / "thread_siblings_list"), allowed_);
        if (siblings.empty()) siblings = {unit};
        packages_.insert(package);
        cores[{package, *siblings.begin()}] = siblings;
    }
    for (auto& [place, units] : cores) cores_.push_back(units);
    for (const int node : numa_node_numbers()) {
        const Units units = listed(
            line_of("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist"), allowed_);
        if (!units.empty()) numa_nodes_.push_back(units);
    }
    if (numa_nodes_.empty()) numa_nodes_.push_back(allowed_);
}

std::uint64_t machine_memory_bytes() {
    auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                 static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    for (const char* file :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::uint64_t limit = 0;  // stays 0 where the file says "max" or does not exist
        if (std::ifstream(file) >> limit && limit > 0) bytes = std::min(bytes, limit);
    }
    return bytes;
}

bool Topology::is_bound() const {
    return cores() == 1 || affinity() != allowed_;
}

std::vector<int> Topology::own_cores() const {
    const Units own = affinity();
    std::vector<int> found;
    for (int i = 0; i < cores(); ++i)
        if (std::ranges::any_of(cores_[static_cast<std::size_t>(i)],
                                [&](int unit) { return own.contains(unit); }))
            found.push_back(i);
    return found;
}

std::string Topology::own_processing_units() const {
    const Units own = affinity();
    std::string text;
    for (auto unit = own.begin(); unit != own.end();) {
        const int first = *unit;
        int last = first;
        while (++unit != own.end() && *unit == last + 1) ++last;
        text += (text.empty() ? "" : ",") + std::to_string(first);
        if (last > first) text += "-" + std::to_string(last);
    }
    return text;
}

bool Topology::bind_to_core(int core) {
    return core < cores() && bind_threads(cores_[static_cast<std::size_t>(core)]);
}

bool Topology::bind_to_numa_node(int node) {
    return node < numa_nodes() && bind_threads(numa_nodes_[static_cast<std::size_t>(node)]);
}

NodeTopology Topology::describe() const {
    Caches caches = caches_of(allowed_);
    const auto cache_bytes = [&](int level) -> std::uint64_t {
        return caches[level].empty() ? 0 : caches[level].begin()->second;
    };
    NodeTopology node;
    node.packages = static_cast<int>(packages_.size());
    node.numa_nodes = numa_nodes();
    node.cores = cores();
    node.processing_units = static_cast<int>(allowed_.size());
    node.memory_bytes = machine_memory_bytes();
    node.l1_cache_bytes = cache_bytes(1);
    node.l2_cache_bytes = cache_bytes(2);
    node.l3_cache_bytes = cache_bytes(3);
    node.processor = processor_model();
    if (utsname system{}; uname(&system) == 0) node.kernel = system.release;
#ifdef _CS_GNU_LIBC_VERSION
    char version[64] = "";
    confstr(_CS_GNU_LIBC_VERSION, version, sizeof version);
    node.c_library = version;
#endif
    return node;
}

std::uint64_t Topology::last_level_cache_bytes() const {
    const Caches caches = caches_of(allowed_);
    std::uint64_t bytes = 0;
    if (!caches.empty())
        for (const auto& [units, size] : caches.rbegin()->second) bytes += size;
    return bytes;
}

}  // namespace mpiaudit
