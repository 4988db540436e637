// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/console.h"
#include "report/console_text.h"
#include "report/findings.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

std::string ratio_in_words(const JudgedCheck& check, const record::Header& header) {
    if (!check.samples || !check.samples->has_ratio())
        return "the right side took no time that the clock can see";
    const std::string times = ratio_text(factor(check));
    if (header.simulated) return fmt::format("{} times as slow", times);
    if (header.rule.criterion == judge::Criterion::averages ||
        header.rule.criterion == judge::Criterion::intervals)
        return fmt::format("{} times as slow (means)", times);
    if (header.rule.criterion == judge::Criterion::minima)
        return fmt::format("{} times as slow (minima)", times);
    const judge::MedianInterval& ratio = check.samples->judgement.ratio;
    return fmt::format("{} times as slow (median, {:.0f} % interval {} to {})", times,
                       100 * ratio.coverage, ratio_text(ratio.low), ratio_text(ratio.high));
}

std::string elapsed_in_words(const Report& report) {
    return report.header.simulated ? fmt::format("{:.3g} s of simulated time", report.elapsed_s)
                                   : fmt::format("{:.1f} s", report.elapsed_s);
}

/// A guideline that is violated, or says where a reference algorithm is slow.
struct Finding {
    const JudgedCheck* worst = nullptr;
    std::size_t violated = 0, decided = 0;
};

/// The worst first, verdicts before remarks.
std::vector<Finding> findings_by_guideline(const Report& report) {
    std::map<std::string, Finding> by_guideline;
    for (const JudgedCheck& check : report.checks) {
        Finding& finding = by_guideline[check.guideline];
        finding.decided += check.verdict == Verdict::violated || check.verdict == Verdict::holds;
        if (check.verdict != Verdict::violated) continue;
        ++finding.violated;
        if (finding.worst == nullptr || factor(check) > factor(*finding.worst))
            finding.worst = &check;
    }
    std::vector<Finding> sorted;
    for (const auto& [id, finding] : by_guideline) {
        if (finding.worst != nullptr) sorted.push_back(finding);
    }
    std::ranges::stable_sort(sorted, [](const Finding& a, const Finding& b) {
        if (a.worst->kind != b.worst->kind) return a.worst->kind < b.worst->kind;
        return factor(*a.worst) > factor(*b.worst);
    });
    return sorted;
}

std::string in_words(const Report& report, const Finding& finding, const Terminal& terminal) {
    const JudgedCheck& check = *finding.worst;
    const bool is_verdict = check.kind == CheckKind::verdict;
    std::string statement = check.left + " <= " + check.right;
    for (const record::GuidelineRecord& guideline : report.header.guidelines) {
        if (guideline.id == check.guideline) statement = guideline.statement;
    }
    std::string text = emphasised((is_verdict ? "! " : "~ ") + statement, terminal, check.kind);
    text += fmt::format(" [{}]\n", check.guideline);
    text +=
        wrapped(fmt::format("  {} on {} of {} problems, worst on {}: {}",
                            is_verdict ? "violated" : "slower", finding.violated, finding.decided,
                            place_of(report, check), ratio_in_words(check, report.header)),
                terminal.columns, "  ");
    if (check.young_heap && check.young_heap->has_ratio())
        text += wrapped(fmt::format("  in first calls, on new memory: {} times, {}",
                                    ratio_text(check.young_heap->judgement.ratio.median),
                                    name(check.young_heap->judgement.verdict)),
                        terminal.columns, "  ");
    if (!check.advice.empty()) text += wrapped("  " + check.advice, terminal.columns, "  ");
    if (check.remedy)
        text += wrapped(fmt::format("  fastest: {}, {} times as fast, saves {} us per call",
                                    check.remedy->contestant, ratio_text(check.remedy->factor),
                                    microseconds(check.remedy->saved_s)),
                        terminal.columns, "  ");
    return text;
}

/// Reasons for skipped checks, each once with its number.
std::string skips(const Report& report, const Terminal& terminal) {
    std::map<std::string, int> reasons;
    for (const JudgedCheck& check : report.checks) {
        if (check.verdict == Verdict::skipped) ++reasons[check.reason];
    }
    std::string text;
    for (const auto& [reason, times] : reasons)
        text += wrapped(fmt::format("  skipped {}: {}", times, reason), terminal.columns, "    ");
    return text;
}

}  // namespace

std::string details(const Report& report, const Terminal& terminal) {
    const ReportSummary& summary = report.summary;
    std::string text = fmt::format("{}: {} violated, {} hold, {} undecided, {} skipped\n",
                                   counted(summary.checks, "check"), summary.violated,
                                   summary.holds, summary.undecided, summary.skipped);
    text += skips(report, terminal);
    if (summary.samples > 0)
        text += wrapped(
            fmt::format("  {} samples in {}; 75 repetitions of everything would be {}",
                        summary.samples, elapsed_in_words(report), summary.fixed_protocol_samples),
            terminal.columns, "  ");
    for (const std::string& sentence : launches_in_words(report))
        text += wrapped("  " + sentence, terminal.columns, "    ");
    for (const std::string& sentence : synchronisations_in_words(report))
        text += wrapped("  " + sentence, terminal.columns, "    ");
    if (const std::string heaps = heaps_in_words(report); !heaps.empty())
        text += wrapped("  " + heaps, terminal.columns, "    ");
    for (const std::string& warning : report.header.warnings)
        text += wrapped("warning: " + warning, terminal.columns, "  ");
    for (const Finding& finding : findings_by_guideline(report))
        text += "\n" + in_words(report, finding, terminal);
    return text;
}

}  // namespace mpiaudit
