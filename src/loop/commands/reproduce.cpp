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

#include "code/call_program.h"
#include "code/program.h"
#include "commands/loop_commands.h"
#include "files/files.h"
#include "record/json_form.h"
#include "record/samples_file.h"
#include "report/findings.h"
#include "report/judged_check.h"
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

std::optional<Side> side_of(const ReportedContestant& contestant, const record::Header& header,
                            bool may_be_form = true) {
    auto program = program_side(contestant, header, may_be_form);
    if (!program) return std::nullopt;
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

/// Returns the right side of the check. If no program can be written of it, returns the fastest
/// other way that was measured.
Side right_side(const Contestants& of_check, const record::Header& header) {
    const ReportedContestant& left = *of_check.left;
    if (auto side = side_of(*of_check.right, header)) return *side;
    std::optional<Side> fastest;
    for (const ReportedContestant* each : of_check.others) {
        if (!each->statistics || each->wrong || !each->name.way().scale.is_whole()) continue;
        auto side = side_of(*each, header, false);
        if (side &&
            (!fastest || each->statistics->median < fastest->contestant->statistics->median))
            fastest = std::move(side);
    }
    if (!fastest || !left.statistics ||
        fastest->contestant->statistics->median >= left.statistics->median)
        throw make_invalid_argument(
            "{} is no path of MPI calls, and no such path was measured to be faster than {}",
            of_check.right->name, left.name);
    return *fastest;
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

std::string comment(const Report& report, const JudgedCheck& check, const Side& left,
                    const Side& right) {
    const record::Header& header = report.header;
    const std::string start = start_of_ranks(header) + " ./reproduce";
    std::string text = fmt::format("/* {} against {}, {}\n", left.contestant->name,
                                   right.contestant->name, place_of(report, check.problem));
    for (const Side* side : {&left, &right})
        if (side->contestant->wrong)
            text += fmt::format(" * {} is wrong: {}\n", side->contestant->name,
                                *side->contestant->wrong);
    const bool is_young = is_of_young_heap(report, check);
    const auto& samples = is_young && check.young_heap ? check.young_heap : check.samples;
    if (samples && samples->has_ratio() && right.contestant->name == check.right)
        text += fmt::format(
            " * mpiaudit {} measured {:.2f} times as long ({:.2f} to {:.2f}){}, {}, in {} "
            "launch{}.\n",
            header.tool.version, samples->judgement.factor, samples->judgement.ratio.low,
            samples->judgement.ratio.high, is_young ? " on new memory" : "", header.started,
            std::max<std::size_t>(1, check.launches.size()), check.launches.size() > 1 ? "es" : "");
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

/// Throws as Program::text() does.
std::string program_of(const Report& report, const JudgedCheck& check, Side left, Side right,
                       std::span<const record::Audit> launches) {
    const record::ProblemDescription& problem = find_problem(report, check.problem)->problem;
    for (Side* const side : {&left, &right})
        side->program.counts = counts_of(side->program.scale, launches, problem);
    return Program{.left = left.program,
                   .right = right.program,
                   .problem = problem,
                   .comment = comment(report, check, left, right),
                   .conditions = conditions(report, check, left, right),
                   .pairs = number_of_pairs(left, right)}
        .text();
}

/// Returns the program of a check. If no program can be written of its right side, the fastest
/// other way takes that place. Throws std::invalid_argument with the reason if there is no program.
std::string program_of_check(const Report& report, const JudgedCheck& check,
                             std::span<const record::Audit> launches) {
    const ReportedProblem& problem = *find_problem(report, check.problem);
    const Contestants of_check = contestants_of(check, problem, launches);
    const auto left = side_of(*of_check.left, report.header);
    if (!left) throw std::invalid_argument(of_check.left->name + " is no path of MPI calls");
    return program_of(report, check, *left, right_side(of_check, report.header), launches);
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
    const auto left = side_of(fault, report.header), right = side_of(usual, report.header, false);
    if (!left || !right) throw std::invalid_argument(fault.name + " is no path of MPI calls");
    JudgedCheck check;
    check.problem = problem.problem.id;
    return program_of(report, check, *left, *right, launches);
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

/// Returns the program of the check or of the faulty form that `asked` names. If `asked` is empty,
/// returns the program of the worst violation; if there is none, of the first new fault of a
/// generated call, which is shrunk, then of the first faulty form, then of a known fault.
std::string program(const Report& report, const std::vector<record::Audit>& launches,
                    const std::string& asked) {
    std::vector<const JudgedCheck*> checks;
    for (const JudgedCheck& each : report.checks)
        if (asked.empty() ? each.is_violation() : each.guideline + '@' + each.problem == asked)
            checks.push_back(&each);
    std::ranges::stable_sort(checks, std::greater<>{},
                             [](const JudgedCheck* each) { return severity(*each); });
    std::string why = asked.empty() ? "nothing violated or wrong was found; name a check by --check"
                                    : "--check: the audit has no check " + asked +
                                          "; checks are named GUIDELINE@PROBLEM, as in its report, "
                                          "and what is wrong MPI_Gather_init(m)@PROBLEM";
    for (const JudgedCheck* each : checks) {
        try {
            std::string text = program_of_check(report, *each, launches);
            warn_of_one_launch(*each);
            return text;
        } catch (const std::invalid_argument& error) {
            why = fmt::format("{}@{}: {}", each->guideline, each->problem, error.what());
        }
    }
    const auto calls = report.generated_calls.value_or(record::GeneratedCalls{});
    if (asked.empty() && !std::ranges::all_of(calls.findings, &record::CallFinding::is_known))
        return program_of_finding(calls, "", &report.header);
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
    if (asked.empty() && !calls.findings.empty())
        return program_of_finding(calls, "", &report.header);
    throw UsageError("reproduce: " + why);
}

/// Returns the program that the options ask for.
std::string chosen_program(const ReproduceOptions& options) {
    if (!options.call.empty() && !options.check.empty())
        throw UsageError("--call shows a generated call: leave out --check");
    if (options.results.empty()) {
        if (options.call.empty())
            throw UsageError(
                "reproduce: name the folder of an audit, or a generated call by --call");
        return program_of_generated_call(options.call, {}, "mpirun -n 2");
    }
    const std::string search = options.results.front() + "/calls.json";
    if (options.check.empty() && options.results.size() == 1 && std::filesystem::exists(search)) {
        const record::GeneratedCalls found = in_file(
            search, [&] { return record::generated_calls_of(parsed_json(read_file(search))); });
        return program_of_finding(found, options.call, nullptr);
    }
    const std::vector<record::Audit> launches = launches_of(options.results);
    const Report report = make_report(launches);
    if (options.call.empty()) return program(report, launches, options.check);
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
