// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calls/properties.h"
#include "messages/owned.h"
#include "operations/functions_by_name.h"

namespace mpiaudit::calls {

/// One end of an edge: the neighbour, and the number of the block in the neighbour's send buffer.
struct Source {
    int rank = 0;  ///< negative for MPI_PROC_NULL
    int block = 0;
};

/// The communicator of a call, with what we know of it without asking the library.
struct Group {
    MPI_Comm comm = MPI_COMM_NULL;
    bool has_this_rank = true;
    int rank = 0, size = 1;  ///< of the own group
    bool is_inter = false;
    int side = 0, remote_size = 0;  ///< of an intercommunicator
    std::vector<int> targets = {};  ///< neighbours in the order of send blocks
    std::vector<Source> sources = {};
    std::unique_ptr<MpiSession> session = {};  ///< ends after the communicator
    OwnedComm owned = {};                      ///< empty for audited_ranks() and MPI_COMM_SELF

    /// Number that identifies a rank of the own group, or of the remote one, in contents.
    int actor(int rank_in_group, bool remote = false) const {
        return rank_in_group + (is_inter && (side == 1) != remote ? 1000 : 0);
    }
};

/// Returns whether a session of MPI 4 can make a communicator of audited_ranks().
bool has_session_of_audited_ranks();

/// Makes a duplicate with the same neighbours. Collective over the members.
Group duplicate_of(const Group& group);

/// Makes the communicator. Collective over audited_ranks().
Group make_group(Communicator communicator);

/// Returns in which way the communicator differs from what was asked for; nullopt if it does not.
std::optional<std::string> find_wrong_group(const Group& group);

}  // namespace mpiaudit::calls
