// SPDX-License-Identifier: BSD-3-Clause
#include "record/audit_record.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace mpiaudit::record {

std::uint64_t Header::order_seed() const {
    const OptionValue* const seed = find_option(options, "order-seed");
    if (seed == nullptr || !std::holds_alternative<std::uint64_t>(*seed))
        throw std::logic_error("an audit without the option order-seed");
    return std::get<std::uint64_t>(*seed);
}

std::vector<std::string> Header::host_names() const {
    std::vector<std::string> names;
    for (const Host& host : machine.hosts) names.push_back(host.name);
    return names;
}

std::size_t Audit::planned_and_measured() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        problems, [](const ProblemRecord& each) { return !each.problem.chosen; }));
}

bool add_problem(Audit& audit, ProblemRecord problem) {
    const auto twin = std::ranges::find_if(audit.problems, [&](const ProblemRecord& each) {
        return each.problem.id == problem.problem.id;
    });
    if (twin == audit.problems.end())
        audit.problems.push_back(std::move(problem));
    else if (twin->is_left_out())
        *twin = std::move(problem);
    else
        return false;
    return true;
}

bool ProblemRecord::is_left_out() const {
    const auto is_late = [](const Contestant& each) { return each.skipped == no_time_left; };
    const auto has_samples = [](const Contestant& each) { return !each.samples_s.empty(); };
    return std::ranges::any_of(contestants, is_late) &&
           std::ranges::none_of(contestants, has_samples);
}

}  // namespace mpiaudit::record
