// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "trace/trace.h"

namespace mpiaudit::test {

/// The calls of one rank, seen through the profiling interface of MPI, in the form of a Trace.
using Program = std::vector<Trace::Operation>;

/// The calls of this rank while `action` runs, in their order; messages to itself left out.
Program record_calls(const std::function<void()>& action);

/// Handles made and not given back since the program began.
struct OpenHandles {
    int datatypes = 0;
    int requests = 0;
    int communicators = 0;
    int operators = 0;
    bool operator==(const OpenHandles&) const = default;
};
extern OpenHandles open_handles;

/// The messages that this rank has sent to itself by MPI_Sendrecv, and the datatypes that it has
/// made, since the program began.
extern long messages_to_oneself, datatypes_made;
/// Bytes that this rank has packed and unpacked, since the program began.
extern long bytes_packed_and_unpacked;

}  // namespace mpiaudit::test
