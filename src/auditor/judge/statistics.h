// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace mpiaudit::judge {

/// The names of an enumeration's values in options, reports and tables. Every value must have a
/// name.
template <class Value, std::size_t N>
struct Names {
    std::array<std::pair<Value, std::string_view>, N> entries;

    constexpr std::string_view operator[](Value value) const {
        return std::ranges::find(entries, value, &std::pair<Value, std::string_view>::first)
            ->second;
    }
    /// Returns nullopt if no value has this name.
    constexpr std::optional<Value> find(std::string_view name) const {
        const auto* found =
            std::ranges::find(entries, name, &std::pair<Value, std::string_view>::second);
        if (found == entries.end()) return std::nullopt;
        return found->first;
    }
    constexpr std::array<std::string_view, N> all() const {
        std::array<std::string_view, N> names;
        std::ranges::transform(entries, names.begin(), [](auto& entry) { return entry.second; });
        return names;
    }
};

/// The samples that are left out. two_sided: samples beyond either of Tukey's fences Q1 - 1.5 IQR
/// and Q3 + 1.5 IQR. upper: only samples above the upper fence, as in Traeff, Rougier, Hunold, ICS
/// 2014, section 4. none: no samples, as in Traeff 2017. Quartiles by linear interpolation (type 7
/// of Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996, as in R and NumPy).
enum class Outliers { two_sided, upper, none };
inline constexpr Names<Outliers, 3> outliers_names{
    {{{Outliers::two_sided, "two-sided"}, {Outliers::upper, "upper"}, {Outliers::none, "none"}}}};

/// Statistics in the samples' unit, without outliers unless a member says otherwise.
struct Summary {
    std::size_t samples;   ///< including outliers
    std::size_t outliers;  ///< number of removed samples
    double mean;
    double median;  ///< of all samples: a median needs no filter
    double minimum;
    double maximum;             ///< including outliers
    double standard_deviation;  ///< with n - 1 in the denominator; 0 for one sample
    double mean_low,
        mean_high;  ///< confidence interval of the mean by Student's t; [mean, mean] for one sample
    double raw_mean, raw_minimum;  ///< of all samples
    /// 90 % and 99 % quantiles of all samples, as the quartiles of Outliers.
    double p90 = 0, p99 = 0;
    /// Share of the time of all samples that lies in samples longer than `long_call` medians.
    double long_share = 0;
};

/// A call is long if it takes more than this multiple of a usual call.
inline constexpr double long_call = 10.0;

/// Computes the statistics of samples.
/// \param samples at least one finite number in any order, in any unit
/// \param confidence of the interval of the mean, in (0, 1)
/// \throws std::invalid_argument if an argument is not as described
Summary describe(std::span<const double> samples, Outliers outliers = Outliers::two_sided,
                 double confidence = 0.95);

/// Summarises several launches with equal weights: `samples` and `outliers` are sums, minima and
/// maxima are taken over all launches, every other member is the median of the launches' values. If
/// one contestant is slower than another in every launch, it is also slower in the summary,
/// whatever the speed of each launch. \throws std::invalid_argument if there is no launch
Summary over_launches(std::span<const Summary> launches);

/// \param samples at least one number in any order, infinity allowed
/// \throws std::invalid_argument if there are no samples or one is not a number
double median(std::span<const double> samples);

/// An interval for the median that assumes nothing about the distribution of the samples.
struct MedianInterval {
    double median, low, high;
    double coverage;  ///< probability that such an interval contains the true median
};

/// Returns the narrowest interval from the d-th smallest to the d-th largest sample that covers the
/// median with at least the given confidence (the inverted sign test). If there are too
/// few samples, returns [minimum, maximum] and its `coverage` (0 for one sample). The coverage
/// assumes a number of samples fixed in advance; if the data decided when to stop, the interval
/// proves nothing.
/// \param samples as for median()
/// \param confidence in (0, 1)
/// \throws std::invalid_argument if there are no samples, one is not a number, or the confidence is
/// out of range
MedianInterval median_interval(std::span<const double> samples, double confidence = 0.95);

/// Returns the one-sided p-value of Wilcoxon's rank-sum test against "the left numbers are not
/// larger than the right ones", by the normal approximation with corrections for ties and
/// continuity, as R's wilcox.test(left, right, alternative = "greater", exact = FALSE), which PGMPI
/// calls. A small value shows that the left numbers tend to be larger than the right ones. Returns
/// 1 if all numbers are equal. \throws std::invalid_argument if a side has no numbers
double rank_sum_p_value(std::span<const double> left, std::span<const double> right);

}  // namespace mpiaudit::judge
