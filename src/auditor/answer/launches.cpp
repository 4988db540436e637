// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "answer/answer.h"
#include "machine/machine.h"
#include "report/certainty.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

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

}  // namespace

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

}  // namespace mpiaudit
