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
constexpr int messages = 8;     // in a row, for one sample of the gap
// Twice the bytes that take that much longer show the bandwidth: 20 ms and so many round trips.
constexpr double long_s = 20e-3, long_round_trips = 2.0;
// TCP doubles what is under way with each round trip until that is what the link holds, and the
// library shakes hands from some size on: until both are over, twice the bytes do not take twice as
// much longer.
constexpr double share_of_doubling = 1.5;
constexpr int linear_doublings = 2;

// Numbers that come out as nothing because a clock ticks in larger steps would divide by zero.
constexpr double shortest_s = 1e-9;

/// The samples of one process as a sender.
struct LinkSamples {
    std::vector<double> latency_s;
    std::vector<std::vector<Transfer>> transfers;    ///< by round
    std::vector<std::vector<double>> send_s, gap_s;  ///< by size
    int bandwidth_bytes = 0;                         ///< chosen in the first round
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
                // The lower rank sends first, then they change roles.
                if (rank_ < partner) send_to(partner);
                answer(partner);
                if (rank_ > partner) send_to(partner);
            }
        }
    }

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
    /// What the sender tells the other side to expect: so many messages of a size, each or all
    /// together answered by one byte; no messages: the roles change.
    struct Order {
        int count;
        int bytes;
        int answer_each;
    };

    double now() const { return protocol_.clock.now(); }

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

    /// Seconds until the last answer; `in_send_s` adds up the time within MPI_Send.
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
        // After a pause a connection is slow again.
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

    /// Doubles the message until it takes long enough, and no longer than that: a slow link is not
    /// kept busy for minutes.
    void choose_size(int partner, double round_trip_s, LinkSamples& samples) {
        constexpr int first_bytes = 16 * 1024;
        const auto largest = static_cast<int>(protocol_.largest_bytes);
        const double enough_s = std::max(long_s, long_round_trips * round_trip_s);
        double seconds = round_trip_s, more_s = 0.0;
        int doublings = 0;  // in a row that took about twice as long as the one before
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
    std::vector<LinkSamples> samples_;  ///< by destination
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
    // Process n - 1 of an even number stays, the others turn around it by one place per match.
    // With an odd number whoever meets it has nobody.
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
