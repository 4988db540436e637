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

/// A line that begins with words between bars is in the program if its calls use one of the words.
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

/// Returns the calls of a side, on each part of the data.
c_text::Block calls_of(const ProgramSide& side) {
    c_text::Block calls = side.calls.calls;
    const int repeats = side.scale.repeats;
    if (repeats == 1) return calls;
    const bool moves = side.scale.own_parts() > 1;
    if (moves) calls.push_back(c_text::call("move", {1}));
    calls = {loop_over(c_text::Name::part, repeats, std::move(calls))};
    if (moves) calls.push_back(c_text::call("move", {-repeats}));
    return calls;
}

/// Returns the body of a function. A short body stands in the line of the function.
std::string body(const ProgramSide& side) {
    constexpr std::size_t short_line = 70;
    const c_text::Block calls = calls_of(side);
    const std::string text = printed(calls, {.width = 100, .indent = 4});
    if (calls.size() == 1 && side.scale.repeats == 1 && text.size() < short_line)
        return fmt::format("{{ {} }}", printed(calls));
    return fmt::format("{{\n{}\n}}", text);
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
        left.calls.needs_room_for_all || right.calls.needs_room_for_all ? "p * room" : "room";
    words["PARTS OF ROOM"] =
        right.scale.own_parts() > 1 ? fmt::format("{} * room", right.scale.own_parts()) : "room";
}

/// Adds the words about the lists that calls need. Both sides have the same lists.
void add_definitions(const ProgramSide& left, const ProgramSide& right, Replacements& words) {
    std::map<c_text::Name, std::string> known;
    for (const ProgramSide* const side : {&left, &right})
        for (const auto& [name, code] : side->calls.definitions) {
            const auto [text, is_new] = known.try_emplace(name, printed(code));
            if (text->second != printed(code))
                throw std::invalid_argument("both ways need different lists of one name");
            c_text::Block filled;
            for (const c_text::Statement& each : code) {
                const auto* const declared = std::get_if<c_text::Declaration>(&each.is);
                if (declared == nullptr)
                    filled.push_back(each);
                else if (is_new)
                    words["DECLARATIONS"] += "static " + printed(c_text::Block{*declared}) + "\n";
            }
            if (is_new && !filled.empty())
                words["SET UP"] += printed(filled, {.width = 100, .indent = 4}) + "\n";
        }
}

/// Adds all names that a side uses, which tell the lines that the program needs.
void add_names(const ProgramSide& side, std::set<std::string>& names) {
    names.merge(words_in(calls_of(side)));
    names.merge(words_in(side.calls.in));
    names.merge(words_in(side.calls.out));
    for (const auto& [name, code] : side.calls.definitions) names.merge(words_in(code));
    if (side.calls.is_extension) names.insert("extension");
    if (side.is_padded) names.insert("is_padded");
    if (side.counts_bytes()) names.insert("type");
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
    words["FROM"] = of_sides(printed(left.calls.in), printed(right.calls.in));
    words["TO"] = of_sides(printed(left.calls.out), printed(right.calls.out));
    const std::string size = left.from == "outgoing" ? "m[(b + rank) % p]" : "m[b]";
    words["SIZE"] = size;
    words["STEP FROM"] = step(left.from, size);
    words["HELD FROM"] = condition_of_block(left.from);
    words["BYTES FROM"] = printed(bytes_in(left.from));
    const std::string result_bytes = printed(bytes_in(left.result));
    words["BYTES TO"] = result_bytes;
    words["CLEARED"] = result_bytes == "0" ? "bytes" : result_bytes;
    const std::string check_left = check_of(left, size), check_right = check_of(right, size);
    words["CHECK"] = check_left == check_right
                         ? check_left
                         : "    if (side == 0)\n" + check_left + "    else\n" + check_right;
}

/// Returns the algorithms of both sides. A function of the second side gets another name if the
/// first side has a function of its name, which has other counts.
AlgorithmsInC algorithms_of(const ProgramSide& left, ProgramSide& right, const Program& whole,
                            const std::string& op) {
    std::vector<AlgorithmStep> steps;
    std::set<std::string> names;
    for (const record::Step& each : left.calls.algorithms) {
        steps.push_back({each, function_in_c(each.form.algorithm), left.counts});
        names.insert(steps.back().function);
    }
    for (const record::Step& each : right.calls.algorithms) {
        std::string name = function_in_c(each.form.algorithm);
        if (names.contains(name)) {
            right.calls.calls = renamed(right.calls.calls, name, name + "_again");
            name += "_again";
        }
        steps.push_back({each, std::move(name), right.counts});
    }
    return algorithms_in_c(steps, whole.problem, whole.nodes, op);
}

}  // namespace

std::string Program::text() const {
    const InC element = Element::in_c(problem.element);
    const bool uses_op = left.from == "contributed";
    const InC op = uses_op ? Operator::in_c(problem.op) : InC{"MPI_SUM", "a"};
    const bool is_of_user = uses_op && problem.op.starts_with("user-");
    ProgramSide first = left, second = right;
    const AlgorithmsInC algorithms =
        algorithms_of(first, second, *this, is_of_user ? op.of_mpi : "op");
    std::set<std::string> names = conditions;
    names.insert(algorithms.conditions.begin(), algorithms.conditions.end());
    add_names(first, names);
    add_names(second, names);
    if (uses_op) names.insert("reduced");
    if (is_of_user && names.erase("op") > 0) {
        names.insert(op.of_mpi);
        for (ProgramSide* const side : {&first, &second})
            side->calls.calls =
                renamed(side->calls.calls, c_text::Name::op, c_text::constant(op.of_mpi));
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
        {"DECLARATIONS", ""},
        {"SET UP", ""},
        {"ALGORITHMS", algorithms.text},
    };
    add_sizes(first, second, words);
    add_definitions(first, second, words);
    add_sides(first, second, words);
    if (has_gaps && names.contains("type")) names.insert("made_type");
    return filled_text(program, words,
                       [&](std::string_view word) { return names.contains(std::string(word)); });
}

}  // namespace mpiaudit
