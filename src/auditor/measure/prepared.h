// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/protocol.h"
#include "measure/verification.h"
#include "plan/plan.h"
#include "problem/workspace.h"

namespace mpiaudit {

/// The buffers of a problem and of its variants, with the sources filled: one set of them, or as
/// many as it takes to leave the caches before a set is used again.
class Workspaces {
  public:
    /// To measure on.
    Workspaces(const PlannedProblem& planned, const Protocol& protocol)
        : Workspaces(planned, planned.variants, protocol,
                     protocol.options.shared_buffers ? Memory::shared : Memory::own) {}
    /// On the variants, or on those parts of them that are verified.
    Workspaces(const PlannedProblem& planned, const std::vector<Problem>& problems,
               const Protocol& protocol, Memory memory);
    Instance instance(const Contestant& contestant, std::size_t set = 0) const {
        return parts(contestant, set).front();
    }
    /// Those on which a contestant runs in turn; fewer of one that is skipped.
    std::vector<Instance> parts(const Contestant& contestant, std::size_t set = 0) const;
    /// The same on all ranks.
    std::size_t sets() const { return spaces_.size() / variants_; }

  private:
    void add_set(const PlannedProblem& planned, const std::vector<Problem>& problems,
                 Memory memory);
    std::size_t sets_to_rotate(const Rotation& rotation) const;
    MPI_Comm comm_;
    const RankNetwork* network_;
    std::size_t variants_;
    /// Set by set, of each variant those of its parts.
    std::vector<std::vector<std::unique_ptr<Workspace>>> spaces_;
};

/// The contestants of a problem, prepared and verified.
struct Prepared {
    std::vector<Step> steps;  ///< of all contestants on the first set of buffers, on the next ...
    std::vector<Call> calls;  ///< of the steps; empty for what is skipped or wrong
    std::size_t sets = 1;
    std::size_t looks = 0;  ///< that were taken; each is at the next set
    /// What each contestant needs ahead of its call, untimed: its algorithm selected, its buffers
    /// out of the caches. Empty when none needs anything.
    std::vector<Call> before;
    /// What `before` reads and writes, once for all contestants with the same: what stands at two
    /// addresses takes other places in the caches, and calls of 0.5 us took up to 20 % longer after
    /// the one than after the other.
    std::vector<std::unique_ptr<const MemoryBlocks>> used;
    std::vector<std::optional<std::string>> wrong;
    std::vector<std::optional<std::string>> refused;  ///< by the library: does not fit the problem
    std::vector<std::optional<Growth>> growth;
    std::vector<char> late;  ///< 1: no time was left to verify it
    double look_s = 0.0;     ///< seconds that the verification took
    bool can_run(std::size_t contestant) const {
        return static_cast<bool>(calls[contestant]) && !wrong[contestant];
    }
};

/// Verifies a contestant once more with the very call that is timed, and leaves the buffers as it
/// found them. A wrong one is wrong from now on. Returns whether it is right. Collective.
bool look_again(std::size_t contestant, const PlannedProblem& planned, const Workspaces& workspaces,
                Repetition repetition, Prepared& prepared);

/// Whether the time of what is done one by one is over, as rank 0 sees it; never in a simulation.
/// Collective.
bool is_over(double end_s, MPI_Comm comm);

/// Seconds that one call on a problem may be expected to take at the worst: all its data over a
/// slow link. For who waits for it to end.
double expected_call_s(const Problem& problem);

/// What operations did on a problem in an earlier session that did not survive them.
struct KnownIncident {
    std::string operation;  ///< name of a contestant, or of what brings the ranks together
    std::string what;       ///< "hangs: ..."
    /// The form that the verification of all forms found to fail; it is not tried on other problems
    /// either.
    std::optional<Form> form = {};
};

/// Prepares the contestants and runs each once on sources of known contents. Those that are wrong,
/// that the library refuses or that the plan skips get no call, nor those whose turn would come
/// after `limit_s` seconds; of the collectives each has its turns. Collective.
Prepared prepare(const PlannedProblem& planned, const Workspaces& workspaces,
                 const Protocol& protocol, double limit_s,
                 const std::vector<KnownIncident>& incidents = {});

}  // namespace mpiaudit
