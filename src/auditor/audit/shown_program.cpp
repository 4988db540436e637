// SPDX-License-Identifier: BSD-3-Clause
#include "audit/shown_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>

#include "answer/answer.h"
#include "code/program.h"
#include "collectives/patterns/node_communicators.h"
#include "mpi/environment.h"
#include "record/samples_file.h"
#include "repeat/commands.h"
#include "report/findings.h"
#include "report/judged_check.h"
#include "report/overview_rows.h"
#include "screens/console.h"
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
    const ReportedContestant* found = nullptr;
    for (const ReportedContestant* each : of_check.others)
        if (each->name == name &&
            (found == nullptr || is_between_same_layouts(*each, *of_check.left)))
            found = each;
    if (found == nullptr)
        throw make_invalid_argument("{} is not on record beside {}", name, of_check.left->name);
    return *found;
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
std::set<std::string> conditions(const Report& report, const JudgedCheck& check, const Side& left,
                                 const Side& right) {
    const record::Header& header = report.header;
    std::set<std::string> all;
    if (left.contestant->wrong && left.contestant->wrong->kind == FaultKind::hangs)
        all.insert("hangs");
    if (is_of_young_heap(report, check))
        all.insert("young_heap");
    else if (is_set(header, "heap", "both") || is_set(header, "heap", "grown"))
        all.insert("grown_heap");
    if (is_set(header, "buffers", "used"))
        all.merge(
            std::set<std::string>{"use", right.program.scale.own_parts() > 1 ? "split" : "whole"});
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
                                side->contestant->wrong->text);
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

/// MPI for this process alone, with temporary files in a folder of its own. Open MPI 4 gives all
/// processes without a launcher one folder, and fails if two of them begin at the same moment.
class OwnMpi {
  public:
    OwnMpi() {
        if (mkdtemp(folder_.data()) == nullptr)
            throw make_invalid_argument("{}: no such folder can be made", folder_);
        setenv("TMPDIR", folder_.c_str(), 1);
        int argc = 0;
        char** argv = nullptr;
        environment_.emplace(argc, argv);
    }
    ~OwnMpi() {
        environment_.reset();
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    OwnMpi(const OwnMpi&) = delete;
    OwnMpi& operator=(const OwnMpi&) = delete;

  private:
    std::string folder_ = (std::filesystem::temp_directory_path() / "mpiaudit-XXXXXX").string();
    std::optional<Environment> environment_;
};

/// Throws as Program::text() does.
std::string program_of(const Report& report, const Subject& subject, Side left, Side right,
                       std::span<const record::Audit> launches) {
    const JudgedCheck& check = *subject.check;
    const record::ProblemDescription& problem = find_problem(report, check.problem)->problem;
    for (Side* const side : {&left, &right}) {
        std::vector<std::int64_t>& counts = side->program.counts;
        counts = counts_of(side->program.scale, launches, problem);
        if (side->program.has_equal_blocks) std::ranges::fill(counts, std::ranges::max(counts));
    }
    const Program program{.left = left.program,
                          .right = right.program,
                          .problem = problem,
                          .comment = comment(report, subject, left, right),
                          .conditions = conditions(report, check, left, right),
                          .pairs = number_of_pairs(left, right),
                          .nodes = nodes_of(report.header)};
    std::optional<OwnMpi> mpi;
    if (program.records_messages()) mpi.emplace();
    return program.text();
}

}  // namespace

std::string program_of_subject(const Report& report, const Subject& subject,
                               std::span<const record::Audit> launches) {
    const JudgedCheck& check = *subject.check;
    const ReportedProblem& problem = *find_problem(report, check.problem);
    const Contestants of_check = contestants_of(check, problem, launches);
    const std::string name = subject.row != nullptr ? subject.row->contestant : "";
    return program_of(report, subject, side_of(*of_check.left, report.header),
                      side_of(named(of_check, name), report.header), launches);
}

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

}  // namespace mpiaudit
