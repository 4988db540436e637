// SPDX-License-Identifier: BSD-3-Clause
// algorithm_programs FOLDER RANKS: writes a C program for each reference algorithm that a problem
// on so many ranks allows, beside the library's operation, and prints the algorithm of each
// program, and "without" before the algorithms that need another number of ranks.
#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.h"
#include "code/program.h"
#include "joined_papers.h"
#include "mpi/environment.h"

namespace {

using namespace mpiaudit;

/// The data of the programs on one number of ranks.
struct Case {
    std::vector<std::int64_t> counts, equal;
    int root;
    std::string element, op;
};

/// Returns the data that let every algorithm run on some number of ranks.
Case case_of(int ranks) {
    switch (ranks) {
        case 1:
            return {{7}, {7}, 0, "int", "sum"};
        case 2:
            return {{0, 13}, {7, 7}, 1, "double", "sum"};
        case 3:
            return {{5, 0, 23}, {6, 6, 6}, 0, "vector", "user-affine"};
        case 4:
            return {{3, 9, 0, 700}, {800, 800, 800, 800}, 3, "int", "max"};
        default:
            return {{1, 0, 11, 7, 3000}, {4, 4, 4, 4, 4}, 2, "int", "user-affine"};
    }
}

record::ContestantDescription way_of(const Arrow& arrow) {
    const std::string from(name(arrow.from)), to(name(arrow.to));
    record::ContestantDescription way;
    way.name = arrow.name + (arrow.argument() == Argument::one ? "" : "(m)");
    way.from = from;
    way.to = to;
    way.steps = {record::Step(arrow.name, from, to)};
    return way;
}

/// Returns the problem with equal or different blocks, as the arrow allows; nullopt if it allows
/// neither.
std::optional<Problem> problem_of(const Arrow& arrow, const Case& data, const Element& element,
                                  const Operator& op, const NodeSplit& nodes) {
    for (const auto* counts : {&data.counts, &data.equal}) {
        Problem problem;
        problem.counts = Counts(std::vector<Count>(counts->begin(), counts->end()));
        problem.root = data.root;
        problem.element = &element;
        problem.op = &op;
        problem.nodes = nodes.nodes;
        problem.ranks_per_node = nodes.ranks_per_node;
        problem.node_of_rank = nodes.node_of_rank;
        if (!arrow.obstacle(problem, false)) return problem;
    }
    return std::nullopt;
}

record::Header header_of(int ranks) {
    record::Header header;
    header.machine.ranks = ranks;
    for (const Arrow& each : catalogue())
        header.implementations.push_back({.name = each.name,
                                          .collective = std::string(each.collective),
                                          .from = std::string(name(each.from)),
                                          .to = std::string(name(each.to)),
                                          .native = each.kind == Kind::native,
                                          .summary = each.summary,
                                          .written_as = written_as(each)});
    return header;
}

}  // namespace

int main(int argc, char** argv) {
    const Environment environment(argc, argv);
    if (argc != 3) return EXIT_FAILURE;
    const int ranks = std::stoi(argv[2]);
    const Case data = case_of(ranks);
    const Element vectors(data.element), numbers("int");
    const Operator op(data.op);
    const NodeSplit nodes = ranks == 4 ? consecutive_nodes(2, 4) : NodeSplit{};
    const record::Header header = header_of(ranks);
    int written = 0;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::reference || (arrow.needs & a_network) != 0) continue;
        const bool reduces = arrow.from == Holding::contributed;
        const auto problem = problem_of(arrow, data, reduces ? numbers : vectors, op, nodes);
        if (!problem) {
            fmt::print("without {}\n", arrow.name);
            continue;
        }
        const Arrow& native = *find_arrows(arrow.form.operation, arrow.argument()).front();
        Program program{.left = *program_side(way_of(native), header),
                        .right = *program_side(way_of(arrow), header),
                        .problem = {},
                        .comment = "",
                        .conditions = {"use", "whole"},
                        .pairs = 3,
                        .nodes = nodes};
        program.problem.ranks = ranks;
        program.problem.root = data.root;
        program.problem.element = problem->element->name();
        program.problem.op = data.op;
        const std::vector<Count>& counts = problem->counts;
        program.left.counts.assign(counts.begin(), counts.end());
        program.right.counts = program.left.counts;
        std::ofstream(fmt::format("{}/{}.c", argv[1], written++)) << program.text();
        fmt::print("{}\n", arrow.name);
    }
    return EXIT_SUCCESS;
}
