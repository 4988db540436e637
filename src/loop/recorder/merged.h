// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "application/recording.h"
#include "recorder/session.h"

namespace mpiaudit::recorder {

/// A problem with what identifies it between ranks, over some of them.
struct MergedProblem : Same, Described {
    std::string collective, op, type;
    std::uint64_t group = 0;      ///< hash
    std::int64_t calls = 0;       ///< of the rank with most
    std::int64_t rank_calls = 0;  ///< over ranks
    std::int64_t ranks = 0;
    std::int64_t same = 0, untouched = 0;  ///< over ranks, as Memory has them
    double sum_s = 0, max_rank_s = 0, min_rank_s = 0, min_call_s = 0, root_s = 0, waiting_s = 0;
};

/// Where the code of a call is; all empty for the sum over all places.
using Place = std::tuple<std::string, std::string, std::int64_t>;

/// Adds what is summed over calls, of whichever ranks and problems.
void add_sums(MergedProblem& into, const MergedProblem& other);

/// What some ranks have recorded.
struct Merged {
    std::map<std::string, MergedProblem> problems;  ///< by what identifies them
    std::map<std::uint64_t, application::Group> groups;
    std::map<std::string, application::Ranks> hosts;
    /// By function and place; the function is empty for all of them together.
    std::map<std::pair<std::string, Place>, application::Share> shares;
    application::Lost lost;
    double wall_seconds = 0;
    double delayed_s = 0;  ///< over ranks, as delay_ns() has it
};

/// Of this rank, until now.
Merged own_records();
/// Adds what others have, whose ranks are higher. Problems beyond the number that one file takes
/// are lost.
void merge(Merged& into, const Merged& other);
std::string packed(const Merged& merged);
Merged unpacked(const std::string& text);
/// What is written down.
application::Recording recording_of(const Merged& merged);

}  // namespace mpiaudit::recorder
