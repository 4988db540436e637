// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace mpiaudit {

/// The place in a vector of what is counted from 0 by an int: a host, a pool, a datum.
inline std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

/// Calls f(from, to) for every ordered pair of different hosts, from the first host on.
void for_each_link(int hosts, const auto& f) {
    for (int from = 0; from < hosts; ++from)
        for (int to = 0; to < hosts; ++to)
            if (from != to) f(from, to);
}

/// One number for every ordered pair of hosts, row = from, column = to.
class PairMatrix {
  public:
    PairMatrix() = default;
    explicit PairMatrix(int size, double value = 0.0)
        : size_{index(size)}, values_(size_ * size_, value) {}

    int size() const { return static_cast<int>(size_); }
    double& operator()(int from, int to) { return values_[place(from, to)]; }
    double operator()(int from, int to) const { return values_[place(from, to)]; }
    /// The numbers of all pairs that start at `from`, by `to`.
    const double* row(int from) const { return values_.data() + place(from, 0); }
    std::span<const double> values() const { return values_; }

  private:
    std::size_t place(int from, int to) const { return index(from) * size_ + index(to); }
    std::size_t size_ = 0;
    std::vector<double> values_;
};

/// os(m) and g(m) of parametrised LogP (Kielmann, Bal, Verstoep 2000) for messages of one size.
struct MessageOverheads {
    double bytes;
    PairMatrix send_s;  ///< os(m): how long the sender is busy
    PairMatrix gap_s;   ///< g(m): least time between two messages on the link
};

/// How many messages a host can handle at a time (Gupta & Vadhiyar 2007, section 4).
enum class Ports {
    half_duplex,  ///< one, sent or received
    full_duplex,  ///< one sent and one received
};

/// How the hosts of a network file are found among the ranks of a job.
enum class Placement {
    names,   ///< a rank runs on the host with the name of its processor
    cyclic,  ///< rank r stands for host r mod hosts, wherever it runs
};

/// What is known about the links between hosts. The diagonals belong to messages within a host.
struct Network {
    std::vector<std::string> hosts;
    std::vector<std::string> sites;  ///< their names; empty when the network names none
    std::vector<int> site_of_host;   ///< index into sites; empty when the network names none
    PairMatrix latency_s;
    PairMatrix bandwidth_bytes_per_s;
    /// Of what was measured, half the widths of 95 % intervals; empty where nobody says, negative
    /// for a link of which it is not known.
    PairMatrix latency_uncertainty_s{}, bandwidth_uncertainty_bytes_per_s{};
    std::vector<MessageOverheads> overheads;  ///< by increasing size; empty when not measured
    Ports ports = Ports::full_duplex;
    Placement placement = Placement::names;

    int size() const { return static_cast<int>(hosts.size()); }
    /// L + m / b, equation 1.
    double transfer_s(double bytes, int from, int to) const {
        return latency_s(from, to) + bytes / bandwidth_bytes_per_s(from, to);
    }
    /// os(m) and g(m): between measured sizes on a straight line, which goes on beyond them and
    /// never falls below zero. Not measured, both are m / b: a sender is busy, and a link taken, as
    /// long as the data flow.
    double send_overhead_s(double bytes, int from, int to) const;
    double gap_s(double bytes, int from, int to) const;
};

/// The network between ranks, of which rank r runs on host `host_of_rank[r]`. Ranks of the same
/// host are linked by its diagonal.
Network between_ranks(const Network& network, std::span<const int> host_of_rank);

/// The host of every rank, by the placement of the network. `processors` are the names of the
/// ranks' processors. Throws std::invalid_argument, which lists both sides, when a processor is no
/// host of the network; `origin` names the file.
std::vector<int> place_ranks(const Network& network, std::span<const std::string> processors,
                             const std::string& origin);

/// Reads a network file (analysis/network.schema.json; docs/grid-allgather.md). Matrices are given
/// for hosts, or for sites, whose diagonal then is about the hosts of one site. Throws
/// std::invalid_argument that names `origin`, the key, the pair and the remedy.
Network parse_network(const std::string& text, const std::string& origin);

/// The title alone, empty where there is none. Throws std::invalid_argument for what is no JSON.
std::string network_title(const std::string& text, const std::string& origin);

/// What a file says about itself.
struct Provenance {
    std::string title;
    std::string measured;  ///< when, ISO 8601
    std::string how;
};
/// The text of a file; negative numbers on the diagonals are left open in it.
std::string network_file(const Network& network, const Provenance& provenance);

/// A set of hosts such that the average bandwidth from each of them to the others is at least a
/// threshold (Gupta & Vadhiyar 2007, section 5.1).
struct Pool {
    double threshold_bytes_per_s = 0.0;
    std::vector<int> hosts;   ///< ascending
    std::vector<Pool> pools;  ///< the pools within; empty: the hosts by themselves

    /// The pools within, or else every host as a pool of its own.
    std::vector<std::vector<int>> parts() const;
};

std::vector<int> all_hosts(const Network& network);
/// The bandwidths between different hosts, ascending.
std::vector<double> sorted_bandwidths(const Network& network);
/// Cut into groups whose members are at most 10 % above the first; of each group the maximum.
/// Ascending.
std::vector<double> bandwidth_thresholds(const std::vector<double>& sorted);

/// The root pool, which has all hosts, with all pools within. The threshold of a pool is the
/// highest one that does not split it.
///
/// The paper does not say how a pool is formed. Here a link counts as much as the fastest of its
/// group, so that differences of less than 10 % split nothing; a pool starts with the first host
/// that is left, and takes in the host with the highest average bandwidth to the pool as long as
/// that average, and those of all members, reach the threshold.
Pool make_pool_tree(const Network& network);
/// With its bandwidth_thresholds(), where these are known.
Pool make_pool_tree(const Network& network, std::vector<double> thresholds);

}  // namespace mpiaudit
