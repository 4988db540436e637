// SPDX-License-Identifier: BSD-3-Clause
// Memory that calls of the library lose, or take beside the data.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/console.h"
#include "report/findings.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A call that takes this many times as much memory as all data of the problem is a finding, where
/// that is more than a pool of buffers.
constexpr double most_copies = 4.0, pool_bytes = 1 << 20;

/// The name under which the library has the only operation of a contestant: MPIX_Gather_init of
/// MPI_Gather_init[once](m) in Open MPI 4.1.
std::string function_of(const Report& report, const ReportedContestant& contestant) {
    const std::string operation = record::step_of(operation_on_left(contestant.name)).operation;
    const auto* const known =
        find_in(report.header.implementations, operation, &record::Implementation::name);
    const bool is_function = known != nullptr && known->written_as.starts_with("MPI");
    return is_function ? known->written_as : operation;
}

const char* when_lost(const std::string& operation) {
    if (operation.find("_init[once]") != std::string::npos) return at_free;
    return operation.find("_init") != std::string::npos ? "at each MPI_Start" : "in each call";
}

/// Of several calls, the one that they consist of is known, too.
bool is_several_calls(const std::string& contestant) {
    return record::scale_of(contestant).repeats > 1 ||
           contestant.find("[in a row") != std::string::npos;
}

}  // namespace

std::vector<MemoryLoss> memory_losses_of(const Report& report) {
    const Names references = reference_names(report.header.implementations);
    struct Found {
        std::vector<double> bytes;
        std::size_t problems = 0;  ///< on which the operation was called
        const ReportedContestant* example = nullptr;
    };
    std::map<std::string, Found> operations;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (kind_of(each, references) == CheckKind::remark || is_several_calls(each.name) ||
                each.skipped || each.wrong)
                continue;
            Found& found = operations[operation_on_left(each.name)];
            ++found.problems;
            found.example = &each;
            if (each.lost_bytes) found.bytes.push_back(*each.lost_bytes);
        }
    }
    std::vector<MemoryLoss> all;
    for (auto& [operation, found] : operations) {
        // What one problem of several has alone is chance.
        if (found.bytes.size() < std::min<std::size_t>(2, found.problems) || found.bytes.empty())
            continue;
        const auto middle =
            found.bytes.begin() + static_cast<std::ptrdiff_t>(found.bytes.size() / 2);
        std::ranges::nth_element(found.bytes, middle);
        all.push_back(
            {operation, function_of(report, *found.example), when_lost(operation), *middle});
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &MemoryLoss::bytes);
    return all;
}

std::optional<std::string> most_memory_taken(const Report& report) {
    const Names references = reference_names(report.header.implementations);
    double most = 0.0;
    std::string sentence;
    std::set<std::string> operations;
    for (const ReportedProblem& measured : report.problems) {
        const record::ProblemDescription& problem = measured.problem;
        const auto data = static_cast<double>(problem.total * problem.element_bytes);
        for (const ReportedContestant& each : measured.contestants) {
            const double call = each.call_bytes.value_or(0.0);
            // m+k is larger than the problem.
            if (kind_of(each, references) == CheckKind::remark ||
                record::scale_of(each.name).is_next ||
                call <= std::max(pool_bytes, most_copies * data))
                continue;
            operations.insert(operation_on_left(each.name));
            if (call <= most) continue;
            most = call;
            sentence = fmt::format(
                "MEMORY: {} takes {:.1f} MB of a rank's memory in a call on {} ({:.1f} MB in all)",
                each.name, call / 1e6, problem.id, data / 1e6);
        }
    }
    if (operations.empty()) return std::nullopt;
    if (const std::size_t others = operations.size() - 1; others > 0)
        sentence += fmt::format("; {} {} much, too", counted(others, "other operation"),
                                others == 1 ? "takes" : "take");
    return sentence;
}

}  // namespace mpiaudit
