// SPDX-License-Identifier: BSD-3-Clause
#include "reproducer/reproducer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "problem/element.h"
#include "problem/operator.h"
#include "report/findings.h"
#include "report/judged_check.h"
#include "report/pasted_code.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A line that begins with words between bars is kept where the calls name one of them.
constexpr std::string_view program =
#include "reproducer/program.inc"
    ;

bool is_kept(const std::string& wanted, const std::string& calls) {
    std::istringstream words(wanted);
    for (std::string word; words >> word;)
        if (calls.find(word) != std::string::npos) return true;
    return false;
}

/// Of which ranks and blocks a layout is.
std::string held_in(const std::string& layout) {
    if (layout == "apart" || layout == "together" || layout == "grouped") return "0";
    if (layout == "scattered") return "b == rank";
    if (layout == "rooted") return "rank == root";
    return layout == "exclusively prefixed" ? "rank > 0" : "1";
}

/// How many bytes this rank has of a layout.
std::string bytes_in(const std::string& layout) {
    if (layout == "scattered") return "block_bytes";
    const std::string held = held_in(layout);
    return held == "1" ? "bytes" : held == "0" ? "0" : held + " ? bytes : 0";
}

/// One side of the check, as a path of calls.
struct Side {
    const ReportedContestant* contestant;
    CallsOfWay calls;
    std::string to;  ///< the layout in which the last call leaves the data
    Scale scale;
    bool is_padded, counts_bytes;
};

std::optional<Side> side_of(const ReportedContestant& contestant, const record::Header& header) {
    const auto calls = calls_of_mpi(contestant, header.implementations);
    if (!calls) return std::nullopt;
    const auto last =
        std::ranges::find_if(contestant.steps.rbegin(), contestant.steps.rend(),
                             [](const record::Step& step) { return !step.is_view(); });
    std::string to = last->to;
    const bool is_padded = to.starts_with("padded ");
    if (is_padded) to.erase(0, std::string_view("padded ").size());
    return Side{&contestant, *calls,
                to,          record::scale_of(contestant.name),
                is_padded,   calls->text.find("sendtypes") != std::string::npos};
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
    replace_all(text, what, by);
    return text;
}

/// MPI_Gather of MPI_Gather_init and MPI_Gather[sent as one type].
std::string operation_of_form(const std::string& form) {
    std::string name = form.substr(0, form.find('['));
    if (name.ends_with("_init")) name.resize(name.rfind('_'));
    return name;
}

/// How programs call an operation, in C: what stands around its call, @START@ and @WAIT@ for the
/// two parts of a non-blocking one. As the arrows of the catalogue (call_arrows.cpp) do it.
struct WayToCall {
    std::string_view form, code;
};
#define MPIAUDIT_STEPS "1000 + total * (long)extent / 8"
constexpr WayToCall ways_to_call[] = {
    {"[in a row]", "for (int i = 0; i < 8; ++i) { @CALL@ }"},
    {"[in a row with barriers]",
     "for (int i = 0; i < 8; ++i) { if (i > 0) MPI_Barrier(comm); @CALL@ }"},
    {"[new communicator]",
     "MPI_Comm usual = comm; MPI_Comm_dup(usual, &comm); @CALL@ MPI_Comm_free(&comm); "
     "comm = usual;"},
    {"[beside a new communicator]",
     "MPI_Comm made; MPI_Comm_dup(comm, &made); @CALL@ MPI_Comm_free(&made);"},
    {"[computing]", "@START@ compute(" MPIAUDIT_STEPS "); @WAIT@"},
    {"[computing and testing]",
     "@START@ for (int i = 0, done; i < 16; ++i) { compute((" MPIAUDIT_STEPS ") / 16); "
     "MPI_Test(&request, &done, MPI_STATUS_IGNORE); } @WAIT@"},
};
#undef MPIAUDIT_STEPS

/// Communicators that are made and freed, and what ranks have to exchange for one, as the arrows of
/// the catalogue (communicator_arrows.cpp) do it.
#define MPIAUDIT_AGREE                                                                         \
    "int own[64] = {0}, of_all[64]; MPI_Allreduce(own, of_all, 64, MPI_INT, MPI_BAND, comm); " \
    "MPI_Allreduce(own, of_all, 1, MPI_INT, MPI_MAX, comm);"
constexpr WayToCall ways_to_make[] = {
    {"MPI_Comm_split",
     "MPI_Comm made; MPI_Comm_split(comm, 0, rank, &made); MPI_Comm_free(&made);"},
    {"MPI_Comm_dup", "MPI_Comm made; MPI_Comm_dup(comm, &made); MPI_Comm_free(&made);"},
    {"MPI_Comm_create",
     "MPI_Comm made; MPI_Group all; MPI_Comm_group(comm, &all); MPI_Comm_create(comm, all, &made); "
     "MPI_Group_free(&all); MPI_Comm_free(&made);"},
    {"MPI_Comm_create_group",
     "MPI_Comm made; MPI_Group all; MPI_Comm_group(comm, &all); MPI_Comm_create_group(comm, all, "
     "1, &made); MPI_Group_free(&all); MPI_Comm_free(&made);"},
    {"MPI_Cart_create",
     "MPI_Comm made; int sizes[2] = {0, 0}, around[2] = {1, 1}; MPI_Dims_create(p, 2, sizes); "
     "MPI_Cart_create(comm, 2, sizes, around, 0, &made); MPI_Comm_free(&made);"},
    {"MPI_Comm_split[by MPI_Allgather]",
     "int asked[2] = {0, rank}, of_ranks[2 * p]; MPI_Allgather(asked, 2, MPI_INT, of_ranks, 2, "
     "MPI_INT, comm); " MPIAUDIT_AGREE},
    {"MPI_Comm_dup[by MPI_Allreduce]", MPIAUDIT_AGREE},
};
#undef MPIAUDIT_AGREE

/// The code of a call in its way; nothing of a form that is none of these.
std::optional<std::string> in_way_to_call(const std::string& form, const std::string& call) {
    const auto* const way = std::ranges::find_if(
        ways_to_call, [&](const WayToCall& each) { return form.ends_with(each.form); });
    if (way == std::end(ways_to_call)) return std::nullopt;
    std::string code(way->code);
    // A blocking call starts and waits at once.
    const std::size_t wait = std::min(call.find("MPI_Wait("), call.size());
    replace_all(code, "@START@", call.substr(0, wait));
    replace_all(code, "@WAIT@", call.substr(wait));
    replace_all(code, "@CALL@", call);
    return code;
}

/// The library's function for an arrow, which may be an extension.
std::string function_of(const std::string& arrow, const record::Header& header) {
    const auto found =
        std::ranges::find(header.implementations, arrow, &record::Implementation::name);
    return found == header.implementations.end() || found->written_as.empty() ? arrow
                                                                              : found->written_as;
}

/// Both sides allocate, and copy what is sent and received; a call uses the new memory, or does
/// not.
std::string with_buffers(const Side& side, bool are_new) {
    const std::string sent = bytes_in(side.contestant->from), received = bytes_in(side.to);
    std::string call = side.calls.text;
    if (side.calls.in == side.calls.out)
        return fmt::format("char* made = fresh(buffer, {}, bytes); {} memcpy({}, bytes);", sent,
                           are_new ? replaced(call, "buffer", "made") : call,
                           are_new ? "buffer, made" : "made, buffer");
    if (!are_new)
        return fmt::format(
            "fresh(sendbuf, {0}, {0}); char* out = fresh(NULL, 0, {1}); {2} "
            "memcpy(out, recvbuf, {1});",
            sent, received, call);
    return fmt::format(
        "char *in = fresh(sendbuf, {0}, {0}), *out = fresh(NULL, 0, {1}); {2} "
        "memcpy(recvbuf, out, {1});",
        sent, received, replaced(replaced(std::move(call), "sendbuf", "in"), "recvbuf", "out"));
}

/// One side of a call has its data as one element of a type that is made before.
std::optional<std::string> as_one_type(const std::string& call, bool is_sent) {
    const std::string usual = is_sent ? "sendbuf, count, type, " : "recvbuf, count, type, ",
                      broadcast = "buffer, total, type, ";
    const auto made = [&](const char* count, const std::string& text) {
        return fmt::format(
            "if (one_type == MPI_DATATYPE_NULL) MPI_Type_contiguous({}, type, "
            "&one_type), MPI_Type_commit(&one_type); {}",
            count, text);
    };
    if (call.find(usual) != std::string::npos)
        return made("count", replaced(call, usual, usual.substr(0, 9) + "1, one_type, "));
    if (call.find(broadcast) == std::string::npos) return std::nullopt;
    const char* const which = is_sent ? "==" : "!=";
    return made("total", replaced(call, broadcast,
                                  fmt::format("buffer, rank {0} root ? 1 : total, rank {0} root ? "
                                              "one_type : type, ",
                                              which)));
}

/// The call of an operation in this form of it; nothing of a form that is none that is known here.
std::optional<std::string> in_form(const std::string& form, const Side& usual,
                                   const record::Header& header) {
    const std::string& call = usual.calls.text;
    if (auto code = in_way_to_call(form, call)) return code;
    const auto is_form = [&](const char* name) { return form.ends_with(name); };
    if (is_form("_init")) {
        const std::size_t begin = call.find('(') + 1;
        return fmt::format(
            "if (started == MPI_REQUEST_NULL) {}({}, MPI_INFO_NULL, &started); "
            "MPI_Start(&started); MPI_Wait(&started, MPI_STATUS_IGNORE);",
            function_of(form, header), call.substr(begin, call.size() - begin - 2));
    }
    if (is_form("[user function]")) return replaced(call, ", op,", ", by_function,");
    if (is_form("[order kept]")) return replaced(call, ", op,", ", kept_order,");
    if (is_form("[sent as one type]")) return as_one_type(call, true);
    if (is_form("[received as one type]")) return as_one_type(call, false);
    if (is_form("[new buffers]")) return with_buffers(usual, true);
    if (is_form("[beside new buffers]")) return with_buffers(usual, false);
    if (is_form("[world]")) return call;
    for (const char* each : {"dup", "split", "create_group", "merged", "session"}) {
        if (is_form(fmt::format("[{}]", each).c_str()) && header.machine.ranks > 1)
            return replaced(call, "comm)", fmt::format("{}_comm)", each));
    }
    return std::nullopt;
}

/// As side_of(), also of communicators that are made, and of the forms of one operation.
std::optional<Side> side_of_form(const ReportedContestant& contestant,
                                 const record::Header& header) {
    if (auto side = side_of(contestant, header)) return side;
    if (contestant.steps.size() != 1) return std::nullopt;
    const record::Step& step = contestant.steps.front();
    const auto* const making = std::ranges::find(ways_to_make, step.arrow, &WayToCall::form);
    if (making != std::end(ways_to_make))
        return Side{&contestant, {std::string(making->code), "sendbuf", "recvbuf"},
                    step.to,     record::scale_of(contestant.name),
                    false,       false};
    ReportedContestant usual = contestant;
    usual.steps.front().arrow = operation_of_form(step.arrow);
    usual.to = step.to;  // without what such calls leave besides, as "and buffers"
    auto side = side_of(usual, header);
    if (!side) return std::nullopt;
    side->contestant = &contestant;
    auto text = in_form(step.arrow, *side, header);
    if (!text) return std::nullopt;
    side->calls.text = std::move(*text);
    return side;
}

/// The sides of a check, whose names may stand for several ways between other layouts, and all that
/// may be in the place of the right one.
struct Contestants {
    const ReportedContestant *left, *right;
    std::vector<const ReportedContestant*> others;
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

/// The right side of the check, or in its place the fastest that was measured.
Side right_side(const Contestants& of_check, const Side& left, const record::Header& header) {
    if (auto side = side_of_form(*of_check.right, header)) return *side;
    std::optional<Side> fastest;
    for (const ReportedContestant* each : of_check.others) {
        if (!each->statistics || each->wrong || !record::scale_of(each->name).is_whole()) continue;
        auto side = side_of(*each, header);
        if (side &&
            (!fastest || each->statistics->median < fastest->contestant->statistics->median))
            fastest = std::move(side);
    }
    if (!fastest || !left.contestant->statistics ||
        fastest->contestant->statistics->median >= left.contestant->statistics->median)
        throw make_invalid_argument(
            "{} is no path of MPI calls, and no such path was measured to be faster than {}",
            of_check.right->name, left.contestant->name);
    return *fastest;
}

const record::ProblemRecord& recorded(std::span<const record::Audit> launches,
                                      const std::string& distribution, std::int64_t block_size) {
    for (const record::ProblemRecord& each : problems_of(launches))
        if (each.problem.distribution == distribution && each.problem.block_size == block_size)
            return each;
    throw make_invalid_argument("{}/b={} is not on record", distribution, block_size);
}

/// The next larger block size of the sweep.
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

/// Initialisers of an array, folded.
std::string numbers(const std::vector<std::int64_t>& all) {
    constexpr std::size_t width = 90;
    std::string text, line;
    for (const std::int64_t each : all) {
        const std::string number = fmt::format("{}, ", each);
        if (line.size() + number.size() > width) {
            text += line + "\n    ";
            line.clear();
        }
        line += number;
    }
    text += line;
    return text.substr(0, text.size() - 2);
}

std::vector<std::int64_t> sizes_of(const Side& side, std::span<const record::Audit> launches,
                                   const record::ProblemDescription& problem) {
    const std::int64_t b = side.scale.is_next ? next_size(launches, problem) : problem.block_size;
    std::vector<std::int64_t> counts = recorded(launches, problem.distribution, b).counts;
    for (std::int64_t& each : counts) each = (each + side.scale.parts - 1) / side.scale.parts;
    return counts;
}

/// Which rank's value a block of the result has, as an expression for block b and element i.
std::string expected(const std::string& from, const std::string& to) {
    if (from == "contributed")
        return to == "prefixed"               ? "reduced(rank, b, i)"
               : to == "exclusively prefixed" ? "reduced(rank - 1, b, i)"
                                              : "reduced(p - 1, b, i)";
    if (from == "rooted") return "value(root, b, i)";
    return from == "outgoing" ? "value(b, rank, i)" : "value(b, b, i)";
}

/// What MPI_Alltoallv and its like send to and receive from rank k, and where that begins.
struct Exchange {
    const char *sent, *from, *received, *to;
};

Exchange exchange_of(const std::string& from, const std::string& to) {
    if (from == "outgoing") return {"m[(k + rank) % p]", "at", "m[(k + rank) % p]", "at"};
    if (from == "contributed") return {"m[k]", "displs[k]", "count", "k * count"};
    if (from == "rooted")
        return {"rank == root ? m[k] : 0", "displs[k]", "k == root ? count : 0", "0"};
    return {to == "rooted" ? "k == root ? count : 0" : "count", "0",
            to == "rooted" ? "rank == root ? m[k] : 0" : "m[k]", "displs[k]"};
}

/// Of a function: statements, each on a line of its own, folded; one that is short in the line of
/// the function.
std::string body(const Side& side) {
    constexpr std::size_t width = 96, short_line = 70;
    std::string text = "{\n", indent = "    ";
    if (side.scale.repeats > 1) {
        text += fmt::format("    for (int part = 0; part < {}; ++part) {{\n", side.scale.repeats);
        indent = "        ";
    }
    std::string_view rest = side.calls.text;
    while (!rest.empty()) {
        int depth = 0;
        std::size_t end = 0;
        for (bool is_end = false; end < rest.size() && !is_end; ++end) {
            depth += rest[end] == '(' || rest[end] == '{' ? 1 : 0;
            depth -= rest[end] == ')' || rest[end] == '}' ? 1 : 0;
            is_end = depth == 0 && (rest[end] == ';' || rest[end] == '}' ||
                                    rest.substr(0, end + 1).ends_with("*/"));
        }
        std::string line = indent + std::string(rest.substr(0, end));
        while (line.size() > width) {
            const std::size_t at = line.rfind(' ', width);
            text += line.substr(0, at) + '\n';
            line = indent + "    " + line.substr(at + 1);
        }
        text += line + '\n';
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ', end)));
    }
    if (side.scale.repeats == 1 && side.calls.text.size() < short_line)
        return fmt::format("{{ {} }}", side.calls.text);
    if (side.scale.repeats == 1) return text + "}";
    if (side.scale.own_parts() == 1) return text + "    }\n}";
    return text + fmt::format("        move(1);\n    }}\n    move(-{});\n}}", side.scale.repeats);
}

/// How far it is from one block to the next.
std::string step(const std::string& layout, const std::string& size) {
    return layout == "scattered" ? "0" : fmt::format("slot ? slot : {}", size);
}

/// The loops that look at the result of a side.
std::string check_of(const Side& side, const std::string& from, const std::string& size) {
    return fmt::format(
        "    for (int b = 0; b < p; at += {}, ++b)\n"
        "        for (int i = 0; i < {} && {}; ++i)\n"
        "            wrong += out[at + i]@FIELD@ != {};\n",
        step(side.to, size), size, held_in(side.to), expected(from, side.to));
}

/// Whether tmp holds the vectors of all ranks.
bool needs_room_for_all(const Side& side) {
    return side.calls.text.find("tmp + ") != std::string::npos;
}

/// In how many parts a side has its data in flight.
int parts_in(const std::string& calls) {
    constexpr std::string_view loop = "for (int i = 0; i < ";
    const std::size_t at = calls.find(loop);
    return at == std::string::npos ? 1 : std::stoi(calls.substr(at + loop.size()));
}

bool is_written(const std::string& layout) {
    static const std::set<std::string_view> all{"scattered",
                                                "rooted",
                                                "replicated",
                                                "contributed",
                                                "outgoing",
                                                "incoming",
                                                "exclusively prefixed",
                                                "prefixed",
                                                "apart",
                                                "together",
                                                "grouped"};
    return all.contains(layout);
}

bool is_set(const record::Header& header, std::string_view option, std::string_view value) {
    return text_of(option_in(header.options, option)) == value;
}

/// Violated by the first calls on new memory alone, or audited under this condition.
bool is_of_young_heap(const Report& report, const JudgedCheck& check) {
    if (check.young_heap && check.verdict != judge::Verdict::violated)
        return check.young_heap->judgement.verdict == judge::Verdict::violated;
    return is_set(report.header, "heap", "young");
}

/// The conditions of the audit that a program can have as well, as they mark lines of it.
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
        all += right.scale.own_parts() > 1 ? "use( split" : "use( whole";
    return all;
}

/// Which of the library's algorithms take, forced, the time of its own choice: one of them it is.
std::string algorithms_alike(const Report& report, const JudgedCheck& check, const Side& left) {
    constexpr double alike = 0.05;
    std::vector<std::string> names;
    for (const Choice& choice : report.choices) {
        if (choice.problem != check.problem ||
            choice.operation != record::step_of(left.contestant->name).operation)
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
    // Names and words of a results file must not end the comment: what follows would be compiled.
    replace_all(text, "*/", "* /");
    return text + " */\n";
}

/// Pairs for some seconds of measuring.
int number_of_pairs(const Side& left, const Side& right) {
    constexpr double seconds = 2;
    double both_s = 0;
    for (const Side* side : {&left, &right})
        if (side->contestant->statistics) both_s += side->contestant->statistics->median;
    return both_s > 0 ? static_cast<int>(std::clamp(seconds / both_s, 51.0, 2001.0)) : 101;
}

/// The C program with its @WORDS@ replaced, without the lines for what the calls of both sides do
/// not name.
std::string program_text(const std::map<std::string, std::string>& words) {
    const std::string calls = words.at("LEFT") + words.at("RIGHT") + words.at("CHECK") +
                              words.at("CONDITIONS") + words.at("FROM") + words.at("TO");
    std::istringstream lines{std::string(program)};
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('|')) {
            const std::size_t end = line.find('|', 1);
            if (!is_kept(line.substr(1, end - 1), calls)) continue;
            line.erase(0, end + 1);
        }
        text += line + '\n';
    }
    for (const auto& [word, by] : words) replace_all(text, '@' + word + '@', by);
    return text;
}

/// A name of a results file as a string of C, which the name cannot leave.
std::string c_string(const std::string& name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') text += '\\';
        text += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return text + '"';
}

std::string of_sides(const std::string& left, const std::string& right) {
    return left == right ? left : fmt::format("side == 0 ? ({}) : ({})", left, right);
}

std::string program_of(const Report& report, const JudgedCheck& check, Side left, Side right,
                       std::span<const record::Audit> launches) {
    const ReportedProblem& problem = *find_problem(report, check.problem);
    const record::ProblemDescription& about = problem.problem;
    const InC element = Element::in_c(about.element);
    const bool uses_op = left.contestant->from == "contributed";
    const InC op = uses_op ? Operator::in_c(about.op) : InC{"MPI_SUM", "a"};
    if (uses_op && about.op.starts_with("user-"))
        for (std::string* const calls : {&left.calls.text, &right.calls.text})
            for (const char end : {',', ')'})
                replace_all(*calls, fmt::format(", op{}", end),
                            fmt::format(", {}{}", op.of_mpi, end));
    for (const std::string& layout : {left.contestant->from, left.to, right.to})
        if (!is_written(layout))
            throw std::invalid_argument("a program for data " + layout + " cannot be written");
    const std::string from = left.contestant->from;
    const Exchange exchange = exchange_of(from, left.contestant->to);
    const int pairs = number_of_pairs(left, right);
    const auto sizes = sizes_of(left, launches, about), others = sizes_of(right, launches, about);
    const std::string size = from == "outgoing" ? "m[(b + rank) % p]" : "m[b]";
    const bool has_gaps = Element::has_gaps(about.element);
    const bool has_units = left.counts_bytes || right.counts_bytes;
    const auto in_struct = [&](const Side& side, const char* call, const char* counts) {
        return fmt::format("{}, {}, {}, {}{}", c_string(side.contestant->name), call, counts,
                           side.is_padded ? 1 : 0,
                           !has_units          ? ""
                           : side.counts_bytes ? ", sizeof(element)"
                                               : ", 1");
    };
    const std::string check_left = check_of(left, from, size),
                      check_right = check_of(right, from, size);
    std::map<std::string, std::string> words{
        {"COMMENT", comment(report, check, left, right)},
        {"P", std::to_string(about.ranks)},
        {"ROOT", std::to_string(about.root)},
        {"PAIRS", std::to_string(pairs)},
        {"ELEMENT", element.c},
        {"NUMBER", has_gaps ? "int" : "element"},
        {"FIELD", has_gaps ? ".value" : ""},
        {"IS TYPE", has_gaps ? "" : fmt::format(" = {}", element.of_mpi)},
        {"MAKE TYPE", element.of_mpi},
        {"OP", op.of_mpi},
        {"TIMES", uses_op && about.op == "user-affine" ? " * 65537" : ""},
        {"FROM", of_sides(left.calls.in, right.calls.in)},
        {"TO", of_sides(left.calls.out, right.calls.out)},
        {"COMBINED", op.c},
        {"COUNTS", numbers(sizes)},
        {"OTHER COUNTS",
         sizes == others
             ? ""
             : fmt::format("static const int other[p] = {{{}}}; /* of the second side */\n",
                           numbers(others))},
        {"ROOM", fmt::format("(size_t)p * {}",
                             std::max(std::ranges::max(sizes), std::ranges::max(others)))},
        {"ROOM OF TMP",
         needs_room_for_all(left) || needs_room_for_all(right) ? "p * room" : "room"},
        {"UNIT MEMBER", has_units ? ", unit" : ""},
        {"UNIT", has_units ? " * sides[side].unit" : ""},
        {"SENT", exchange.sent},
        {"SENT_FROM", exchange.from},
        {"RECEIVED", exchange.received},
        {"RECEIVED_TO", exchange.to},
        {"CONDITIONS", conditions(report, check, left, right)},
        {"LEFT", body(left)},
        {"RIGHT", body(right)},
        {"SIDE LEFT", in_struct(left, "left", "m")},
        {"SIDE RIGHT", in_struct(right, "right", sizes == others ? "m" : "other")},
        {"SIZE", size},
        {"STEP FROM", step(from, size)},
        {"HELD FROM", held_in(from)},
        {"BYTES FROM", bytes_in(from)},
        {"BYTES TO", bytes_in(left.to)},
        {"CLEARED", bytes_in(left.to) == "0" ? "bytes" : bytes_in(left.to)},
        {"CHECK", check_left == check_right
                      ? check_left
                      : "    if (side == 0)\n" + check_left + "    else\n" + check_right},
    };
    if (has_gaps && (left.calls.text + right.calls.text).find("type") != std::string::npos)
        words["CONDITIONS"] += " made_type";
    if (left.is_padded || right.is_padded) words["CONDITIONS"] += " is_padded";
    words["PARTS OF ROOM"] =
        right.scale.own_parts() > 1 ? fmt::format("{} * room", right.scale.own_parts()) : "room";
    const std::string parts = std::to_string(parts_in(right.calls.text));
    words["PARTS"] = parts;
    // One block behind another: what nobody reads, compilers warn of.
    const bool is_added_up = std::string_view(exchange.from) == "at";
    words["AT"] = is_added_up ? ", at = 0" : "";
    for (const char* each : {"counts", "sendcounts", "recvcounts"}) {
        words[fmt::format("NEXT of {}", each)] =
            is_added_up ? fmt::format("at += {}[k++]", each) : "++k";
        words[fmt::format("BEGIN of {}", each)] = fmt::format("(long){}[k] * i / {}", each, parts);
        words[fmt::format("PART of {}", each)] =
            fmt::format("(long){0}[k] * (i + 1) / {1} - (long){0}[k] * i / {1}", each, parts);
    }
    return program_text(words);
}

}  // namespace

std::string reproducer(const Report& report, const JudgedCheck& check,
                       std::span<const record::Audit> launches) {
    const ReportedProblem& problem = *find_problem(report, check.problem);
    const Contestants of_check = contestants_of(check, problem, launches);
    const auto left = side_of_form(*of_check.left, report.header);
    if (!left) throw std::invalid_argument(of_check.left->name + " is no path of MPI calls");
    return program_of(report, check, *left, right_side(of_check, *left, report.header), launches);
}

std::string reproducer_of_wrong(const Report& report, const ReportedProblem& problem,
                                const ReportedContestant& wrong,
                                std::span<const record::Audit> launches) {
    ReportedContestant usual = wrong;
    usual.wrong.reset();
    if (!usual.steps.empty()) {
        usual.steps.front().arrow = operation_of_form(usual.steps.front().arrow);
        usual.name = usual.steps.front().arrow + "(m)";
    }
    const auto left = side_of_form(wrong, report.header), right = side_of(usual, report.header);
    if (!left || !right) throw std::invalid_argument(wrong.name + " is no path of MPI calls");
    JudgedCheck check;
    check.problem = problem.problem.id;
    return program_of(report, check, *left, *right, launches);
}

}  // namespace mpiaudit
