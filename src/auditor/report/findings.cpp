// SPDX-License-Identifier: BSD-3-Clause
#include "report/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "machine/machine_description.h"
#include "mpi/environment.h"
#include "operations/operations.h"
#include "repeat/commands.h"
#include "report/overview_rows.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {

using judge::Verdict;

bool leaves_blocks_in_place(const Way& way) {
    return way.scale.repeats == 1 || std::ranges::all_of(way.terms, [](const Term& each) {
               const MpiOperation* const operation = each.form.mpi_operation();
               return operation == nullptr || operation->shape == Shape::vector ||
                      operation->shape == Shape::nothing || operation->takes("displs") ||
                      operation->takes("sdispls");
           });
}

bool is_offered_as_replacement(const record::ContestantDescription& way) {
    if (way.name.way().copy > 1) return false;
    if (way.forced) return true;
    if (!leaves_blocks_in_place(way.name.way())) return false;
    return std::ranges::none_of(way.forms(), [](const Form& each) {
        return each.makes_communicator() || each.is_consistency_test();
    });
}

double factor(const JudgedCheck& check) {
    return check.samples && check.samples->has_ratio() ? check.samples->judgement.factor
                                                       : std::numeric_limits<double>::infinity();
}

double severity(const JudgedCheck& check) {
    if (check.lacks_evidence) return 1.0;
    return check.remedy ? check.remedy->factor : factor(check);
}

std::vector<ComparedTimes> compared_times(const Report& report, const JudgedCheck& check) {
    std::vector<ComparedTimes> all;
    if (!check.samples || !check.samples->has_ratio()) return all;
    const double takes_s = compared(check.samples->judgement.left, report.header.rule.criterion);
    if (!check.remedy || check.remedy->contestant != check.right)
        all.push_back({check.right, takes_s, takes_s / factor(check), factor(check)});
    if (check.remedy)
        all.push_back({check.remedy->contestant, check.remedy->left_s, check.remedy->instead_s,
                       check.remedy->factor});
    return all;
}

bool is_nothing_decided(const Report& report) {
    // An audit of reference algorithms alone has no checks of the library.
    return report.summary.checks > 0 && report.summary.decided() == 0;
}

std::string ranks_without_cores(const record::Header& header) {
    for (const Host& host : header.machine.hosts)
        if (host.topology && static_cast<std::size_t>(host.topology->cores) < host.ranks.size())
            return fmt::format("{} on {}", counted(host.ranks.size(), "rank"),
                               counted(static_cast<std::size_t>(host.topology->cores), "core"));
    return "";
}

std::vector<OperationSummary> summaries_of_operations(const Report& report) {
    std::vector<OperationSummary> all;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind == CheckKind::remark) continue;
        const std::string operation = check.left.way().operations();
        auto* found = find_in(all, operation, &OperationSummary::operation);
        if (found == nullptr)
            found = &all.emplace_back(
                OperationSummary{operation, check.left.way().is_other_form(), {}, nullptr});
        found->counts.add(check.verdict);
        // Several checks may have the same remedy: of these, the largest factor counts.
        if (check.verdict == Verdict::violated &&
            (found->worst == nullptr ||
             std::pair(severity(check), factor(check)) >
                 std::pair(severity(*found->worst), factor(*found->worst))))
            found->worst = &check;
    }
    std::ranges::stable_sort(all, [](const OperationSummary& a, const OperationSummary& b) {
        if (a.worst == nullptr || b.worst == nullptr)
            return a.worst != nullptr && b.worst == nullptr;
        if (a.is_other_form != b.is_other_form) return b.is_other_form;
        return severity(*a.worst) > severity(*b.worst);
    });
    return all;
}

}  // namespace mpiaudit
