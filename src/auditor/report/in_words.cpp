// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <vector>

#include "machine/machine.h"
#include "report/console.h"
#include "report/findings.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

constexpr std::size_t disagreements_in_words = 3;

using Checks = std::set<record::CheckKey>;

/// How the launches that measured the checks again judge them, each alone.
struct Again {
    std::size_t violated = 0;  ///< in all of these launches
    std::size_t held = 0;      ///< in at least one
    std::size_t unclear = 0;   ///< the others
    std::size_t accused = 0;   ///< violated in at least one
    /// Fewer than were asked for when there was no time for some.
    std::size_t measured = 0;
};

Again count_again(const Report& report, const Checks& checks, const std::set<int>& launches) {
    Again again;
    for (const JudgedCheck& check : report.checks) {
        if (!checks.contains({check.problem, check.guideline})) continue;
        std::set<Verdict> verdicts;
        for (const JudgedLaunch& each : check.launches) {
            if (launches.contains(each.launch)) verdicts.insert(each.samples.judgement.verdict);
        }
        if (verdicts.empty()) continue;
        ++again.measured;
        again.accused += verdicts.contains(Verdict::violated);
        if (verdicts == std::set{Verdict::violated})
            ++again.violated;
        else
            ++(verdicts.contains(Verdict::holds) ? again.held : again.unclear);
    }
    return again;
}

/// What launches say of the checks that they were to measure again: launches 2 to 7 confirm 116 of
/// 142 suspected violations (4 unclear, 19 hold in at least one, 3 not measured again), and accuse
/// 0 of 30 checks that held before.
std::string confirmation_in_words(const Report& report, const record::Confirms& confirms,
                                  const std::set<int>& launches) {
    const Checks suspects(confirms.suspects.begin(), confirms.suspects.end());
    const Checks controls(confirms.controls.begin(), confirms.controls.end());
    const bool several = launches.size() > 1;
    const Again again = count_again(report, suspects, launches);
    std::vector<std::string> others;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0) others.push_back(fmt::format("{} {}", count, what));
    };
    add(again.unclear, "unclear");
    add(again.held, several ? "hold in at least one" : "hold there");
    add(suspects.size() - again.measured, "not measured again");
    std::string text = fmt::format(
        "{} {} of {}{}",
        several
            ? fmt::format("Launches {} to {} all confirm", *launches.begin(), *launches.rbegin())
            : fmt::format("Launch {} confirms", *launches.begin()),
        again.violated, counted(suspects.size(), "suspected violation"),
        others.empty() ? "" : fmt::format(" ({})", fmt::join(others, ", ")));
    if (controls.empty()) return text;
    const Again control = count_again(report, controls, launches);
    if (control.measured == 0) return text;
    return text + fmt::format(", and accuse{} {} of {} that held before", several ? "" : "s",
                              control.accused, counted(control.measured, "check"));
}

/// The largest ratio of a launch over the smallest, which may be 0 or infinite.
double spread_of_launches(const JudgedCheck* check) {
    const auto factor = [](const JudgedLaunch& launch) { return launch.samples.judgement.factor; };
    const auto [least, most] = std::ranges::minmax_element(check->launches, {}, factor);
    return factor(*most) == factor(*least) ? 1.0 : factor(*most) / factor(*least);
}

}  // namespace

std::vector<std::string> synchronisations_in_words(const Report& report) {
    std::vector<std::string> sentences;
    if (!report.summary.synchronisations_disagree) return sentences;
    sentences.push_back(
        fmt::format("after a barrier and by the global clock {} checks have opposite verdicts",
                    *report.summary.synchronisations_disagree));
    for (const JudgedCheck& check : report.checks) {
        if (!check.synchronisations_disagree || sentences.size() > disagreements_in_words) continue;
        const auto ratio = [](const JudgedSamples& samples) {
            return samples.has_ratio() ? fmt::format("{:.2f}", samples.judgement.ratio.median)
                                       : "infinite";
        };
        sentences.push_back(fmt::format("{} <= {} on {}: ratio {} after a barrier, {} by the clock",
                                        check.left, check.right, check.problem,
                                        ratio(*check.samples), ratio(check.second->samples)));
    }
    return sentences;
}

std::string heaps_in_words(const Report& report) {
    std::size_t only_first = 0, only_repeated = 0;
    for (const JudgedCheck& check : report.checks) {
        if (!check.young_heap || check.kind != CheckKind::verdict) continue;
        const judge::Verdict young = check.young_heap->judgement.verdict;
        only_first += check.verdict == judge::Verdict::holds && young == judge::Verdict::violated;
        only_repeated +=
            check.verdict == judge::Verdict::violated && young == judge::Verdict::holds;
    }
    if (only_first + only_repeated == 0) return "";
    std::string text;
    if (only_first > 0)
        text =
            fmt::format("Slow only in first calls (new memory): {}", counted(only_first, "check"));
    if (only_repeated > 0)
        text += fmt::format("{}only in repeated calls{}: {}", text.empty() ? "Slow " : "; ",
                            text.empty() ? ", not in first calls (new memory)" : "",
                            counted(only_repeated, "check"));
    return text;
}

std::vector<std::string> launches_in_words(const Report& report) {
    std::vector<std::string> sentences;
    if (report.launches.empty()) return sentences;
    sentences.push_back(fmt::format("{} launches judged together", report.launches.size()));
    if (const auto alone = report.summary.measured_alone)
        sentences.push_back(fmt::format(
            "{} measured by {} and left out", counted(*alone, "problem"),
            report.launches.size() == 2 ? "one launch only" : "some of the launches only"));
    // Launches that confirm the same audit have measured the same checks.
    std::map<std::vector<record::CheckKey>, std::pair<const record::Confirms*, std::set<int>>>
        confirmations;
    int number = 0;
    for (const ReportedLaunch& launch : report.launches) {
        ++number;
        if (!launch.confirms) continue;
        auto& [confirms, launches] = confirmations[launch.confirms->suspects];
        confirms = &*launch.confirms;
        launches.insert(number);
    }
    for (const auto& [suspects, confirmation] : confirmations)
        sentences.push_back(
            confirmation_in_words(report, *confirmation.first, confirmation.second));
    std::vector<const JudgedCheck*> disagreements;
    for (const JudgedCheck& check : report.checks)
        if (check.launches_disagree) disagreements.push_back(&check);
    std::ranges::stable_sort(disagreements, std::greater{}, spread_of_launches);
    for (const JudgedCheck* check : disagreements | std::views::take(disagreements_in_words))
        sentences.push_back(fmt::format("{} <= {} on {}: {}", check->left, check->right,
                                        check->problem, check->reason));
    if (disagreements.size() > disagreements_in_words)
        sentences.push_back(
            fmt::format("launches disagree on {} checks in all", disagreements.size()));
    return sentences;
}

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

std::string other_threads_in_words(const MachineDescription& machine) {
    constexpr std::size_t most_groups = 3;
    std::map<std::pair<std::string, std::string>, int> groups;  // name and place: threads
    for (const RankBinding& rank : machine.bindings)
        for (const ThreadGroup& each : rank.other_threads)
            groups[{each.name, each.processing_units}] += each.count;
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
