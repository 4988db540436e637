// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "application/recording.h"
#include "recorder/session.h"

namespace mpiaudit::recorder {

/// A problem as several ranks have recorded it. The base classes and the texts identify it on all
/// ranks.
struct MergedProblem : ProblemKey, ProblemDetails {
    std::string collective, op, type;
    std::uint64_t group = 0;      ///< hash of its ranks
    std::int64_t calls = 0;       ///< calls of the rank with the most
    std::int64_t rank_calls = 0;  ///< calls over all ranks
    std::int64_t ranks = 0;
    std::int64_t same = 0, untouched = 0;  ///< calls over all ranks, as in BufferReuse
    std::vector<std::int64_t> sent_in = {}, received_in = {};  ///< as in BufferReuse
    double sum_s = 0, max_rank_s = 0, min_rank_s = 0, min_call_s = 0, root_s = 0, waiting_s = 0;
};

/// Object, symbol and offset of a call site; empty for the sum over all places.
using CodePlace = std::tuple<std::string, std::string, std::int64_t>;

/// Adds the totals of `other`: sums, the largest block and the shortest call.
void merge_into(MergedProblem& into, const MergedProblem& other);

/// The merged recordings of some ranks.
struct Merged {
    std::map<std::string, MergedProblem> problems;  ///< by their packed identity
    std::map<std::uint64_t, application::Group> groups;
    std::map<std::string, application::Ranks> hosts;
    /// Keys are function and place; an empty function stands for all functions.
    std::map<std::pair<std::string, CodePlace>, application::Share> shares;
    application::Lost lost;
    double wall_seconds = 0;
    double delayed_s = 0;  ///< sum of delay_ns() over ranks, in seconds
};

/// Returns what this rank has recorded so far.
Merged own_records();
/// Adds the recordings of ranks that are all higher. Problems beyond the limit are counted as lost.
void merge(Merged& into, const Merged& other);
/// Returns bytes that unpacked() reads on another rank. Blocks that a lower rank packs are left
/// out.
std::string packed(const Merged& merged);
Merged unpacked(const std::string& text);
/// Returns the contents of problems.json.
application::Recording recording_of(const Merged& merged);

}  // namespace mpiaudit::recorder
