// SPDX-License-Identifier: BSD-3-Clause
// Messages, pace and clocks of an audit: declared in report/findings.h.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "machine/machine.h"
#include "options/option_types.h"
#include "report/findings.h"
#include "text/units.h"

namespace mpiaudit {
double rate_of(double beta) {
    return beta > 0 ? 1 / beta : 0;
}

namespace {

/// A barrier that takes this many times its usual time, or this fraction of it, shows another pace.
/// When the host of a virtual machine had moved two cores apart, a barrier took 2.3 times as long;
/// without such a change it may vary by 1.6 from problem to problem.
constexpr double another_pace = 1.75;

// Latency of a message over the time to hand over a cache line: 3 to 6 in shared memory, 50 through
// TCP. Rate of a copy over the rate of large messages: 1.3 to 3 in shared memory.
constexpr double slow_latency = 20.0, slow_rate = 12.0;
// Other programs may make a message 5 times as slow, and copies by any factor. A message through
// TCP takes 5 to 15 us within a host. A longer message has waited for a core, as in a library that
// yields while it waits.
constexpr double slow_beside_load = 5.0 * slow_latency, longest_message_s = 2e-5;

bool are_messages_slow(const LinearModel& model, const Host& host) {
    const double latency = model.alpha / host.speed->handover_s;
    if (host.conditions && is_shared_with_others(*host.conditions))
        return latency > slow_beside_load && model.alpha < longest_message_s;
    return latency > slow_latency ||
           (model.beta > 0 && 1 / model.beta < host.speed->copy_bytes_per_s / slow_rate);
}

/// A link is slow if large messages get less than this share of its nominal rate.
constexpr double least_share_of_link = 0.5;

/// Returns the nominal rate of the links in bytes per second (--link).
std::optional<double> link_rate_of(const record::Header& header) {
    const std::string text = text_of(option_in(header.options, "link"));
    return text.empty() ? std::nullopt : std::optional(parse_rate(text));
}

}  // namespace

std::optional<MessageTimes> message_times(const record::Header& header) {
    const auto& hosts = header.machine.hosts;
    // A coarse clock may measure 0 for a message.
    if (hosts.empty() || !header.cost_model || header.cost_model->alpha <= 0) return std::nullopt;
    if (!ranks_without_cores(header).empty()) return std::nullopt;
    const Host& host = hosts.front();
    MessageTimes times{
        .model = *header.cost_model, .hosts = hosts.size(), .link_rate = link_rate_of(header)};
    if (host.speed && host.speed->handover_s > 0) times.speed = host.speed;
    if (times.hosts == 1)
        times.are_slow = times.speed && are_messages_slow(times.model, host);
    else
        times.are_slow =
            times.link_rate && rate_of(times.model.beta) < least_share_of_link * *times.link_rate;
    return times;
}

std::optional<std::string> warning_of_pace(std::span<const record::Audit> launches) {
    std::vector<record::BarrierTimes> problems;
    std::vector<double> times_s;
    for (const record::ProblemRecord& problem : problems_of(launches)) {
        if (!problem.barrier) continue;
        problems.push_back(*problem.barrier);
        times_s.insert(times_s.end(), {problem.barrier->before_s, problem.barrier->after_s});
    }
    if (times_s.empty()) return std::nullopt;
    std::ranges::sort(times_s);
    const double usual_s = times_s[times_s.size() / 2];
    const auto is_usual = [&](double time_s) {
        return time_s < another_pace * usual_s && usual_s < another_pace * time_s;
    };
    const auto others = std::ranges::count_if(problems, [&](const record::BarrierTimes& each) {
        return !is_usual(each.before_s) || !is_usual(each.after_s);
    });
    if (usual_s <= 0.0 || others == 0) return std::nullopt;
    return fmt::format(
        "the machine changed its pace around {} of {} problems (a barrier took {} to {} us): {}",
        others, problems.size(), two_digits(times_s.front() * 1e6),
        two_digits(times_s.back() * 1e6),
        launches.size() > 1
            ? fmt::format("{} launches were judged, yet ratios near 1 may change", launches.size())
            : "confirm by more launches (--confirm), on whole nodes (--exclusive)");
}

std::optional<Reason> reason_without_rounds(const record::WindowRecord& window) {
    const double late = window.dropped_rounds, unclear = window.unclear_rounds;
    if (unclear > 0) return Reason{ReasonKind::clocks_differ, "", {unclear, late}};
    if (late > 0) return Reason{ReasonKind::starts_too_late, "", {late}};
    return std::nullopt;
}

std::vector<std::string> warnings_of_windows(std::span<const record::Audit> launches) {
    int problems = 0, instead = 0, unclear = 0;
    double worst_s = 0.0;
    std::string barrier, first, reason;
    for (const record::ProblemRecord& problem : problems_of(launches)) {
        if (!problem.window) continue;
        ++problems;
        unclear += problem.window->unclear_rounds;
        worst_s = std::max(worst_s, problem.window->clock_error_s);
        if (!problem.window->instead) continue;
        ++instead;
        if (!barrier.empty()) continue;
        barrier = *problem.window->instead;
        first = problem.problem.id;
        const auto why = reason_without_rounds(*problem.window);
        reason = why ? in_words(*why) : "";
    }
    std::vector<std::string> warnings;
    if (instead > 0)
        warnings.push_back(
            fmt::format("{} of {} problems were measured after a barrier ({}) instead of in the "
                        "window of the global clock, {} first: {}",
                        instead, problems, barrier, first, reason));
    if (unclear > 0)
        warnings.push_back(
            fmt::format("{} rounds were dropped because the ranks' clocks may have been off by "
                        "more than a quarter of a sample; the largest error seen is {:.3g} us. "
                        "--sync barrier needs no common clock",
                        unclear, worst_s * 1e6));
    return warnings;
}

std::optional<double> worst_clock_error_s(std::span<const record::Audit> launches) {
    std::optional<double> worst_s;
    const auto add = [&](double error_s) { worst_s = std::max(worst_s.value_or(0.0), error_s); };
    for (const record::Audit& launch : launches)
        if (launch.header.clock.global) add(launch.header.clock.global->error_s);
    for (const record::ProblemRecord& problem : problems_of(launches))
        if (problem.window) add(problem.window->clock_error_s);
    return worst_s;
}

}  // namespace mpiaudit
