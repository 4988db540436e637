// SPDX-License-Identifier: BSD-3-Clause
// Sentences about launches, messages and clocks: declared in report/console.h and
// report/findings.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "machine/machine.h"
#include "options/option_types.h"
#include "report/certainty.h"
#include "report/findings.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// Returns a number with two digits at least and without an exponent: 0.39, 5.7, 260.
std::string two_digits(double value) {
    return value < 99.5 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
}

/// Returns a sentence about the controls. If more of them came out violated than alpha allows, the
/// sentence says what to do. Empty if there are no controls.
std::string controls_in_words(const Report& report) {
    const Controls counts = controls_of(report);
    const double alpha = report.header.rule.alpha;
    if (counts.measured == 0) return "";
    std::string text = fmt::format(" Of {} that held before, {} came out violated",
                                   counted(counts.measured, "control"), counts.accused);
    if (counts.are_too_many(alpha))
        text += fmt::format(
            ", more than alpha = {:g} allows: launches differ on this machine; bind "
            "the ranks (--bind core), end other programs, and audit again",
            alpha);
    return text + ".";
}

}  // namespace

std::string measured_alone_in_words(const Report& report) {
    const auto alone = report.summary.measured_alone;
    if (!alone || report.launches.empty()) return "";
    return fmt::format("{} measured by {} and left out.", counted(*alone, "problem"),
                       report.launches.size() == 2 ? "one launch only" : "some launches only");
}

std::string violations_in_words(const Report& report) {
    const Confirmed counts = confirmed(report);
    const ReportSummary& summary = report.summary;
    if (summary.violated + counts.suspected == 0) return "";
    if (summary.violated == 0)
        return fmt::format("{} {} violated in some launches only (not counted).",
                           counted(counts.suspected, "check"),
                           counts.suspected == 1 ? "is" : "are") +
               controls_in_words(report);
    std::string text = fmt::format("{} of {} {} violated", summary.violated,
                                   counted(summary.decided(), "decided check"),
                                   summary.violated == 1 ? "is" : "are");
    if (report.launches.empty())
        return text + (report.header.simulated
                           ? "."
                           : "; another launch may differ (`mpiaudit run --confirm FOLDER`).");
    std::vector<std::string> parts;
    const auto add = [&](std::size_t count, const char* how) {
        if (count > 0) parts.push_back(fmt::format("{} {}", count, how));
    };
    add(counts.by_every_launch, "in every launch that measured them");
    add(counts.by_all_together, "by all launches together");
    add(counts.measured_once, "in the only launch that measured them");
    text += fmt::format(": {}.", fmt::join(parts, ", "));
    if (counts.suspected > 0)
        text += fmt::format(" {} more {} violated in some launches only (not counted).",
                            counts.suspected, counts.suspected == 1 ? "is" : "are");
    return text + controls_in_words(report);
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

/// Returns the variables that choose the transport or make the library yield while it waits for a
/// message, as "NAME=VALUE".
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

bool are_messages_slow(const LinearModel& model, const Host& host) {
    const double latency = model.alpha / host.speed->handover_s;
    if (host.conditions && is_shared_with_others(*host.conditions))
        return latency > slow_beside_load && model.alpha < longest_message_s;
    return latency > slow_latency ||
           (model.beta > 0 && 1 / model.beta < host.speed->copy_bytes_per_s / slow_rate);
}

/// A link is slow if large messages get less than this share of its nominal rate.
constexpr double least_share_of_link = 0.5;

double rate_of(double beta) {
    return beta > 0 ? 1 / beta : 0;
}

/// Returns "0.39 us, 6.9 GB/s" for a latency and a rate.
std::string latency_and_rate(double latency_s, double bytes_per_s) {
    return fmt::format("{} us, {} GB/s", two_digits(latency_s * 1e6),
                       two_digits(bytes_per_s * 1e-9));
}

/// Returns " (26 % of the link's 12 GB/s)" for a link with a nominal rate.
std::string beside_link(const MessageTimes& times) {
    if (!times.link_rate) return "";
    return fmt::format(" ({:.0f} % of the link's {} GB/s)",
                       100 * rate_of(times.model.beta) / *times.link_rate,
                       two_digits(*times.link_rate * 1e-9));
}

/// Returns latency and rate of messages within a node, and the rate of all ranks of the node
/// together; empty if the nodes have one rank each.
std::string messages_within_nodes(const NodeModel& nodes) {
    if (nodes.alpha <= 0) return "";
    const std::string together =
        nodes.memory > 1 ? fmt::format(", {} GB/s of all ranks together",
                                       two_digits(nodes.memory * rate_of(nodes.beta) * 1e-9))
                         : "";
    return "; within a node: " + latency_and_rate(nodes.alpha, rate_of(nodes.beta)) + together;
}

std::string sentence_of_messages(const MessageTimes& times) {
    const LinearModel& model = times.model;
    const bool is_one_host = times.hosts == 1;
    std::string text =
        fmt::format("Messages {}: {}", is_one_host ? "within this host" : "between nodes",
                    latency_and_rate(model.alpha, rate_of(model.beta)));
    if (!is_one_host) text += beside_link(times);
    if (!is_one_host && model.nodes) text += messages_within_nodes(*model.nodes);
    if (times.speed)
        text +=
            fmt::format("; {}: {}", is_one_host ? "its memory" : "memory of a node",
                        latency_and_rate(times.speed->handover_s, times.speed->copy_bytes_per_s));
    return text;
}

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

std::optional<Messages> messages_in_words(const Report& report) {
    if (report.message_times.empty()) return std::nullopt;
    const std::size_t launches = report.message_times.size();
    const auto slow = static_cast<std::size_t>(
        std::ranges::count_if(report.message_times, &MessageTimes::are_slow));
    const auto shown = std::ranges::find_if(
        report.message_times, [&](const MessageTimes& each) { return each.are_slow || slow == 0; });
    // The cores that a launch gets change the time of messages, so one launch alone is no evidence.
    // A simulation has the same times in each launch.
    const bool are_slow = report.header.simulated ? slow > 0 : slow > 1 && 2 * slow > launches;
    Messages messages{.sentence = sentence_of_messages(*shown), .are_slow = are_slow};
    if (slow > 0 && !are_slow)
        messages.sentence += launches == 1
                                 ? ". That is slow: see whether another launch agrees"
                                 : fmt::format(": slow in {} of {} launches", slow, launches);
    if (!are_slow) return messages;
    messages.sentence += ": all operations are slow, which no guideline can show";
    const std::vector<std::string> settings = settings_of_messages(report.header);
    if (!settings.empty())
        messages.sentence +=
            fmt::format(". These variables may be the cause: {}", fmt::join(settings, " "));
    else if (!report.header.simulated)
        messages.sentence += fmt::format(". Check which transport the library uses {}",
                                         shown->hosts == 1 ? "within a host" : "between nodes");
    return messages;
}

std::string other_threads_in_words(const MachineDescription& machine) {
    constexpr std::size_t most_groups = 3;
    std::map<std::pair<std::string, std::string>, int> groups;  // name and place: threads
    for (const RankBinding& rank : machine.bindings) {
        for (const ThreadGroup& each : rank.other_threads) {
            // A thread bound like its rank is in report.json and on the page only.
            if (each.processing_units != rank.launched_on)
                groups[{each.name, each.processing_units}] += each.count;
        }
    }
    if (groups.empty()) return "";
    std::vector<std::string> words;
    for (const auto& [group, threads] : groups | std::views::take(most_groups))
        words.push_back(fmt::format("{} {} on {}", threads, group.first, group.second));
    if (groups.size() > most_groups)
        words.push_back(fmt::format("{} kinds more in report.json", groups.size() - most_groups));
    return fmt::format("Threads beside the ranks' main threads, not bound by mpiaudit: {}",
                       fmt::join(words, ", "));
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
