// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>

#include "judge/verdict.h"

namespace mpiaudit {

/// The numbers of checks with each verdict.
struct VerdictCounts {
    std::size_t checks = 0, violated = 0, holds = 0, undecided = 0, skipped = 0;
    std::size_t decided() const { return violated + holds; }
    void add(judge::Verdict verdict);
};

/// The numbers of measured checks of the library on which the means of samples within Tukey's
/// fences, which papers compare, and the evidence disagree.
struct FilteredMeans {
    std::size_t checks = 0;         ///< measured checks
    std::size_t violated = 0;       ///< violated by the means
    std::size_t evidence_only = 0;  ///< violated by the evidence and not by the means
    std::size_t means_only = 0;     ///< violated by the means and not by the evidence
};

/// The base counts verdicts on the library.
struct ReportSummary : VerdictCounts {
    VerdictCounts remarks;  ///< counts of remarks
    /// The number of contestants that failed their verification, and of new faults of generated
    /// calls, plus one if the barrier of --sync is wrong.
    std::size_t wrong = 0;
    std::size_t samples = 0;                 ///< number of samples taken
    std::size_t fixed_protocol_samples = 0;  ///< the samples of 75 repetitions of every contestant
    FilteredMeans filtered_means;
    std::optional<std::size_t> launches_disagree;  ///< none for one launch
    /// The number of problems that not all audits have chosen, and that are left out; none if all
    /// audits have the same problems.
    std::optional<std::size_t> measured_alone;
};

}  // namespace mpiaudit
