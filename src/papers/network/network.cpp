// SPDX-License-Identifier: BSD-3-Clause
#include "network/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace mpiaudit {
namespace {

double on_line(double x, double x0, double y0, double x1, double y1) {
    return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
}

double interpolate(const std::vector<MessageOverheads>& measured, PairMatrix MessageOverheads::*of,
                   double bytes, int from, int to) {
    if (measured.size() == 1) return (measured.front().*of)(from, to);
    auto right = std::ranges::lower_bound(measured, bytes, {}, &MessageOverheads::bytes);
    right = std::clamp(right, measured.begin() + 1, measured.end() - 1);
    const auto left = right - 1;
    return std::max(0.0, on_line(bytes, left->bytes, ((*left).*of)(from, to), right->bytes,
                                 ((*right).*of)(from, to)));
}

PairMatrix between_ranks(const PairMatrix& hosts, std::span<const int> host_of_rank) {
    PairMatrix ranks(static_cast<int>(host_of_rank.size()));
    for (int from = 0; from < ranks.size(); ++from) {
        const int host = host_of_rank[static_cast<std::size_t>(from)];
        for (int to = 0; to < ranks.size(); ++to)
            ranks(from, to) = hosts(host, host_of_rank[static_cast<std::size_t>(to)]);
    }
    return ranks;
}

/// At most twenty of them: of a thousand hosts nobody reads all.
template <class Names>
std::string listed(const Names& names) {
    constexpr std::size_t most = 20;
    std::vector<std::string> shown;
    for (const auto& name : names) {
        if (shown.size() == most) {
            shown.push_back(fmt::format("and {} more", names.size() - most));
            break;
        }
        shown.push_back(name);
    }
    return fmt::format("{}", fmt::join(shown, ", "));
}

}  // namespace

double Network::send_overhead_s(double bytes, int from, int to) const {
    if (overheads.empty()) return bytes / bandwidth_bytes_per_s(from, to);
    return interpolate(overheads, &MessageOverheads::send_s, bytes, from, to);
}

double Network::gap_s(double bytes, int from, int to) const {
    if (overheads.empty()) return bytes / bandwidth_bytes_per_s(from, to);
    return interpolate(overheads, &MessageOverheads::gap_s, bytes, from, to);
}

Network between_ranks(const Network& network, std::span<const int> host_of_rank) {
    Network ranks;
    ranks.ports = network.ports;
    ranks.placement = network.placement;
    ranks.sites = network.sites;
    for (const int host : host_of_rank) {
        ranks.hosts.push_back(network.hosts[static_cast<std::size_t>(host)]);
        if (!network.sites.empty())
            ranks.site_of_host.push_back(network.site_of_host[static_cast<std::size_t>(host)]);
    }
    ranks.latency_s = between_ranks(network.latency_s, host_of_rank);
    ranks.bandwidth_bytes_per_s = between_ranks(network.bandwidth_bytes_per_s, host_of_rank);
    for (const MessageOverheads& each : network.overheads)
        ranks.overheads.push_back({each.bytes, between_ranks(each.send_s, host_of_rank),
                                   between_ranks(each.gap_s, host_of_rank)});
    return ranks;
}

std::vector<int> place_ranks(const Network& network, std::span<const std::string> processors,
                             const std::string& origin) {
    std::vector<int> host_of_rank;
    std::set<std::string> unknown;
    for (const std::string& processor : processors) {
        const auto rank = static_cast<int>(host_of_rank.size());
        if (network.placement == Placement::cyclic) {
            host_of_rank.push_back(rank % network.size());
            continue;
        }
        const auto found = std::ranges::find(network.hosts, processor);
        if (found == network.hosts.end()) unknown.insert(processor);
        host_of_rank.push_back(static_cast<int>(found - network.hosts.begin()));
    }
    if (!unknown.empty()) {
        const std::set<std::string> job(processors.begin(), processors.end());
        throw std::invalid_argument(fmt::format(
            "--network: {} does not describe the hosts of this job.\n  hosts of the job:     {}\n"
            "  hosts of the network: {}\nMeasure these with mpiaudit probe, or put "
            "\"placement\": \"cyclic\" into the file to let rank r stand for its host r mod {}",
            origin, listed(job), listed(network.hosts), network.size()));
    }
    return host_of_rank;
}

}  // namespace mpiaudit
