// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace mpiaudit {

/// Converts an index (a host, a pool, a datum) for vectors.
inline std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

/// Calls f(from, to) for every ordered pair of different hosts.
void for_each_link(int hosts, const auto& f) {
    for (int from = 0; from < hosts; ++from)
        for (int to = 0; to < hosts; ++to)
            if (from != to) f(from, to);
}

/// One number for every ordered pair of hosts: row = from, column = to.
class PairMatrix {
  public:
    PairMatrix() = default;
    explicit PairMatrix(int size, double value = 0.0)
        : size_{index(size)}, values_(size_ * size_, value) {}

    int size() const { return static_cast<int>(size_); }
    double& operator()(int from, int to) { return values_[place(from, to)]; }
    double operator()(int from, int to) const { return values_[place(from, to)]; }
    /// Returns the numbers of all pairs that start at `from`, indexed by `to`.
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

/// Number of messages that a host can handle at a time (Gupta & Vadhiyar 2007, section 4).
enum class Ports {
    half_duplex,  ///< one, sent or received
    full_duplex,  ///< one sent and one received
};

/// Rule that assigns the ranks of a job to the hosts of a network file.
enum class Placement {
    names,   ///< a rank runs on the host with the name of its processor
    cyclic,  ///< rank r stands for host r mod hosts
};

/// The known properties of the links between hosts. Diagonals are about messages within a host.
struct Network {
    std::vector<std::string> hosts;
    std::vector<std::string> sites;  ///< names; empty if the network has no sites
    std::vector<int> site_of_host;   ///< index into sites; empty if the network has no sites
    PairMatrix latency_s;
    PairMatrix bandwidth_bytes_per_s;
    /// Half the widths of 95 % intervals; empty if unknown, negative for links without one.
    PairMatrix latency_uncertainty_s{}, bandwidth_uncertainty_bytes_per_s{};
    std::vector<MessageOverheads> overheads;  ///< by increasing size; empty if not measured
    Ports ports = Ports::full_duplex;
    Placement placement = Placement::names;

    int size() const { return static_cast<int>(hosts.size()); }
    /// L + m / b, equation 1.
    double transfer_s(double bytes, int from, int to) const {
        return latency_s(from, to) + bytes / bandwidth_bytes_per_s(from, to);
    }
    /// Return os(m) and g(m). Interpolate and extrapolate linearly between measured sizes; the
    /// result is at least 0. Without measurements both are m / b: the sender and the link are busy
    /// while the data flow.
    double send_overhead_s(double bytes, int from, int to) const;
    double gap_s(double bytes, int from, int to) const;
};

/// Returns the network between ranks; rank r runs on host `host_of_rank[r]`. The diagonal of a host
/// links its ranks.
Network between_ranks(const Network& network, std::span<const int> host_of_rank);

/// Returns the host of every rank, by the placement of the network. Throws std::invalid_argument,
/// which lists both sides, if a rank's processor is no host of the network.
/// \param processors names of the ranks' processors
/// \param origin name of the network file
std::vector<int> place_ranks(const Network& network, std::span<const std::string> processors,
                             const std::string& origin);

/// Reads a network file (analysis/network.schema.json; docs/grid-allgather.md). A matrix has a row
/// for each host or for each site. The diagonal of a matrix of sites describes two hosts of one
/// site. Does not read "uncertainty". Throws std::invalid_argument that names `origin`, the key,
/// the pair and the remedy.
Network parse_network(const std::string& text, const std::string& origin);

/// Returns the title of a network file; empty if it has none. Throws std::invalid_argument if the
/// text is no JSON.
std::string network_title(const std::string& text, const std::string& origin);

/// Describes the origin of a network file.
struct Provenance {
    std::string title;
    std::string measured;  ///< date, ISO 8601
    std::string how;
};
/// Returns the text of a network file with one row for each host; leaves out sites. Negative
/// numbers (not measured) become null.
std::string network_file(const Network& network, const Provenance& provenance);

/// A set of hosts in which the average bandwidth from each host to the others is at least the
/// threshold (Gupta & Vadhiyar 2007, section 5.1).
struct Pool {
    double threshold_bytes_per_s = 0.0;
    std::vector<int> hosts;   ///< ascending
    std::vector<Pool> pools;  ///< pools within; empty: single hosts

    /// Returns the hosts of each pool within, or else each host as a part of its own.
    std::vector<std::vector<int>> parts() const;
};

std::vector<int> all_hosts(const Network& network);
/// Returns the bandwidths between different hosts, ascending.
std::vector<double> sorted_bandwidths(const Network& network);
/// Divides sorted bandwidths into groups, whose members are at most 10 % above the first one.
/// Returns the maximum of each group, ascending.
std::vector<double> bandwidth_thresholds(const std::vector<double>& sorted);

/// Returns the root pool, which has all hosts, with all pools within. The threshold of a pool is
/// the highest one that does not split it.
///
/// The paper does not say how a pool is formed. Here a link counts as much as the fastest of its
/// group, so that differences of less than 10 % split nothing. A pool starts with the first host
/// that is left, and takes in the host with the highest average bandwidth to the pool as long as
/// this average, and the averages of all members, reach the threshold.
Pool make_pool_tree(const Network& network);
/// Makes the pool tree from known bandwidth_thresholds().
Pool make_pool_tree(const Network& network, std::vector<double> thresholds);

}  // namespace mpiaudit
