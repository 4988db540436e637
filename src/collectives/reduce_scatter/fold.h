// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/allgather/processes.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

/// Leaves a power of two of the processes for an algorithm that needs one: each of the first
/// `pairs` processes at even positions hands its operands to the next process, which acts for both
/// (Thakur & Gropp 4.3, after Rabenseifner).
struct Fold {
    explicit Fold(const Processes& processes)
        : survivors{power_of_two_below(processes.size)},
          pairs{processes.size - survivors},
          hands_over{processes.rank < 2 * pairs && processes.rank % 2 == 0},
          acts_for_two{processes.rank < 2 * pairs && processes.rank % 2 == 1},
          number{processes.rank < 2 * pairs ? processes.rank / 2 : processes.rank - pairs} {}

    /// Position of the process that is number `survivor` of those left.
    int position(int survivor) const {
        return survivor < pairs ? 2 * survivor + 1 : survivor + pairs;
    }

    int survivors;
    int pairs;
    bool hands_over;
    bool acts_for_two;
    int number;  ///< this process's number, or that of the one it hands over to
};

/// What a process that acts for two does first: receives the operands of the process before it into
/// `incoming` and puts them left of its own ones in `result`.
inline void take_over(const Reduction& reduction, void* result, void* incoming,
                      const Processes& processes) {
    messages::receive(incoming, reduction.count, reduction.type,
                      processes.process(processes.rank - 1), message_tag, processes.comm);
    reduction.combine(incoming, result);
}

}  // namespace mpiaudit
