// SPDX-License-Identifier: BSD-3-Clause
#include "record/audit_record.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "text/plain.h"

namespace mpiaudit::record {

std::uint64_t Header::order_seed() const {
    return std::get<std::uint64_t>(option_in(options, "order-seed"));
}

std::vector<std::string> Header::host_names() const {
    return names_of(machine.hosts, &Host::name);
}

std::size_t Audit::planned_and_measured() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        problems, [](const ProblemRecord& each) { return !each.problem.chosen; }));
}

Step::Step(std::string arrow_name, std::string source, std::string target)
    : arrow{std::move(arrow_name)},
      from{std::move(source)},
      to{std::move(target)},
      form{parse_form(arrow)} {}

Step::Step(const std::string& text) : arrow{text} {
    const std::size_t colon = text.find(": "), sign = text.find(" -> ");
    if (colon != std::string::npos && sign != std::string::npos && sign > colon) {
        arrow = text.substr(0, colon);
        from = text.substr(colon + 2, sign - colon - 2);
        to = text.substr(sign + 4);
    }
    form = parse_form(arrow);
}

std::string Step::text() const {
    return to.empty() ? arrow : arrow + ": " + from + " -> " + to;
}

std::vector<Form> ContestantDescription::forms() const {
    std::vector<Form> all;
    for (const Step& step : steps) all.push_back(step.form);
    if (all.empty())
        for (const Term& term : name.way().terms) all.push_back(term.form);
    return all;
}

bool add_problem(Audit& audit, ProblemRecord problem) {
    auto* const twin = find_in(audit.problems, problem.problem.id,
                               [](const ProblemRecord& each) { return each.problem.id; });
    if (twin == nullptr) {
        audit.problems.push_back(std::move(problem));
        return true;
    }
    if (!twin->is_cut_short()) return false;
    if (problem.number_measured() >= twin->number_measured()) *twin = std::move(problem);
    return true;
}

std::size_t ProblemRecord::number_measured() const {
    return static_cast<std::size_t>(std::ranges::count_if(contestants, [&](const Contestant& each) {
        return problem.verification ? !each.skipped : !each.samples_s.empty();
    }));
}

bool ProblemRecord::is_cut_short() const {
    const auto late = std::ranges::count_if(contestants, [](const Contestant& each) {
        return is_skipped_by(ReasonKind::no_time, each.skipped);
    });
    if (problem.verification) return late > 0;
    return static_cast<std::size_t>(late) > number_measured();
}

}  // namespace mpiaudit::record
