// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tables/tables.h"

namespace mpiaudit {

/// Adds the parts of the papers, which main joins to the auditor.
inline const bool has_joined_papers = [] {
    OtherProducts added;
    join_papers(added);
    return true;
}();

}  // namespace mpiaudit
