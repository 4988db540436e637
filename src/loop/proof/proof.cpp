// SPDX-License-Identifier: BSD-3-Clause
#include "proof/proof.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "text/exit_code.h"
#include "text/json_text.h"

namespace mpiaudit::proof {
namespace {

using judge::Verdict;

constexpr double interval_confidence = 0.95;

judge::Rule rule_with(double tolerance, double alpha) {
    judge::Rule rule;
    rule.tolerance = tolerance;
    rule.alpha = alpha;
    // Two times are judged, and each of them can show that the settings help.
    rule.checks = 2;
    return rule;
}

}  // namespace

Question::Question(std::string_view what, double Run::*time, const judge::Rule& rule,
                   std::uint64_t seed)
    : what_(what), time_(time), process_(rule, seed) {}

void Question::add(const Run& base, const Run& repaired) {
    base_s_.push_back(base.*time_);
    repaired_s_.push_back(repaired.*time_);
    process_.add(base.*time_, repaired.*time_);
}

double Question::median_base_s() const {
    return judge::median(base_s_);
}

double Question::median_repaired_s() const {
    return judge::median(repaired_s_);
}

judge::MedianInterval Question::ratio() const {
    return judge::median_interval(judge::ratios_of_rounds(base_s_, repaired_s_),
                                  interval_confidence);
}

bool Question::is_slower() const {
    // The interval of few pairs does not reach the wanted confidence.
    const judge::MedianInterval interval = ratio();
    return interval.coverage >= interval_confidence && interval.high < 1;
}

Proof::Proof(double tolerance, double alpha, std::uint64_t seed)
    : questions_{Question("collectives", &Run::collective_s, rule_with(tolerance, alpha), seed),
                 Question("wall", &Run::wall_s, rule_with(tolerance, alpha), seed + 1)} {}

void Proof::add(const Run& base, const Run& repaired) {
    ++pairs_;
    for (Question& each : questions_) each.add(base, repaired);
}

bool Proof::is_settled(int last) const {
    return std::ranges::all_of(questions_, [last](const Question& each) {
        return each.verdict() != Verdict::undecided || !each.has_prospects(last);
    });
}

bool Proof::is_faster() const {
    return std::ranges::any_of(
        questions_, [](const Question& each) { return each.verdict() == Verdict::violated; });
}

bool Proof::is_slower() const {
    return !is_faster() && std::ranges::any_of(questions_, &Question::is_slower);
}

std::string in_words(const Question& question, double tolerance) {
    const judge::MedianInterval ratio = question.ratio();
    std::string answer = "not shown to be faster";
    if (question.verdict() == Verdict::violated)
        answer = "faster";
    else if (question.is_slower())
        answer = "slower";
    else if (question.verdict() == Verdict::holds)
        answer = fmt::format("not faster by more than {:g} %", 100 * tolerance);
    // The ratio is the median over pairs; the quotient of the two medians may differ from it.
    return fmt::format(
        "{:<12} {:.4g} s without, {:.4g} s with (medians)\n"
        "{:<12} in pairs {:.2f} times as fast ({:.2f} to {:.2f}): {}",
        question.what(), question.median_base_s(), question.median_repaired_s(), "", ratio.median,
        ratio.low, ratio.high, answer);
}

Run run_of(const application::Recording& recording) {
    double sum_s = recording.lost.seconds;
    for (const application::Problem& each : recording.problems)
        if (each.mode == "blocking") sum_s += each.seconds.sum;
    return {sum_s / recording.ranks, recording.wall_seconds};
}

std::string proof_file(const Proof& proof, const std::string& settings, double tolerance,
                       double alpha, std::uint64_t seed) {
    using Json = nlohmann::ordered_json;
    Json json{{"format", "mpiaudit-proof"},
              {"version", 2},
              {"settings", settings},
              {"pairs", proof.pairs()},
              {"tolerance", tolerance},
              {"alpha", alpha},
              {"seed", seed},
              {"faster", proof.is_faster()},
              {"slower", proof.is_slower()}};
    for (const Question& each : proof.questions()) {
        const judge::MedianInterval ratio = each.ratio();
        const bool is_faster = each.verdict() == judge::Verdict::violated;
        json[std::string(each.what())] = {{"without_seconds", each.median_base_s()},
                                          {"with_seconds", each.median_repaired_s()},
                                          {"ratio", {ratio.median, ratio.low, ratio.high}},
                                          {"pairs_won", each.won()},
                                          {"faster", is_faster},
                                          {"slower", each.is_slower()}};
    }
    return json_text(json, 1) + "\n";
}

}  // namespace mpiaudit::proof
