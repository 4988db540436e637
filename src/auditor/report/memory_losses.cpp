// SPDX-License-Identifier: BSD-3-Clause
// Memory that calls of the library lose, or take beside the data: declared in report/findings.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/findings.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// Returns the name under which the library has the only operation of a way: MPIX_Gather_init for
/// MPI_Gather_init[once](m) in Open MPI 4.1.
std::string function_of(const Report& report, const Way& way) {
    if (way.only() == nullptr) return way.operations();
    const std::string function = way.only()->function();
    const auto* const known =
        find_in(report.header.implementations, function, &record::Implementation::name);
    const bool is_function = known != nullptr && known->written_as.starts_with("MPI");
    return is_function ? known->written_as : function;
}

const char* when_lost(const Way& way) {
    const auto begins = [&](Start start) {
        return std::ranges::any_of(way.terms,
                                   [&](const Term& each) { return each.form.start == start; });
    };
    if (begins(Start::persistent_once)) return at_free;
    return begins(Start::persistent) ? "at each MPI_Start" : "in each call";
}

/// The report has the single call, too.
bool is_several_calls(const Way& way) {
    return way.scale.repeats > 1 || way.terms.front().form.is_in_a_row();
}

}  // namespace

std::vector<MemoryLoss> memory_losses_of(const Report& report) {
    const NameSet references = reference_names(report.header.implementations);
    struct Found {
        std::vector<double> bytes;
        std::size_t problems = 0;  ///< problems with a call of the operation
        const ReportedContestant* example = nullptr;
    };
    std::map<std::string, Found> operations;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (kind_of(each, references) == CheckKind::remark ||
                is_several_calls(each.name.way()) || each.skipped || each.wrong ||
                each.loss_unknown)
                continue;
            Found& found = operations[each.name.way().operations()];
            ++found.problems;
            found.example = &each;
            if (each.lost_bytes) found.bytes.push_back(*each.lost_bytes);
        }
    }
    std::vector<MemoryLoss> all;
    for (auto& [operation, found] : operations) {
        // A loss on one of several problems alone may be chance. Problems on which many calls take
        // too long do not count.
        if (found.bytes.size() < std::min<std::size_t>(2, found.problems) || found.bytes.empty())
            continue;
        const auto middle =
            found.bytes.begin() + static_cast<std::ptrdiff_t>(found.bytes.size() / 2);
        std::ranges::nth_element(found.bytes, middle);
        all.push_back({operation, function_of(report, found.example->name.way()),
                       when_lost(found.example->name.way()), *middle});
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &MemoryLoss::bytes);
    return all;
}

}  // namespace mpiaudit
