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
    off,    ///< nothing is looked at
    count,  ///< what would be taken is counted, and left to the library
    verify  ///< both ways, into the same buffer one after the other; the library's result stays
};

/// Why a call that a rule is about is left to the library all the same. All ranks of the call find
/// the same reason.
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
/// In words.
std::string_view words_for(Refusal refusal);

/// A rule with what this rank has done about it.
struct AppliedRule {
    rules::Rule rule;
    paths::Path path;
    std::atomic<std::int64_t> calls{0};  ///< that took the path
    std::array<std::atomic<std::int64_t>, refusals> refused{};
    // In mode verify:
    std::atomic<std::int64_t> differences{0};  ///< results of this rank that are not the library's
    std::atomic<std::int64_t> unequal{0};      ///< calls that gave the ranks different results

    void refuse(Refusal why) { ++refused[static_cast<std::size_t>(why)]; }
};

/// A collective and the rules about it, in their order.
struct OfCollective {
    const MpiOperation* collective = nullptr;  ///< null where no rule can be about it
    std::vector<AppliedRule*> rules;
    /// Calls that begin it, which no rule is about.
    std::atomic<std::int64_t> nonblocking{0}, persistent{0};
};

enum class Phase { before, on, off };

/// What one process does from the start of MPI to its end.
struct Session {
    Phase phase = Phase::before;
    Mode mode = Mode::on;
    int rank = 0, ranks = 1;
    std::string report;      ///< a file to write times to; empty when nobody asks
    std::vector<int> hosts;  ///< of each rank of MPI_COMM_WORLD, by number
    std::deque<AppliedRule> rules;
    std::map<std::string, OfCollective, std::less<>> collectives;
    std::atomic<std::int64_t> ticks{0};  ///< in blocking collectives
    std::int64_t start_ticks = 0, start_ns = 0;
};

/// Never freed: it is needed when static objects are gone.
extern Session& session;

OfCollective& of_collective(std::string_view name);

/// What is known of a communicator, which goes with it.
struct Communicator : interposition::RankInComm {
    explicit Communicator(MPI_Comm comm);
    ~Communicator();
    bool is_repairable = false;  ///< no inter-communicator, and all of MPI_COMM_WORLD
    std::vector<int> per_host;
    bool has_duplicate = false;  ///< for messages; the same on all ranks
};
/// Makes a duplicate of a communicator for messages if a rule needs one. Collective: called in
/// MPI_Init, and where a communicator has just been made. A duplicate that is made in a collective
/// of the application would make ranks wait for each other that do not wait without rules.
void prepare(MPI_Comm comm);
/// The error of a message of ours since it was asked for last; MPI_SUCCESS when there is none.
int take_error();

/// The rule whose path this call takes; null when it is the library's. All ranks of the call get
/// the same answer, as it follows from what all of them know alike.
AppliedRule* match(OfCollective& own, interposition::Shape shape,
                   const interposition::Arguments& arguments);

}  // namespace mpiaudit::repairer
