// SPDX-License-Identifier: BSD-3-Clause
#include "machine/topology.h"

#include <hwloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace mpiaudit {
namespace {

struct FreeBitmap {
    void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

Bitmap current_binding(hwloc_topology_t topology) {
    Bitmap set{hwloc_bitmap_alloc()};
    if (hwloc_get_cpubind(topology, set.get(), HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(set.get(), hwloc_topology_get_allowed_cpuset(topology));
    return set;
}

bool bind(hwloc_topology_t topology, hwloc_obj_type_t type, int index) {
    const hwloc_obj_t found = hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(index));
    return found != nullptr &&
           hwloc_set_cpubind(topology, found->cpuset, HWLOC_CPUBIND_PROCESS) == 0;
}

}  // namespace

struct Topology::State {
    hwloc_topology_t topology{};
};

Topology::Topology() : state_{new State} {
    hwloc_topology_init(&state_->topology);
    hwloc_topology_load(state_->topology);
}

Topology::~Topology() {
    hwloc_topology_destroy(state_->topology);
    delete state_;
}

int Topology::cores() const {
    return std::max(1, hwloc_get_nbobjs_by_type(state_->topology, HWLOC_OBJ_CORE));
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
    const Bitmap own = current_binding(state_->topology);
    return cores() == 1 ||
           !hwloc_bitmap_isequal(own.get(), hwloc_topology_get_allowed_cpuset(state_->topology));
}

std::vector<int> Topology::own_cores() const {
    const Bitmap own = current_binding(state_->topology);
    std::vector<int> found;
    for (int i = 0; i < cores(); ++i) {
        const hwloc_obj_t core =
            hwloc_get_obj_by_type(state_->topology, HWLOC_OBJ_CORE, static_cast<unsigned>(i));
        if (core != nullptr && hwloc_bitmap_intersects(core->cpuset, own.get())) found.push_back(i);
    }
    return found;
}

std::string Topology::own_processing_units() const {
    const Bitmap own = current_binding(state_->topology);
    char* text = nullptr;
    hwloc_bitmap_list_asprintf(&text, own.get());
    const std::unique_ptr<char, decltype(&std::free)> owned{text, std::free};
    return text != nullptr ? text : "";
}

bool Topology::bind_to_core(int core) {
    return bind(state_->topology, HWLOC_OBJ_CORE, core);
}

int Topology::numa_nodes() const {
    return std::max(1, hwloc_get_nbobjs_by_type(state_->topology, HWLOC_OBJ_NUMANODE));
}

bool Topology::bind_to_numa_node(int node) {
    return bind(state_->topology, HWLOC_OBJ_NUMANODE, node);
}

NodeTopology Topology::describe() const {
    const auto count = [this](hwloc_obj_type_t type) {
        return std::max(0, hwloc_get_nbobjs_by_type(state_->topology, type));
    };
    const auto cache_bytes = [this](hwloc_obj_type_t type) -> std::uint64_t {
        const hwloc_obj_t cache = hwloc_get_obj_by_type(state_->topology, type, 0);
        return cache != nullptr ? cache->attr->cache.size : 0;
    };
    NodeTopology node;
    node.packages = count(HWLOC_OBJ_PACKAGE);
    node.numa_nodes = count(HWLOC_OBJ_NUMANODE);
    node.cores = cores();
    node.processing_units = count(HWLOC_OBJ_PU);
    node.memory_bytes = machine_memory_bytes();
    node.l1_cache_bytes = cache_bytes(HWLOC_OBJ_L1CACHE);
    node.l2_cache_bytes = cache_bytes(HWLOC_OBJ_L2CACHE);
    node.l3_cache_bytes = cache_bytes(HWLOC_OBJ_L3CACHE);
    const hwloc_obj_t package = hwloc_get_obj_by_type(state_->topology, HWLOC_OBJ_PACKAGE, 0);
    const char* model =
        package != nullptr ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
    if (model != nullptr) node.processor = model;
    return node;
}

std::uint64_t Topology::last_level_cache_bytes() const {
    constexpr std::array outermost_first = {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE,
                                            HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE};
    std::uint64_t bytes = 0;
    for (const hwloc_obj_type_t type : outermost_first) {
        for (hwloc_obj_t cache = nullptr;
             (cache = hwloc_get_next_obj_by_type(state_->topology, type, cache)) != nullptr;)
            bytes += cache->attr->cache.size;
        if (bytes > 0) break;
    }
    return bytes;
}

std::string hwloc_version() {
    const unsigned version = hwloc_get_api_version();
    return std::to_string(version >> 16) + "." + std::to_string((version >> 8) & 0xff) + "." +
           std::to_string(version & 0xff);
}

}  // namespace mpiaudit
