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

/// The names of a type's values, as options, reports and tables have them: each stands here once.
template <class Value, std::size_t N>
struct Names {
    std::array<std::pair<Value, std::string_view>, N> entries;

    constexpr std::string_view operator[](Value value) const {
        return std::ranges::find(entries, value, &std::pair<Value, std::string_view>::first)
            ->second;
    }
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

/// Which samples are left out that lie outside of Tukey's fences Q1 - 1.5 IQR and Q3 + 1.5 IQR,
/// with quartiles by linear interpolation (type 7 of Hyndman and Fan, Sample Quantiles in
/// Statistical Packages, 1996: what R and NumPy use): those beyond either of them; those above the
/// upper one, as Traeff, Rougier, Hunold, ICS 2014, section 4, do; or none, as Traeff 2017 does.
enum class Outliers { two_sided, upper, none };
inline constexpr Names<Outliers, 3> outliers_names{
    {{{Outliers::two_sided, "two-sided"}, {Outliers::upper, "upper"}, {Outliers::none, "none"}}}};

/// In the samples' unit; of the samples that are no outliers, unless a member says otherwise.
struct Summary {
    std::size_t samples;   ///< before the outliers were removed
    std::size_t outliers;  ///< how many were removed
    double mean;
    double median;  ///< of all samples: a median needs no filter
    double minimum;
    double maximum;                ///< of all samples, outliers included
    double standard_deviation;     ///< of the samples (n - 1 in the denominator), 0 for one sample
    double mean_low, mean_high;    ///< confidence interval of the mean by Student's t; for one
                                   ///< sample it is [mean, mean]
    double raw_mean, raw_minimum;  ///< of all samples
};

/// Describes the samples. At least one of them is no outlier.
/// \param samples at least one finite number in any order, in any unit
/// \param confidence of the interval of the mean, in (0, 1)
/// \throws std::invalid_argument when an argument is not as described
Summary describe(std::span<const double> samples, Outliers outliers = Outliers::two_sided,
                 double confidence = 0.95);

/// One summary for several launches, in which each launch has the same weight: `samples` and
/// `outliers` are sums, minima and maxima are those of all launches, every other member is the
/// median of the launches' values. If one side is slower than the other one in every launch, then
/// the combined numbers say the same, whatever the speed of a launch was.
/// \throws std::invalid_argument when there is no launch
Summary over_launches(std::span<const Summary> launches);

/// \param samples at least one number in any order, infinity allowed
/// \throws std::invalid_argument when there are no samples or one is not a number
double median(std::span<const double> samples);

/// An interval for the median that assumes nothing about the distribution of the samples.
struct MedianInterval {
    double median, low, high;
    double coverage;  ///< the probability with which such an interval contains the true median
};

/// The narrowest interval between two order statistics of equal rank from both ends that covers the
/// median with at least the given confidence (the inverted sign test). With too few samples for
/// that it is [minimum, maximum], and `coverage` tells how little that means (0 for one sample).
/// The coverage is that of a number of samples fixed in advance; where the data said when to stop
/// it describes and proves nothing.
/// \param samples as for median()
/// \param confidence in (0, 1)
/// \throws std::invalid_argument when there are no samples, one is not a number, or the confidence
///         is out of range
MedianInterval median_interval(std::span<const double> samples, double confidence = 0.95);

/// The one-sided p-value of Wilcoxon's rank-sum test against "the left numbers are not larger than
/// the right ones": by the normal approximation with the corrections for ties and for continuity,
/// as R's wilcox.test(left, right, alternative = "greater", exact = FALSE), which PGMPI calls. 1
/// where all numbers are equal.
/// \throws std::invalid_argument when a side has no numbers
double rank_sum_p_value(std::span<const double> left, std::span<const double> right);

}  // namespace mpiaudit::judge
