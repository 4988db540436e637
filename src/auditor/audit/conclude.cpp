// SPDX-License-Identifier: BSD-3-Clause
// The end of an audit, declared in audit/steps.h, and judge_again() of audit/commands.h.
#include "audit/steps.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "answer/answer.h"
#include "audit/commands.h"
#include "files/files.h"
#include "messages/interruption.h"
#include "options/option_table.h"
#include "record/samples_file.h"
#include "repeat/commands.h"
#include "report/findings.h"
#include "report/wrong_results.h"
#include "screens/console.h"
#include "screens/fitting.h"
#include "screens/formats.h"
#include "screens/report_json.h"
#include "screens/scales.h"
#include "screens/times.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns the scale of one of several audits of a launch.
AuditScale scale_of(const LaunchOptions& options) {
    const bool by_nodes = !options.nodes.empty();
    return {by_nodes ? "nodes" : "ranks",
            (by_nodes ? options.nodes : options.ranks)->numbers.front()};
}

void say_interrupted(const Session& session, const std::string& folder, int signal) {
    remark("{}: {} of {} problems are measured; --resume goes on:\n  {}",
           interruption::name(signal), session.audit().planned_and_measured(),
           session.header().planned_problems, resume_command(session.header(), folder));
}

/// Prints the first screen or, if the options ask for it, the table of times: then everything else
/// goes to standard error.
void show_as(const Report& report, const TableOptions& options, When color, const Where& where) {
    if (!options.has_table()) return show(report, standard_output(color), where, options.all);
    for (const WrongOperation& each : wrong_operations(report)) remark("WRONG: {}", in_words(each));
    if (const std::string missing = not_timed_in_words(report); !missing.empty())
        remark("{}", missing);
    if (!report.is_complete) remark("{}", incomplete_in_words(report));
    const std::vector<TimesRow> rows = times_of(report);
    for (std::size_t i = 0; i < std::size(table_formats); ++i)
        if (options.tables[i]) say("{}", table_printers[i](report, rows));
    if (!where.report.empty()) remark("{}", where.report);
}

}  // namespace

std::string program_of(const record::Header& header) {
    if (header.command.empty()) return "mpiaudit";
    std::filesystem::path program = header.command.front();
    if (header.simulation) program.replace_filename("mpiaudit");
    return program;
}

std::string report_what_is_kept(const std::string& folder) {
    try {
        const record::Audit audit = read_results(folder).audit;
        const std::string file = std::filesystem::path(folder) / "report.json";
        write_report(make_report(std::span(&audit, 1)), file);
        return fmt::format("mpiaudit: report of the measurements so far: {}\n", file);
    } catch (const std::exception& error) {
        return fmt::format("mpiaudit: {}\n", error.what());
    }
}

Conclusion::Conclusion(const Session& session, const RunOptions& options,
                       const Suspicions* suspicions, judge::Rule rule)
    : session_{session},
      options_{options},
      suspicions_{suspicions},
      rule_{std::move(rule)},
      file_{std::filesystem::path(session.folder()) / "report.json"} {}

void Conclusion::judge_audit() {
    report_ = make_report(session_.audit(), rule_);
    write_report(report_, file_);
    if (suspicions_) report_ = joint_report(*suspicions_, session_.audit());
}

void Conclusion::show(bool calls_follow) {
    judge_audit();
    if (calls_follow) report_.generated_calls.reset();
    if (options_.folder_of_scales.empty() || options_.has_table())
        show_as(report_, options_, options_.color,
                {.program = program_of(report_.header),
                 .folder = session_.folder(),
                 .report = fmt::format("report: {}", plain_line(file_))});
    else
        say("{}", line_of_scale(scale_of(options_), report_, standard_output(options_.color)));
}

void Conclusion::show_generated_calls() {
    judge_audit();
    const Terminal terminal = standard_output(options_.color);
    for (const ScreenLine& line : lines_of_generated_calls(report_)) {
        if (terminal.rows > 0 && line.rank > last_on_screen) continue;
        if (options_.has_table())
            remark("{}", line.text);
        else
            say("{}", laid_out(line, terminal, line.most));
    }
}

int Conclusion::end(int signal) const {
    const int code = end_with(report_, options_);
    if (signal == 0) return code;
    const std::string& folder_of_scales = options_.folder_of_scales;
    say_interrupted(session_, folder_of_scales.empty() ? session_.folder() : folder_of_scales,
                    signal);
    return exit_interrupted;
}

std::string resume_command(const record::Header& header, const std::string& folder) {
    std::string command =
        header.simulation ? header.simulation->start.text() + " --" : start_of_ranks(header);
    bool is_value_of_output = false;
    for (std::size_t i = header.simulation ? 1 : 0; i < header.command.size(); ++i) {
        const std::string& word = header.command[i];
        const bool is_left_out = is_value_of_output || word == "--overwrite" ||
                                 word == "--resume" || word == "--output" ||
                                 word.starts_with("--output=");
        is_value_of_output = word == "--output";
        if (!is_left_out) command += ' ' + shell_word(word);
    }
    return fmt::format("{} --output {} --resume", command, shell_word(folder));
}

void check_gate(const GateOptions& options) {
    if (!options.baseline.empty()) read_baseline(options.baseline);
    for (std::size_t i = 0; i < std::size(formats); ++i)
        check_output(std::string("--") + formats[i].option, options.files[i]);
}

int end_with(const Report& report, const GateOptions& options) {
    const GateOutcome outcome = outcome_of_gate(report, options);
    for (std::size_t i = 0; i < std::size(formats); ++i) {
        if (options.files[i].empty()) continue;
        write_output(std::string("--") + formats[i].option,
                     [&] { replace_file(options.files[i], printers[i](report, outcome)); });
    }
    if (const std::string words = in_words(report, outcome); !words.empty()) say("{}", words);
    if (!outcome.wrong.empty()) return exit_wrong_result;
    if (outcome.has_failed) return exit_violations;
    return is_nothing_decided(report) ? exit_nothing_decided : exit_done;
}

namespace {

namespace fs = std::filesystem;

/// Returns the rule of the audit with the options that are given.
judge::Rule rule_of(const JudgeOptions& options, judge::Rule rule) {
    for (const OptionRow<judge::Rule>& row : rule_rows()) {
        if (options.is_given(row.name)) row.take(rule, row.member.record(options));
        if (options.is_given("judge")) settle_rule(rule, options);
    }
    return rule;
}

/// Judges the audits of several numbers of ranks or nodes, each by itself, and prints the answer.
/// Returns the exit code.
int judge_scales(const JudgeOptions& options, const std::vector<AuditScale>& scales) {
    for (std::size_t i = 0; i < std::size(formats); ++i) {
        if (!options.files[i].empty() || !options.baseline.empty())
            throw UsageError(
                "{} has a report for each number of {}; judge one of them for --{}: {}",
                options.results.front(), scales.front().unit,
                options.files[i].empty() ? "baseline" : formats[i].option,
                folder_of(options.results.front(), scales.front()));
    }
    const Terminal terminal = standard_output(options.color);
    std::vector<ScaleReport> reports;
    std::vector<int> codes;
    for (const AuditScale& each : scales) {
        reports.push_back(report_of_scale(options.results, each, [&](const judge::Rule& rule) {
            return rule_of(options, rule);
        }));
        say("{}", line_of_scale(each, reports.back().report, terminal));
        codes.push_back(end_with(reports.back().report, options));
    }
    std::string where;
    if (!options.report.empty()) {
        const std::string above = fs::absolute(options.report).parent_path();
        write_output("--report",
                     [&] { replace_file(options.report, scaling_json(reports, above)); });
        where = fmt::format("report: {}\n", plain_line(options.report));
    }
    say("{}{}", answer_of_scales(reports, terminal), where);
    return joint_code(codes);
}

/// Returns the audit of the library's own algorithms that `mpiaudit local` leaves in the folder of
/// its audit; empty if there is none.
std::string folder_of_settings(const std::string& folder) {
    const fs::path inside = fs::path(folder) / "algorithms";
    const bool has_confirmation = fs::exists(inside / "confirmation-1" / "samples.jsonl");
    return has_confirmation ? inside.string() : "";
}

fs::path whole_path(const std::string& file) {
    return fs::weakly_canonical(fs::absolute(file));
}

}  // namespace

Report report_with_settings(const std::vector<std::string>& folders, std::string settings,
                            const std::function<judge::Rule(const judge::Rule&)>& rule) {
    const std::vector<record::Audit> launches = launches_of(folders);
    const judge::Rule& own = launches.front().header.rule;
    Report report = make_report(launches, rule ? rule(own) : own);
    if (settings.empty()) settings = folder_of_settings(folders.front());
    if (!settings.empty()) add_settings_of(make_report(launches_of(Words{settings})), report);
    return report;
}

/// Checks the options before reading any result. Then judges the results, writes and shows the
/// report, and applies the gate. Returns the exit code of the gate.
int judge_again(const JudgeOptions& options) {
    check_output("--report", options.report);
    check_gate(options);
    for (std::size_t i = 0; i < std::size(formats); ++i) {
        if (!options.report.empty() && !options.files[i].empty() &&
            whole_path(options.report) == whole_path(options.files[i]))
            throw UsageError("--report and --{} both name {}; give each a file of its own",
                             formats[i].option, options.report);
    }
    if (const auto scales = scales_in(options.results.front()); !scales.empty())
        return judge_scales(options, scales);
    const Report report =
        report_with_settings(options.results, options.settings_of,
                             [&](const judge::Rule& rule) { return rule_of(options, rule); });
    Where where{.program = program_of(report.header)};
    if (fs::is_directory(options.results.front())) where.folder = options.results.front();
    if (!options.report.empty()) {
        write_output("--report", [&] { write_report(report, options.report); });
        where.report = fmt::format("report: {}", plain_line(options.report));
    }
    show_as(report, options, options.color, where);
    return end_with(report, options);
}

}  // namespace mpiaudit
