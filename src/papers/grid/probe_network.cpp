// SPDX-License-Identifier: BSD-3-Clause
// Defines probe_options() and probe_network() of job_network.h.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "collectives/bcast/bcast.h"
#include "collectives/gather/gather.h"
#include "files/files.h"
#include "grid/job_network.h"
#include "grid/links.h"
#include "machine/machine_description.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/owned.h"
#include "mpi/texts.h"
#include "network/network.h"
#include "options/shared_rows.h"
#include "record/samples_file.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

std::vector<std::string> link_names() {
    return {"hosts", "ranks"};
}

constexpr OptionRow<ProbeOptions> rows_of_probe[] = {
    {.name = "output",
     .member = at<&ProbeOptions::output>,
     .help = "The network file to write",
     .value = "FILE"},
    {.name = "overwrite",
     .member = at<&ProbeOptions::overwrite>,
     .help = "Replace it if it exists"},
    {.name = "between",
     .member = at<&ProbeOptions::between>,
     .help = "Links between hosts, from their first ranks (and within each, if it has two ranks), "
             "or between all ranks wherever they run",
     .choices = link_names},
    {.name = "bytes",
     .member = at<&ProbeOptions::bytes>,
     .help = "Message sizes for the send overhead os(m) and the gap g(m); at most 1Gi",
     .value = "SIZES"},
    {.name = "largest",
     .member = at<&ProbeOptions::largest>,
     .help = "Largest message for the bandwidth; slow links get smaller ones",
     .value = "BYTES"},
    {.name = "rounds",
     .member = at<&ProbeOptions::rounds>,
     .help = "Rounds; in each every pair is measured once",
     .value = "ROUNDS",
     .bounds = {1}},
    {.name = "clock", .member = at<&ProbeOptions::clock>, .help = shared::clock_help},
};

constexpr double most_message_bytes = 1024.0 * 1024 * 1024;

LinkProtocol make_protocol(const ProbeOptions& options) {
    LinkProtocol protocol{*options.clock, options.rounds, {}, 0.0, 1};
    for (const Count bytes : options.bytes->all)
        protocol.sizes_bytes.push_back(static_cast<double>(bytes));
    protocol.largest_bytes = static_cast<double>(options.largest->count);
    if (protocol.sizes_bytes.back() > most_message_bytes)
        throw UsageError("--bytes: {} is too large; give at most 1Gi", protocol.sizes_bytes.back());
    if (protocol.largest_bytes < 1 || protocol.largest_bytes > most_message_bytes)
        throw UsageError("--largest: '{}' is not between 1 and 1Gi", options.largest.text());
    return protocol;
}

/// The hosts of the job in the order of their first ranks.
struct Hosts {
    std::vector<std::string> names;  ///< on rank 0
    std::vector<int> of_rank;        ///< on every rank
};

/// Numbers the hosts in the order of their first ranks; with --between ranks every rank counts as a
/// host. Collective over MPI_COMM_WORLD.
Hosts find_hosts(const ProbeOptions& options, int ranks) {
    Hosts hosts;
    hosts.of_rank.resize(index(ranks));
    const std::vector<std::string> processors = processor_names();
    for (std::size_t rank = 0; rank < processors.size(); ++rank) {
        const std::string name = options.between == "hosts"
                                     ? processors[rank]
                                     : fmt::format("rank {} on {}", rank, processors[rank]);
        const auto found = std::ranges::find(hosts.names, name);
        hosts.of_rank[rank] = static_cast<int>(found - hosts.names.begin());
        if (found == hosts.names.end()) hosts.names.push_back(name);
    }
    binomial_Bcast(hosts.of_rank.data(), ranks, MPI_INT, 0, MPI_COMM_WORLD);
    return hosts;
}

OwnedComm split(bool takes_part, int color) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, takes_part ? color : MPI_UNDEFINED, 0, &comm);
    return comm == MPI_COMM_NULL ? OwnedComm{} : OwnedComm{comm};
}

/// A barrier in which waiting ranks sleep and leave their cores to measuring ranks.
void wait_asleep() {
    const MPI_Comm comm = private_communicator(MPI_COMM_WORLD);
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    // This is the dissemination barrier with pauses.
    for (int distance = 1; distance < ranks; distance *= 2) {
        std::array<MPI_Request, 2> requests{};
        MPI_Irecv(nullptr, 0, MPI_BYTE, (rank - distance + ranks) % ranks, 0, comm, &requests[0]);
        MPI_Isend(nullptr, 0, MPI_BYTE, (rank + distance) % ranks, 0, comm, &requests[1]);
        for (int is_over = 0; !is_over;) {
            MPI_Testall(2, requests.data(), &is_over, MPI_STATUSES_IGNORE);
            if (!is_over) usleep(1000);
        }
    }
}

/// Sets the diagonals to the measurements between the first two ranks of each host.
void set_diagonals(Network& network, const Network& within, MPI_Comm first_ranks) {
    const auto gather = [&](PairMatrix& matrix, const PairMatrix& own) {
        const int hosts = messages::size_of(first_ranks);
        const double value = own.size() == 2 ? own(0, 1) : -1.0;
        std::vector<double> all(index(hosts));
        binomial_Gather(&value, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, first_ranks);
        for (int host = 0; host < matrix.size(); ++host) matrix(host, host) = all[index(host)];
    };
    gather(network.latency_s, within.latency_s);
    gather(network.bandwidth_bytes_per_s, within.bandwidth_bytes_per_s);
    const PairMatrix none;
    for (std::size_t i = 0; i < network.overheads.size(); ++i) {
        const bool is_measured = i < within.overheads.size();
        gather(network.overheads[i].send_s, is_measured ? within.overheads[i].send_s : none);
        gather(network.overheads[i].gap_s, is_measured ? within.overheads[i].gap_s : none);
    }
}

/// Throws UsageError if the network file cannot be written, before anything is measured.
void check_output(const ProbeOptions& options) {
    std::error_code failure;
    const bool exists = std::filesystem::exists(options.output, failure);
    if (exists && holds_samples(options.output))
        throw UsageError("--output: {} holds the samples of an audit; give another name",
                         options.output);
    if (exists && !options.overwrite)
        throw UsageError("--output: {} is there already; give --overwrite to replace it",
                         options.output);
    try {
        check_replaceable(options.output);
    } catch (const std::runtime_error& error) {
        throw UsageError("--output: {}", error.what());
    }
}

void write(const Network& network, const ProbeOptions& options, const LinkProtocol& protocol) {
    const std::string how = fmt::format(
        "mpiaudit {} probe: medians of {} rounds, all pairs once in each, {} pairs at a time; "
        "latency: half a round trip of 1 byte; bandwidth: by how much longer larger messages of up "
        "to "
        "{} bytes take; send_overhead_s: within MPI_Send; gap_s: messages in a row. {}",
        version(), options.rounds, network.size() / 2, protocol.largest_bytes,
        Environment::library_version());
    const std::string title = fmt::format("Links between the {} of a job", options.between);
    replace_file(options.output, network_file(network, {title, time_now(), how}));
}

void print(const Network& network, const ProbeOptions& options) {
    const std::vector<double> thresholds = bandwidth_thresholds(sorted_bandwidths(network));
    const Pool root = make_pool_tree(network);
    say("{} {}, bandwidths from {:.4g} to {:.4g} Mbit/s in {} groups, {}\nnetwork: {}\n",
        network.size(), options.between, thresholds.front() * 8e-6, thresholds.back() * 8e-6,
        thresholds.size(),
        root.pools.empty() ? "one pool" : fmt::format("{} pools", root.pools.size()),
        options.output);
}

/// Prints warnings about links with an uncertain bandwidth.
void warn(const Network& network) {
    constexpr double too_uncertain = 0.25;
    std::vector<std::string> flat, uncertain;
    for_each_link(network.size(), [&](int from, int to) {
        const double uncertainty = network.bandwidth_uncertainty_bytes_per_s(from, to);
        std::string link =
            fmt::format("{} to {}", network.hosts[index(from)], network.hosts[index(to)]);
        if (uncertainty < 0.0)
            flat.push_back(std::move(link));
        else if (uncertainty > too_uncertain * network.bandwidth_bytes_per_s(from, to))
            uncertain.push_back(std::move(link));
    });
    const auto say_of = [&](const std::vector<std::string>& links, std::string_view what) {
        constexpr std::size_t shown = 4;
        if (links.empty()) return;
        remark(
            "warning: {}{}: {}; give a larger --largest or more --rounds, or probe when less runs",
            fmt::join(links.begin(),
                      links.begin() + static_cast<std::ptrdiff_t>(std::min(shown, links.size())),
                      ", "),
            links.size() > shown ? fmt::format(" and {} more links", links.size() - shown) : "",
            what);
    };
    say_of(flat,
           "longer messages did not take longer, so that the bandwidth in the file is that of "
           "whole messages, round trip included, at most too low");
    say_of(uncertain, "the bandwidth is uncertain by more than a quarter");
}

}  // namespace

std::vector<BoundOption> probe_options(Command& command) {
    return bound(rows_of_probe, command.own<ProbeOptions>());
}

int probe_network(const ProbeOptions& options, const Environment& environment) {
    const LinkProtocol protocol = make_protocol(options);
    Hosts hosts = find_hosts(options, environment.ranks());
    if (std::ranges::max(hosts.of_rank) == 0)
        throw UsageError(
            "probe: there is no link: all ranks run on one host{}",
            options.between == "hosts" ? "; start them on several, or give --between ranks" : "");
    on_rank_0([&] { check_output(options); });

    const int own_host = hosts.of_rank[static_cast<std::size_t>(environment.rank())];
    const auto before =
        std::count(hosts.of_rank.begin(), hosts.of_rank.begin() + environment.rank(), own_host);
    const OwnedComm first_ranks = split(before == 0, 0);
    const OwnedComm two_ranks = split(before < 2, own_host);
    Network network, within;
    if (two_ranks) within = measure_links(two_ranks.get(), protocol);
    wait_asleep();
    if (first_ranks) network = measure_links(first_ranks.get(), protocol);
    wait_asleep();
    if (first_ranks) set_diagonals(network, within, first_ranks.get());
    on_rank_0([&] {
        network.hosts = std::move(hosts.names);
        if (options.between == "ranks") network.placement = Placement::cyclic;
        write(network, options, protocol);
        print(network, options);
        warn(network);
    });
    return exit_done;
}

}  // namespace mpiaudit
