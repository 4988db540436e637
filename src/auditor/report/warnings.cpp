// SPDX-License-Identifier: BSD-3-Clause
#include "report/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "machine/conditions.h"

namespace mpiaudit {
namespace {

/// As many times as long, or as short, as usual. Where the host of a virtual machine had moved two
/// processors apart it was 2.3 times; from problem to problem it may be 1.6 without that.
constexpr double another_pace = 1.75;

// A message through shared memory is handed over in 3 to 6 times what a cache line takes, through
// TCP in 50 times; large ones move at a third to three quarters of the rate of a copy.
constexpr double slow_latency = 20.0, slow_rate = 12.0;

/// The variables that were set for the transport, or give the processor away while a message is
/// awaited, as "NAME=VALUE".
std::vector<std::string> settings_of_messages(const record::Header& header) {
    std::vector<std::string> settings;
    for (const auto& [name, value] : header.environment) {
        for (const std::string_view part :
             {"btl", "pml", "mtl", "UCX", "FI_", "SHM", "OFI", "FABRICS", "yield"}) {
            if (name.find(part) == std::string::npos) continue;
            settings.push_back(name + "=" + value);
            break;
        }
    }
    return settings;
}

}  // namespace

std::optional<Messages> messages_within_host(const record::Header& header) {
    const auto& hosts = header.machine.hosts;
    if (hosts.size() != 1 || !hosts.front().speed || !header.cost_model) return std::nullopt;
    const Host& host = hosts.front();
    // A coarse clock sees no message.
    if (header.cost_model->alpha <= 0 || host.speed->handover_s <= 0) return std::nullopt;
    if (host.topology && static_cast<std::size_t>(host.topology->cores) < host.ranks.size())
        return std::nullopt;
    const double rate = header.cost_model->beta > 0 ? 1 / header.cost_model->beta : 0;
    Messages messages{
        .sentence = fmt::format(
            "Messages within this host: {:.2g} us, {:.2g} GB/s; its memory: {:.2g} us, {:.2g} GB/s",
            header.cost_model->alpha * 1e6, rate * 1e-9, host.speed->handover_s * 1e6,
            host.speed->copy_bytes_per_s * 1e-9),
        .are_slow = header.cost_model->alpha > slow_latency * host.speed->handover_s ||
                    (rate > 0 && rate < host.speed->copy_bytes_per_s / slow_rate)};
    if (!messages.are_slow) return messages;
    // A library that yields while it waits, as MPICH 5 does, then hands its processor to them for
    // milliseconds per message, over any transport.
    if (host.conditions && is_shared_with_others(*host.conditions)) return std::nullopt;
    messages.sentence += ": all operations are slow, which no guideline can show";
    const std::vector<std::string> settings = settings_of_messages(header);
    messages.sentence += settings.empty() ? ". Check which transport the library uses within a host"
                                          : fmt::format(". These variables may be the cause: {}",
                                                        fmt::join(settings, " "));
    return messages;
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
        "the machine changed its pace around {} of {} problems (a barrier took {:.2g} to {:.2g} "
        "us): confirm by more launches (--confirm), on whole nodes (--exclusive)",
        others, problems.size(), times_s.front() * 1e6, times_s.back() * 1e6);
}

std::string reason_without_rounds(const record::WindowRecord& window) {
    if (window.dropped_rounds > 0 && window.unclear_rounds == 0)
        return fmt::format(
            "in all {} rounds some rank heard of the start too late (--sync barrier announces no "
            "start)",
            window.dropped_rounds);
    if (window.unclear_rounds == 0) return "";
    const std::string late =
        window.dropped_rounds > 0 ? fmt::format(" and {} began late", window.dropped_rounds) : "";
    return fmt::format(
        "the clocks differ too much in {} rounds{} (--sync barrier needs no common clock)",
        window.unclear_rounds, late);
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
        reason = reason_without_rounds(*problem.window);
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
