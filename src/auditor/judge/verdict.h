// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/statistics.h"

namespace mpiaudit::judge {

/// The answer to a check "left is no slower than right". The judge never answers `skipped`, which
/// marks checks that could not be measured.
enum class Verdict { violated, holds, undecided, skipped };
inline constexpr Names<Verdict, 4> verdict_names{{{{Verdict::violated, "violated"},
                                                   {Verdict::holds, "holds"},
                                                   {Verdict::undecided, "undecided"},
                                                   {Verdict::skipped, "skipped"}}}};

/// The rule that decides. `evidence`: the e-process over the pairs of a round, which bounds the
/// probability of a wrong verdict. The others are rules of papers, without a bound on the error of
/// an audit. `averages` and `minima` compare two numbers and always decide. `intervals`
/// compares confidence intervals of the means: violated if the left one lies above (1 + tolerance)
/// times the right one, holds if it lies below the right one, else undecided (Traeff, Rougier,
/// Hunold, ICS 2014). `pgmpi`: Wilcoxon's rank-sum test at level alpha of the medians of
/// at least three launches (Hunold, Carpen-Amarie, Luebbe, Traeff, Euro-Par 2016).
enum class Criterion { evidence, averages, minima, intervals, pgmpi };
inline constexpr Names<Criterion, 5> criterion_names{{{{Criterion::evidence, "evidence"},
                                                       {Criterion::averages, "averages"},
                                                       {Criterion::minima, "minima"},
                                                       {Criterion::intervals, "intervals"},
                                                       {Criterion::pgmpi, "pgmpi"}}}};

/// Parameters of a judgement. The left side is slower if left > (1 + tolerance) right.
struct Rule {
    Criterion criterion = Criterion::evidence;
    Outliers outliers = Outliers::two_sided;  ///< samples that the description leaves out
    double tolerance = 0.05;     ///< share of the right side's time, finite and not negative
    double alpha = 0.05;         ///< bound on the probability of any wrong `violated`, in (0, 1)
    int checks = 1;              ///< number of checks over which alpha is divided, at least 1
    bool deterministic = false;  ///< times of a simulation without noise: one round is exact
    /// Sample k of both sides is from one round; false: each side was measured in a row.
    bool is_paired = true;
};

/// Collects evidence round by round and stops at the first boundary: `violated` if ln E(n, s) >=
/// ln(checks / alpha), `holds` if ln E(n, n - s) >= ln(1 / alpha), where s counts the rounds in
/// which the left side was slower. The first round decides under a deterministic rule. Judges by
/// evidence whatever the criterion of the rule.
///
/// Launches are independent experiments: each has its own process, and the logarithms of their
/// evidence add.
class EvidenceProcess {
  public:
    /// \param coin_seed decides the rounds in which left equals (1 + tolerance) right; equal seeds
    /// give equal verdicts, and different checks should have different seeds
    /// \throws std::invalid_argument if the rule is not as described
    EvidenceProcess(const Rule& rule, std::uint64_t coin_seed);

    /// Adds the times of both sides in the next round (s). A round after the decision is only
    /// counted.
    /// \throws std::invalid_argument if a time is negative or not finite
    void add(double left_s, double right_s);

    Verdict verdict() const { return verdict_; }
    /// Returns the number of rounds, including rounds after the decision.
    int rounds() const { return rounds_; }
    /// Forecasts whether an undecided check can be decided by round `last`: assumes that left is
    /// slower as often as so far, plus or minus two standard deviations. Returns true before round
    /// 40, as few rounds predict little. Stopping a check without prospects adds no errors.
    bool has_prospects(int last) const;
    /// Returns the first round in which an undecided check could be decided, if all coming rounds
    /// spoke for one side. Testing before that round is useless.
    int earliest_decision() const;
    /// Returns the round of the decision, counted from 1; 0 if undecided.
    int decided_at() const { return decided_at_; }
    /// Returns the number of rounds in which the left side was slower, up to the decision or until
    /// now.
    int slower() const { return slower_; }
    /// Returns the number of all rounds() in which the left side was slower.
    int slower_in_all() const { return slower_in_all_; }
    /// Returns ln of the evidence that left is slower, at the decision or now; 0 under a
    /// deterministic rule.
    double log_e_violated() const;
    /// Returns ln of the evidence that left is no slower, at the decision or now; 0 under a
    /// deterministic rule.
    double log_e_holds() const;

  private:
    bool is_slower(double left_s, double right_s) const;
    void decide(Verdict verdict);
    int rounds_of_evidence() const { return decided_at_ > 0 ? decided_at_ : rounds_; }

    Rule rule_;
    std::uint64_t coin_seed_;
    double violated_boundary_;
    double holds_boundary_;
    Verdict verdict_ = Verdict::undecided;
    int rounds_ = 0;
    int decided_at_ = 0;
    int slower_ = 0;
    int slower_in_all_ = 0;
    int not_before_ = 1;  ///< no decision is possible before this round
};

/// Verdicts of several rules on one set of samples, each with the tolerance of the audit.
struct RuleVerdicts {
    Verdict evidence = Verdict::undecided;  ///< the e-process
    Verdict averages = Verdict::undecided;  ///< means of the samples that pass the audit's filter
    Verdict filtered_means = Verdict::undecided;  ///< means within both of Tukey's fences
    Verdict minima = Verdict::undecided;          ///< minima of all samples
};

/// One judged check. Only verdict and factor depend on the criterion. A side may have more
/// rounds, because other checks still need this side. Statistics leave out those rounds, since the
/// speed of the machine may have changed. A rule that is not paired uses all samples.
struct Judgement {
    Verdict verdict = Verdict::undecided;
    Summary left, right;   ///< in seconds
    MedianInterval ratio;  ///< of left / right over the rounds, see ratios_of_rounds(); without
                           ///< pairs the quotient of the medians, with coverage 0
    /// Left over right by the criterion: the median of the ratios, the quotient of the means, of
    /// the minima, or (`pgmpi`) of the medians. If the verdict is `violated`, the size of the
    /// violation.
    double factor = 1.0;
    double log_e_violated = 0.0, log_e_holds = 0.0;  ///< at the decision, or after all rounds
    int rounds = 0;                                  ///< pairs seen
    int decided_at = 0;  ///< round in which the evidence reached its bound; 0: none
    int slower = 0;      ///< number of all `rounds` in which left > (1 + tolerance) right
    RuleVerdicts by;
    bool is_withdrawn = false;  ///< the evidence had decided, and all rounds contradict
};

/// Returns the statistic that a criterion compares: the median, mean or minimum of a side's times.
double compared(const Summary& side, Criterion criterion);

/// Returns left / right of every round of both sides; 0 / 0 is 1, other ratios to 0 are infinite.
std::vector<double> ratios_of_rounds(std::span<const double> left_s,
                                     std::span<const double> right_s);

/// Returns true if the numbers of all rounds contradict a verdict, see judge().
bool is_contradicted(Verdict verdict, const Judgement& judgement, double tolerance);

/// Judges "left is no slower than right".
///
/// Sample k of both sides comes from round k. A side may have left the rounds early, after all its
/// checks were decided: the pairs are the rounds of both sides, and all numbers are taken from the
/// pairs. If the rule is not paired, statistics use all samples, and the evidence still compares
/// samples with equal numbers.
///
/// A verdict by evidence is withdrawn (`undecided`, is_withdrawn) if the rounds after the decision
/// reverse it: `violated` if the median ratio of all rounds is at most 1 + tolerance or the left
/// median is not larger than the right one, `holds` if the median ratio exceeds 1 + tolerance.
/// Withdrawing adds no verdicts, so the bound on the error stays.
///
/// Criterion `averages` compares the means of the samples that the rule keeps, `intervals` their
/// confidence intervals; `pgmpi` leaves one launch undecided. Criterion `minima` compares the
/// minima of all samples, as an unusually fast sample is still a time that was reached.
/// \param left_s, right_s at least one sample each, in seconds, in the order of the rounds
/// \throws std::invalid_argument if a side has no samples, a time is negative or not finite, or the
/// rule is not as described
Judgement judge(std::span<const double> left_s, std::span<const double> right_s, const Rule& rule,
                std::uint64_t coin_seed);

/// Returns ln E(n, s), the evidence of s wins in n rounds against "a win is no likelier than a
/// loss":
///
///     E(n, s) = integral over l in [0, 1] of (1 + l)^s (1 - l)^(n - s)
///             = 2^(n+1) B(s+1, n-s+1) [1 - I_1/2(s+1, n-s+1)].
///
/// E is the capital of a gambler who starts with 1 and spreads it evenly over all stakes l on a win
/// in each round. Against a coin that is fair or worse the capital is a supermartingale, so it ever
/// reaches 1/alpha with probability at most alpha (Ville, Etude critique de la notion de collectif,
/// 1939), however often one looks and whenever one stops. The product of the values of independent
/// experiments is such a capital again: their logarithms add.
///
/// Accurate to about 1e-12, relative where |ln E| > 1 and absolute elsewhere, for n up to 10^5.
/// \throws std::invalid_argument unless 0 <= s <= n
double log_e_value(int n, int s);

/// Returns a fair coin that is equal in every judgement of one set of data: bit 63 of output number
/// `round` of the generator splitmix64 (Steele, Lea, Flood, Fast Splittable Pseudorandom Number
/// Generators, 2014) started from the seed.
bool fair_coin(std::uint64_t seed, std::uint64_t round);

/// The samples of one check in one launch, as for judge().
struct LaunchSamples {
    std::vector<double> left_s, right_s;
    std::uint64_t coin_seed;
    int checks;  ///< number of checks over which this launch divided alpha
};

/// One check, judged over independent launches.
struct JointJudgement {
    /// Combines all launches: `rounds`, `slower` and the logarithms of the e-values are sums,
    /// statistics come from over_launches(), the ratio is the median of the launches' ratios with
    /// the interval of that median over the launches. `decided_at` is 0.
    Judgement joint;
    std::vector<Judgement> launches;  ///< each launch alone, by its own rule
    /// One launch says violated, and the evidence of another launch contradicts: the result depends
    /// on the start of the job.
    bool launches_disagree;
};

/// Judges "left is no slower than right" over launches.
///
/// Under the hypothesis the expected e-value of a launch is at most 1 when the launch stops,
/// whatever earlier launches showed. So the product over launches is a supermartingale again:
/// `violated` if the product reaches checks / alpha of `rule`, `holds` if the product of the
/// mirrored e-values reaches 1 / alpha (Vovk, Wang, E-values: calibration, combination and
/// applications, 2021). `violated` also needs an e-value of at least 1 from every launch; a check
/// whose launches disagree is undecided, whatever the products are. A verdict that the joint
/// numbers contradict is withdrawn as in judge(). Under the plain criteria the launches must agree.
/// Under `pgmpi` the test of their medians decides, as in PGMPI: at level alpha for each check by
/// itself.
/// \param launches at least one
/// \throws std::invalid_argument as judge()
JointJudgement judge_launches(std::span<const LaunchSamples> launches, const Rule& rule);

}  // namespace mpiaudit::judge
