// SPDX-License-Identifier: BSD-3-Clause
#include "causes/reason.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

namespace mpiaudit {
namespace {

constexpr std::size_t numbers_of_slower_reference = 3;

/// Returns the words before what the library or the verification says.
std::string_view begin_of(ReasonKind kind) {
    switch (kind) {
        case ReasonKind::refused:
            return "refused by the MPI library: ";
        case ReasonKind::fails_in_simulation:
            return "wrong on this library: ";
        case ReasonKind::too_slow_to_simulate:
            return "too slow to simulate: ";
        default:
            return "";
    }
}

std::string slower_reference(const std::vector<double>& numbers) {
    const double measured = numbers[0], seconds = std::ceil(numbers[2]);
    const std::string budget = seconds < 60.0
                                   ? fmt::format("{:.0f}s", seconds)
                                   : fmt::format("{:.0f}m", std::ceil(numbers[2] / 60.0));
    return fmt::format(
        "only as many algorithms as the budget allows are measured, the {:.0f} that {} predicted "
        "to be the fastest; --budget {} measures all {:.0f}",
        measured, measured == 1 ? "is" : "are", budget, numbers[1]);
}

std::string clocks_differ(const std::vector<double>& numbers) {
    return fmt::format(
        "the clocks differ too much in {:.0f} rounds{} (--sync barrier needs no common clock)",
        numbers[0], numbers[1] > 0 ? fmt::format(" and {:.0f} began late", numbers[1]) : "");
}

std::string contradicted(const std::vector<double>& numbers) {
    return fmt::format(
        "{} by the evidence {}, but over all {:.0f} rounds the median ratio is {:.2f}; left {:.3g} "
        "us, right {:.3g} us",
        numbers[0] != 0 ? "violated" : "holds",
        numbers[1] > 0 ? fmt::format("of the first {:.0f} rounds", numbers[1])
                       : std::string("of the launches"),
        numbers[2], numbers[3], numbers[4] * 1e6, numbers[5] * 1e6);
}

std::string launches_disagree(const std::vector<double>& numbers) {
    std::string ratios, launches, against;
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
        const std::string launch = fmt::format(" {:.0f}", numbers[i]);
        launches += launch;
        ratios += fmt::format(" {:.2f}", numbers[i + 1]);
        if (numbers[i + 2] != 0) against += launch;
    }
    // A ratio above the tolerance alone does not say why the check is undecided.
    if (!against.empty()) against = ", no evidence in" + against;
    return fmt::format("launches disagree: ratios{} in launches{}{}", ratios, launches, against);
}

std::string words_of(const Reason& reason) {
    const std::vector<double>& numbers = reason.numbers;
    switch (reason.kind) {
        case ReasonKind::no_time:
            return "no time was left to measure it (--budget)";
        case ReasonKind::slower_reference:
            return slower_reference(numbers);
        case ReasonKind::starts_too_late:
            return fmt::format(
                "in all {:.0f} rounds some rank heard of the start too late (--sync barrier "
                "announces no start)",
                numbers[0]);
        case ReasonKind::clocks_differ:
            return clocks_differ(numbers);
        case ReasonKind::contradicted:
            return contradicted(numbers);
        case ReasonKind::budget_used:
            return fmt::format("the time budget was used up after {:.0f} rounds", numbers[0]);
        case ReasonKind::too_close:
            return fmt::format(
                "not clear after {:.0f} rounds: too close to the tolerance to be decided soon",
                numbers[0]);
        case ReasonKind::not_clear:
            return fmt::format("not clear after {:.0f} rounds in {:.0f} launches", numbers[0],
                               numbers[1]);
        case ReasonKind::launches_disagree:
            return launches_disagree(numbers);
        default:
            return fmt::format("{}{}", begin_of(reason.kind), reason.said);
    }
}

}  // namespace

std::string in_words(const Reason& reason) {
    if (reason.subject.empty()) return words_of(reason);
    return fmt::format("{}{}{}", reason.subject,
                       reason.kind == ReasonKind::wrong ? " is wrong: " : ": ", words_of(reason));
}

Reason too_slow_to_simulate(const std::string& limit) {
    return {ReasonKind::too_slow_to_simulate, limit + " (--hang-after gives more time)"};
}

Reason reason_of_text(ReasonKind kind, const std::string& text, std::vector<double> numbers) {
    if (kind == ReasonKind::no_time) return {kind};
    if (kind == ReasonKind::slower_reference && numbers.size() == numbers_of_slower_reference)
        return {kind, "", std::move(numbers)};
    // Other reasons with numbers are no reasons of contestants.
    if (kind == ReasonKind::slower_reference || kind > ReasonKind::wrong)
        return {ReasonKind::does_not_fit, text};
    return {kind, text.starts_with(begin_of(kind)) ? text.substr(begin_of(kind).size()) : text};
}

}  // namespace mpiaudit
