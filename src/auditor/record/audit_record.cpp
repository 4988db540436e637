// SPDX-License-Identifier: BSD-3-Clause
#include "record/audit_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "text/plain.h"

namespace mpiaudit::record {
namespace {

/// MPI_Gather of 2 MPI_Gather(m/2)#2.
std::string operation_of_term(std::string_view term) {
    const std::size_t factor = term.find_first_not_of("0123456789 ");
    if (factor != std::string_view::npos) term.remove_prefix(factor);
    return std::string(term.substr(0, term.find_first_of("(#")));
}

}  // namespace

namespace {

constexpr const char* only_the_fastest = "only as many algorithms as the budget allows";

}  // namespace

std::string slower_reference(int measured, int all, double budget_s) {
    const double seconds = std::ceil(budget_s), minutes = std::ceil(budget_s / 60.0);
    const std::string budget =
        seconds < 60.0 ? fmt::format("{:.0f}s", seconds) : fmt::format("{:.0f}m", minutes);
    return fmt::format(
        "{} are measured, the {} that {} predicted to be the fastest; --budget {} "
        "measures all {}",
        only_the_fastest, measured, measured == 1 ? "is" : "are", budget, all);
}

bool is_slower_reference(const std::string& reason) {
    return reason.starts_with(only_the_fastest);
}

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
    : arrow{std::move(arrow_name)}, from{std::move(source)}, to{std::move(target)} {}

Step::Step(const std::string& text) : arrow{text} {
    const std::size_t colon = text.find(": "), sign = text.find(" -> ");
    if (colon == std::string::npos || sign == std::string::npos || sign < colon) return;
    arrow = text.substr(0, colon);
    from = text.substr(colon + 2, sign - colon - 2);
    to = text.substr(sign + 4);
}

std::string Step::text() const {
    return to.empty() ? arrow : arrow + ": " + from + " -> " + to;
}

Scale scale_of(const std::string& name) {
    constexpr std::string_view part = "(m/";
    Scale scale;
    if (!name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0)
        scale.repeats = std::stoi(name);
    if (const std::size_t at = name.find(part); at != std::string::npos)
        scale.parts = std::stoi(name.substr(at + part.size()));
    scale.is_next = name.find("(m+k)") != std::string::npos;
    return scale;
}

NamedStep step_of(const std::string& contestant) {
    NamedStep step{
        .arrow = contestant.substr(0, contestant.find('(')), .operation = {}, .algorithm = {}};
    const std::size_t open = step.arrow.find('['), close = step.arrow.find(']');
    step.operation = step.arrow.substr(0, open);
    if (close != std::string::npos) step.algorithm = step.arrow.substr(open + 1, close - open - 1);
    return step;
}

std::vector<std::string> ContestantDescription::operations() const {
    std::vector<std::string> all = names_of(steps, &Step::arrow);
    if (!all.empty()) return all;
    constexpr std::string_view plus = " + ";
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find(plus, begin), name.size());
        all.push_back(operation_of_term(std::string_view(name).substr(begin, end - begin)));
        begin = end + plus.size();
    }
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
    const auto late = std::ranges::count_if(
        contestants, [](const Contestant& each) { return each.skipped == no_time_left; });
    if (problem.verification) return late > 0;
    return static_cast<std::size_t>(late) > number_measured();
}

}  // namespace mpiaudit::record
