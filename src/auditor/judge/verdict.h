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

/// The answer to a check "left is no slower than right". `skipped` is never the judge's own answer:
/// it is for checks that could not be measured.
enum class Verdict { violated, holds, undecided, skipped };
inline constexpr Names<Verdict, 4> verdict_names{{{{Verdict::violated, "violated"},
                                                   {Verdict::holds, "holds"},
                                                   {Verdict::undecided, "undecided"},
                                                   {Verdict::skipped, "skipped"}}}};

/// What decides. `evidence`: the e-process over the pairs of a round, which bounds the probability
/// of a wrong verdict. The others are rules of papers, with no bound on the error of an audit.
/// `averages` and `minima` compare two numbers and always decide. `intervals`: whether the
/// confidence intervals of the means overlap, which leaves a check undecided (Traeff, Rougier,
/// Hunold, ICS 2014). `pgmpi`: Wilcoxon's rank-sum test at level alpha of the medians of launches
/// (Hunold, Carpen-Amarie, Luebbe, Traeff, Euro-Par 2016), of which fewer than three never accuse.
enum class Criterion { evidence, averages, minima, intervals, pgmpi };
inline constexpr Names<Criterion, 5> criterion_names{{{{Criterion::evidence, "evidence"},
                                                       {Criterion::averages, "averages"},
                                                       {Criterion::minima, "minima"},
                                                       {Criterion::intervals, "intervals"},
                                                       {Criterion::pgmpi, "pgmpi"}}}};

/// How to judge. The left side counts as slower where left > (1 + tolerance) right.
struct Rule {
    Criterion criterion = Criterion::evidence;
    Outliers outliers = Outliers::two_sided;  ///< what the description of the samples leaves out
    double tolerance = 0.05;     ///< share of the right side's time, finite and not negative
    double alpha = 0.05;         ///< bound on the probability of any wrong `violated`, in (0, 1)
    int checks = 1;              ///< over how many checks alpha is divided, at least 1
    bool deterministic = false;  ///< times of a simulation without noise: one round is exact
    bool is_paired = true;  ///< sample k of both sides is from the same round; false: each side
                            ///< was measured in a row
};

/// Collects evidence round by round and stops at the first boundary that is reached: `violated`
/// when ln E(n, s) >= ln(checks / alpha), `holds` when ln E(n, n - s) >= ln(1 / alpha), where s
/// counts the rounds in which the left side was slower. Under a deterministic rule the first round
/// decides. Always judges by evidence, whatever the criterion of the rule.
///
/// Launches are independent experiments: each has its own process, and their logarithms add.
class EvidenceProcess {
  public:
    /// \param coin_seed decides the rounds in which left equals (1 + tolerance) right; the same
    /// seed
    ///        gives the same verdict, and different checks should have different ones
    /// \throws std::invalid_argument when the rule is not as described
    EvidenceProcess(const Rule& rule, std::uint64_t coin_seed);

    /// The times of both sides in the next round, in seconds. After the decision a round is only
    /// counted.
    /// \throws std::invalid_argument when a time is negative or not finite
    void add(double left_s, double right_s);

    Verdict verdict() const { return verdict_; }
    /// Pairs seen, including those after the decision.
    int rounds() const { return rounds_; }
    /// Whether an undecided check would be decided by round `last` if all rounds until then gave
    /// the answers of those so far, with two standard deviations of luck towards either side. To
    /// stop where not is a forecast and costs no level: whoever stops earlier is no more often
    /// wrong. True before round 40, as a few rounds foretell little.
    bool has_prospects(int last) const;
    /// The first round in which an undecided check could be decided, if all to come spoke for the
    /// same side: who looks before it sees nothing new.
    int earliest_decision() const;
    /// The round of the decision, counted from 1; 0 when undecided.
    int decided_at() const { return decided_at_; }
    /// In how many rounds up to the decision (or up to now) the left side was slower.
    int slower() const { return slower_; }
    /// The same in all rounds().
    int slower_in_all() const { return slower_in_all_; }
    /// ln of the evidence that left is slower, at the decision or now; 0 under a deterministic
    /// rule.
    double log_e_violated() const;
    /// ln of the evidence that left is no slower, at the decision or now; 0 as above.
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
    int not_before_ = 1;  ///< a round before which nothing can be decided
};

/// What several rules say of the same samples, each with the tolerance of the audit.
struct RuleVerdicts {
    Verdict evidence = Verdict::undecided;        ///< the e-process
    Verdict averages = Verdict::undecided;        ///< means of what the audit's filter leaves
    Verdict filtered_means = Verdict::undecided;  ///< means within both of Tukey's fences
    Verdict minima = Verdict::undecided;          ///< minima of all samples
};

/// One check, judged. Everything but verdict and factor is the same under every criterion. All
/// statistics are of the rounds that both sides have: a side that is measured on for other checks
/// has more, at another speed of the machine. Under a rule without pairs they are of all samples.
struct Judgement {
    Verdict verdict = Verdict::undecided;
    Summary left, right;   ///< in seconds
    MedianInterval ratio;  ///< of left / right over the rounds, as of ratios_of_rounds(); without
                           ///< pairs the quotient of the medians, with coverage 0
    /// Left over right of what the criterion compares: the median of that ratio, the quotient of
    /// the means, or that of the minima; as large as the verdict says, where it is `violated`.
    double factor = 1.0;
    double log_e_violated = 0.0, log_e_holds = 0.0;  ///< at the decision, or after all rounds
    int rounds = 0;                                  ///< pairs seen
    int decided_at = 0;  ///< the round in which the evidence reached its bound; 0: in none
    int slower = 0;      ///< in how many of all `rounds` left was slower than (1 + tolerance) right
    RuleVerdicts by;
    bool is_withdrawn = false;  ///< the evidence had decided, and all rounds speak against it
};

/// What stands for the times of a side under a criterion, in their unit: their median, their mean
/// or the fastest of them all.
double compared(const Summary& side, Criterion criterion);

/// left / right of every round that both sides have; 0 / 0 is 1, other ratios to 0 infinite.
std::vector<double> ratios_of_rounds(std::span<const double> left_s,
                                     std::span<const double> right_s);

/// Whether the numbers of all rounds speak against a verdict, see judge().
bool is_contradicted(Verdict verdict, const Judgement& judgement, double tolerance);

/// Judges "left is no slower than right".
///
/// The sample k of both sides comes from round k. A side may have left the rounds early, when all
/// its checks were decided: the pairs are the rounds that both have, and all numbers are theirs.
///
/// A verdict by evidence is withdrawn (`undecided`, is_withdrawn) where the rounds after the
/// decision turned it round: `violated` where the median ratio of all rounds does not exceed
/// 1 + tolerance or the left median is not larger than the right one, `holds` where the median
/// ratio exceeds 1 + tolerance. This takes verdicts back and adds none, so the bound on the error
/// stays.
///
/// Criterion `averages` compares the means of what the rule leaves of the samples, `intervals`
/// their confidence intervals; `pgmpi` leaves one launch undecided. Criterion `minima` compares the
/// minima of all samples, as an unusually fast sample is still a time that was reached.
/// \param left_s, right_s at least one sample each, in seconds, in the order of the rounds
/// \throws std::invalid_argument when a side has no samples, a time is negative or not finite, or
///         the rule is not as described
Judgement judge(std::span<const double> left_s, std::span<const double> right_s, const Rule& rule,
                std::uint64_t coin_seed);

/// ln E(n, s), the evidence of s wins in n rounds against "a win is no likelier than a loss", where
///
///     E(n, s) = integral over l in [0, 1] of (1 + l)^s (1 - l)^(n - s)
///             = 2^(n+1) B(s+1, n-s+1) [1 - I_1/2(s+1, n-s+1)].
///
/// It is the capital of a gambler who starts with 1 and spreads it evenly over all stakes l on a
/// win in each round. Against a coin that is fair or worse that capital is a supermartingale, so it
/// ever reaches 1/alpha with probability at most alpha (Ville, Etude critique de la notion de
/// collectif, 1939), however often one looks and whenever one stops. The product of the values of
/// independent experiments is such a capital again: their logarithms add.
///
/// Accurate to about 1e-12, relative where |ln E| > 1 and absolute elsewhere, for n up to 10^5.
/// \throws std::invalid_argument unless 0 <= s <= n
double log_e_value(int n, int s);

/// A fair coin that is the same in every judgement of the same data: bit 63 of output number
/// `round` of the generator splitmix64 (Steele, Lea, Flood, Fast Splittable Pseudorandom Number
/// Generators, 2014) started from the seed.
bool fair_coin(std::uint64_t seed, std::uint64_t round);

/// The samples of one check in one launch: as for judge().
struct LaunchSamples {
    std::vector<double> left_s, right_s;
    std::uint64_t coin_seed;
    int checks;  ///< over how many checks this launch divided alpha
};

/// One check, judged over independent launches.
struct JointJudgement {
    /// Of all launches: `rounds`, `slower` and the logarithms of the e-values are sums, statistics
    /// are those of over_launches(), the ratio is the median of the launches' ratios with the
    /// interval of that median over the launches. `decided_at` is 0.
    Judgement joint;
    std::vector<Judgement> launches;  ///< of each launch alone, by its own rule
    /// One launch says violated, and the evidence of another one speaks against it: what is true is
    /// decided when a job starts.
    bool launches_disagree;
};

/// Judges "left is no slower than right" over launches.
///
/// The e-value of a launch at the moment when it stopped has at most expectation 1 under the
/// hypothesis, given everything that happened in earlier launches, so that the product over
/// launches is a supermartingale again: `violated` when it reaches checks / alpha of `rule`,
/// `holds` when that of the mirrored ones reaches 1 / alpha (Vovk, Wang, E-values: calibration,
/// combination and applications, 2021). For `violated` every launch has to speak for it, with an
/// e-value of at least 1; a check whose launches disagree is undecided, whatever the products are.
/// A verdict that the joint numbers contradict is withdrawn as in judge().
/// Under the plain criteria the launches have to agree. Under `pgmpi` the test of their medians
/// decides, as PGMPI does: at level alpha for each check by itself.
/// \param launches at least one
/// \throws std::invalid_argument as judge()
JointJudgement judge_launches(std::span<const LaunchSamples> launches, const Rule& rule);

}  // namespace mpiaudit::judge
