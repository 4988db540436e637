// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

namespace mpiaudit::test {

/// One call that sends, receives, or does both at the same time.
struct Event {
    int destination = -1;
    int source = -1;
    int bytes_sent = 0;
    int bytes_received = 0;
};

struct Recording {
    std::vector<Event> events;
    int datatypes_kept = 0;  ///< made and not freed
};

/// The messages of this process to and from others while `call` runs, in their order.
Recording record(const std::function<void()>& call);

}  // namespace mpiaudit::test
