// SPDX-License-Identifier: BSD-3-Clause
// The checks as JUnit XML, a row of MPIAUDIT_FORMATS: declared in screens/formats.h.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/answer.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "screens/console.h"
#include "screens/formats.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

/// Returns the text escaped for XML. XML 1.0 cannot represent control characters other than tab and
/// line end.
std::string escaped(const std::string& text) {
    constexpr std::pair<char, std::string_view> entities[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', "&#10;"}};
    std::string legal;
    for (const char c : text) {
        const auto* const found =
            std::ranges::find(entities, c, &std::pair<char, std::string_view>::first);
        if (found != std::end(entities))
            legal += found->second;
        else
            legal += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
    return legal;
}

std::string statement_on_problem(const JudgedCheck& check) {
    return fmt::format("{} <= {} on {}", check.left, check.right, check.problem);
}

std::string skipped(const std::string& message) {
    return fmt::format("<skipped message=\"{}\" />", escaped(message));
}

/// Returns the numbers of a violated check: those of the row that shows the check, else those that
/// a row would show.
std::string numbers_of(const ReportInWords& answer, const JudgedCheck& check) {
    const Report& report = answer.report();
    if (const OverviewRow* const row = row_of(report, check)) return answer.of(*row).sentence;
    const Pair pair = pair_of(report, check);
    if (check.lacks_evidence || !pair.factor || !std::isfinite(*pair.factor)) return "slower";
    return fmt::format("{} times as long as {}; a call loses {} us", ratio_text(*pair.factor),
                       pair.contestant, microseconds(pair.lost_s));
}

/// Returns the element of a violated check: what is slow, and the remedy, or else the advice.
std::string failure(const ReportInWords& answer, const JudgedCheck& check) {
    const std::string message = statement_on_problem(check) + ": " + numbers_of(answer, check);
    const CheckInWords& words = answer.of(check);
    std::string text;
    if (check.remedy) {
        text = "Instead: " + check.remedy->contestant;
        if (!words.caveat.empty()) text += fmt::format(" ({})", words.caveat);
        if (!words.code.empty()) text += ":\n" + words.code;
        text += "\n";
    } else if (!words.advice.empty()) {
        text = words.advice + "\n";
    }
    return fmt::format("<failure type=\"violated\" message=\"{}\">{}</failure>", escaped(message),
                       escaped(text + words.reproduce));
}

/// Returns true if the gate failed by slower operations alone.
bool is_failure_of_baseline(const GateOutcome& outcome) {
    return outcome.has_failed && outcome.failing.empty();
}

std::string result(const ReportInWords& answer, const JudgedCheck& check,
                   const GateOutcome& outcome) {
    if (check.kind == CheckKind::remark)
        return skipped("a reference algorithm, no verdict on the library: " +
                       (check.verdict == Verdict::violated
                            ? "slower than " + check.right
                            : std::string(judge::verdict_names[check.verdict])));
    if (is_among(outcome.failing, &check)) return failure(answer, check);
    if (check.verdict == Verdict::skipped) return skipped(check.reason_in_words());
    if (check.verdict == Verdict::holds) return "";
    const std::string why =
        is_among(outcome.excused, &check) ? "the operation is no slower than in the baseline"
        : is_among(outcome.communicators, &check)
            ? "keep the communicator: the gate does not count it"
        : check.verdict == Verdict::violated ? "within the condition of the gate"
                                             : check.reason_in_words();
    return fmt::format("<system-out>{}: {}</system-out>", judge::verdict_names[check.verdict],
                       escaped(why));
}

std::string test_case(const ReportInWords& answer, const JudgedCheck& check,
                      const GateOutcome& outcome) {
    const std::string time =
        check.samples ? fmt::format("{:.9f}", check.samples->judgement.left.median) : "0";
    const std::string inside = result(answer, check, outcome);
    const std::string head =
        fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{}\"",
                    escaped(check.guideline), escaped(statement_on_problem(check)), time);
    return inside.empty() ? head + " />\n"
                          : fmt::format("{}>\n   {}\n  </testcase>\n", head, inside);
}

/// Returns the test case of a wrong form. A form that is wrong in the baseline, too, passes with a
/// remark.
std::string test_case(const Report& report, const WrongForm& form, bool is_excused) {
    const std::string words = escaped(in_words(form));
    return fmt::format(
        "  <testcase classname=\"wrong result\" name=\"{}\" time=\"0\">\n   {}\n  </testcase>\n",
        escaped(form.form),
        is_excused ? fmt::format("<system-out>as in the baseline: {}</system-out>", words)
                   : fmt::format("<failure type=\"wrong\" message=\"{}\">{}</failure>", words,
                                 escaped(command_of(report, form))));
}

/// Returns the wrong forms that belong to the generated calls of an operation; with an empty name,
/// the wrong forms that belong to no generated call.
std::vector<WrongForm> forms_of(const std::vector<WrongForm>& forms, const std::string& operation) {
    std::vector<WrongForm> found;
    std::ranges::copy_if(forms, std::back_inserter(found),
                         [&](const WrongForm& each) { return each.generated == operation; });
    return found;
}

/// Returns the test case of the generated calls of an operation, which has all faults.
std::string test_case(const Report& report, const std::string& operation,
                      const GateOutcome& outcome) {
    std::string commands;
    const std::vector<WrongForm> wrong = forms_of(outcome.wrong, operation);
    for (const WrongForm& each : wrong)
        commands += fmt::format("{}\n{}\n", in_words(each), command_of(report, each));
    const std::string head = fmt::format(
        "  <testcase classname=\"generated calls\" name=\"{}\" time=\"0\"", escaped(operation));
    if (!wrong.empty())
        return fmt::format(
            "{}>\n   <failure type=\"wrong\" message=\"{}\">{}</failure>\n  </testcase>\n", head,
            escaped(in_words(wrong.front())), escaped(commands));
    const std::vector<WrongForm> excused = forms_of(outcome.excused_wrong, operation);
    if (excused.empty()) return head + " />\n";
    return fmt::format("{}>\n   <system-out>as in the baseline: {}</system-out>\n  </testcase>\n",
                       head, escaped(in_words(excused.front())));
}

std::vector<std::string> generated_operations(const Report& report) {
    return report.generated_calls ? report.generated_calls->operations : std::vector<std::string>{};
}

/// Returns the number of failed test cases: violations, wrong forms, and operations with wrong
/// generated calls.
std::size_t number_of_failures(const Report& report, const GateOutcome& outcome) {
    const auto operations = generated_operations(report);
    const auto wrong = std::ranges::count_if(operations, [&](const std::string& each) {
        return !forms_of(outcome.wrong, each).empty();
    });
    return outcome.failing.size() + (is_failure_of_baseline(outcome) ? 1 : 0) +
           forms_of(outcome.wrong, "").size() + static_cast<std::size_t>(wrong);
}

/// Returns the test case of all operations beside the baseline.
std::string test_case(const GateOutcome& outcome) {
    const std::string words = escaped(changes_in_words(*outcome.beside_baseline));
    return fmt::format(
        "  <testcase classname=\"baseline\" name=\"no operation became slower\" time=\"0\">\n   "
        "{}\n  </testcase>\n",
        is_failure_of_baseline(outcome)
            ? fmt::format("<failure type=\"slower\" message=\"{}\"></failure>", words)
            : fmt::format("<system-out>{}</system-out>", words));
}

}  // namespace

/// Returns the checks as JUnit XML, which every CI system reads. A test case is a guideline on a
/// problem, a form with a wrong result, or the generated calls of an operation. Violations fail
/// unless the gate excuses them. Undecided checks pass with a remark; skipped checks and remarks
/// are skipped.
std::string writers::junit(const Report& report, const GateOutcome& outcome) {
    const record::Header& header = report.header;
    std::string xml = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mpiaudit\">\n"
        " <testsuite name=\"{}\" timestamp=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
        "skipped=\"{}\" time=\"{:.3f}\" hostname=\"{}\">\n",
        escaped(audited_system(report)), escaped(header.started),
        report.checks.size() + (outcome.beside_baseline ? 1 : 0) +
            forms_of(outcome.wrong, "").size() + forms_of(outcome.excused_wrong, "").size() +
            generated_operations(report).size(),
        number_of_failures(report, outcome), report.summary.remarks.checks + report.summary.skipped,
        report.elapsed_s,
        header.machine.hosts.empty() ? "unknown" : escaped(header.machine.hosts.front().name));
    if (outcome.beside_baseline) xml += test_case(outcome);
    for (const WrongForm& each : forms_of(outcome.wrong, "")) xml += test_case(report, each, false);
    for (const WrongForm& each : forms_of(outcome.excused_wrong, ""))
        xml += test_case(report, each, true);
    for (const std::string& each : generated_operations(report))
        xml += test_case(report, each, outcome);
    const ReportInWords answer(report);
    for (const JudgedCheck& check : report.checks) xml += test_case(answer, check, outcome);
    std::string lines = "audit of " + header.started;
    for (const std::string& warning : header.warnings) lines += "\nwarning: " + warning;
    return xml + fmt::format("  <system-out>{}</system-out>\n </testsuite>\n</testsuites>\n",
                             escaped(lines));
}

}  // namespace mpiaudit
