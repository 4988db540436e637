// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <memory>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// The ranks agree on a number that is known beforehand, by MPI_Allreduce(1). \param learnt where
/// the call puts it
inline Agreement agreement_on(std::shared_ptr<int> learnt, int right, int rank) {
    // What was not written must not pass for right.
    return {[=] { *learnt = ~right; },
            [=]() -> std::optional<std::string> {
                if (*learnt == right) return std::nullopt;
                return fmt::format("rank {}: MPI_Allreduce(1) agrees on {}, not {}", rank, *learnt,
                                   right);
            }};
}

}  // namespace mpiaudit
