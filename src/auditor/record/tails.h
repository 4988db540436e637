// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit::record {

/// An operation of the library and the other way that its long calls are compared with; places of
/// contestants.
struct TailPair {
    std::size_t left, right;
};

/// Returns a pair for each left side of checks that has_judged_tail(): the right side with the
/// nearest median of the first `rounds` samples: calls of equal length are disturbed equally often.
/// A way that calls the same operation may have the same tail, and is taken only if there is no
/// other way. \param rounds at least 1; contestants with fewer samples are left out
std::vector<TailPair> tail_pairs(const ProblemRecord& problem, std::size_t rounds);

}  // namespace mpiaudit::record
