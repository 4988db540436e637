// SPDX-License-Identifier: BSD-3-Clause
#include "report/tails.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "judge/tails.h"
#include "record/tails.h"

namespace mpiaudit {
namespace {

/// An operation, with or without a pause before its calls.
struct TailKey {
    bool after_pause;
    std::string contestant;
    auto operator<=>(const TailKey&) const = default;
};

/// The rounds of an operation beside other ways in all launches.
struct RoundsOfTail {
    std::vector<std::vector<judge::LongCalls>> launches;
    std::map<std::string, int> others;  ///< judged rounds beside each other way

    RoundsOfTail(std::size_t number) : launches(number) {}
    void add(std::size_t launch, const std::string& other, judge::LongCalls calls) {
        if (calls.rounds == 0) return;
        others[other] += calls.rounds;
        launches[launch].push_back(std::move(calls));
    }
};

using AllTails = std::map<TailKey, RoundsOfTail>;

void add_rounds(const record::ProblemRecord& problem, std::size_t launch, std::size_t launches,
                AllTails& tails) {
    const auto add = [&](std::size_t left, std::size_t right, bool after_pause,
                         judge::LongCalls calls) {
        const TailKey key{after_pause, problem.contestants[left].name};
        tails.try_emplace(key, launches)
            .first->second.add(launch, problem.contestants[right].name, std::move(calls));
    };
    for (const auto& [left, right] : record::tail_pairs(problem, judge::rounds_of_usual))
        add(left, right, false,
            judge::long_calls_behind_first(problem.contestants[left].samples_s,
                                           problem.contestants[right].samples_s));
    for (const record::TailRecord& each : problem.tails)
        add(each.left, each.right, each.after_pause, each.calls);
}

/// Returns the usual time where most long calls were seen, in seconds.
double usual_s(const RoundsOfTail& rounds) {
    std::size_t most = 0;
    double usual_s = 0.0;
    for (const std::vector<judge::LongCalls>& launch : rounds.launches) {
        for (const judge::LongCalls& each : launch) {
            if (each.left_long_s.size() <= most) continue;
            most = each.left_long_s.size();
            usual_s = each.usual.left_s;
        }
    }
    return usual_s;
}

Tail tail_of(const TailKey& key, const RoundsOfTail& rounds, const judge::TailJudgement& judged) {
    const auto most =
        std::ranges::max_element(rounds.others, {}, [](const auto& each) { return each.second; });
    return {.operation = WayName(key.contestant).way().operations(),
            .contestant = key.contestant,
            .after_pause = key.after_pause,
            .calls = judged.calls,
            .long_calls = judged.long_calls,
            .other_long_calls = judged.other_long_calls,
            .usual_s = usual_s(rounds),
            .long_s = judged.long_s,
            .share = judged.share,
            .log_e = judged.log_e,
            .beside = WayName(most->first).way().operations()};
}

}  // namespace

std::vector<Tail> tails_of(std::span<const record::Audit> launches, const judge::Rule& rule) {
    std::vector<Tail> found;
    if (rule.criterion != judge::Criterion::evidence || rule.deterministic || !rule.is_paired)
        return found;
    AllTails tails;
    for (std::size_t i = 0; i < launches.size(); ++i)
        for (const record::ProblemRecord& problem : launches[i].problems)
            add_rounds(problem, i, launches.size(), tails);
    for (const auto& [key, rounds] : tails) {
        const judge::TailJudgement judged = judge::judge_tail(rounds.launches);
        if (judged.is_found(rule.checks, rule.alpha)) found.push_back(tail_of(key, rounds, judged));
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, &Tail::share);
    return found;
}

}  // namespace mpiaudit
