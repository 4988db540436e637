// SPDX-License-Identifier: BSD-3-Clause
// Every reference algorithm of the catalogue does exactly the same as its replay on one rank
// without data, and neither leaves handles behind.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "../recorded_calls.h"
#include "catalogue/catalogue.h"
#include "collectives/nodes/nodes.h"
#include "collectives/patterns/node_communicators.h"
#include "cost/prediction.h"
#include "messages/kept_with.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

/// Up to that of the run; on many ranks, where each call takes long, that one only.
std::vector<int> sizes() {
    if (ranks_of_world() > 17) return {ranks_of_world()};
    std::vector<int> all = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17};
    std::erase_if(all, [](int size) { return size > ranks_of_world(); });
    return all;
}

/// The communicator of the first `size` ranks; null on the others.
class FirstRanks {
  public:
    explicit FirstRanks(int size) {
        const int rank = own_rank();
        MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm == MPI_COMM_NULL) return;
        private_communicator(comm);
        node_split(comm);
    }
    FirstRanks(const FirstRanks&) = delete;
    FirstRanks& operator=(const FirstRanks&) = delete;
    ~FirstRanks() {
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }

    MPI_Comm comm = MPI_COMM_NULL;
};

/// The programs of all ranks on rank 0.
std::vector<Program> gathered(const Program& own, MPI_Comm comm) {
    constexpr int operation_bytes = sizeof(Trace::Operation);
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int count = static_cast<int>(own.size()) * operation_bytes;
    std::vector<int> counts(static_cast<std::size_t>(size));
    MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
    std::vector<int> begins(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    Program all(static_cast<std::size_t>(begins.back() + counts.back()) / operation_bytes);
    MPI_Gatherv(own.data(), count, MPI_BYTE, all.data(), counts.data(), begins.data(), MPI_BYTE, 0,
                comm);
    std::vector<Program> by_rank;
    for (std::size_t i = 0; i < counts.size() && rank == 0; ++i)
        by_rank.emplace_back(all.begin() + begins[i] / operation_bytes,
                             all.begin() + (begins[i] + counts[i]) / operation_bytes);
    return by_rank;
}

std::string in_words(const Program& program) {
    // The profiling interface does not see copies.
    constexpr std::array names = {"send",          "receive",          "wait",
                                  "wait for send", "wait for receive", "reduce"};
    std::string words;
    for (const Trace::Operation& operation : program) {
        if (operation.action == Trace::Action::copy) continue;
        words += std::string(names[static_cast<std::size_t>(operation.action)]) + " " +
                 std::to_string(operation.partner) + " " + std::to_string(operation.amount) + "; ";
    }
    return words;
}

/// Runs every reference algorithm that can solve the problem.
void replay_all(const Problem& problem, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::reference || arrow.obstacle(problem, false)) continue;
        // Other algorithms ignore nodes.
        if (problem.nodes > 1 && (arrow.needs & several_nodes) == 0) continue;
        SCOPED_TRACE(std::string(arrow.name) + " on " + problem.id() + ", root " +
                     std::to_string(problem.root) + ", " + problem.op->name() + ", " +
                     std::to_string(problem.ranks()) + " ranks");
        const OpenHandles before = open_handles;
        Program done;
        {
            Workspace workspace(problem, rank,
                                {{arrow.source({arrow.from})}, {arrow.target({arrow.to})}});
            const Step step =
                arrow.prepare({workspace, comm}, workspace.source({arrow.from}), {arrow.to});
            done = record_calls(step.call);
        }
        EXPECT_EQ(open_handles, before) << "rank " << rank;
        const std::vector<Program> all = gathered(done, comm);
        if (rank > 0) continue;
        const Trace replayed = trace_of(arrow, problem, false);
        EXPECT_EQ(open_handles, before) << "replayed";
        for (int each = 0; each < problem.ranks(); ++each)
            EXPECT_EQ(in_words(replayed.program(each)),
                      in_words(all[static_cast<std::size_t>(each)]))
                << "rank " << each;
        NodeModel two_each, one_each;
        two_each.ranks_per_node = 2;
        two_each.alpha = 10;
        two_each.beta = 0.25;
        two_each.within = {1, 2};
        two_each.between = one_each.between = {10, 20};
        for (const LinearModel& model :
             {LinearModel{1, 0}, {0, 1}, {100, 1}, {100, 1, 0, two_each}, {100, 1, 0, one_each}})
            EXPECT_LE(lower_bound({arrow.from}, {arrow.to}, problem, model),
                      replayed.time(model) * (1 + 1e-9))
                << model.alpha << " " << model.beta << " " << model.nodes.has_value();
    }
}

struct Blocks {
    const char* name;
    const char* element;
    const char* op;
    int most_ranks;
    Count (*size)(int rank, int ranks);
};
const Blocks all_blocks[] = {
    {"equal", "int", "sum", 33, [](int, int) -> Count { return 3; }},
    {"irregular", "int", "user-affine", 33,
     [](int rank, int) -> Count { return rank * 7 % 5 * (rank % 3); }},
    {"empty", "int", "sum", 9, [](int, int) -> Count { return 0; }},
    // All limits of the MPICH2004 algorithms and of the segmented gather are passed on the way.
    {"long", "int", "sum", 9,
     [](int, int ranks) -> Count { return ranks % 2 == 0 ? 20000 : 1200; }},
    // Subtrees of 64 KiB go directly to the root of TUW_Gatherv_degrading.
    {"long irregular", "int", "user-affine", 9,
     [](int rank, int) -> Count { return rank * 7 % 5 * 6000; }},
    {"gaps", "vector", "sum", 9, [](int, int) -> Count { return 2; }},
    {"irregular gaps", "struct", "sum", 9, [](int rank, int) -> Count { return rank * 7 % 5; }}};

TEST(Replay, OfBlocksOfEveryKind) {
    for (const Blocks& blocks : all_blocks) {
        const Element element(blocks.element);
        const Operator op(blocks.op);
        const OpenHandles before = open_handles;
        for (const int size : sizes()) {
            const FirstRanks first(size);
            if (size > blocks.most_ranks || first.comm == MPI_COMM_NULL) continue;
            Problem problem{blocks.name, 0, {}, 0, &element, &op};
            std::vector<Count> counts;
            for (int rank = 0; rank < size; ++rank) counts.push_back(blocks.size(rank, size));
            problem.counts = counts;
            const std::set<int> roots = {0, size / 2, size - 1};
            for (const int root : size > 9 ? std::set{size / 2} : roots) {
                problem.root = root;
                replay_all(problem, first.comm);
            }
        }
        EXPECT_EQ(open_handles, before);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/// Algorithms composed of parts on nodes and lanes use other ranks on these communicators.
TEST(Replay, OnNodes) {
    const Element element("int");
    const OpenHandles before = open_handles;
    for (const auto& [size, node] : {std::pair{4, 2}, {6, 2}, {6, 3}, {9, 3}, {16, 4}}) {
        if (size > ranks_of_world() || ranks_of_world() > 17) break;
        set_ranks_per_node(node);
        const FirstRanks first(size);
        if (first.comm == MPI_COMM_NULL) continue;
        // Made before the recording, as an arrow does in its preparation.
        make_node_communicators(first.comm);
        for (const char* const op_name : {"sum", "user-affine"}) {
            const Operator op(op_name);
            for (const Count count : {0, 1, 3, 3000}) {
                Problem problem{
                    "equal",  count,    std::vector(static_cast<std::size_t>(size), count),
                    size / 2, &element, &op};
                problem.nodes = size / node;
                problem.ranks_per_node = node;
                replay_all(problem, first.comm);
            }
        }
    }
    set_ranks_per_node(0);
    EXPECT_EQ(open_handles, before);
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace mpiaudit::test
