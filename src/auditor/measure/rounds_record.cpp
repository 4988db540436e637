// SPDX-License-Identifier: BSD-3-Clause
#include "measure/rounds_record.h"

#include <algorithm>
#include <limits>

#include "judge/statistics.h"

namespace mpiaudit {

namespace {

double fastest_median_s(const Batch& batch, std::size_t contestants) {
    std::vector<std::vector<double>> samples_s(contestants);
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i)
        samples_s[static_cast<std::size_t>(batch.order[i])].push_back(batch.samples_s[i]);
    double fastest_s = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& each : samples_s) {
        if (!each.empty()) fastest_s = std::min(fastest_s, judge::median_interval(each).median);
    }
    return fastest_s;
}

}  // namespace

std::size_t RoundsRecord::add(const Batch& batch, OpenChecks& checks) {
    std::vector<double> by_contestant(samples_s.size(), 0.0);
    late_starts += batch.late_starts;
    dropped_rounds += batch.dropped_rounds;
    if (batch.clock_error_s > share_of_clock_error * fastest_median_s(batch, samples_s.size())) {
        unclear_rounds += static_cast<int>(batch.rounds());
        return 0;
    }
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i) {
        const auto contestant = static_cast<std::size_t>(batch.order[i]);
        by_contestant[contestant] = batch.samples_s[i];
        samples_s[contestant].push_back(batch.samples_s[i]);
        if (!batch.rank_times.empty()) {
            rank_times[contestant].arrivals_s.push_back(batch.rank_times[i].arrivals_s);
            rank_times[contestant].exits_s.push_back(batch.rank_times[i].exits_s);
        }
        if ((i + 1) % batch.active == 0) checks.add_round(by_contestant);
    }
    for (std::size_t round = 0; round < batch.rounds(); ++round) {
        const auto contestants = batch.order_of(round);
        order.emplace_back(contestants.begin(), contestants.end());
    }
    return batch.rounds();
}

}  // namespace mpiaudit
