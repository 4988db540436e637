// SPDX-License-Identifier: BSD-3-Clause
// Surroundings of audit/steps.h, and the network of audit/commands.h.
#include <fmt/format.h>

#include <algorithm>

#include "audit/steps.h"
#include "machine/machine_description.h"
#include "mpi/environment.h"
#include "mpi/library_algorithms.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "record/samples_file.h"

namespace mpiaudit {
namespace {

settings::Library library_of_rank() {
    settings::Library library{.name = Environment::name_of_library(),
                              .variables = control_variables(),
                              .environment = steering_variables()};
    library.audit_sets_dynamic_rules = is_set_by_audit("OMPI_MCA_coll_tuned_use_dynamic_rules");
    std::erase_if(library.environment,
                  [](const auto& each) { return is_set_by_audit(each.first); });
    return library;
}

/// Reads the settings of the library on each rank. Collective. The result is empty on all ranks but
/// rank 0.
SettingsOfRanks read_settings() {
    SettingsOfRanks read{library_of_rank(), {}};
    const std::vector<std::string> own =
        settings::lines(settings::outcomes(read.library, settings::read_regular_file));
    const std::vector<std::string> all = gather_texts(packed(own));
    if (all.empty()) return {};
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
        const auto others = unpacked<std::vector<std::string>>(all[rank]);
        if (others == own) continue;
        const auto first = std::ranges::find_if(
            others, [&](const std::string& each) { return std::ranges::count(own, each) == 0; });
        read.differing.push_back(
            {"rank",
             std::to_string(rank),
             "",
             {},
             fmt::format("rank {} has other settings than rank 0: {}", rank,
                         first == others.end() ? "some of them are missing" : *first)});
        break;
    }
    return read;
}

/// Returns the ranks that an audit is planned for, with their hosts; for a job that is not
/// submitted yet, only their number. Collective.
application::Launch launch_of(const Machine& machine, int planned_ranks, int ranks) {
    application::Launch launch{planned_ranks, {}};
    if (planned_ranks != ranks) return launch;
    launch.hosts.resize(static_cast<std::size_t>(ranks));
    const auto& hosts = machine.description.hosts;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
        for (const int rank : hosts[host].ranks)
            launch.hosts[static_cast<std::size_t>(rank)] = static_cast<int>(host);
    }
    broadcast_bytes(launch.hosts.data(), launch.hosts.size() * sizeof(int));
    return launch;
}

/// Returns the pattern of arrivals; nothing if ranks arrive together.
std::optional<ArrivalPattern> arrivals_of(const Arrivals& arrivals,
                                          const application::Launch& launch) {
    if (arrivals.are_together) return std::nullopt;
    ArrivalPattern pattern{.formula = arrivals.formula, .host_of_rank = launch.hosts, .hosts = 1};
    pattern.host_of_rank.resize(static_cast<std::size_t>(launch.ranks));
    pattern.hosts += std::ranges::max(pattern.host_of_rank);
    return pattern;
}

/// Returns the nodes of the ranks. The nodes of a job that is not submitted yet follow from
/// --node-size alone.
NodeSplit nodes_of_plan(int node_size, int planned_ranks, int ranks) {
    set_ranks_per_node(node_size);
    if (planned_ranks == ranks) return node_split(audited_ranks());
    return node_size > 0 ? consecutive_nodes(node_size, planned_ranks) : NodeSplit{};
}

/// Returns the limits of the first session; nothing unless the audit is resumed. Collective.
std::optional<record::PlanLimits> recorded_limits(const RunOptions& options) {
    std::optional<record::PlanLimits> limits;
    if (!options.resume || options.output.empty()) return limits;
    on_rank_0([&] {
        if (const auto header = read_header(options.output)) limits = header->limits;
    });
    return from_rank_0(limits);
}

}  // namespace

std::vector<settings::Outcome> outcomes_of(const SettingsOfRanks& settings) {
    if (settings.library.name.empty()) return {};
    std::vector<settings::Outcome> all =
        settings::outcomes(settings.library, settings::read_regular_file);
    all.insert(all.end(), settings.differing.begin(), settings.differing.end());
    return all;
}

std::unique_ptr<const RankNetwork> OtherProducts::network(const std::string& name) const {
    if (read_network != nullptr) return read_network(name);
    if (!name.empty()) throw UsageError("--network: {}", without_papers);
    return nullptr;
}

int ranks_of_plan(const LaunchOptions& options, int ranks) {
    const bool is_for_others = options.dry_run && ranks == 1 && !options.ranks.empty();
    return is_for_others ? options.ranks->numbers.front() : ranks;
}

Surroundings examine_surroundings(const Asked& asked, int ranks) {
    const RunOptions& options = asked.options();
    const int planned_ranks = ranks_of_plan(options, ranks);
    // A job that is not submitted yet has no links.
    auto network = planned_ranks == ranks ? asked.joined.network(options.network) : nullptr;
    Machine machine = examine_machine(*options.bind);
    application::Launch launch = launch_of(machine, planned_ranks, ranks);
    std::uint64_t memory_bytes = options.memory_bytes(machine.memory_limit_bytes);
    const std::optional<record::PlanLimits> limits = recorded_limits(options);
    std::optional<int> references;
    if (limits) memory_bytes = std::min(memory_bytes, limits->memory_bytes);
    if (limits) references = limits->references;
    auto arrivals = arrivals_of(*options.arrivals, launch);
    NodeSplit nodes = nodes_of_plan(options.node_size, planned_ranks, ranks);
    return {std::move(network),  std::move(machine), ranks,
            std::move(launch),   std::move(nodes),   memory_bytes,
            std::move(arrivals), references,         read_settings()};
}

}  // namespace mpiaudit
