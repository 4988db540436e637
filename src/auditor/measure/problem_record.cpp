// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of problem_rounds.h that fill the record.
#include "measure/problem_rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "judge/statistics.h"
#include "problem/workspace.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

/// Returns the median of the fastest contestant of the batch, in seconds; infinity without samples.
double fastest_median_s(const Batch& batch, std::size_t contestants) {
    std::vector<std::vector<double>> samples_s(contestants);
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i)
        samples_s[static_cast<std::size_t>(batch.order[i])].push_back(batch.samples_s[i]);
    double fastest_s = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& each : samples_s) {
        if (!each.empty()) fastest_s = std::min(fastest_s, judge::median(each));
    }
    return fastest_s;
}

record::ProblemDescription description_of(const PlannedProblem& planned) {
    const Problem& problem = planned.problem();
    return {.id = problem.id(),
            .distribution = problem.distribution,
            .block_size = problem.block_size,
            .ranks = problem.ranks(),
            .root = problem.root,
            .element = std::string(problem.element->name()),
            .element_bytes = static_cast<std::int64_t>(problem.element->data_bytes()),
            .op = std::string(problem.op->name()),
            .total = problem.total(),
            .padded_total = problem.padded_total(),
            .smallest = problem.smallest(),
            .largest = problem.largest(),
            .chosen = planned.is_chosen,
            .next_block_size =
                planned.next > 0 ? std::optional<std::int64_t>(planned.next) : std::nullopt};
}

/// Returns words to append to the name of the target: what the first call of the path does besides
/// moving the data; "" if nothing. Only paths with equal effects are compared with each other.
std::string_view side_effect_words(const Path& path) {
    const Arrow& arrow = *path.steps.front().arrow;
    if (arrow.to == Holding::grouped && !arrow.form.has_no_brackets())
        return ", but for the communicator";
    return arrow.called_as != nullptr ? arrow.called_as->besides : "";
}

record::Contestant unmeasured(const Contestant& planned) {
    record::Contestant contestant;
    contestant.name = planned.name;
    contestant.from = name(planned.path.from());
    contestant.to = name(planned.path.to()) + std::string(side_effect_words(planned.path));
    for (const PathStep& step : planned.path.steps)
        contestant.steps.emplace_back(std::string(step.arrow->name), name(step.source()),
                                      name(step.target()));
    contestant.forced = planned.path.algorithm() != nullptr;
    contestant.skipped = planned.skipped;
    contestant.known_to_fail = planned.known_to_fail;
    return contestant;
}

/// Removes the contestant from every round, and then the empty rounds.
void withdraw(int contestant, std::vector<std::vector<int>>& order) {
    for (std::vector<int>& round : order) std::erase(round, contestant);
    std::erase_if(order, [](const std::vector<int>& round) { return round.empty(); });
}

/// Removes the samples of a contestant whose result turned out to be wrong.
void withdraw_samples(std::size_t contestant, record::ProblemRecord& record) {
    record.contestants[contestant].samples_s.clear();
    record.contestants[contestant].ranks.reset();
    withdraw(static_cast<int>(contestant), record.order);
    std::erase_if(record.tails, [&](const record::TailRecord& each) {
        return each.left == contestant || each.right == contestant;
    });
    if (!record.young_heap) return;
    record.young_heap->samples_s[contestant].clear();
    withdraw(static_cast<int>(contestant), record.young_heap->order);
}

}  // namespace

std::size_t RoundsRecord::add(const Batch& batch, OpenChecks& checks) {
    std::vector<double> by_contestant(samples_s.size(), 0.0);
    window.late_starts += batch.late_starts;
    window.dropped_rounds += batch.dropped_rounds;
    if (batch.clock_error_s > share_of_clock_error * fastest_median_s(batch, samples_s.size())) {
        window.unclear_rounds += static_cast<int>(batch.rounds());
        return 0;
    }
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i) {
        const auto contestant = static_cast<std::size_t>(batch.order[i]);
        by_contestant[contestant] = batch.samples_s[i];
        samples_s[contestant].push_back(batch.samples_s[i]);
        const bool is_repeat = batch.repeats[i / batch.active] != 0;
        if ((i + 1) % batch.active == 0) checks.add_round(by_contestant, is_repeat);
    }
    checks.end_batch();
    for (std::size_t round = 0; round < batch.rounds(); ++round) {
        std::vector<int>& ran = order.emplace_back();
        for (const int contestant : batch.order_of(round))
            ran.insert(ran.end(), batch.repeats[round] != 0 ? 2 : 1, contestant);
    }
    return batch.rounds();
}

record::ProblemRecord unmeasured(const PlannedProblem& planned,
                                 const std::vector<Guideline>& guidelines) {
    record::ProblemRecord record;
    record.problem = description_of(planned);
    record.counts = planned.problem().counts;
    for (const Contestant& each : planned.contestants)
        record.contestants.push_back(unmeasured(each));
    for (const PlannedCheck& check : planned.checks)
        record.checks.push_back({guidelines[check.guideline].id, check.left, check.right});
    return record;
}

void add_findings(const Prepared& prepared, record::ProblemRecord& record) {
    for (std::size_t i = 0; i < record.contestants.size(); ++i) {
        record::Contestant& contestant = record.contestants[i];
        if (const auto& growth = prepared.growth[i]) {
            const auto known = [](double bytes) {
                return bytes > 0.0 ? std::optional(std::round(bytes)) : std::nullopt;
            };
            contestant.first_call_bytes = known(growth->first_bytes);
            contestant.further_call_bytes = known(growth->further_bytes);
            contestant.lost_bytes = known(growth->lost_bytes);
            contestant.loss_unknown = growth->is_loss_unknown;
            contestant.call_bytes = known(growth->call_bytes);
        }
        if (prepared.late[i]) contestant.skipped = Reason{ReasonKind::no_time};
        if (prepared.left_out[i]) contestant.skipped = prepared.left_out[i];
        if (!prepared.wrong[i]) continue;
        withdraw_samples(i, record);
        if (platform().wrong_results_count)
            contestant.wrong = prepared.wrong[i];
        else
            contestant.skipped = Reason{ReasonKind::fails_in_simulation, prepared.wrong[i]->text};
    }
}

void add_rounds(RoundsRecord rounds, bool settles, record::ProblemRecord& record) {
    for (std::size_t i = 0; i < record.contestants.size(); ++i) {
        record.contestants[i].samples_s = std::move(rounds.samples_s[i]);
        if (!rounds.ranks.empty()) record.contestants[i].ranks = rounds.ranks[i];
        if (rounds.late[i]) record.contestants[i].skipped = Reason{ReasonKind::no_time};
    }
    record.order = std::move(rounds.order);
    record.stopped = rounds.stopped;
    record.warm_up = {.rounds = rounds.warm_up.rounds, .settled = {}};
    if (settles) record.warm_up.settled = rounds.warm_up.has_settled;
}

}  // namespace mpiaudit
