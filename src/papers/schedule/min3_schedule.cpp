// SPDX-License-Identifier: BSD-3-Clause
// Defines min3_schedule() of broadcast_trees.h.
#include "schedule/broadcast_trees.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "schedule/earliest_first.h"
#include "schedule/replay.h"

namespace mpiaudit {
namespace {

/// The data that one host has and can send. Data are numbered by increasing size.
class Holdings {
  public:
    explicit Holdings(int data) : ready_(data), all_(data) {}

    struct Arrival {
        double time_s;
        int datum;
    };
    void add(int datum, double time_s) {
        all_.add(datum);
        late_.push_back({time_s, datum});
    }
    /// Makes the data ready that have arrived by `time_s`, which never decreases from call to call.
    void make_ready(double time_s) {
        for (; first_late_ < late_.size() && late_[first_late_].time_s <= time_s; ++first_late_)
            ready_.add(late_[first_late_].datum);
    }
    const DataSet& ready() const { return ready_; }
    const DataSet& all() const { return all_; }
    /// Data that are not ready, in the order of arrival: a port receives one message at a time.
    std::span<const Arrival> late() const { return std::span(late_).subspan(first_late_); }

  private:
    DataSet ready_;
    DataSet all_;
    std::vector<Arrival> late_;
    std::size_t first_late_ = 0;
};

/// Options of EarliestFirst: messages between the parts of one pool.
class Min3 {
  public:
    Min3(const Network& network, Ports ports, std::span<const double> bytes)
        : network_{network},
          times_{network, ports},
          datum_(bytes.size()),
          fastest_s_(network.size()),
          held_s_(network.size()),
          received_as_(bytes.size() * bytes.size()),
          part_of_(bytes.size()),
          place_in_part_(bytes.size()) {
        std::iota(datum_.begin(), datum_.end(), 0);
        std::ranges::stable_sort(datum_, {}, [&](int datum) { return bytes[index(datum)]; });
        for (const int datum : datum_) bytes_.push_back(bytes[index(datum)]);
        is_regular_ = !bytes_.empty() && bytes_.front() == bytes_.back();
        holdings_.assign(bytes.size(), Holdings(network.size()));
        for (int number = 0; number < network.size(); ++number)
            holdings_[index(datum_[index(number)])].add(number, 0.0);
        for (int from = 0; from < network.size(); ++from) {
            for (int to = 0; to < network.size(); ++to)
                fastest_s_(from, to) = network.transfer_s(bytes_.front(), from, to);
        }
        schedule_.hosts = network.size();
    }

    void schedule(const Pool& pool) {
        if (pool.hosts.size() < 2) return;
        const std::vector<std::vector<int>> parts = pool.parts();
        begin(pool.hosts, parts);
        EarliestFirst<Min3>(*this, pool.hosts, network_.size()).run();
        for (const Pool& each : pool.pools) schedule(each);
    }
    AllgatherSchedule take() { return std::move(schedule_); }

    Candidate best(int sender) {
        Candidate best;
        const double* fastest_s = fastest_s_.row(sender);
        holdings_[index(sender)].make_ready(times_.send_s(sender));
        const DataSet& held = holdings_[index(sender)].all();
        for (const int receiver : hosts_) {
            if (part_of_[index(receiver)] == part_of_[index(sender)]) continue;
            const double available_s = times_.available_s(sender, receiver);
            const double earliest_s = available_s + fastest_s[receiver];
            if (earliest_s > best.end_s) continue;
            // Receivers come in the order of preference, so only a lower datum could be preferred
            // now.
            if (earliest_s == best.end_s && is_regular_ &&
                !held.has_below(best.datum, held_by_part(receiver)))
                continue;
            const Candidate found = best_datum(sender, receiver, available_s);
            if (!found || found.end_s > best.end_s) continue;
            if (found.end_s < best.end_s || preference(sender, found) < preference(sender, best))
                best = found;
        }
        return best;
    }

    /// The order of the loops of Figures 4 and 5, which keep the first of equal times: datum, part
    /// of the pool, when the source received the datum, place of the destination in its part.
    using Preference = std::tuple<int, std::size_t, std::uint32_t, std::size_t>;
    Preference preference(int sender, const Candidate& sent) const {
        return {datum_[index(sent.datum)], part_of_[index(sent.destination)],
                received_as_[pair(sender, sent.datum)], place_in_part_[index(sent.destination)]};
    }
    Preference lowest_preference(int) const { return {-1, 0, 0, 0}; }

    bool is_unchanged(int sender, const Candidate& candidate) const {
        return !held_by_part(candidate.destination).has(candidate.datum) &&
               end_s(sender, candidate) == candidate.end_s;
    }

    void send(int sender, const Candidate& sent) {
        const PortTimes::Interval interval = times_.send(
            sender, sent.destination, bytes_[index(sent.datum)], held_s_(sender, sent.datum));
        held_s_(sent.destination, sent.datum) = interval.end_s;
        received_as_[pair(sent.destination, sent.datum)] =
            static_cast<std::uint32_t>(schedule_.messages.size() + 1);
        holdings_[index(sent.destination)].add(sent.datum, interval.end_s);
        held_by_part_[part_of_[index(sent.destination)]].add(sent.datum);
        schedule_.add(sender, sent.destination, datum_[index(sent.datum)]);
        schedule_.predicted_s = std::max(schedule_.predicted_s, interval.end_s);
    }

    double fastest_s(int sender) const { return fastest_of_s_[index(sender)]; }

  private:
    void begin(const std::vector<int>& hosts, const std::vector<std::vector<int>>& parts) {
        hosts_.clear();
        for (const std::vector<int>& part : parts)
            hosts_.insert(hosts_.end(), part.begin(), part.end());
        held_by_part_.assign(parts.size(), DataSet(network_.size()));
        for (std::size_t part = 0; part < parts.size(); ++part) {
            std::size_t place = 0;
            for (const int host : parts[part]) {
                part_of_[index(host)] = part;
                place_in_part_[index(host)] = place++;
                held_by_part_[part].add(holdings_[index(host)].all());
            }
        }
        fastest_of_s_.assign(index(network_.size()), 0.0);
        for (const int from : hosts) {
            double least_s = std::numeric_limits<double>::infinity();
            for (const int to : hosts) {
                if (to != from) least_s = std::min(least_s, fastest_s_(from, to));
            }
            fastest_of_s_[index(from)] = least_s;
        }
    }

    /// Returns the datum that arrives first among the data that the receiver's part lacks.
    Candidate best_datum(int sender, int receiver, double available_s) const {
        const Holdings& held = holdings_[index(sender)];
        const DataSet& lacking = held_by_part(receiver);
        Candidate best = best_ready_datum(sender, receiver, available_s);
        for (const Holdings::Arrival& late : held.late()) {
            // All further data arrive too late for the port, and later than the best candidate.
            if (late.time_s > available_s &&
                late.time_s + fastest_s_(sender, receiver) > best.end_s)
                break;
            if (lacking.has(late.datum)) continue;
            const double ends_s = std::max(available_s, late.time_s) +
                                  network_.transfer_s(bytes_[index(late.datum)], sender, receiver);
            if (ends_s < best.end_s ||
                (ends_s == best.end_s && datum_[index(late.datum)] < datum_[index(best.datum)]))
                best = {ends_s, receiver, late.datum};
        }
        return best;
    }

    /// Returns the smallest datum that waits at the sender, or the lowest one if larger ones arrive
    /// at the same time.
    Candidate best_ready_datum(int sender, int receiver, double available_s) const {
        Candidate best;
        const DataSet& ready = holdings_[index(sender)].ready();
        const DataSet& lacking = held_by_part(receiver);
        int datum = ready.first_not_in(lacking);
        while (datum >= 0) {
            const double bytes = bytes_[index(datum)];
            const double end_s = available_s + network_.transfer_s(bytes, sender, receiver);
            if (end_s > best.end_s) break;
            if (!best || datum_[index(datum)] < datum_[index(best.datum)])
                best = {end_s, receiver, datum};
            // The first of equal sizes is the lowest.
            const auto larger = std::ranges::upper_bound(bytes_, bytes);
            if (larger == bytes_.end()) break;
            datum = ready.first_not_in(lacking, static_cast<int>(larger - bytes_.begin()));
        }
        return best;
    }

    double end_s(int sender, const Candidate& candidate) const {
        return std::max(times_.available_s(sender, candidate.destination),
                        held_s_(sender, candidate.datum)) +
               network_.transfer_s(bytes_[index(candidate.datum)], sender, candidate.destination);
    }
    const DataSet& held_by_part(int host) const { return held_by_part_[part_of_[index(host)]]; }

    std::size_t pair(int host, int datum) const {
        return index(host) * datum_.size() + index(datum);
    }

    const Network& network_;
    PortTimes times_;
    std::vector<int> datum_;                  ///< by number; numbers go by size
    std::vector<double> bytes_;               ///< by number
    bool is_regular_ = false;                 ///< all data are of one size
    PairMatrix fastest_s_;                    ///< the smallest datum from host to host
    PairMatrix held_s_;                       ///< when a host has a datum, by number
    std::vector<std::uint32_t> received_as_;  ///< message, from 1, with a datum; 0: own
    std::vector<Holdings> holdings_;
    AllgatherSchedule schedule_;

    // State of the pool that is being scheduled:
    std::vector<int> hosts_;
    std::vector<std::size_t> part_of_, place_in_part_;
    std::vector<DataSet> held_by_part_;
    std::vector<double> fastest_of_s_;  ///< minimum of fastest_s_ from a host
};

}  // namespace

AllgatherSchedule min3_schedule(const Network& network, const Pool& root, Ports ports,
                                std::span<const double> bytes) {
    Min3 min3(network, ports, bytes);
    min3.schedule(root);
    return min3.take();
}

}  // namespace mpiaudit
