// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <map>
#include <set>

#include "collectives/patterns/node_communicators.h"
#include "messages/agreement.h"
#include "messages/owned.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"

namespace mpiaudit {
namespace {

PlaceOnNode place_on(MPI_Comm node) {
    PlaceOnNode place;
    MPI_Comm_rank(node, &place.rank);
    MPI_Comm_size(node, &place.ranks);
    return place;
}

/// Returns the reports of all ranks on rank 0 in rank order; nothing on other ranks.
std::vector<RankReport> gather_reports(const RankReport& own) {
    std::vector<RankReport> reports;
    for (const std::string& text : gather_texts(packed(own)))
        reports.push_back(unpacked<RankReport>(text));
    return reports;
}

/// Warns if ranks of this host share cores or are unbound, or if the topology is unknown.
void warn_of_sharing(const std::string& host, const std::vector<const RankReport*>& ranks,
                     std::vector<std::string>& warnings) {
    if (ranks.front()->bound_by == "unknown") {
        warnings.push_back(fmt::format(
            "{}: topology not known, since mpiaudit was built without hwloc: ranks are bound only "
            "by the launcher (mpirun --bind-to core, srun --cpu-bind=cores)",
            host));
        return;
    }
    std::set<int> cores;
    std::map<int, int> ranks_on;  // core -> number of ranks bound to this core alone
    bool any_unbound = false;
    for (const RankReport* rank : ranks) {
        cores.insert(rank->cores.begin(), rank->cores.end());
        if (rank->cores.size() == 1) ++ranks_on[rank->cores.front()];
        any_unbound = any_unbound || rank->bound_by == "nobody";
    }
    const bool too_many = ranks.size() > cores.size();
    const bool stacked =
        std::ranges::any_of(ranks_on, [](auto& entry) { return entry.second > 1; });
    if (too_many || stacked) {
        warnings.push_back(fmt::format(
            "{}: {} ranks share {} core{}, and times include waiting for a turn; start no "
            "more ranks than cores",
            host, ranks.size(), cores.size(), cores.size() == 1 ? "" : "s"));
    } else if (any_unbound) {
        warnings.push_back(fmt::format(
            "{}: ranks are not bound to cores; use --bind core, or the launcher's option "
            "(mpirun --bind-to core, srun --cpu-bind=cores)",
            host));
    }
}

std::vector<RankBinding> bindings_of(const std::vector<RankReport>& reports) {
    std::vector<RankBinding> bindings;
    for (const RankReport& each : reports) {
        bindings.push_back(each);
        bindings.back().rank = static_cast<int>(bindings.size()) - 1;
    }
    return bindings;
}

/// Describes the hosts and adds warnings about conditions that make times less trustworthy.
std::vector<Host> describe_hosts(const std::vector<RankReport>& reports,
                                 std::vector<std::string>& warnings) {
    std::vector<std::string> names;
    for (const RankReport& each : reports) names.push_back(each.host);
    std::vector<Host> hosts = hosts_of(names);
    for (Host& host : hosts) {
        std::vector<const RankReport*> on_host;
        for (const int rank : host.ranks) {
            const RankReport& each = reports[static_cast<std::size_t>(rank)];
            on_host.push_back(&each);
            if (!each.topology) continue;
            host.topology = each.topology;
            host.conditions = each.conditions;
            for (std::string& warning : condition_warnings(host.name, *each.conditions))
                warnings.push_back(std::move(warning));
        }
        warn_of_sharing(host.name, on_host, warnings);
    }
    return hosts;
}

/// Returns the processing units of the first host that its ranks may use, over these ranks; 0 if
/// the topology is unknown.
double processors_of_a_rank(const std::vector<RankReport>& reports) {
    std::set<int> cores;
    int ranks = 0;
    for (const RankReport& each : reports) {
        if (each.host != reports.front().host) continue;
        cores.insert(each.cores.begin(), each.cores.end());
        ++ranks;
    }
    if (ranks == 0 || !reports.front().topology || reports.front().topology->cores == 0) return 0;
    const NodeTopology& topology = *reports.front().topology;
    return static_cast<double>(cores.size()) * topology.processing_units / topology.cores / ranks;
}

/// Returns the bytes of the outermost caches of all nodes together.
double cache_bytes_of(const std::vector<RankReport>& reports) {
    double bytes = 0.0;
    for (const RankReport& each : reports)
        if (each.caches) bytes += static_cast<double>(each.caches->bytes);
    return bytes;
}

/// Warns of nodes whose kernel does not describe the caches.
std::vector<std::string> warnings_of_caches(const std::vector<RankReport>& reports) {
    constexpr double mebibyte = 1 << 20;
    std::vector<std::string> warnings;
    for (const RankReport& each : reports) {
        if (!each.caches || each.caches->origin.empty()) continue;
        warnings.push_back(fmt::format(
            "{}: the kernel does not say how large the caches are; buffers rotate as for {:.0f} "
            "MiB "
            "of outermost cache ({})",
            each.host, static_cast<double>(each.caches->bytes) / mebibyte, each.caches->origin));
    }
    return warnings;
}

/// Compares the machine after the measurement with that before.
MachineAfter compared(const MachineDescription& before, const std::vector<RankReport>& reports,
                      double elapsed_s) {
    MachineAfter after;
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const RankReport& each = reports[i];
        const auto rank = static_cast<int>(i);
        if (each.moves > 0) after.moved_ranks.push_back({rank, each.moves});
        if (each.processing_units != before.bindings[i].processing_units)
            after.rebound_ranks.push_back(rank);
        if (each.other_threads != before.bindings[i].other_threads)
            after.changed_threads.push_back({rank, each.other_threads});
        if (!each.conditions) continue;
        // Only other programs can have changed since the begin.
        NodeConditions others;
        others.other_tasks = each.conditions->other_tasks;
        const auto host = std::ranges::find(before.hosts, each.host, &Host::name);
        if (host != before.hosts.end() && host->conditions && others.other_tasks)
            others.other_tasks =
                std::max(*others.other_tasks,
                         other_processes_between(host->conditions->load_average.value_or(0.0),
                                                 each.conditions->load_average.value_or(0.0),
                                                 elapsed_s, each.ranks_on_node));
        after.conditions[each.host] = *each.conditions;
        for (std::string& warning : condition_warnings(each.host, others))
            after.warnings.push_back(std::move(warning));
    }
    if (!after.moved_ranks.empty())
        after.warnings.push_back(fmt::format(
            "the kernel moved {} of {} ranks to other processing units while they were timed; bind "
            "them (--bind core, or the launcher's option)",
            after.moved_ranks.size(), reports.size()));
    return after;
}

}  // namespace

Machine examine_machine(Binding binding) {
    Topology topology;
    const OwnedComm node = ranks_of_processor(audited_ranks());
    const PlaceOnNode place = place_on(node.get());
    RankReport own;
    own.host = processor_name();
    own.launched_on = own_processing_units();
    own.bound_by = bind_main_thread(topology, binding, place);
    own.processing_units = own_processing_units();
    own.other_threads = other_threads();
    own.limits = machine_limits();
    own.cores = topology.own_cores();
    if (place.rank == 0) {
        own.topology = topology.describe();
        own.caches = topology.outermost_caches();
        own.conditions = node_conditions(place.ranks);
    }
    const std::vector<RankReport> reports = gather_reports(own);
    Machine machine;
    machine.description.ranks = static_cast<int>(reports.size());
    machine.description.bindings = bindings_of(reports);
    machine.description.hosts = describe_hosts(reports, machine.warnings);
    for (std::string& warning : quota_warnings(reports))
        machine.warnings.push_back(std::move(warning));
    const std::optional<HostSpeed> speed = measure_host_speed(node.get());
    if (!reports.empty()) machine.description.hosts.front().speed = speed;

    machine.processors_of_a_rank = processors_of_a_rank(reports);
    machine.memory_limit_bytes = from_rank_0(smallest_share_of_memory(reports) / 2);
    machine.outermost_cache_bytes = from_rank_0(cache_bytes_of(reports));
    machine.cache_warnings = warnings_of_caches(reports);
    machine.migrations_before = migrations();
    return machine;
}

std::optional<MachineAfter> examine_again(const Machine& machine) {
    RankReport own;
    own.moves = migrations() - machine.migrations_before;
    const PlaceOnNode place = place_on(ranks_of_processor(audited_ranks()).get());
    own.host = processor_name();
    own.ranks_on_node = place.ranks;
    own.processing_units = own_processing_units();
    own.other_threads = other_threads();
    if (place.rank == 0) own.conditions = node_conditions(place.ranks);
    const std::vector<RankReport> reports = gather_reports(own);
    if (reports.empty()) return std::nullopt;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - machine.begin;
    return compared(machine.description, reports, elapsed.count());
}

}  // namespace mpiaudit
