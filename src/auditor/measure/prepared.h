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

/// Buffers of a problem and its variants, with filled sources: one set, or as many sets as needed
/// for a set to leave the caches before it is used again.
class Workspaces {
  public:
    /// Allocates the buffers for timing.
    Workspaces(const PlannedProblem& planned, const Protocol& protocol)
        : Workspaces(planned, planned.variants, protocol,
                     protocol.options.shared_buffers ? Memory::shared : Memory::own) {}
    /// Allocates the buffers for `problems`: the variants, or the parts of them that are verified.
    Workspaces(const PlannedProblem& planned, const std::vector<Problem>& problems,
               const Protocol& protocol, Memory memory);
    Instance instance(const Contestant& contestant, std::size_t set = 0) const {
        return parts(contestant, set).front();
    }
    /// Returns the instances on which a contestant runs in turn, one for each of its parts.
    std::vector<Instance> parts(const Contestant& contestant, std::size_t set = 0) const;
    /// Returns the number of sets of buffers; equal on all ranks.
    std::size_t sets() const { return spaces_.size() / variants_; }

  private:
    void add_set(const PlannedProblem& planned, const std::vector<Problem>& problems,
                 Memory memory);
    std::size_t sets_to_rotate(const Rotation& rotation) const;
    MPI_Comm comm_;
    const RankNetwork* network_;
    std::size_t variants_;
    /// [set * variants + variant][part]
    std::vector<std::vector<std::unique_ptr<Workspace>>> spaces_;
};

/// Contestants of a problem, verified and prepared for timing.
struct Prepared {
    std::vector<Step> steps;  ///< [set * contestants + contestant]
    std::vector<Call> calls;  ///< calls of the steps; empty for skipped and wrong contestants
    std::size_t sets = 1;
    std::size_t reverifications = 0;  ///< verifications between rounds so far
    /// Function of each contestant to run before its call, untimed: selects its algorithm and
    /// brings its buffers into the state of --buffers. Empty if no contestant needs any.
    std::vector<Call> before;
    /// Memory that `before` reads and writes; contestants with equal lists share one. Two equal
    /// lists at different addresses would occupy different places in the caches: calls of 0.5 us
    /// took up to 20 % longer after one than after the other.
    std::vector<std::unique_ptr<const MemoryBlocks>> used;
    std::vector<std::optional<Fault>> wrong;
    /// Reasons why contestants are not measured that are neither wrong nor late: the library
    /// refused a forced algorithm, which does not fit the problem, or a simulation takes too long.
    std::vector<std::optional<Reason>> left_out;
    std::vector<std::optional<Growth>> growth;
    std::vector<char> late;       ///< 1: no time was left to verify it
    double verification_s = 0.0;  ///< seconds that the verification took
    bool can_run(std::size_t contestant) const {
        return static_cast<bool>(calls[contestant]) && !wrong[contestant];
    }
};

/// Verifies a contestant once more with the same call that is timed, and leaves the buffers as they
/// were. Marks it as wrong if its result is wrong. Returns whether it is right. Collective.
bool verify_again(std::size_t contestant, const PlannedProblem& planned,
                  const Workspaces& workspaces, Repetition repetition, Prepared& prepared);

/// Returns whether the time `end_s` has passed on rank 0. Collective.
bool is_over(double end_s, MPI_Comm comm);

/// Returns the longest time in seconds that a call on the problem may be expected to take: all its
/// data over a link of 100 MB/s. For limits on hanging calls.
double expected_call_s(const Problem& problem);

/// A hang or crash of an operation in an earlier session.
struct KnownIncident {
    std::string operation;  ///< name of a contestant, or of the synchronisation
    Fault what;
    /// The form that failed when all forms were verified; it is not tried on other problems.
    std::optional<Form> form = {};
};

/// Verifies and prepares the contestants. Contestants get no call if they are wrong, left out or
/// skipped by the plan, or if their turn comes after `limit_s` seconds; the contestants of all
/// operations take turns. The first check of a simulation has its turn whatever the limit is: a
/// problem that begins is measured. Collective.
Prepared prepare(const PlannedProblem& planned, const Workspaces& workspaces,
                 const Protocol& protocol, double limit_s,
                 const std::vector<KnownIncident>& incidents = {});

}  // namespace mpiaudit
