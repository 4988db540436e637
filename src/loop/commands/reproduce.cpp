// SPDX-License-Identifier: BSD-3-Clause
// Defines reproduce() of loop_commands.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <tuple>

#include "code/call_program.h"
#include "code/program.h"
#include "collectives/patterns/node_communicators.h"
#include "commands/loop_commands.h"
#include "files/files.h"
#include "mpi/environment.h"
#include "record/json_form.h"
#include "record/samples_file.h"
#include "report/console.h"
#include "report/findings.h"
#include "report/judged_check.h"
#include "report/overview_rows.h"
#include "report/report.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// One side of a program.
struct Side {
    const ReportedContestant* contestant;
    ProgramSide program;
};

/// Throws std::invalid_argument if no program can show the way.
Side side_of(const ReportedContestant& contestant, const record::Header& header) {
    auto program = program_side(contestant, header);
    if (!program) throw make_invalid_argument("no program can be written of {}", contestant.name);
    return Side{&contestant, std::move(*program)};
}

/// The contestants of a check, since a name may stand for several ways between other layouts.
struct Contestants {
    const ReportedContestant *left, *right;
    std::vector<const ReportedContestant*> others;  ///< may take the place of the right contestant
};
Contestants contestants_of(const JudgedCheck& check, const ReportedProblem& problem,
                           std::span<const record::Audit> launches) {
    for (const record::ProblemRecord& measured : problems_of(launches)) {
        if (measured.problem.id != check.problem) continue;
        const auto found =
            std::ranges::find(measured.checks, check.guideline, &record::Check::guideline);
        if (found == measured.checks.end()) continue;
        const auto in_report = [&](std::size_t at) {
            const record::Contestant& one = measured.contestants[at];
            return &*std::ranges::find_if(problem.contestants, [&](const auto& each) {
                return each.name == one.name && is_between_same_layouts(each, one);
            });
        };
        Contestants all{in_report(found->left), in_report(found->right), {}};
        const std::vector<int> steps = steps_to(measured, found->left);
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i] > 0) all.others.push_back(in_report(i));
        return all;
    }
    throw std::invalid_argument("the check is not on record");
}

/// Returns the contestant with this name: the right side of the check, or another way to which
/// guidelines lead from its left side.
const ReportedContestant& named(const Contestants& of_check, const std::string& name) {
    if (name.empty() || of_check.right->name == name) return *of_check.right;
    const auto found = std::ranges::find_if(
        of_check.others, [&](const ReportedContestant* each) { return each->name == name; });
    if (found == of_check.others.end())
        throw make_invalid_argument("{} is not on record beside {}", name, of_check.left->name);
    return **found;
}

const record::ProblemRecord& recorded(std::span<const record::Audit> launches,
                                      const std::string& distribution, std::int64_t block_size) {
    for (const record::ProblemRecord& each : problems_of(launches))
        if (each.problem.distribution == distribution && each.problem.block_size == block_size)
            return each;
    throw make_invalid_argument("{}/b={} is not on record", distribution, block_size);
}

/// Returns the next larger block size of the sweep.
std::int64_t next_size(std::span<const record::Audit> launches,
                       const record::ProblemDescription& problem) {
    std::int64_t next = 0;
    for (const record::Audit& launch : launches)
        for (const record::ProblemRecord& each : launch.problems)
            if (each.problem.distribution == problem.distribution &&
                each.problem.block_size > problem.block_size &&
                (next == 0 || each.problem.block_size < next))
                next = each.problem.block_size;
    return next;
}

std::vector<std::int64_t> counts_of(const Scale& scale, std::span<const record::Audit> launches,
                                    const record::ProblemDescription& problem) {
    const std::int64_t b = scale.is_next ? next_size(launches, problem) : problem.block_size;
    std::vector<std::int64_t> counts = recorded(launches, problem.distribution, b).counts;
    for (std::int64_t& each : counts) each = (each + scale.parts - 1) / scale.parts;
    return counts;
}

bool is_set(const record::Header& header, std::string_view option, std::string_view value) {
    return text_of(option_in(header.options, option)) == value;
}

/// Whether only calls on new memory are slow, or the audit made all calls on new memory.
bool is_of_young_heap(const Report& report, const JudgedCheck& check) {
    if (check.young_heap && check.verdict != judge::Verdict::violated)
        return check.young_heap->judgement.verdict == judge::Verdict::violated;
    return is_set(report.header, "heap", "young");
}

/// Returns the conditions of the audit that a program can have, as in Program::conditions.
std::string conditions(const Report& report, const JudgedCheck& check, const Side& left,
                       const Side& right) {
    const record::Header& header = report.header;
    std::string all;
    if (left.contestant->wrong.value_or("").find("hang") != std::string::npos) all += "hangs ";
    if (is_of_young_heap(report, check))
        all += "young_heap ";
    else if (is_set(header, "heap", "both") || is_set(header, "heap", "grown"))
        all += "grown_heap ";
    if (is_set(header, "buffers", "used"))
        all += right.program.scale.own_parts() > 1 ? "use( split" : "use( whole";
    return all;
}

/// Returns a line with the algorithms of the library that take, forced, as long as the choice of
/// the library: one of them may be that choice.
std::string algorithms_alike(const Report& report, const JudgedCheck& check, const Side& left) {
    constexpr double alike = 0.05;
    std::vector<std::string> names;
    for (const Choice& choice : report.choices) {
        if (choice.problem != check.problem ||
            choice.operation != left.contestant->name.way().terms.front().form.function())
            continue;
        for (const Choice::Algorithm& each : choice.algorithms)
            if (std::abs(each.median_s / choice.median_s - 1) < alike) names.push_back(each.name);
    }
    if (names.empty()) return "";
    return fmt::format(" * The first takes as long as with a forced algorithm: {}.\n",
                       fmt::join(names, ", "));
}

/// What the report says about the two sides of a program.
struct Subject {
    const JudgedCheck* check;
    const OverviewRow* row = nullptr;  ///< of the first screen; null if the program shows no row
};

/// Returns the bytes of the problem as the first screen counts: "64 KiB in each block, same/b=256".
std::string size_in_words(const Report& report, const JudgedCheck& check, const Side& left) {
    const record::ProblemDescription& problem = find_problem(report, check.problem)->problem;
    const Way& way = left.contestant->name.way();
    const auto bytes = bytes_of_rank(problem, way);
    if (!bytes) return check.problem;
    const bool is_per_block = *bytes < problem.total * problem.element_bytes;
    return fmt::format(
        "{} in {}, {}", bytes_text(*bytes),
        is_per_block
            ? (problem.smallest == problem.largest ? "each block" : "each block on the average")
            : "the vector of a rank",
        check.problem);
}

/// Returns the ratio that the first screen shows; else the ratio of the check with its interval.
std::string measured_in_words(const Report& report, const Subject& subject, const Side& right) {
    const JudgedCheck& check = *subject.check;
    const record::Header& header = report.header;
    const std::size_t launches = std::max<std::size_t>(1, check.launches.size());
    const std::string when =
        fmt::format("{}, in {} launch{}", header.started, launches, launches > 1 ? "es" : "");
    const auto line = [&](const std::string& ratio) {
        return fmt::format(" * mpiaudit {} measured {}, {}.\n", header.tool.version, ratio, when);
    };
    if (subject.row != nullptr)
        return subject.row->factor
                   ? line(fmt::format("{} times as long", ratio_text(*subject.row->factor)))
                   : "";
    const bool is_young = is_of_young_heap(report, check);
    const auto& samples = is_young && check.young_heap ? check.young_heap : check.samples;
    if (!samples || !samples->has_ratio() || right.contestant->name != check.right) return "";
    const auto& [ratio, factor] = std::tie(samples->judgement.ratio, samples->judgement.factor);
    return line(fmt::format("{:.2f} times as long ({:.2f} to {:.2f}){}", factor, ratio.low,
                            ratio.high, is_young ? " on new memory" : ""));
}

std::string comment(const Report& report, const Subject& subject, const Side& left,
                    const Side& right) {
    const record::Header& header = report.header;
    const JudgedCheck& check = *subject.check;
    const std::string start = start_of_ranks(header) + " ./reproduce";
    std::string text = fmt::format("/* {} against {}: {}\n", left.contestant->name,
                                   right.contestant->name, size_in_words(report, check, left));
    for (const Side* side : {&left, &right})
        if (side->contestant->wrong)
            text += fmt::format(" * {} is wrong: {}\n", side->contestant->name,
                                *side->contestant->wrong);
    text += measured_in_words(report, subject, right);
    text += algorithms_alike(report, check, left);
    text += fmt::format(" * {}: {}\n", audited_system(report),
                        header.mpi.library.substr(0, header.mpi.library.find('\n')));
    const auto preloaded = header.environment.find("LD_PRELOAD");
    if (preloaded != header.environment.end())
        text += fmt::format(" * LD_PRELOAD={}\n", preloaded->second);
    text += fmt::format(" *   mpicc -O2 -o reproduce reproduce.c\n *   {}\n", start);
    // Names and words of a results file must not end the comment: text behind it would be compiled.
    replace_all(text, "*/", "* /");
    return text + " */\n";
}

/// Returns a number of pairs that takes about two seconds, within bounds.
int number_of_pairs(const Side& left, const Side& right) {
    constexpr double seconds = 2;
    double both_s = 0;
    for (const Side* side : {&left, &right})
        if (side->contestant->statistics) both_s += side->contestant->statistics->median;
    return both_s > 0 ? static_cast<int>(std::clamp(seconds / both_s, 51.0, 2001.0)) : 101;
}

/// Returns the nodes of the audited ranks.
NodeSplit nodes_of(const record::Header& header) {
    const int ranks = header.machine.ranks;
    const std::string size = text_of(option_in(header.options, "node-size"));
    if (!size.empty() && size != "0") return consecutive_nodes(std::stoi(size), ranks);
    NodeSplit split{static_cast<int>(header.machine.hosts.size()), 0,
                    std::vector<int>(static_cast<std::size_t>(ranks))};
    for (std::size_t host = 0; host < header.machine.hosts.size(); ++host)
        for (const int rank : header.machine.hosts[host].ranks)
            split.node_of_rank.at(static_cast<std::size_t>(rank)) = static_cast<int>(host);
    split.width = consecutive_ranks(split.node_of_rank);
    if (split.width > 0 && ranks % split.width == 0) split.ranks_per_node = split.width;
    return split;
}

/// Throws as Program::text() does.
std::string program_of(const Report& report, const Subject& subject, Side left, Side right,
                       std::span<const record::Audit> launches) {
    const JudgedCheck& check = *subject.check;
    const record::ProblemDescription& problem = find_problem(report, check.problem)->problem;
    for (Side* const side : {&left, &right})
        side->program.counts = counts_of(side->program.scale, launches, problem);
    const Program program{.left = left.program,
                          .right = right.program,
                          .problem = problem,
                          .comment = comment(report, subject, left, right),
                          .conditions = conditions(report, check, left, right),
                          .pairs = number_of_pairs(left, right),
                          .nodes = nodes_of(report.header)};
    std::optional<Environment> mpi;
    if (program.records_messages()) {
        int argc = 0;
        char** argv = nullptr;
        mpi.emplace(argc, argv);
    }
    return program.text();
}

/// Returns the program of a check or of a row of the first screen, which compares the same left
/// side with its replacement. Throws std::invalid_argument with the reason if there is no program.
std::string program_of_subject(const Report& report, const Subject& subject,
                               std::span<const record::Audit> launches) {
    const JudgedCheck& check = *subject.check;
    const ReportedProblem& problem = *find_problem(report, check.problem);
    const Contestants of_check = contestants_of(check, problem, launches);
    const std::string name = subject.row != nullptr ? subject.row->contestant : "";
    return program_of(report, subject, side_of(*of_check.left, report.header),
                      side_of(named(of_check, name), report.header), launches);
}

/// Returns the program of a form that is wrong, hangs or crashes, beside the usual form. Throws as
/// program_of_check() does.
std::string program_of_fault(const Report& report, const ReportedProblem& problem,
                             const ReportedContestant& fault,
                             std::span<const record::Audit> launches) {
    ReportedContestant usual = fault;
    usual.wrong.reset();
    if (!usual.steps.empty()) {
        record::Step& step = usual.steps.front();
        step = {usual_form(step.form).name(), step.from, step.to};
        usual.name = step.arrow + "(m)";
    }
    JudgedCheck check;
    check.problem = problem.problem.id;
    return program_of(report, {&check}, side_of(fault, report.header),
                      side_of(usual, report.header), launches);
}

/// A ratio of one launch may be far from the ratios of others.
void warn_of_one_launch(const JudgedCheck& check) {
    if (check.launches.size() > 1) return;
    remark(
        "warning: only one launch has measured {}@{}, and launches differ; measure it in more "
        "launches first (mpiaudit run --confirm FOLDER)",
        check.guideline, check.problem);
}

/// \param found lines about the fault that the call has found
std::string program_of_generated_call(const std::string& text, std::vector<std::string> found,
                                      const std::string& launcher) {
    const calls::ChosenCall call = or_usage_error([&] { return calls::parse_call(text); });
    // A program may be for another library and other ranks than those of this machine.
    constexpr int any_ranks = 4;
    const calls::Setting any{.ranks = any_ranks, .has_persistent = true, .has_large_counts = true};
    if (const char* reason = calls::obstacle(call, any)) throw UsageError("--call: {}", reason);
    found.insert(found.begin(), calls::sentence(call));
    found.push_back(fmt::format("mpiaudit verify --call \"{}\"", calls::print(call)));
    return program_of_call(call, found, launcher);
}

/// Returns the program of the generated call that `asked` names, or of the first one if `asked` is
/// empty, which is a new fault if there is one. \param header of the audit; null for a search
/// without an audit
std::string program_of_finding(const record::GeneratedCalls& calls, const std::string& asked,
                               const record::Header* header) {
    const std::vector<record::CallFinding>& findings = calls.findings;
    const auto is_asked = [&](const record::CallFinding& each) {
        return asked.empty() || each.call == asked;
    };
    auto found = std::ranges::find_if(findings, [&](const record::CallFinding& each) {
        return is_asked(each) && !each.is_known;
    });
    if (found == findings.end()) found = std::ranges::find_if(findings, is_asked);
    if (found == findings.end())
        throw UsageError(
            asked.empty()
                ? "reproduce: no generated call in the folder has a fault"
                : "--call: the folder has no fault of this call; leave out the folder for the "
                  "program of any call");
    std::vector<std::string> lines{found->what};
    if (header != nullptr)
        lines.push_back(header->mpi.library.substr(0, header->mpi.library.find('\n')));
    return program_of_generated_call(found->call, std::move(lines),
                                     header != nullptr
                                         ? start_of_ranks(*header)
                                         : fmt::format("mpirun -n {}", std::max(calls.ranks, 2)));
}

/// Returns the row of the first screen that has this check; null if no row has it.
const OverviewRow* row_of(const Report& report, const std::string& check) {
    const auto found = std::ranges::find_if(report.overview, [&](const OverviewRow& each) {
        return each.guideline + '@' + each.problem == check;
    });
    return found == report.overview.end() ? nullptr : &*found;
}

/// Returns row `number` of the first screen, counted from 1.
const OverviewRow& numbered_row(const Report& report, int number) {
    const auto rows = static_cast<int>(report.overview.size());
    if (rows == 0)
        throw UsageError("--row {}: the screen has no rows, for nothing is violated", number);
    if (number < 1 || number > rows)
        throw UsageError("--row {}: the screen has {}, so the number is 1{}", number,
                         counted(report.overview.size(), "row"),
                         rows > 1 ? fmt::format(" to {}", rows) : "");
    return report.overview[static_cast<std::size_t>(number - 1)];
}

std::string program_of_row(const Report& report, const OverviewRow& row,
                           const std::vector<record::Audit>& launches) {
    const JudgedCheck* const check = check_of(report, row);
    if (check == nullptr)
        throw UsageError("reproduce: the audit has no check {}@{}", row.guideline, row.problem);
    try {
        std::string text = program_of_subject(report, {check, &row}, launches);
        warn_of_one_launch(*check);
        return text;
    } catch (const std::invalid_argument& error) {
        throw UsageError("reproduce: {}@{}: {}", row.guideline, row.problem, error.what());
    }
}

/// Returns the program of the check that is named; nullopt if there is no such check.
std::optional<std::string> program_of_named_check(const Report& report, const std::string& asked,
                                                  const std::vector<record::Audit>& launches) {
    if (const OverviewRow* const row = row_of(report, asked))
        return program_of_row(report, *row, launches);
    const auto found = std::ranges::find_if(report.checks, [&](const JudgedCheck& each) {
        return each.guideline + '@' + each.problem == asked;
    });
    if (found == report.checks.end()) return std::nullopt;
    try {
        std::string text = program_of_subject(report, {&*found}, launches);
        warn_of_one_launch(*found);
        return text;
    } catch (const std::invalid_argument& error) {
        throw UsageError("reproduce: {}: {}", asked, error.what());
    }
}

/// Returns the program of the form that is wrong, hangs or crashes and has this name; of the first
/// such form if `asked` is empty. Throws UsageError with `why` if there is none.
std::string program_of_named_fault(const Report& report, const std::string& asked, std::string why,
                                   const std::vector<record::Audit>& launches) {
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            const std::string name = each.name + '@' + problem.problem.id;
            const bool is_fault = each.wrong || each.known_to_fail;
            if (!is_fault || (!asked.empty() && asked != name)) continue;
            ReportedContestant fault = each;
            if (!fault.wrong) fault.wrong = fault.skipped;
            try {
                return program_of_fault(report, problem, fault, launches);
            } catch (const std::invalid_argument& error) {
                why = fmt::format("{}: {}", name, error.what());
            }
        }
    }
    throw UsageError("reproduce: " + why);
}

/// Returns the program of the row, or of the check or faulty form, that the options name. If they
/// name none, returns the program of the first row of the first screen; if there is none, of the
/// first new fault of a generated call, which is shrunk, then of the first faulty form, then of a
/// known fault.
std::string program(const Report& report, const std::vector<record::Audit>& launches,
                    const ReproduceOptions& options) {
    if (options.row) return program_of_row(report, numbered_row(report, *options.row), launches);
    if (!options.check.empty()) {
        if (auto text = program_of_named_check(report, options.check, launches)) return *text;
        return program_of_named_fault(
            report, options.check,
            "--check: the audit has no check " + options.check +
                "; checks are named GUIDELINE@PROBLEM, as in its report, and what is wrong "
                "MPI_Gather_init(m)@PROBLEM",
            launches);
    }
    if (!report.overview.empty()) return program_of_row(report, report.overview.front(), launches);
    const auto calls = report.generated_calls.value_or(record::GeneratedCalls{});
    if (!std::ranges::all_of(calls.findings, &record::CallFinding::is_known))
        return program_of_finding(calls, "", &report.header);
    try {
        return program_of_named_fault(
            report, "", "nothing violated or wrong was found; name a check by --check", launches);
    } catch (const UsageError&) {
        if (calls.findings.empty()) throw;
        return program_of_finding(calls, "", &report.header);
    }
}

/// Returns the program that the options ask for.
std::string chosen_program(const ReproduceOptions& options) {
    if (!options.call.empty() && (!options.check.empty() || options.row))
        throw UsageError("--call shows a generated call: leave out --check and --row");
    if (!options.check.empty() && options.row)
        throw UsageError("--row and --check name two programs: leave out one of them");
    if (options.results.empty()) {
        if (options.call.empty())
            throw UsageError(
                "reproduce: name the folder of an audit, or a generated call by --call");
        return program_of_generated_call(options.call, {}, "mpirun -n 2");
    }
    const std::string search = options.results.front() + "/calls.json";
    if (options.check.empty() && !options.row && options.results.size() == 1 &&
        std::filesystem::exists(search)) {
        const record::GeneratedCalls found = in_file(
            search, [&] { return record::generated_calls_of(parsed_json(read_file(search))); });
        return program_of_finding(found, options.call, nullptr);
    }
    const std::vector<record::Audit> launches = launches_of(options.results);
    const Report report = make_report(launches);
    if (options.call.empty()) return program(report, launches, options);
    return program_of_finding(report.generated_calls.value_or(record::GeneratedCalls{}),
                              options.call, &report.header);
}

}  // namespace

int reproduce(const ReproduceOptions& options) {
    if (!options.output.empty()) check_replaceable(options.output);
    const std::string text = chosen_program(options);
    if (options.output.empty())
        say("{}", text);
    else
        replace_file(options.output, text);
    return exit_done;
}

}  // namespace mpiaudit
