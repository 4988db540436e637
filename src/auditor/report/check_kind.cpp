// SPDX-License-Identifier: BSD-3-Clause
#include "report/check_kind.h"

#include <algorithm>

namespace mpiaudit {
namespace {

/// MPI_Gather of 2 MPI_Gather(m/2)#2.
std::string operation_of_term(std::string_view term) {
    const std::size_t factor = term.find_first_not_of("0123456789 ");
    if (factor != std::string_view::npos) term.remove_prefix(factor);
    return std::string(term.substr(0, term.find_first_of("(#")));
}

}  // namespace

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

std::vector<std::string> operations_of(const record::ContestantDescription& contestant) {
    std::vector<std::string> operations;
    for (const std::string& step : contestant.steps)
        operations.push_back(step.substr(0, step.find(':')));
    if (!operations.empty()) return operations;
    constexpr std::string_view plus = " + ";
    const std::string_view name = contestant.name;
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find(plus, begin), name.size());
        operations.push_back(operation_of_term(name.substr(begin, end - begin)));
        begin = end + plus.size();
    }
    return operations;
}

CheckKind kind_of(const record::ContestantDescription& left, const Names& references) {
    if (left.forced) return CheckKind::verdict;
    const bool is_reference = std::ranges::any_of(
        operations_of(left),
        [&](const std::string& operation) { return references.contains(operation); });
    return is_reference ? CheckKind::remark : CheckKind::verdict;
}

}  // namespace mpiaudit
