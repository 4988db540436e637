// SPDX-License-Identifier: BSD-3-Clause
#include "judge/verdict.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace mpiaudit::judge {

namespace {

void check_rule(const Rule& rule) {
    if (!(std::isfinite(rule.tolerance) && rule.tolerance >= 0.0))
        throw std::invalid_argument("a tolerance is finite and not negative");
    if (!(rule.alpha > 0.0 && rule.alpha < 1.0))
        throw std::invalid_argument("alpha lies between 0 and 1");
    if (rule.checks < 1) throw std::invalid_argument("alpha is divided over at least one check");
}

void check_time(double time_s) {
    if (!(std::isfinite(time_s) && time_s >= 0.0))
        throw std::invalid_argument("a time is finite and not negative");
}

bool exceeds(double left_s, double right_s, double tolerance) {
    return left_s > (1.0 + tolerance) * right_s;
}

/// Two equal times have ratio 1, also the zeros of a coarse clock.
double ratio_of(double left_s, double right_s) {
    return left_s == right_s ? 1.0 : left_s / right_s;
}

Verdict compare(double left_s, double right_s, double tolerance) {
    return exceeds(left_s, right_s, tolerance) ? Verdict::violated : Verdict::holds;
}

/// Returns the verdict of the criterion. In a deterministic simulation the evidence decides for
/// `intervals` and `pgmpi`, because one sample has no interval and no test.
Verdict verdict_by(const Rule& rule, const Judgement& judgement) {
    switch (rule.criterion) {
        case Criterion::intervals:
            if (rule.deterministic) break;
            if (exceeds(judgement.left.mean_low, judgement.right.mean_high, rule.tolerance))
                return Verdict::violated;
            return judgement.left.mean_high < judgement.right.mean_low ? Verdict::holds
                                                                       : Verdict::undecided;
        case Criterion::pgmpi:
            if (rule.deterministic) break;
            return Verdict::undecided;  // one median on each side
        case Criterion::averages:
            return judgement.by.averages;
        case Criterion::minima:
            return judgement.by.minima;
        case Criterion::evidence:
            break;
    }
    return judgement.by.evidence;
}

/// Compares the statistics of both sides for the rules without a bound on errors.
void compare_statistics(std::span<const double> left_s, std::span<const double> right_s,
                        const Rule& rule, Judgement& judgement) {
    const auto by_means = [&](const Summary& left, const Summary& right) {
        return compare(left.mean, right.mean, rule.tolerance);
    };
    RuleVerdicts& by = judgement.by;
    by.averages = by_means(judgement.left, judgement.right);
    by.minima = compare(judgement.left.raw_minimum, judgement.right.raw_minimum, rule.tolerance);
    by.filtered_means = rule.outliers == Outliers::two_sided
                            ? by.averages
                            : by_means(describe(left_s), describe(right_s));
}

double factor_by(Criterion criterion, const Judgement& judgement) {
    if (criterion == Criterion::evidence) return judgement.ratio.median;
    return ratio_of(compared(judgement.left, criterion), compared(judgement.right, criterion));
}

/// Given `wins` in `rounds` rounds, returns the first later round that reaches the boundary if
/// every further round is won. Bisects, since each won round multiplies the evidence by more
/// than 1.
int first_round(int rounds, int wins, double boundary) {
    const auto reaches = [&](int more) {
        return log_e_value(rounds + more, wins + more) >= boundary;
    };
    int enough = 1;
    while (!reaches(enough)) enough *= 2;
    int too_few = enough / 2;
    while (enough - too_few > 1) {
        const int middle = too_few + (enough - too_few) / 2;
        (reaches(middle) ? enough : too_few) = middle;
    }
    return rounds + enough;
}

}  // namespace

double compared(const Summary& side, Criterion criterion) {
    switch (criterion) {
        case Criterion::averages:
        case Criterion::intervals:
            return side.mean;
        case Criterion::minima:
            return side.raw_minimum;
        case Criterion::evidence:
        case Criterion::pgmpi:
            break;
    }
    return side.median;
}

EvidenceProcess::EvidenceProcess(const Rule& rule, std::uint64_t coin_seed)
    : rule_(rule), coin_seed_(coin_seed) {
    check_rule(rule);
    violated_boundary_ = std::log(rule.checks / rule.alpha);
    holds_boundary_ = -std::log(rule.alpha);
    not_before_ = earliest_decision();
}

double EvidenceProcess::log_e_violated() const {
    return rule_.deterministic ? 0.0 : log_e_value(rounds_of_evidence(), slower_);
}

double EvidenceProcess::log_e_holds() const {
    const int rounds = rounds_of_evidence();
    return rule_.deterministic ? 0.0 : log_e_value(rounds, rounds - slower_);
}

void EvidenceProcess::add(double left_s, double right_s) {
    check_time(left_s);
    check_time(right_s);
    ++rounds_;
    const bool is_slower_now = rule_.deterministic ? exceeds(left_s, right_s, rule_.tolerance)
                                                   : is_slower(left_s, right_s);
    slower_in_all_ += is_slower_now;
    if (verdict_ != Verdict::undecided) return;
    slower_ += is_slower_now;
    if (rule_.deterministic) return decide(is_slower_now ? Verdict::violated : Verdict::holds);
    if (rounds_ < not_before_) return;
    // One logarithm at most exceeds 0, so one boundary at most is reached.
    if (log_e_violated() >= violated_boundary_) return decide(Verdict::violated);
    if (log_e_holds() >= holds_boundary_) return decide(Verdict::holds);
    not_before_ = earliest_decision();
}

int EvidenceProcess::earliest_decision() const {
    if (rule_.deterministic) return rounds_ + 1;
    return std::min(first_round(rounds_, slower_, violated_boundary_),
                    first_round(rounds_, rounds_ - slower_, holds_boundary_));
}

bool EvidenceProcess::has_prospects(int last) const {
    constexpr int earliest = 40;
    constexpr double deviations = 2.0;
    if (rounds_ < earliest) return true;
    // After n of N rounds, the final share of wins has the variance (1 - n/N) / 4n: the error of
    // the estimate, (1 - n/N)^2 / 4n, plus the chance in the coming rounds, (1 - n/N) / 4N. Near
    // round N no luck is left, and a check that nearly all rounds have left open is given up.
    const double to_come = std::max(0.0, 1.0 - static_cast<double>(rounds_) / last);
    const double luck = deviations * std::sqrt(to_come / rounds_) / 2.0;
    const auto continued = [&](int wins) {
        const double share = std::min(1.0, static_cast<double>(wins) / rounds_ + luck);
        return log_e_value(last, static_cast<int>(share * last));
    };
    return continued(slower_) >= violated_boundary_ ||
           continued(rounds_ - slower_) >= holds_boundary_;
}

/// An exact tie is no evidence for either side, and coarse clocks tie often: a coin decides, which
/// keeps both processes fair.
bool EvidenceProcess::is_slower(double left_s, double right_s) const {
    if (left_s == (1.0 + rule_.tolerance) * right_s)
        return fair_coin(coin_seed_, static_cast<std::uint64_t>(rounds_));
    return exceeds(left_s, right_s, rule_.tolerance);
}

void EvidenceProcess::decide(Verdict verdict) {
    verdict_ = verdict;
    decided_at_ = rounds_;
}

std::vector<double> ratios_of_rounds(std::span<const double> left_s,
                                     std::span<const double> right_s) {
    std::vector<double> ratios(std::min(left_s.size(), right_s.size()));
    for (std::size_t k = 0; k < ratios.size(); ++k) ratios[k] = ratio_of(left_s[k], right_s[k]);
    return ratios;
}

bool is_contradicted(Verdict verdict, const Judgement& judgement, double tolerance) {
    const bool is_ratio_above = judgement.ratio.median > 1.0 + tolerance;
    if (verdict == Verdict::violated)
        return !is_ratio_above || judgement.left.median <= judgement.right.median;
    return verdict == Verdict::holds && is_ratio_above;
}

Judgement judge(std::span<const double> left_s, std::span<const double> right_s, const Rule& rule,
                std::uint64_t coin_seed) {
    EvidenceProcess evidence(rule, coin_seed);
    const std::vector<double> ratios = ratios_of_rounds(left_s, right_s);
    for (std::size_t k = 0; k < ratios.size(); ++k) evidence.add(left_s[k], right_s[k]);
    if (rule.is_paired) {
        left_s = left_s.first(ratios.size());
        right_s = right_s.first(ratios.size());
    }
    Judgement judgement{.left = describe(left_s, rule.outliers),
                        .right = describe(right_s, rule.outliers),
                        .ratio = {},
                        .log_e_violated = evidence.log_e_violated(),
                        .log_e_holds = evidence.log_e_holds(),
                        .rounds = evidence.rounds(),
                        .decided_at = evidence.decided_at(),
                        .slower = evidence.slower_in_all(),
                        .by = {}};
    const double of_medians = ratio_of(judgement.left.median, judgement.right.median);
    judgement.ratio = rule.is_paired ? median_interval(ratios)
                                     : MedianInterval{of_medians, of_medians, of_medians, 0.0};
    compare_statistics(left_s, right_s, rule, judgement);
    judgement.is_withdrawn =
        !rule.deterministic && is_contradicted(evidence.verdict(), judgement, rule.tolerance);
    judgement.by.evidence = judgement.is_withdrawn ? Verdict::undecided : evidence.verdict();
    judgement.verdict = verdict_by(rule, judgement);
    judgement.factor = factor_by(rule.criterion, judgement);
    return judgement;
}

namespace {

/// Computes in doubles: long doubles would take most of the time between two samples, for digits
/// that nobody reads.
using InDoubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// Returns E(n, s) for 2s <= n. The incomplete beta function with integer arguments is a binomial
/// tail, so E(n, s) = sum over j = 0..s of C(n+1, j) / ((n+1) C(n, s)). Summed from j = s downwards
/// the terms fall, and terms that underflow do not matter.
double minority_e_value(int n, int s) {
    double term = 1.0;
    double sum = 1.0;
    for (int j = s; j > 0 && term > sum * std::numeric_limits<double>::epsilon() / 4; --j) {
        term *= static_cast<double>(j) / (n + 2 - j);
        sum += term;
    }
    return sum / (n + 1 - s);
}

/// Returns ln of 2^(n+1) B(s+1, n-s+1), the integral of E(n, s) taken over [-1, 1].
double log_two_sided_e_value(int n, int s) {
    const double a = s + 1.0;
    const double b = n - s + 1.0;
    // The density of the beta distribution at 1/2 is 2^-n / B(a, b). The density is accurate where
    // the logarithms of three huge factorials would cancel; where it underflows, they do not
    // cancel.
    const double density = boost::math::ibeta_derivative(a, b, 0.5, InDoubles());
    if (density >= std::numeric_limits<double>::min()) return std::log(2.0 / density);
    const auto log_gamma = [](double x) { return boost::math::lgamma(x, InDoubles()); };
    return (n + 1) * std::numbers::ln2 + log_gamma(a) + log_gamma(b) - log_gamma(a + b);
}

}  // namespace

double log_e_value(int n, int s) {
    if (s < 0 || s > n) throw std::invalid_argument("wins lie between 0 and the rounds");
    if (s <= n - s) return std::log(minority_e_value(n, s));
    // E(n, s) + E(n, n-s) is the integral over [-1, 1]; the second term is the smaller one.
    const double both = log_two_sided_e_value(n, s);
    return both + std::log1p(-minority_e_value(n, n - s) * std::exp(-both));
}

bool fair_coin(std::uint64_t seed, std::uint64_t round) {
    std::uint64_t z = seed + round * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    // The generator's last step, z ^= z >> 31, does not change bit 63.
    return (z >> 63) != 0;
}

}  // namespace mpiaudit::judge
