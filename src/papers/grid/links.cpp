// SPDX-License-Identifier: BSD-3-Clause
#include "grid/links.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "collectives/barrier/barrier.h"
#include "collectives/gather/gather.h"
#include "judge/statistics.h"
#include "timing/rounds.h"

namespace mpiaudit {
namespace {

constexpr int tag = 0;
constexpr int round_trips = 8;  // of one byte, for one sample of the latency
constexpr int messages = 8;     // sent in a row, for one sample of the gap
// Least additional time of a message of twice the bytes for a sample of the bandwidth: in seconds,
// and in round trips.
constexpr double long_s = 20e-3, long_round_trips = 2.0;
// TCP doubles the bytes on their way with each round trip until the link is full, and the library
// shakes hands from some size on. Until both have ended, twice the bytes do not take twice the
// additional time: at least this share of it, for this many doublings in a row.
constexpr double share_of_doubling = 1.5;
constexpr int linear_doublings = 2;

// Shortest time in seconds: coarse clocks measure 0, by which nothing can be divided.
constexpr double shortest_s = 1e-9;

/// The samples of one process as a sender.
struct LinkSamples {
    std::vector<double> latency_s;
    std::vector<std::vector<Transfer>> transfers;    ///< of each round
    std::vector<std::vector<double>> send_s, gap_s;  ///< of each size
    int bandwidth_bytes = 0;                         ///< chosen in the first round; 0: not yet
};

class LinkMeasurement {
  public:
    LinkMeasurement(MPI_Comm comm, const LinkProtocol& protocol)
        : comm_{comm}, protocol_{protocol} {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &size_);
        samples_.resize(index(size_));
        double most = protocol.largest_bytes;
        for (const double bytes : protocol.sizes_bytes) most = std::max(most, bytes);
        buffer_.resize(static_cast<std::size_t>(most) + 1);
    }

    void run() {
        std::vector<int> matches(static_cast<std::size_t>(matches_of(size_)));
        std::iota(matches.begin(), matches.end(), 0);
        for (int round = 0; round < protocol_.rounds; ++round) {
            for (const int match : round_order(matches, protocol_.seed, round)) {
                dissemination_Barrier(comm_);
                const int partner = partner_in_match(rank_, match, size_);
                if (partner < 0) continue;
                // The lower rank sends first, then the ranks change roles.
                if (rank_ < partner) send_to(partner);
                answer(partner);
                if (rank_ > partner) send_to(partner);
            }
        }
    }

    /// Returns the medians and uncertainties of all links on rank 0. Collective over the
    /// communicator.
    Network gathered() {
        Network network;
        network.latency_s = gather([](const LinkSamples& each) { return median(each.latency_s); });
        network.latency_uncertainty_s =
            gather([](const LinkSamples& each) { return half_width(each.latency_s); });
        network.bandwidth_bytes_per_s =
            gather([](const LinkSamples& each) { return rate_of(each.transfers).bytes_per_s; });
        network.bandwidth_uncertainty_bytes_per_s = gather([](const LinkSamples& each) {
            return rate_of(each.transfers).uncertainty_bytes_per_s;
        });
        for (std::size_t i = 0; i < protocol_.sizes_bytes.size(); ++i)
            network.overheads.push_back(
                {protocol_.sizes_bytes[i],
                 gather([&](const LinkSamples& each) { return median(each.send_s[i]); }),
                 gather([&](const LinkSamples& each) { return median(each.gap_s[i]); })});
        return network;
    }

  private:
    /// Announces messages to the receiver, which answers by one byte: after each message, or after
    /// all. No messages: the ranks change roles.
    struct Order {
        int count;
        int bytes;
        int answer_each;
    };

    double now() const { return protocol_.clock.now(); }

    /// Receives messages as the partner orders, and answers, until an order has no messages.
    void answer(int partner) {
        for (;;) {
            Order order{};
            MPI_Recv(&order, 3, MPI_INT, partner, tag, comm_, MPI_STATUS_IGNORE);
            if (order.count == 0) return;
            for (int i = 0; i < order.count; ++i) {
                MPI_Recv(buffer_.data(), order.bytes, MPI_CHAR, partner, tag, comm_,
                         MPI_STATUS_IGNORE);
                if (order.answer_each || i + 1 == order.count)
                    MPI_Send(buffer_.data(), 1, MPI_CHAR, partner, tag, comm_);
            }
        }
    }

    void wait_for_answer(int partner) {
        char byte = 0;
        MPI_Recv(&byte, 1, MPI_CHAR, partner, tag, comm_, MPI_STATUS_IGNORE);
    }

    /// Returns the seconds until the last answer; adds the time within MPI_Send to `in_send_s`.
    double timed(int partner, Order order, double* in_send_s = nullptr) {
        MPI_Send(&order, 3, MPI_INT, partner, tag, comm_);
        const double start_s = now();
        for (int i = 0; i < order.count; ++i) {
            const double before_s = now();
            MPI_Send(buffer_.data(), order.bytes, MPI_CHAR, partner, tag, comm_);
            if (in_send_s != nullptr) *in_send_s += now() - before_s;
            if (order.answer_each) wait_for_answer(partner);
        }
        if (!order.answer_each) wait_for_answer(partner);
        return now() - start_s;
    }

    void send_to(int partner) {
        LinkSamples& samples = samples_[index(partner)];
        const double round_trip_s = timed(partner, {round_trips, 1, 1}) / round_trips;
        samples.latency_s.push_back(round_trip_s / 2);
        if (samples.bandwidth_bytes == 0) choose_size(partner, round_trip_s, samples);
        // A connection is slow again after a pause.
        timed(partner, {1, samples.bandwidth_bytes, 0});
        std::vector<Transfer>& transfers = samples.transfers.emplace_back();
        for (const int quarters : {4, 1, 3, 2}) {
            const int bytes = std::max(1, samples.bandwidth_bytes / 4 * quarters);
            transfers.push_back({static_cast<double>(bytes), timed(partner, {1, bytes, 0})});
        }
        samples.send_s.resize(protocol_.sizes_bytes.size());
        samples.gap_s.resize(protocol_.sizes_bytes.size());
        for (std::size_t i = 0; i < protocol_.sizes_bytes.size(); ++i) {
            const auto bytes = static_cast<int>(protocol_.sizes_bytes[i]);
            double in_send_s = 0.0;
            timed(partner, {messages, bytes, 1}, &in_send_s);
            samples.send_s[i].push_back(in_send_s / messages);
            const double row_s = timed(partner, {messages, bytes, 0}) - round_trip_s;
            samples.gap_s[i].push_back(std::max(row_s, 0.0) / messages);
        }
        const Order no_more{};
        MPI_Send(&no_more, 3, MPI_INT, partner, tag, comm_);
    }

    /// Doubles the message size until a message takes long enough; stops then, so that a slow link
    /// is not busy for minutes.
    void choose_size(int partner, double round_trip_s, LinkSamples& samples) {
        constexpr int first_bytes = 16 * 1024;
        const auto largest = static_cast<int>(protocol_.largest_bytes);
        const double enough_s = std::max(long_s, long_round_trips * round_trip_s);
        double seconds = round_trip_s, more_s = 0.0;
        int doublings = 0;  // in a row that took about twice the additional time
        int bytes = std::min(first_bytes, largest);
        for (;;) {
            const double before_s = std::exchange(seconds, timed(partner, {1, bytes, 0}));
            const double more_before_s = std::exchange(more_s, seconds - before_s);
            doublings = more_s > share_of_doubling * more_before_s ? doublings + 1 : 0;
            const bool is_linear = doublings >= linear_doublings && more_s >= enough_s;
            if (bytes >= largest || is_linear) break;
            bytes = bytes > largest / 2 ? largest : 2 * bytes;
        }
        samples.bandwidth_bytes = bytes;
    }

    static double median(const std::vector<double>& samples) {
        return judge::median_interval(samples).median;
    }
    static double half_width(const std::vector<double>& samples) {
        const judge::MedianInterval interval = judge::median_interval(samples);
        return (interval.high - interval.low) / 2;
    }

    template <class Which>
    PairMatrix gather(Which which) const {
        std::vector<double> row(index(size_), -1.0);
        for (int other = 0; other < size_; ++other) {
            if (other == rank_) continue;
            row[index(other)] = which(samples_[index(other)]);
        }
        std::vector<double> all(rank_ == 0 ? row.size() * row.size() : 0);
        binomial_Gather(row.data(), size_, MPI_DOUBLE, all.data(), size_, MPI_DOUBLE, 0, comm_);
        PairMatrix matrix(rank_ == 0 ? size_ : 0);
        for (int from = 0; from < matrix.size(); ++from) {
            for (int to = 0; to < size_; ++to)
                matrix(from, to) = all[index(from) * row.size() + index(to)];
        }
        return matrix;
    }

    MPI_Comm comm_;
    const LinkProtocol& protocol_;
    int rank_ = 0;
    int size_ = 1;
    std::vector<LinkSamples> samples_;  ///< of each destination
    std::vector<char> buffer_;
};

}  // namespace

Rate rate_of(std::span<const std::vector<Transfer>> rounds) {
    std::vector<double> slopes, largest_s;
    double largest_bytes = 0.0;
    for (const std::vector<Transfer>& round : rounds) {
        double bytes = 0.0, seconds = 0.0, squares = 0.0, products = 0.0;
        for (const Transfer& each : round) {
            bytes += each.bytes / static_cast<double>(round.size());
            seconds += each.seconds / static_cast<double>(round.size());
        }
        for (const Transfer& each : round) {
            squares += (each.bytes - bytes) * (each.bytes - bytes);
            products += (each.bytes - bytes) * (each.seconds - seconds);
        }
        slopes.push_back(squares > 0.0 ? products / squares : 0.0);
        const Transfer& largest = std::ranges::max(round, {}, &Transfer::bytes);
        largest_bytes = largest.bytes;
        largest_s.push_back(largest.seconds);
    }
    const judge::MedianInterval slope = judge::median_interval(slopes);
    if (slope.low <= 0.0)
        return {largest_bytes / std::max(judge::median_interval(largest_s).median, shortest_s),
                -1.0};
    const double rate = 1.0 / slope.median;
    return {rate, rate * (slope.high - slope.low) / 2 / slope.median};
}

int matches_of(int processes) {
    return processes < 2 ? 0 : processes + processes % 2 - 1;
}

int partner_in_match(int process, int match, int processes) {
    // The last process of an even number stays, and the others turn around it by one place per
    // match. With an odd number, the partner of the missing process pauses.
    const int turning = matches_of(processes);
    if (process == turning) return match * (turning + 1) / 2 % turning;
    const int partner = (match - process + turning) % turning;
    if (partner != process) return partner;
    return turning < processes ? turning : -1;
}

Network measure_links(MPI_Comm comm, const LinkProtocol& protocol) {
    LinkMeasurement measurement(comm, protocol);
    measurement.run();
    return measurement.gathered();
}

}  // namespace mpiaudit
