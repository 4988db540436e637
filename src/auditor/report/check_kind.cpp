// SPDX-License-Identifier: BSD-3-Clause
#include "report/check_kind.h"

#include <algorithm>

namespace mpiaudit {
std::string_view name(CheckKind kind) {
    return kind == CheckKind::verdict ? "verdict" : "remark";
}

Names reference_names(const std::vector<record::Implementation>& implementations) {
    Names names;
    for (const record::Implementation& each : implementations) {
        const bool is_own = !each.stands_for.empty() || !each.name.starts_with("MPI_");
        if (!each.native && each.collective != "local" && is_own) names.insert(each.name);
    }
    return names;
}

CheckKind kind_of(const record::ContestantDescription& left, const Names& references) {
    if (left.forced) return CheckKind::verdict;
    const bool is_reference = std::ranges::any_of(
        left.operations(),
        [&](const std::string& operation) { return references.contains(operation); });
    return is_reference ? CheckKind::remark : CheckKind::verdict;
}

}  // namespace mpiaudit
