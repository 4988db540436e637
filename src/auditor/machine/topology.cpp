// SPDX-License-Identifier: BSD-3-Clause
// Declared in machine/machine_description.h.
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "machine/machine_description.h"

#ifdef MPIAUDIT_HWLOC
#include <hwloc.h>
#include <hwloc/distances.h>
#endif

namespace mpiaudit {
namespace {

/// Returns kernel, C library and memory, which need no hwloc.
NodeTopology described_system() {
    NodeTopology node;
    node.memory_bytes = machine_memory_bytes();
    if (utsname system{}; uname(&system) == 0) node.kernel = system.release;
#ifdef _CS_GNU_LIBC_VERSION
    char version[64] = "";
    confstr(_CS_GNU_LIBC_VERSION, version, sizeof version);
    node.c_library = version;
#endif
    return node;
}

/// Returns the bytes of the outermost cache that the C library knows; 0: none.
std::uint64_t cache_bytes_of_c_library() {
#ifdef _SC_LEVEL4_CACHE_SIZE
    for (const int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
        if (const long bytes = sysconf(level); bytes > 0) return static_cast<std::uint64_t>(bytes);
#endif
    return 0;
}

/// Returns the bytes of the outermost caches that a usual server with so many cores has.
std::uint64_t usual_cache_bytes(std::uint64_t cores) {
    constexpr std::uint64_t mebibyte = 1 << 20;
    return std::max(32 * mebibyte, 4 * mebibyte * cores);
}

}  // namespace

OutermostCaches Topology::outermost_caches() const {
    if (const std::uint64_t bytes = described_cache_bytes(); bytes > 0) return {bytes, ""};
    // One cache is known, and not how many the node has: a package has one or more.
    if (const std::uint64_t bytes = cache_bytes_of_c_library(); bytes > 0)
        return {bytes * static_cast<std::uint64_t>(std::max(1, describe().packages)),
                "one cache for each package, as large as the C library says"};
    const int cores = is_known() ? this->cores() : static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
    return {usual_cache_bytes(static_cast<std::uint64_t>(std::max(1, cores))), "assumed"};
}

#ifdef MPIAUDIT_HWLOC
namespace {

struct FreeBitmap {
    void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// Returns the binding of the calling thread; empty if unknown.
Bitmap current_binding(hwloc_topology_t topology) {
    Bitmap set{hwloc_bitmap_alloc()};
    if (hwloc_get_cpubind(topology, set.get(), HWLOC_CPUBIND_THREAD) != 0)
        hwloc_bitmap_zero(set.get());
    return set;
}

/// Some virtual machines have processing units only, no cores.
hwloc_obj_type_t type_of_cores(hwloc_topology_t topology) {
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

bool bind_to(hwloc_topology_t topology, hwloc_obj_type_t type, int index) {
    const hwloc_obj_t found = hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(index));
    return found != nullptr &&
           hwloc_set_cpubind(topology, found->cpuset, HWLOC_CPUBIND_THREAD) == 0;
}

std::vector<std::uint64_t> numa_distances(hwloc_topology_t topology) {
    std::vector<std::uint64_t> latencies;
    hwloc_distances_s* distances = nullptr;
    unsigned matrices = 1;
    if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &matrices, &distances,
                                    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) == 0 &&
        matrices > 0) {
        const std::size_t nodes = distances->nbobjs;
        latencies.assign(distances->values, distances->values + nodes * nodes);
        hwloc_distances_release(topology, distances);
    }
    return latencies;
}

}  // namespace

std::string hwloc_version() {
    const unsigned version = hwloc_get_api_version();
    return std::to_string(version >> 16) + "." + std::to_string((version >> 8) & 0xff) + "." +
           std::to_string(version & 0xff);
}

Topology::Topology() : topology_{nullptr, hwloc_topology_destroy} {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return;
    topology_.reset(topology);
    // hwloc's x86 component moves the calling thread to every processing unit; Linux provides equal
    // data.
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    if (hwloc_topology_load(topology) != 0) topology_.reset();
}

int Topology::cores() const {
    if (!is_known()) return 0;
    return std::max(1, hwloc_get_nbobjs_by_type(topology_.get(), type_of_cores(topology_.get())));
}

int Topology::numa_nodes() const {
    return is_known() ? std::max(1, hwloc_get_nbobjs_by_type(topology_.get(), HWLOC_OBJ_NUMANODE))
                      : 0;
}

bool Topology::is_bound() const {
    if (!is_known()) return false;
    const Bitmap own = current_binding(topology_.get());
    return cores() == 1 || hwloc_bitmap_isincluded(
                               hwloc_topology_get_topology_cpuset(topology_.get()), own.get()) == 0;
}

std::vector<int> Topology::own_cores() const {
    std::vector<int> found;
    if (!is_known()) return found;
    const Bitmap own = current_binding(topology_.get());
    for (int i = 0; i < cores(); ++i) {
        const hwloc_obj_t core = hwloc_get_obj_by_type(
            topology_.get(), type_of_cores(topology_.get()), static_cast<unsigned>(i));
        if (core != nullptr && hwloc_bitmap_intersects(core->cpuset, own.get()) != 0)
            found.push_back(i);
    }
    return found;
}

std::string Topology::binding() const {
    if (!is_known()) return "";
    char* text = nullptr;
    hwloc_bitmap_list_asprintf(&text, current_binding(topology_.get()).get());
    std::string binding = text != nullptr ? text : "";
    std::free(text);
    return binding;
}

bool Topology::bind(const std::string& processing_units) {
    if (!is_known() || processing_units.empty()) return false;
    const Bitmap set{hwloc_bitmap_alloc()};
    return hwloc_bitmap_list_sscanf(set.get(), processing_units.c_str()) == 0 &&
           hwloc_set_cpubind(topology_.get(), set.get(), HWLOC_CPUBIND_THREAD) == 0;
}

bool Topology::bind_to_core(int core) {
    return is_known() && bind_to(topology_.get(), type_of_cores(topology_.get()), core);
}

bool Topology::bind_to_numa_node(int node) {
    return is_known() && bind_to(topology_.get(), HWLOC_OBJ_NUMANODE, node);
}

NodeTopology Topology::describe() const {
    NodeTopology node = described_system();
    if (!is_known()) return node;
    hwloc_topology* const topology = topology_.get();
    const auto count = [topology](hwloc_obj_type_t type) {
        return std::max(0, hwloc_get_nbobjs_by_type(topology, type));
    };
    const auto cache_bytes = [topology](hwloc_obj_type_t type) -> std::uint64_t {
        const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
        return cache != nullptr ? cache->attr->cache.size : 0;
    };
    node.hwloc = hwloc_version();
    node.packages = count(HWLOC_OBJ_PACKAGE);
    node.numa_nodes = numa_nodes();
    node.cores = cores();
    node.processing_units = count(HWLOC_OBJ_PU);
    node.l1_cache_bytes = cache_bytes(HWLOC_OBJ_L1CACHE);
    node.l2_cache_bytes = cache_bytes(HWLOC_OBJ_L2CACHE);
    node.l3_cache_bytes = cache_bytes(HWLOC_OBJ_L3CACHE);
    node.numa_distances = numa_distances(topology);
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char* model =
        package != nullptr ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
    if (model != nullptr) node.processor = model;
    return node;
}

std::uint64_t Topology::described_cache_bytes() const {
    if (!is_known()) return 0;
    constexpr std::array outermost_first = {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE,
                                            HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE};
    for (const hwloc_obj_type_t type : outermost_first) {
        std::uint64_t bytes = 0;
        for (hwloc_obj_t cache = nullptr;
             (cache = hwloc_get_next_obj_by_type(topology_.get(), type, cache)) != nullptr;)
            bytes += cache->attr->cache.size;
        if (bytes > 0) return bytes;
    }
    return 0;
}

#else  // without hwloc

std::string hwloc_version() {
    return "";
}

Topology::Topology() : topology_{nullptr, [](hwloc_topology*) {}} {}

int Topology::cores() const {
    return 0;
}

int Topology::numa_nodes() const {
    return 0;
}

bool Topology::is_bound() const {
    return false;
}

std::vector<int> Topology::own_cores() const {
    return {};
}

std::string Topology::binding() const {
    return "";
}

bool Topology::bind(const std::string&) {
    return false;
}

bool Topology::bind_to_core(int) {
    return false;
}

bool Topology::bind_to_numa_node(int) {
    return false;
}

NodeTopology Topology::describe() const {
    return described_system();
}

std::uint64_t Topology::described_cache_bytes() const {
    return 0;
}

#endif

}  // namespace mpiaudit
