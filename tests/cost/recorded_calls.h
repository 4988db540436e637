// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

namespace mpiaudit::test {

/// What one rank's call did, seen through the profiling interface of MPI: the operations of a
/// Schedule, and two more for the collective operations of MPI that algorithms use inside.
struct RecordedCall {
    enum Kind : int { send, receive, wait, wait_for_receives, reduce, allreduce };
    int kind;
    int partner;
    int amount;  ///< bytes, or receives to wait for
};

/// The calls of this rank while `action` runs, in their order; messages to itself left out.
std::vector<RecordedCall> record_calls(const std::function<void()>& action);

/// Handles made and not given back since the program began.
struct OpenHandles {
    int datatypes = 0;
    int requests = 0;
    int communicators = 0;
    int operators = 0;
    bool operator==(const OpenHandles&) const = default;
};
OpenHandles open_handles();

}  // namespace mpiaudit::test
