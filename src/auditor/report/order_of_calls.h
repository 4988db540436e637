// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/order_effect.h"
#include "report/judged_check.h"

namespace mpiaudit {

/// The rounds of a problem as recorded: which contestants ran in which order, and their samples.
struct RecordedRounds {
    const std::vector<record::Contestant>& contestants;
    const std::vector<std::vector<int>>& order;
    /// seconds, by contestant
    std::vector<std::span<const double>> samples_s;
};
/// Return views of the record, which must outlive them.
RecordedRounds recorded_rounds(const record::ProblemRecord& problem);
RecordedRounds recorded_rounds(const record::ProblemRecord& problem,
                               const record::MoreRounds& more);

/// The rounds that both sides of a check have, and for each side the contestant that ran just
/// before. The first contestant of a round follows a contestant of the round before, or a call that
/// the record does not name: its predecessor is then unknown.
std::vector<judge::OrderedRound> rounds_of_check(const RecordedRounds& rounds,
                                                 const record::Check& check);

/// The rounds of a check in one launch, and the seed of the coin for equal times.
struct LaunchRounds {
    std::vector<judge::OrderedRound> rounds;
    std::uint64_t coin_seed;
};
/// Returns how the order of calls explains a violation; nullopt if it does not.
std::optional<Reason> dependence_on_order(std::span<const LaunchRounds> launches,
                                          const judge::Rule& rule, const std::string& left,
                                          const std::string& right);

}  // namespace mpiaudit
