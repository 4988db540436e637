// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "calls/group.h"
#include "calls/properties.h"

namespace mpiaudit::calls {

/// The ways in which a call fails.
enum class FaultKind {
    wrong_value,
    written_outside,  ///< bytes outside the received blocks
    send_buffer_changed,
    arguments_changed,
    ranks_differ,  ///< ranks of one MPI_Allreduce have different bits
    error_returned,
    wrong_communicator,
    left_early,   ///< a rank leaves a barrier before another rank has arrived
    calls_differ  ///< equal calls have different bits, which the standard allows: a remark
};

struct Fault {
    FaultKind kind{};
    std::string text;  ///< what this rank has found
};

/// The communicators of the calls, each made when first needed. MPI_COMM_WORLD outlives it.
class Groups {
  public:
    /// Collective over audited_ranks().
    Group& get(Communicator communicator);
    /// Frees all communicators. Collective.
    void clear() { made_.clear(); }

  private:
    std::map<Communicator, Group> made_;
};

/// Makes the call with known contents and compares what the call leaves with what the standard
/// demands. Returns the fault that the lowest rank has found, the same on every rank; nullopt if no
/// rank has found one. Collective over audited_ranks(). \param seed of the contents
std::optional<Fault> perform(const ChosenCall& call, Groups& groups, std::uint64_t seed);

/// Returns what this library and this launch offer.
Setting setting_of_launch();

}  // namespace mpiaudit::calls
