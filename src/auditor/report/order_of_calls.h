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
    /// [contestant]: its samples in seconds
    std::vector<std::span<const double>> samples_s;
};
RecordedRounds recorded_rounds(const record::ProblemRecord& problem);
RecordedRounds recorded_rounds(const record::ProblemRecord& problem,
                               const record::MoreRounds& more);

/// The rounds that both sides of a check have, with the contestants that ran just before them. The
/// first contestant of a round follows one of the round before, or something that the record does
/// not name: its predecessor counts as not known.
std::vector<judge::OrderedRound> rounds_of_check(const RecordedRounds& rounds,
                                                 const record::Check& check);

/// "MPI_Gather(m) is slower only after MPI_Gatherv(m), not after itself" where a check that is
/// violated by all rounds depends on the order of calls; empty where it does not, and where the
/// rule has no evidence. \param launches what each launch has measured of the check
struct LaunchRounds {
    std::vector<judge::OrderedRound> rounds;
    std::uint64_t coin_seed;
};
std::string dependence_on_order(std::span<const LaunchRounds> launches, const judge::Rule& rule,
                                const std::string& left, const std::string& right);

}  // namespace mpiaudit
