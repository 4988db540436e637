// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit::judge {

/// The samples of one check in one launch: as for judge().
struct LaunchSamples {
    std::vector<double> left_s, right_s;
    std::uint64_t coin_seed;
    int checks;  ///< over how many checks this launch divided alpha
};

/// One check, judged over independent launches.
struct JointJudgement {
    /// Of all launches: `rounds` and `slower` are sums, the logarithms of the e-values are sums,
    /// the statistics are those of all samples. `decided_at` is 0.
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
/// Under the plain criteria the launches have to agree. Under `pgmpi` the test of their medians
/// decides, as PGMPI does: at level alpha for each check by itself.
/// \param launches at least one
/// \throws std::invalid_argument as judge()
JointJudgement judge_launches(std::span<const LaunchSamples> launches, const Rule& rule);

}  // namespace mpiaudit::judge
