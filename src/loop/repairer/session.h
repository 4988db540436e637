// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interposition/arguments.h"
#include "interposition/library.h"
#include "paths/paths.h"
#include "rules/rules.h"

namespace mpiaudit::repairer {

enum class Mode {
    on,
    off,    ///< no call is looked at
    count,  ///< count the calls to which rules apply; the library makes them
    verify  ///< make each call both ways in one buffer; the library's result stays
};

/// Reason why a call to which a rule applies is left to the library; equal on all ranks of the
/// call.
enum class Refusal {
    no_data,
    too_large,
    operation,
    floating_point,
    differing_ranks,
    short_integers,
    no_duplicate,
    only_counted
};
inline constexpr std::size_t refusals = 8;
/// Returns the reason as text.
std::string_view words_for(Refusal refusal);

/// A rule with the counts of this rank.
struct AppliedRule {
    rules::Rule rule;
    paths::Path path;
    std::atomic<std::int64_t> calls{0};  ///< calls that took the path
    std::array<std::atomic<std::int64_t>, refusals> refused{};
    // Counted in mode verify only:
    std::atomic<std::int64_t> differences{0};  ///< results of this rank that are not the library's
    std::atomic<std::int64_t> unequal{0};      ///< calls that gave the ranks different results

    void refuse(Refusal why) { ++refused[static_cast<std::size_t>(why)]; }
};

/// A collective and its rules, in their order.
struct OfCollective {
    const MpiOperation* collective = nullptr;  ///< null if no rule can be about it
    std::vector<AppliedRule*> rules;
    /// Numbers of nonblocking and persistent calls, to which no rule applies.
    std::atomic<std::int64_t> nonblocking{0}, persistent{0};
};

enum class Phase { before, on, off };

/// State of the repairer in one process, from the start of MPI to its end.
struct Session {
    Phase phase = Phase::before;
    Mode mode = Mode::on;
    int rank = 0, ranks = 1;
    std::string report;      ///< file for times; empty if not wanted
    std::vector<int> hosts;  ///< number of the host of each rank of MPI_COMM_WORLD
    std::deque<AppliedRule> rules;
    std::map<std::string, OfCollective, std::less<>> collectives;
    std::atomic<std::int64_t> ticks{0};  ///< time in blocking collectives
    std::int64_t start_ticks = 0, start_ns = 0;
};

/// Never freed, because it is used after static objects are destroyed.
extern Session& session;

OfCollective& of_collective(std::string_view name);

/// Properties of a communicator, stored as its attribute.
struct Communicator : interposition::RankInComm {
    explicit Communicator(MPI_Comm comm);
    ~Communicator();
    bool is_repairable = false;  ///< all ranks are in MPI_COMM_WORLD, no inter-communicator
    std::vector<int> per_host;
    bool has_duplicate = false;  ///< for messages of paths; equal on all ranks
};
/// Duplicates a communicator for the messages of paths if a rule needs them. Collective: called in
/// MPI_Init and after a communicator is created. Duplicating in a collective call of the
/// application could make ranks wait that do not wait without rules.
void prepare(MPI_Comm comm);
/// Returns and resets the first error in messages of a path; MPI_SUCCESS if there is none.
int take_error();

/// Returns the rule whose path this call takes; null if the library makes the call. Equal on all
/// ranks of the call, because it depends only on what all of them know.
AppliedRule* match(OfCollective& own, interposition::Shape shape,
                   const interposition::Arguments& arguments);

}  // namespace mpiaudit::repairer
