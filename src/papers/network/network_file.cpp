// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_network(), network_title() and network_file() of network.h.
#include "network/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "text/json_text.h"

namespace mpiaudit {
namespace {

using Type = LocatedJson::Type;

constexpr double bytes_per_Mbit = 1e6 / 8;
constexpr double any_number = std::numeric_limits<double>::lowest();

/// A quantity with a matrix in the file.
struct Quantity {
    const char* key;
    double unit;         ///< factor from the file's unit to ours
    double least, most;  ///< valid range in the file's unit: sums of times stay finite
};
constexpr Quantity latency{"latency_s", 1.0, 0.0, 1e9};
constexpr Quantity bandwidth{"bandwidth_Mbit_per_s", bytes_per_Mbit, 1e-9, 1e15};
constexpr Quantity send_overhead{"send_overhead_s", 1.0, 0.0, 1e9};
constexpr Quantity gap{"gap_s", 1.0, 0.0, 1e9};

class Reader {
  public:
    Reader(const LocatedJson& file, const std::string& origin) : file_{file}, origin_{origin} {}

    Network read() {
        if (!file_.is(Type::object)) fail("a network file is a JSON object");
        check_keys(file_,
                   {"title", "source", "measured", "how", "ports", "placement", "hosts", "sites",
                    "latency_s", "bandwidth_Mbit_per_s", "uncertainty", "within_host", "overheads"},
                   origin_);
        read_hosts();
        network_.ports = choice("ports", "full-duplex", "half-duplex") == 0 ? Ports::full_duplex
                                                                            : Ports::half_duplex;
        network_.placement =
            choice("placement", "names", "cyclic") == 0 ? Placement::names : Placement::cyclic;
        network_.latency_s = matrix(file_, latency);
        network_.bandwidth_bytes_per_s = matrix(file_, bandwidth);
        fill_within_host();
        read_overheads();
        return std::move(network_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::invalid_argument(origin_ + ": " + what);
    }

    /// Returns 0 for `standard` or a missing key, 1 for `other`.
    int choice(const char* key, const char* standard, const char* other) const {
        const auto value = file_.find(key);
        if (!value || value->is(standard)) return 0;
        if (!value->is(other))
            fail(fmt::format("\"{}\" is {}; use \"{}\" or \"{}\"", key, value->dump(), standard,
                             other));
        return 1;
    }

    /// Reads the hosts, alone or by sites. Refuses a file with neither or both, without hosts, or
    /// with a host twice.
    void read_hosts() {
        if (file_.contains("hosts") == file_.contains("sites"))
            fail(
                "give either \"hosts\", a list of names, or \"sites\", a list of {\"name\", "
                "\"hosts\"}");
        if (file_.contains("hosts"))
            add_hosts(file_.at("hosts"), "hosts");
        else
            read_sites();
        if (network_.hosts.empty()) fail("there is no host");
        std::set<std::string> known;
        for (const std::string& host : network_.hosts) {
            if (!known.insert(host).second)
                fail(fmt::format("the host '{}' is listed twice; host names are unique", host));
        }
    }

    /// Reads the sites with their hosts, and notes the site of every host.
    void read_sites() {
        const LocatedJson sites = file_.at("sites");
        if (!sites.is(Type::array)) fail("\"sites\" is not a list");
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const LocatedJson site = sites.element(i);
            if (!site.is(Type::object) || !site.contains("name") ||
                !site.at("name").is(Type::text) || !site.contains("hosts"))
                fail("a site is {\"name\": \"...\", \"hosts\": [\"...\", ...]}");
            check_keys(site, {"name", "hosts"}, origin_ + ": sites");
            network_.sites.push_back(site.at("name").text());
            add_hosts(site.at("hosts"), "hosts of the site " + network_.sites.back());
            network_.site_of_host.resize(network_.hosts.size(),
                                         static_cast<int>(network_.sites.size()) - 1);
        }
    }

    /// Appends a list of names to the hosts. `where` names the list in messages. Does not look for
    /// duplicates.
    void add_hosts(const LocatedJson& names, const std::string& where) {
        if (!names.is(Type::array)) fail(fmt::format("{}: not a list of names", where));
        for (std::size_t i = 0; i < names.size(); ++i) {
            const LocatedJson name = names.element(i);
            if (!name.is(Type::text)) fail(fmt::format("{}: {} is not a name", where, name.dump()));
            network_.hosts.push_back(name.text());
        }
    }

    /// Reads a matrix of hosts; expands a matrix of sites. Missing diagonal entries become -1.
    PairMatrix matrix(const LocatedJson& from, const Quantity& quantity) const {
        const auto rows = from.find(quantity.key);
        if (!rows || !rows->is(Type::array))
            fail(fmt::format("\"{}\" is missing; it is a matrix, a list of one row for each sender",
                             quantity.key));
        const std::size_t hosts = network_.hosts.size();
        const bool is_of_sites = !network_.sites.empty() && rows->size() != hosts &&
                                 rows->size() == network_.sites.size();
        if (rows->size() != hosts && !is_of_sites)
            fail(fmt::format(
                "\"{}\" has {} rows for {} hosts{}; pairs are missing", quantity.key, rows->size(),
                hosts,
                network_.sites.empty() ? "" : fmt::format(" in {} sites", network_.sites.size())));
        PairMatrix made(network_.size());
        for (int source = 0; source < network_.size(); ++source) {
            for (int destination = 0; destination < network_.size(); ++destination) {
                const int row = is_of_sites ? site_of(source) : source;
                const int column = is_of_sites ? site_of(destination) : destination;
                // The diagonal of a matrix of sites is about different hosts.
                made(source, destination) =
                    is_of_sites && source == destination
                        ? -1.0
                        : entry(*rows, row, column, quantity, source, destination);
            }
        }
        return made;
    }

    int site_of(int host) const { return network_.site_of_host[index(host)]; }

    /// Returns an entry in our unit; -1 for a missing entry of the diagonal.
    double entry(const LocatedJson& rows, int row, int column, const Quantity& quantity, int source,
                 int destination) const {
        const LocatedJson numbers = rows.element(index(row));
        const auto place = index(column);
        const bool is_there = numbers.is(Type::array) && place < numbers.size() &&
                              !numbers.element(place).is(Type::null);
        if (!is_there && source == destination) return -1.0;
        const std::string pair = fmt::format(
            "\"{}\" from {} to {} (row {}, column {})", quantity.key, network_.hosts[index(source)],
            network_.hosts[index(destination)], row + 1, column + 1);
        if (!is_there) fail(pair + " is missing; every ordered pair of hosts needs a number");
        return positive(numbers.element(place), quantity, pair);
    }

    /// Returns the number in our unit. Fails if the number is outside of the quantity's range; the
    /// range may contain 0.
    double positive(const LocatedJson& number, const Quantity& quantity,
                    const std::string& what) const {
        const double value = number.is_number() ? number.number(any_number) : -1.0;
        if (value < quantity.least || value > quantity.most)
            fail(fmt::format("{} is {}; give a number from {:g} to {:g}", what, number.dump(),
                             quantity.least, quantity.most));
        return value * quantity.unit;
    }

    /// Sets the links within hosts that the file leaves out: to "within_host", or else to the least
    /// latency and the highest bandwidth between hosts.
    void fill_within_host() {
        double least_s = std::numeric_limits<double>::infinity();
        double highest = 0.0;
        for_each_link(network_.size(), [&](int from, int to) {
            least_s = std::min(least_s, network_.latency_s(from, to));
            highest = std::max(highest, network_.bandwidth_bytes_per_s(from, to));
        });
        // A file with a single host need not say anything about links.
        if (network_.size() == 1) least_s = 0.0, highest = 1.0;
        if (const auto within = file_.find("within_host")) {
            check_keys(*within, {latency.key, bandwidth.key}, origin_ + ": within_host");
            const std::string what = "\"within_host\": ";
            if (const auto given = within->find(latency.key))
                least_s = positive(*given, latency, what + latency.key);
            if (const auto given = within->find(bandwidth.key))
                highest = positive(*given, bandwidth, what + bandwidth.key);
        }
        for (int host = 0; host < network_.size(); ++host) {
            if (network_.latency_s(host, host) < 0.0) network_.latency_s(host, host) = least_s;
            if (network_.bandwidth_bytes_per_s(host, host) < 0.0)
                network_.bandwidth_bytes_per_s(host, host) = highest;
        }
    }

    /// Reads the overheads and sorts them by bytes. Entries of the diagonal that are left out
    /// become 0.
    void read_overheads() {
        const auto overheads = file_.find("overheads");
        if (!overheads) return;
        if (!overheads->is(Type::array)) fail("\"overheads\" is not a list");
        for (std::size_t i = 0; i < overheads->size(); ++i) {
            const LocatedJson each = overheads->element(i);
            if (!each.is(Type::object) || !each.contains("bytes") ||
                !each.at("bytes").is_number() || each.at("bytes").number(any_number) < 0.0)
                fail(
                    "overheads: \"bytes\" is missing or no size; an entry has \"bytes\", "
                    "\"send_overhead_s\" and \"gap_s\"");
            check_keys(each, {"bytes", send_overhead.key, gap.key}, origin_ + ": overheads");
            MessageOverheads made{each.at("bytes").number(0), matrix(each, send_overhead),
                                  matrix(each, gap)};
            for (int host = 0; host < network_.size(); ++host) {
                made.send_s(host, host) = std::max(0.0, made.send_s(host, host));
                made.gap_s(host, host) = std::max(0.0, made.gap_s(host, host));
            }
            network_.overheads.push_back(std::move(made));
        }
        std::ranges::sort(network_.overheads, {}, &MessageOverheads::bytes);
        const auto twin =
            std::ranges::adjacent_find(network_.overheads, {}, &MessageOverheads::bytes);
        if (twin != network_.overheads.end())
            fail(fmt::format("overheads: {} bytes are listed twice", twin->bytes));
    }

    const LocatedJson file_;
    const std::string& origin_;
    Network network_;
};

/// Returns a JSON list of the lines, each of which is JSON.
std::string list_of(const std::vector<std::string>& lines) {
    return fmt::format("[\n        {}\n    ]", fmt::join(lines, ",\n        "));
}

/// Returns one JSON list for each row of the matrix, in this unit.
std::vector<std::string> rows_of(const PairMatrix& matrix, double unit) {
    std::vector<std::string> rows;
    for (int from = 0; from < matrix.size(); ++from) {
        std::vector<std::string> row;
        for (int to = 0; to < matrix.size(); ++to) {
            // Unmeasured entries of the diagonal are null. Measurements have at most six digits.
            const double value = matrix(from, to);
            row.push_back(value < 0.0 ? "null" : fmt::format("{:.6g}", value / unit));
        }
        rows.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
    }
    return rows;
}

std::string overheads_line(const MessageOverheads& overheads) {
    return fmt::format(R"({{"bytes": {}, "{}": [{}], "{}": [{}]}})", overheads.bytes,
                       send_overhead.key, fmt::join(rows_of(overheads.send_s, 1.0), ", "), gap.key,
                       fmt::join(rows_of(overheads.gap_s, 1.0), ", "));
}

}  // namespace

Network parse_network(const std::string& text, const std::string& origin) {
    const JsonDocument document(text, origin);
    return Reader(document.root(), origin).read();
}

std::string network_title(const std::string& text, const std::string& origin) {
    const JsonDocument document(text, origin);
    const LocatedJson file = document.root();
    const auto title = file.is(Type::object) ? file.find("title") : std::nullopt;
    return title && title->is(Type::text) ? title->text() : "";
}

std::string network_file(const Network& network, const Provenance& provenance) {
    std::vector<std::string> hosts, overheads;
    for (const std::string& host : network.hosts) hosts.push_back(json_quoted(host));
    for (const MessageOverheads& each : network.overheads)
        overheads.push_back(overheads_line(each));
    std::vector<std::string> members = {
        fmt::format("\"title\": {}", json_quoted(provenance.title)),
        fmt::format("\"measured\": {}", json_quoted(provenance.measured)),
        fmt::format("\"how\": {}", json_quoted(provenance.how)),
        fmt::format("\"ports\": \"{}\"",
                    network.ports == Ports::full_duplex ? "full-duplex" : "half-duplex"),
        fmt::format("\"placement\": \"{}\"",
                    network.placement == Placement::names ? "names" : "cyclic"),
        fmt::format("\"hosts\": {}", list_of(hosts)),
        fmt::format("\"{}\": {}", latency.key, list_of(rows_of(network.latency_s, latency.unit))),
        fmt::format("\"{}\": {}", bandwidth.key,
                    list_of(rows_of(network.bandwidth_bytes_per_s, bandwidth.unit)))};
    if (network.bandwidth_uncertainty_bytes_per_s.size() > 0)
        members.push_back(fmt::format(
            "\"uncertainty\": {{\n        \"{}\": [{}],\n        \"{}\": [{}]}}", latency.key,
            fmt::join(rows_of(network.latency_uncertainty_s, latency.unit), ", "), bandwidth.key,
            fmt::join(rows_of(network.bandwidth_uncertainty_bytes_per_s, bandwidth.unit), ", ")));
    if (!overheads.empty()) members.push_back(fmt::format("\"overheads\": {}", list_of(overheads)));
    return fmt::format("{{\n    {}\n}}\n", fmt::join(members, ",\n    "));
}

}  // namespace mpiaudit
