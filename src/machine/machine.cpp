// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "machine/conditions.h"
#include "machine/topology.h"
#include "messages/owned.h"
#include "simulation/simulation.h"

extern char** environ;

namespace mpiaudit {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<Binding, std::string_view>, 3> bindings_by_name{
    {{Binding::core, "core"}, {Binding::numa, "numa"}, {Binding::none, "none"}}};

struct OnNode {
    int rank = 0;
    int ranks = 1;
};

OnNode place_on_node() {
    MPI_Comm node{};
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    const OwnedComm owned{node};
    OnNode place;
    MPI_Comm_rank(node, &place.rank);
    MPI_Comm_size(node, &place.ranks);
    return place;
}

/// The texts of all ranks on rank 0, in rank order; empty elsewhere.
std::vector<std::string> gather_texts(const std::string& own) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto length = static_cast<int>(own.size());
    std::vector<int> lengths(static_cast<std::size_t>(ranks));
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::vector<int> displacements(lengths.size());
    for (std::size_t i = 1; i < lengths.size(); ++i)
        displacements[i] = displacements[i - 1] + lengths[i - 1];
    std::string all(static_cast<std::size_t>(displacements.back() + lengths.back()), ' ');
    MPI_Gatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), displacements.data(),
                MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t i = 0; rank == 0 && i < lengths.size(); ++i)
        texts.push_back(all.substr(static_cast<std::size_t>(displacements[i]),
                                   static_cast<std::size_t>(lengths[i])));
    return texts;
}

std::string host_name() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return {name.data(), static_cast<std::size_t>(length)};
}

/// "2 ranks of HOST ..." for each host where ranks have to take turns on cores.
void warn_of_sharing(const std::string& host, const std::vector<json>& ranks,
                     std::vector<std::string>& warnings) {
    std::set<int> cores;
    std::map<int, int> ranks_on;  // core -> ranks bound to it alone
    bool any_unbound = false;
    for (const json& rank : ranks) {
        const auto own = rank["cores"].get<std::vector<int>>();
        cores.insert(own.begin(), own.end());
        if (own.size() == 1) ++ranks_on[own.front()];
        any_unbound = any_unbound || rank["bound_by"] == "nobody";
    }
    const bool too_many = ranks.size() > cores.size();
    const bool stacked =
        std::ranges::any_of(ranks_on, [](auto& entry) { return entry.second > 1; });
    if (too_many || stacked) {
        warnings.push_back(
            fmt::format("{}: {} ranks share {} core{}, so that times include waiting for a turn; "
                        "use no more ranks "
                        "than cores",
                        host, ranks.size(), cores.size(), cores.size() == 1 ? "" : "s"));
    } else if (any_unbound) {
        warnings.push_back(
            fmt::format("{}: ranks are not bound to cores, and may be moved during the audit; use "
                        "--bind core or "
                        "the launcher's option (mpirun --bind-to core, srun --cpu-bind=cores)",
                        host));
    }
}

void describe_on_root(const std::vector<std::string>& texts, Machine& machine) {
    std::vector<std::string> names;
    std::map<std::string, std::vector<json>> by_host;
    json bindings = json::array();
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        json each = json::parse(texts[rank]);
        each["rank"] = rank;
        bindings.push_back({{"rank", rank},
                            {"host", each["host"]},
                            {"launched_on", each["launched_on"]},
                            {"processing_units", each["processing_units"]},
                            {"bound_by", each["bound_by"]}});
        const auto host = each["host"].get<std::string>();
        if (!by_host.contains(host)) names.push_back(host);
        by_host[host].push_back(std::move(each));
    }
    json hosts = json::array();
    for (const std::string& host : names) {
        json entry = {{"name", host}, {"ranks", json::array()}};
        for (const json& rank : by_host[host]) {
            entry["ranks"].push_back(rank["rank"]);
            if (!rank.contains("topology")) continue;
            entry["topology"] = rank["topology"];
            entry["conditions"] = rank["conditions"];
            for (std::string& warning : condition_warnings(host, rank["conditions"], 0))
                machine.warnings.push_back(std::move(warning));
        }
        warn_of_sharing(host, by_host[host], machine.warnings);
        hosts.push_back(std::move(entry));
    }
    machine.description_json =
        json{{"ranks", texts.size()}, {"hosts", hosts}, {"bindings", bindings}}.dump();
}

/// Binds this process if it should be and can be, and says who has bound it.
std::string bind(Topology& topology, Binding binding, const OnNode& on_node) {
    if (topology.is_bound()) return "launcher";
    if (on_node.ranks > topology.cores()) return "nobody";
    // Neighbours in rank order stay together.
    const int node = on_node.rank * topology.numa_nodes() / on_node.ranks;
    const bool is_bound = (binding == Binding::core && topology.bind_to_core(on_node.rank)) ||
                          (binding == Binding::numa && topology.bind_to_numa_node(node));
    return is_bound ? "mpiaudit" : "nobody";
}

}  // namespace

std::optional<Binding> find_binding(std::string_view name) {
    for (const auto& [binding, known] : bindings_by_name) {
        if (known == name) return binding;
    }
    return std::nullopt;
}

std::vector<std::string> binding_names() {
    std::vector<std::string> names;
    for (const auto& [binding, name] : bindings_by_name) names.emplace_back(name);
    return names;
}

Machine examine_machine(Binding binding) {
    if (simulation::is_running()) return examine_simulated_machine();
    Topology topology;
    const OnNode on_node = place_on_node();
    const std::string launched_on = topology.own_processing_units();
    const std::string bound_by = bind(topology, binding, on_node);
    json own = {{"host", host_name()},
                {"launched_on", launched_on},
                {"processing_units", topology.own_processing_units()},
                {"cores", topology.own_cores()},
                {"bound_by", bound_by}};
    if (on_node.rank == 0) {
        own["topology"] = topology.describe();
        own["conditions"] = node_conditions();
    }
    const std::vector<std::string> texts = gather_texts(own.dump());
    Machine machine;
    if (!texts.empty()) describe_on_root(texts, machine);

    std::uint64_t share = machine_memory_bytes() / 2 / static_cast<std::uint64_t>(on_node.ranks);
    MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    machine.memory_per_rank_bytes = share;
    machine.migrations_before = migrations();
    return machine;
}

json examine_again(const Machine& machine) {
    // First of all: hwloc itself visits every processing unit to look at it.
    const long moves = migrations() - machine.migrations_before;
    const OnNode on_node = place_on_node();
    json own = {{"host", host_name()},
                {"ranks", on_node.ranks},
                {"processing_units", Topology().own_processing_units()},
                {"moves", moves}};
    if (on_node.rank == 0) own["conditions"] = node_conditions();
    const std::vector<std::string> texts = gather_texts(own.dump());
    if (texts.empty()) return {};
    const json before = json::parse(machine.description_json);
    json after = {{"conditions", json::object()},
                  {"moved_ranks", json::array()},
                  {"rebound_ranks", json::array()},
                  {"warnings", json::array()}};
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        const json each = json::parse(texts[rank]);
        const std::string host = each["host"];
        if (each["moves"] > 0)
            after["moved_ranks"].push_back({{"rank", rank}, {"moves", each["moves"]}});
        if (each["processing_units"] != before["bindings"][rank]["processing_units"])
            after["rebound_ranks"].push_back(rank);
        if (!each.contains("conditions")) continue;
        after["conditions"][host] = each["conditions"];
        // Of these, only the load can have changed.
        const json load = {{"load_average", each["conditions"].value("load_average", 0.0)}};
        for (std::string& warning : condition_warnings(host, load, each["ranks"]))
            after["warnings"].push_back(std::move(warning));
    }
    if (!after["moved_ranks"].empty())
        after["warnings"].push_back(fmt::format(
            "the kernel moved {} of {} ranks to other processing units while they were timed; bind "
            "them (--bind core, or the launcher's option)",
            after["moved_ranks"].size(), texts.size()));
    return after;
}

json steering_variables() {
    constexpr std::array prefixes = {"OMPI_",  "PMIX_", "PRTE_",  "MPICH_", "MPIR_",
                                     "I_MPI_", "MV2_",  "UCX_",   "FI_",    "SLURM_",
                                     "SRUN_",  "PMI_",  "HYDRA_", "HCOLL_", "OMP_"};
    json variables = json::object();
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos) continue;
        const bool steers = text.starts_with("LD_PRELOAD=") ||
                            std::ranges::any_of(prefixes, [&](std::string_view prefix) {
                                return text.starts_with(prefix);
                            });
        if (steers) variables[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
    return variables;
}

}  // namespace mpiaudit
