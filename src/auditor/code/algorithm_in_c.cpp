// SPDX-License-Identifier: BSD-3-Clause
#include "code/algorithm_in_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "algorithms/algorithms.h"
#include "catalogue/catalogue.h"
#include "catalogue/trace_of.h"
#include "code/algorithm_rows.h"
#include "code/areas.h"
#include "code/filled_text.h"
#include "code/pasted_calls.h"
#include "code/recorded_steps.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A line that begins with words between bars is in the text if the tables have one of the words.
constexpr std::string_view algorithm_text =
#include "code/algorithm.inc"
    ;

/// Messages and their steps in all ranks, as replay() counts.
constexpr std::int64_t most_replayed = 10'000'000;

Area area_of(const Place& place, int buffer) {
    const auto begin = reinterpret_cast<std::uintptr_t>(place.data);
    return {begin, begin + place.bytes_to_end(), buffer};
}

const Arrow& recordable(const record::Step& step) {
    const auto found = std::ranges::find_if(catalogue(), [&](const Arrow& each) {
        return each.name == step.arrow && name(each.from) == LayoutName(step.from).holding &&
               name(each.to) == LayoutName(step.to).holding;
    });
    if (found == catalogue().end() || found->kind != Kind::reference ||
        (found->needs & a_network) != 0 || found->called_as != nullptr)
        throw std::invalid_argument("the messages of " + step.arrow + " cannot be recorded");
    return *found;
}

/// Writes the rows of all ranks. Returns the first row of each rank.
std::vector<std::int64_t> write_rows(const AlgorithmStep& algorithm, const Problem& problem,
                                     AlgorithmTable& table) {
    const Element& element = *problem.element;
    const ElementType type{element.type(), element.extent()};
    RecordedSteps recorded(problem.ranks(), type);
    std::vector<std::vector<Area>> known(static_cast<std::size_t>(problem.ranks()));
    const Watcher watcher{&recorded, [&](int rank, const Place& from, const Place& to) {
                              known[static_cast<std::size_t>(rank)] = {
                                  area_of(from, BufferNumber::in), area_of(to, BufferNumber::out)};
                          }};
    try {
        trace_of(recordable(algorithm.step), problem, algorithm.step.is_padded(), most_replayed,
                 watcher);
    } catch (const TooLong& error) {
        throw std::invalid_argument(algorithm.step.arrow + ' ' + error.what());
    }
    std::vector<std::int64_t> firsts;
    for (int rank = 0; rank < problem.ranks(); ++rank) {
        firsts.push_back(static_cast<std::int64_t>(table.number_of_rows));
        const std::vector<RecordedStep> steps = recorded.steps_of(rank);
        const Areas areas(known[static_cast<std::size_t>(rank)], steps, type);
        add_rows(table, rank, steps, areas, element);
    }
    return firsts;
}

/// Returns the function of an algorithm, whose steps of each rank begin at these rows.
std::string function_of(const AlgorithmStep& algorithm, const std::vector<std::int64_t>& firsts) {
    std::string text;
    const auto& all = algorithms();
    const auto* const known = find_in(all, algorithm.step.arrow, &Algorithm::name);
    if (known != nullptr) {
        text = fmt::format("{}: {}. {}", known->name, known->summary, source_of(*known));
        text = "/* " + wrapped(text, 100, "   ");
        while (text.ends_with('\n')) text.pop_back();
        text += " */\n";
    }
    return text + fmt::format(
                      "static void {}(char* in, char* out) {{\n"
                      "    static const int first[p] = {{{}}};\n"
                      "    follow(steps + first[rank], in, out);\n}}\n",
                      algorithm.function, folded_numbers(firsts));
}

/// Returns what the tables need of a program.
std::set<std::string> conditions_of(const AlgorithmTable& table) {
    std::set<std::string> all;
    const auto has_any = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words, [&](auto word) { return table.needed.contains(word); });
    };
    if (has_any({"SEND", "RECEIVE", "EXCHANGE", "START", "REDUCE", "PACK"})) all.insert("type");
    if (has_any({"REDUCE"})) all.insert("op");
    return all;
}

}  // namespace

AlgorithmsInC algorithms_in_c(const std::vector<AlgorithmStep>& steps,
                              const record::ProblemDescription& described, const NodeSplit& nodes,
                              const std::string& op_in_c) {
    if (steps.empty()) return {};
    const Element element(described.element);
    const Operator op(described.op);
    AlgorithmTable table;
    std::string functions, names;
    for (const AlgorithmStep& each : steps) {
        Problem problem;
        problem.distribution = described.distribution;
        problem.block_size = described.block_size;
        problem.counts = Counts(std::vector<Count>(each.counts.begin(), each.counts.end()));
        problem.root = described.root;
        problem.element = &element;
        problem.op = &op;
        problem.nodes = nodes.nodes;
        problem.ranks_per_node = nodes.ranks_per_node;
        problem.node_of_rank = nodes.node_of_rank;
        functions += function_of(each, write_rows(each, problem, table));
        names += (names.empty() ? "" : " and ") + each.step.arrow;
    }
    const std::string text =
        filled_text(algorithm_text,
                    {{"NAMES", names},
                     {"ROWS", table.rows},
                     {"PIECES", table.pieces},
                     {"OP", op_in_c},
                     {"BUFFERS", std::to_string(table.buffers)},
                     {"TYPES", std::to_string(table.types)},
                     {"MESSAGES", std::to_string(table.messages)}},
                    [&](std::string_view word) { return table.needed.contains(word); });
    return {text + functions, conditions_of(table)};
}

}  // namespace mpiaudit
