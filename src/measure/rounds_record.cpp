// SPDX-License-Identifier: BSD-3-Clause
#include "measure/rounds_record.h"

#include <nlohmann/json.hpp>

#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

/// Rows of samples, columns of ranks.
json rank_times_json(const std::vector<RankTimes>& times) {
    json arrivals_s = json::array(), exits_s = json::array();
    for (const RankTimes& each : times) {
        arrivals_s.push_back(each.arrivals_s);
        exits_s.push_back(each.exits_s);
    }
    return {{"arrivals_s", arrivals_s}, {"exits_s", exits_s}};
}

}  // namespace

void Record::add(const Batch& batch, Referee& referee) {
    std::vector<double> by_contestant(samples_s.size(), 0.0);
    late_starts += batch.late_starts;
    dropped_rounds += batch.dropped_rounds;
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i) {
        const auto contestant = static_cast<std::size_t>(batch.order[i]);
        by_contestant[contestant] = batch.samples_s[i];
        samples_s[contestant].push_back(batch.samples_s[i]);
        if (!batch.rank_times.empty()) rank_times[contestant].push_back(batch.rank_times[i]);
        if ((i + 1) % batch.active == 0) referee.add_round(by_contestant);
    }
    for (std::size_t round = 0; round < batch.rounds(); ++round) {
        const auto contestants = batch.order_of(round);
        order.emplace_back(contestants.begin(), contestants.end());
    }
}

json contestants_json(const PlannedProblem& planned, const Prepared& prepared,
                      const Record& record) {
    json contestants = json::array();
    for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
        const Contestant& each = planned.contestants[i];
        json entry = {{"name", each.name},
                      {"from", name(each.path.from())},
                      {"to", name(each.path.to())},
                      {"steps", each.path.describe()}};
        if (each.path.algorithm() != nullptr) entry["forced"] = true;
        if (each.skipped) entry["skipped"] = *each.skipped;
        if (prepared.refused[i])
            entry["skipped"] = "refused by the MPI library: " + *prepared.refused[i];
        // A simulator's faults are no finding about the library that it imitates.
        if (prepared.wrong[i] && simulation::is_running())
            entry["skipped"] = "wrong on this library: " + *prepared.wrong[i];
        else if (prepared.wrong[i])
            entry["wrong"] = *prepared.wrong[i];
        if (!record.samples_s[i].empty()) entry["samples_s"] = record.samples_s[i];
        if (!record.rank_times[i].empty())
            entry["rank_times"] = rank_times_json(record.rank_times[i]);
        contestants.push_back(std::move(entry));
    }
    return contestants;
}

json problem_json(const Problem& problem) {
    return {{"kind", "problem"},
            {"id", problem.id()},
            {"distribution", problem.distribution},
            {"block_size", problem.block_size},
            {"ranks", problem.ranks()},
            {"root", problem.root},
            {"element", problem.element->name()},
            {"element_bytes", problem.element->data_bytes()},
            {"operator", problem.op->name()},
            {"total", problem.total()},
            {"padded_total", problem.padded_total()},
            {"smallest", problem.smallest()},
            {"largest", problem.largest()},
            {"counts", problem.counts}};
}

json second_json(const Record& record, bool keeps_rank_times) {
    json second = {{"synchronisation", "global"},
                   {"order", record.order},
                   {"stopped", record.stopped},
                   {"samples_s", record.samples_s}};
    for (std::size_t i = 0; keeps_rank_times && i < record.rank_times.size(); ++i)
        second["rank_times"].push_back(rank_times_json(record.rank_times[i]));
    return second;
}

}  // namespace mpiaudit
