// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "answer/answer.h"
#include "report/report.h"
#include "report/small_audit.h"

// No number of a report contradicts its verdict, whatever the samples are: audits of one library in
// several launches, made of random numbers.

namespace mpiaudit {
namespace {

using judge::Verdict;
using record::Contestant;

class Noise {
  public:
    explicit Noise(std::uint64_t seed) : bits_{seed} {}
    double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
    /// Returns a factor around 1, with equal probability above and below 1.
    double factor(double spread) {
        return std::exp(spread * (uniform() + uniform() + uniform() - 1.5));
    }
    std::size_t below(std::size_t end) { return bits_() % end; }

  private:
    std::mt19937_64 bits_;
};

/// Samples of a contestant in one launch. All contestants share the disturbance of a round.
std::vector<double> samples_of(double true_s, std::size_t rounds, double spread,
                               const std::vector<double>& disturbance, Noise& noise) {
    // A second mode in some rounds, as where a call finds its data in a cache.
    const double share = noise.below(3) == 0 ? 0.45 : 0.05, other = 1 + 5 * noise.uniform();
    std::vector<double> samples_s;
    for (std::size_t k = 0; k < rounds; ++k)
        samples_s.push_back(true_s * disturbance[k] * noise.factor(spread) *
                            (noise.uniform() < share ? other : 1.0));
    return samples_s;
}

constexpr std::size_t most_rounds = 300;

/// Launches run at other speeds, and a contestant that other checks need is measured for longer.
record::ProblemRecord launch_of(const std::vector<double>& true_s, bool is_confirmation,
                                Noise& noise) {
    const double speed_s = 1e-6 * std::exp(3 * noise.uniform()), spread = 0.8 * noise.uniform();
    std::vector<double> disturbance;
    for (std::size_t k = 0; k < most_rounds; ++k)
        disturbance.push_back(noise.uniform() < 0.1 ? 10.0 : noise.factor(0.5));
    std::vector<Contestant> contestants;
    for (std::size_t i = 0; i < true_s.size(); ++i) {
        const std::size_t rounds = 7 + noise.below(most_rounds - 7);
        // No suspect needs this contestant.
        const bool is_left_out = is_confirmation && i > 1 && noise.below(2) == 0;
        contestants.push_back(contestant(
            "C" + std::to_string(i),
            samples_of(speed_s * true_s[i], is_left_out ? 0 : rounds, spread, disturbance, noise)));
    }
    record::ProblemRecord problem = problem_record("same", std::move(contestants));
    problem.checks.clear();
    for (std::size_t i = 0; i + 1 < true_s.size(); ++i)
        problem.checks.push_back({"g" + std::to_string(i), i, i + 1});
    return problem;
}

std::vector<record::Audit> launches_of(Noise& noise) {
    std::vector<double> true_s;
    for (std::size_t i = 0, number = 3 + noise.below(4); i < number; ++i)
        true_s.push_back(1 + 0.4 * noise.uniform());
    std::vector<record::Audit> launches;
    for (std::size_t i = 0, number = 1 + noise.below(7); i < number; ++i) {
        launches.push_back({audit_header(), {launch_of(true_s, i > 0, noise)}, {}, {}});
        set_option(launches.back().header.options, "order-seed", std::uint64_t{i + 1});
    }
    return launches;
}

bool has_measured(const record::Audit& launch, const std::string& name) {
    const auto& contestants = launch.problems.front().contestants;
    return !std::ranges::find(contestants, name, &Contestant::name)->samples_s.empty();
}

void expect_agreement(const JudgedCheck& check, const std::vector<record::Audit>& launches) {
    const judge::Judgement& judgement = check.samples->judgement;
    if (check.verdict == Verdict::holds) {
        EXPECT_LE(judgement.ratio.median, 1.05);
        return;
    }
    ASSERT_EQ(check.verdict, Verdict::violated);
    EXPECT_GT(judgement.left.median, judgement.right.median);
    EXPECT_GT(judgement.ratio.median, 1.05);
    EXPECT_LE(judgement.ratio.low, judgement.ratio.median);
    EXPECT_EQ(judgement.left.samples, judgement.right.samples);
    if (!check.remedy) return;
    const Remedy& remedy = *check.remedy;
    EXPECT_GT(remedy.factor, 1.05);
    EXPECT_GT(remedy.left_s, remedy.instead_s);
    EXPECT_DOUBLE_EQ(remedy.saved_s, remedy.left_s * (1 - 1 / remedy.factor));
    for (const record::Audit& launch : launches) {
        const bool has_check =
            has_measured(launch, check.left) && has_measured(launch, check.right);
        EXPECT_TRUE(!has_check || has_measured(launch, remedy.contestant)) << remedy.contestant;
    }
}

TEST(Consistency, NumbersOfACheckNeverContradictItsVerdict) {
    Noise noise(56);
    std::size_t violated = 0, holds = 0, remedies = 0, withdrawn = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const std::vector<record::Audit> launches = launches_of(noise);
        const Report report = make_report(launches, {});
        for (const JudgedCheck& check : report.checks) {
            if (!check.samples) continue;
            SCOPED_TRACE(check.guideline + " of trial " + std::to_string(trial));
            withdrawn += check.samples->judgement.is_withdrawn;
            if (check.verdict == Verdict::undecided) continue;
            expect_agreement(check, launches);
            violated += check.verdict == Verdict::violated;
            holds += check.verdict == Verdict::holds;
            remedies += check.remedy.has_value();
        }
    }
    // The trials have all cases.
    EXPECT_GT(violated, 100U);
    EXPECT_GT(holds, 100U);
    EXPECT_GT(remedies, 100U);
    EXPECT_GT(withdrawn, 0U);
}

TEST(Consistency, TheBestOfManyEqualWaysShowsNoMoreThanTheTrueRatio) {
    constexpr double true_ratio = 1.3;
    constexpr std::size_t rounds = 200, ways = 20;
    constexpr int trials = 20;
    Noise noise(3);
    for (const std::size_t number_of_launches : {1U, 2U}) {
        double sum = 0;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<record::Audit> launches;
            for (std::size_t i = 0; i < number_of_launches; ++i) {
                std::vector<Contestant> contestants;
                for (std::size_t way = 0; way <= ways; ++way) {
                    std::vector<double> samples_s;
                    for (std::size_t k = 0; k < rounds; ++k)
                        samples_s.push_back((way == 0 ? true_ratio : 1.0) * noise.factor(0.5));
                    contestants.push_back(
                        contestant("C" + std::to_string(way), std::move(samples_s)));
                }
                record::ProblemRecord problem = problem_record("same", std::move(contestants));
                problem.checks.clear();
                for (std::size_t way = 1; way <= ways; ++way)
                    problem.checks.push_back({"g" + std::to_string(way), 0, way});
                launches.push_back({audit_header(), {std::move(problem)}, {}, {}});
                set_option(launches.back().header.options, "order-seed", std::uint64_t{i + 1});
            }
            const Report report = make_report(launches, {});
            ASSERT_TRUE(report.checks[0].remedy);
            sum += report.checks[0].remedy->factor;
        }
        EXPECT_NEAR(sum / trials, true_ratio, 0.03) << number_of_launches;
    }
}

/// Returns the median of a contestant that the tables of the report show.
double shown_s(const std::vector<record::Audit>& launches, std::size_t contestant) {
    return make_report(launches, {}).problems.front().contestants[contestant].statistics->median;
}

TEST(Consistency, TimesOfAProblemAreOfLaunchesThatMeasuredAllOfThem) {
    const auto launch = [](std::uint64_t seed, double speed, bool is_whole) {
        std::vector<Contestant> contestants{contestant("A", 20, 3.0 * speed),
                                            contestant("B", 20, 2.0 * speed),
                                            contestant("C", is_whole ? 20 : 0, 2.5 * speed)};
        record::ProblemRecord problem = problem_record("same", std::move(contestants));
        problem.checks = {{"g0", 0, 1}, {"g1", 0, 2}};
        record::Audit made{audit_header(), {std::move(problem)}, {}, {}};
        set_option(made.header.options, "order-seed", seed);
        return made;
    };
    // A confirmation that is three times as fast knows nothing about C.
    const std::vector<record::Audit> confirmed{launch(1, 1.0, true), launch(2, 0.3, false),
                                               launch(3, 0.3, false)};
    EXPECT_EQ(shown_s(confirmed, 0), 3.0);
    EXPECT_EQ(shown_s(confirmed, 1), 2.0);
    EXPECT_EQ(shown_s(confirmed, 2), 2.5);
    const std::vector<record::Audit> equal{launch(1, 1.0, true), launch(2, 0.3, true),
                                           launch(3, 0.5, true)};
    EXPECT_EQ(shown_s(equal, 0), 1.5);
    EXPECT_EQ(shown_s(equal, 2), 1.25);
    // The first launch had no time for C.
    const std::vector<record::Audit> late{launch(1, 1.0, false), launch(2, 0.5, true)};
    EXPECT_EQ(shown_s(late, 2), 1.25);
}

}  // namespace
}  // namespace mpiaudit
