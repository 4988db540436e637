// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "calls/group.h"
#include "calls/properties.h"
#include "causes/fault.h"

namespace mpiaudit::calls {

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
