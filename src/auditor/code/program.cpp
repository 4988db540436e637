// SPDX-License-Identifier: BSD-3-Clause
#include "code/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "code/algorithm_in_c.h"
#include "code/filled_text.h"
#include "problem/element.h"
#include "problem/operator.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A line that begins with words between bars is in the program if its calls have one of the words.
constexpr std::string_view program =
#include "code/program.inc"
    ;

/// Returns the right value of element i of block b, as a C expression.
std::string expected(const std::string& from, const std::string& to) {
    if (from == "contributed")
        return to == "prefixed"               ? "reduced(rank, b, i)"
               : to == "exclusively prefixed" ? "reduced(rank - 1, b, i)"
                                              : "reduced(p - 1, b, i)";
    if (from == "rooted") return "value(root, b, i)";
    return from == "outgoing" ? "value(b, rank, i)" : "value(b, b, i)";
}

/// Returns the body of a function: each statement on a line of its own, folded. A short body stands
/// in the line of the function.
std::string body(const ProgramSide& side) {
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

/// Returns the distance from one block to the next in elements, as a C expression.
std::string step(const std::string& layout, const std::string& size) {
    return layout == "scattered" ? "0" : fmt::format("slot ? slot : {}", size);
}

/// Returns the loops that compare the result of a side with the right values.
std::string check_of(const ProgramSide& side, const std::string& size) {
    return fmt::format(
        "    for (int b = 0; b < p; at += {}, ++b)\n"
        "        for (int i = 0; i < {} && {}; ++i)\n"
        "            wrong += out[at + i]@FIELD@ != {};\n",
        step(side.result, size), size, condition_of_block(side.result),
        expected(side.from, side.result));
}

/// Whether tmp holds the vectors of all ranks.
bool needs_room_for_all(const ProgramSide& side) {
    return side.calls.text.find("tmp + ") != std::string::npos;
}

/// Returns the number of parts of the data that are in flight at once.
int parts_in(const std::string& calls) {
    constexpr std::string_view loop = "for (int i = 0; i < ";
    const std::size_t at = calls.find(loop);
    return at == std::string::npos ? 1 : std::stoi(calls.substr(at + loop.size()));
}

/// Whether a program can fill and check data in a layout.
bool is_known(std::string_view layout) {
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

/// Returns the program without the lines that its calls do not need.
std::string program_text(const std::map<std::string, std::string>& words) {
    const std::string calls = words.at("LEFT") + words.at("RIGHT") + words.at("CHECK") +
                              words.at("CONDITIONS") + words.at("FROM") + words.at("TO");
    return filled_text(program, words, [&](std::string_view word) {
        return calls.find(word) != std::string::npos;
    });
}

/// Returns a name of a results file as a C string. No character of the name can end the string.
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

using Replacements = std::map<std::string, std::string>;

/// Adds the words about the numbers of elements.
void add_sizes(const ProgramSide& left, const ProgramSide& right, Replacements& words) {
    words["COUNTS"] = folded_numbers(left.counts);
    if (left.counts != right.counts)
        words["OTHER COUNTS"] =
            fmt::format("static const int other[p] = {{{}}}; /* of the second side */\n",
                        folded_numbers(right.counts));
    words["ROOM"] = fmt::format(
        "(size_t)p * {}", std::max(std::ranges::max(left.counts), std::ranges::max(right.counts)));
    words["ROOM OF TMP"] =
        needs_room_for_all(left) || needs_room_for_all(right) ? "p * room" : "room";
    words["PARTS OF ROOM"] =
        right.scale.own_parts() > 1 ? fmt::format("{} * room", right.scale.own_parts()) : "room";
}

/// Adds the words about counts and displacements that have one entry for each rank.
void add_lists(const ProgramSide& left, const ProgramSide& right, Replacements& words) {
    // One block begins behind another: compilers warn of displacements that nobody reads.
    const bool is_added_up = left.from == "outgoing";
    const Exchange exchange = is_added_up
                                  ? Exchange{"m[(k + rank) % p]", "at", "m[(k + rank) % p]", "at"}
                                  : exchange_between(left.from, left.to);
    const auto of_m = [](std::string_view text) {
        std::string changed(text);
        replace_all(changed, "counts[k]", "m[k]");
        return changed;
    };
    words["SENT"] = of_m(exchange.sent);
    words["SENT_FROM"] = exchange.from;
    words["RECEIVED"] = of_m(exchange.received);
    words["RECEIVED_TO"] = exchange.to;
    words["AT"] = is_added_up ? ", at = 0" : "";
    const std::string parts =
        std::to_string(std::max(parts_in(left.calls.text), parts_in(right.calls.text)));
    words["PARTS"] = parts;
    for (const char* each : {"counts", "sendcounts", "recvcounts"}) {
        words[fmt::format("NEXT of {}", each)] =
            is_added_up ? fmt::format("at += {}[k++]", each) : "++k";
        words[fmt::format("BEGIN of {}", each)] = fmt::format("(long){}[k] * i / {}", each, parts);
        words[fmt::format("PART of {}", each)] =
            fmt::format("(long){0}[k] * (i + 1) / {1} - (long){0}[k] * i / {1}", each, parts);
    }
}

/// Adds the words about the two sides.
void add_sides(const ProgramSide& left, const ProgramSide& right, Replacements& words) {
    const bool has_units = left.counts_bytes() || right.counts_bytes();
    const auto in_struct = [&](const ProgramSide& side, const char* call, const char* counts) {
        return fmt::format("{}, {}, {}, {}{}", c_string(side.name), call, counts,
                           side.is_padded ? 1 : 0,
                           !has_units            ? ""
                           : side.counts_bytes() ? ", sizeof(element)"
                                                 : ", 1");
    };
    words["UNIT MEMBER"] = has_units ? ", unit" : "";
    words["UNIT"] = has_units ? " * sides[side].unit" : "";
    words["LEFT"] = body(left);
    words["RIGHT"] = body(right);
    words["SIDE LEFT"] = in_struct(left, "left", "m");
    words["SIDE RIGHT"] = in_struct(right, "right", left.counts == right.counts ? "m" : "other");
    words["FROM"] = of_sides(left.calls.in, right.calls.in);
    words["TO"] = of_sides(left.calls.out, right.calls.out);
    const std::string size = left.from == "outgoing" ? "m[(b + rank) % p]" : "m[b]";
    words["SIZE"] = size;
    words["STEP FROM"] = step(left.from, size);
    words["HELD FROM"] = condition_of_block(left.from);
    words["BYTES FROM"] = bytes_in(left.from);
    const std::string result_bytes = bytes_in(left.result);
    words["BYTES TO"] = result_bytes;
    words["CLEARED"] = result_bytes == "0" ? "bytes" : result_bytes;
    const std::string check_left = check_of(left, size), check_right = check_of(right, size);
    words["CHECK"] = check_left == check_right
                         ? check_left
                         : "    if (side == 0)\n" + check_left + "    else\n" + check_right;
}

/// Returns the algorithms of both sides. A function of the second side gets another name if the
/// first side has a function of its name, which has other counts.
AlgorithmsInC algorithms_of(const ProgramSide& left, ProgramSide& right, const Program& whole) {
    std::vector<AlgorithmStep> steps;
    std::set<std::string> names;
    for (const record::Step& each : left.calls.algorithms) {
        steps.push_back({each, function_in_c(each.form.algorithm), left.counts});
        names.insert(steps.back().function);
    }
    for (const record::Step& each : right.calls.algorithms) {
        std::string name = function_in_c(each.form.algorithm);
        if (names.contains(name)) {
            replace_word(right.calls.text, name, name + "_again");
            name += "_again";
        }
        steps.push_back({each, std::move(name), right.counts});
    }
    return algorithms_in_c(steps, whole.problem, whole.nodes);
}

}  // namespace

std::string Program::text() const {
    const InC element = Element::in_c(problem.element);
    const bool uses_op = left.from == "contributed";
    const InC op = uses_op ? Operator::in_c(problem.op) : InC{"MPI_SUM", "a"};
    ProgramSide first = left, second = right;
    AlgorithmsInC algorithms = algorithms_of(first, second, *this);
    if (uses_op && problem.op.starts_with("user-")) {
        replace_all(algorithms.conditions, "op,", op.of_mpi);
        for (std::string* const calls : {&first.calls.text, &second.calls.text, &algorithms.text})
            for (const char end : {',', ')'})
                replace_all(*calls, fmt::format(", op{}", end),
                            fmt::format(", {}{}", op.of_mpi, end));
    }
    for (const std::string& layout : {left.from, left.result, right.result})
        if (!is_known(layout))
            throw std::invalid_argument("a program for data " + layout + " cannot be written");
    const bool has_gaps = Element::has_gaps(problem.element);
    Replacements words{
        {"COMMENT", comment},
        {"P", std::to_string(problem.ranks)},
        {"ROOT", std::to_string(problem.root)},
        {"PAIRS", std::to_string(pairs)},
        {"ELEMENT", element.c},
        {"NUMBER", has_gaps ? "int" : "element"},
        {"FIELD", has_gaps ? ".value" : ""},
        {"IS TYPE", has_gaps ? "" : fmt::format(" = {}", element.of_mpi)},
        {"MAKE TYPE", element.of_mpi},
        {"OP", op.of_mpi},
        {"TIMES", uses_op && problem.op == "user-affine" ? " * 65537" : ""},
        {"COMBINED", op.c},
        {"OTHER COUNTS", ""},
        {"CONDITIONS", conditions + algorithms.conditions},
        {"ALGORITHMS", algorithms.text},
    };
    add_sizes(first, second, words);
    add_lists(first, second, words);
    add_sides(first, second, words);
    const std::string calls = first.calls.text + second.calls.text + algorithms.conditions;
    if (has_gaps && calls.find("type") != std::string::npos) words["CONDITIONS"] += " made_type";
    if (first.is_padded || second.is_padded) words["CONDITIONS"] += " is_padded";
    return program_text(words);
}

}  // namespace mpiaudit
