// SPDX-License-Identifier: BSD-3-Clause
// Every reference algorithm of the catalogue does exactly what its schedule says, and leaves no
// handles behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "collectives/allreduce/allreduce_schedules.h"
#include "catalogue/catalogue.h"
#include "cost/prediction.h"
#include "messages/private_communicator.h"
#include "recorded_calls.h"

namespace mpiaudit::test {
namespace {

using Calls = std::vector<RecordedCall>;

int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Up to that of the run; on many ranks, where each call takes long, that one only.
std::vector<int> sizes() {
    if (world_size() > 17) return {world_size()};
    std::vector<int> all = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17};
    std::erase_if(all, [](int size) { return size > world_size(); });
    return all;
}

/// The communicator of the first `size` ranks; null on the others.
class FirstRanks {
  public:
    explicit FirstRanks(int size) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) private_communicator(comm);
    }
    FirstRanks(const FirstRanks&) = delete;
    FirstRanks& operator=(const FirstRanks&) = delete;
    ~FirstRanks() {
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }

    MPI_Comm comm = MPI_COMM_NULL;
};

/// The calls of all ranks on rank 0.
std::vector<Calls> gathered(const Calls& own, MPI_Comm comm) {
    constexpr int fields = sizeof(RecordedCall) / sizeof(int);
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int count = static_cast<int>(own.size()) * fields;
    std::vector<int> counts(static_cast<std::size_t>(size));
    MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
    std::vector<int> begins(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    Calls all(static_cast<std::size_t>(begins.back() + counts.back()) / fields);
    MPI_Gatherv(own.data(), count, MPI_INT, all.data(), counts.data(), begins.data(), MPI_INT, 0,
                comm);
    std::vector<Calls> by_rank;
    for (std::size_t i = 0; i < counts.size() && rank == 0; ++i)
        by_rank.emplace_back(all.begin() + begins[i] / fields,
                             all.begin() + (begins[i] + counts[i]) / fields);
    return by_rank;
}

/// Adds a rank's calls from `next` on, up to its next MPI_Allreduce.
void add_calls(Schedule& schedule, int rank, const Calls& calls, std::size_t& next) {
    for (; next < calls.size() && calls[next].kind != RecordedCall::allreduce; ++next) {
        const RecordedCall& call = calls[next];
        switch (call.kind) {
            case RecordedCall::send:
                schedule.start_send(rank, call.partner, call.amount);
                break;
            case RecordedCall::receive:
                schedule.start_receive(rank, call.partner);
                break;
            case RecordedCall::wait:
                schedule.wait(rank);
                break;
            case RecordedCall::wait_for_receives:
                schedule.wait_for_receives(rank, call.amount);
                break;
            case RecordedCall::reduce:
                schedule.reduce(rank, call.amount);
                break;
        }
    }
}

Schedule schedule_of(const std::vector<Calls>& calls) {
    Schedule schedule(static_cast<int>(calls.size()));
    std::vector<std::size_t> next(calls.size(), 0);
    for (;;) {
        for (int rank = 0; rank < schedule.ranks(); ++rank)
            add_calls(schedule, rank, calls[static_cast<std::size_t>(rank)],
                      next[static_cast<std::size_t>(rank)]);
        if (next[0] == calls[0].size()) return schedule;
        schedules::allreduce_by_recursive_doubling(schedule, calls[0][next[0]].amount);
        for (std::size_t& each : next) ++each;
    }
}

void expect_as_described(const Schedule& recorded, const Schedule& described) {
    for (int rank = 0; rank < recorded.ranks(); ++rank) {
        EXPECT_EQ(recorded.messages_sent(rank), described.messages_sent(rank)) << "rank " << rank;
        EXPECT_EQ(recorded.bytes_sent(rank), described.bytes_sent(rank)) << "rank " << rank;
    }
    // Whole numbers, so that the times are exact whatever the order of the additions.
    for (const LinearModel model : {LinearModel{1, 0, 0}, {10000, 1, 0}, {7, 3, 2}, {1, 1, 100}})
        EXPECT_EQ(recorded.time(model), described.time(model))
            << model.alpha << " " << model.beta << " " << model.gamma;
}

/// Runs every reference algorithm that can solve the problem.
void replay_all(const Problem& problem, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::reference || arrow.obstacle(problem, false)) continue;
        SCOPED_TRACE(std::string(arrow.name) + " on " + problem.id() + ", root " +
                     std::to_string(problem.root) + ", " + problem.op->name() + ", " +
                     std::to_string(problem.ranks()) + " ranks");
        const OpenHandles before = open_handles();
        Calls calls;
        {
            Workspace workspace(problem, rank,
                                {{arrow.source({arrow.from})}, {arrow.target({arrow.to})}});
            const Step step =
                arrow.prepare({workspace, comm}, workspace.source({arrow.from}), {arrow.to});
            calls = record_calls(step.call);
        }
        EXPECT_EQ(open_handles(), before) << "rank " << rank;
        const std::vector<Calls> all = gathered(calls, comm);
        if (rank > 0) continue;
        ASSERT_NE(arrow.schedule, nullptr);
        const Schedule described = arrow.schedule(cost_problem(problem, false));
        expect_as_described(schedule_of(all), described);
        for (const LinearModel model : {LinearModel{1, 0}, {0, 1}, {100, 1}})
            EXPECT_LE(lower_bound({arrow.from}, {arrow.to}, problem, model), described.time(model))
                << model.alpha << " " << model.beta;
    }
}

struct Blocks {
    const char* name;
    const char* element;
    const char* op;
    Count (*size)(int rank, int ranks);
};

void replay_on_all_sizes(const Blocks& blocks, int largest_size) {
    const Element element(blocks.element);
    const Operator op(blocks.op);
    const OpenHandles before = open_handles();
    for (const int size : sizes()) {
        const FirstRanks first(size);
        if (size > largest_size || first.comm == MPI_COMM_NULL) continue;
        Problem problem{blocks.name, 0, {}, 0, &element, &op};
        for (int rank = 0; rank < size; ++rank) problem.counts.push_back(blocks.size(rank, size));
        const std::set<int> roots = {0, size / 2, size - 1};
        for (const int root : size > 9 ? std::set{size / 2} : roots) {
            problem.root = root;
            replay_all(problem, first.comm);
        }
    }
    EXPECT_EQ(open_handles(), before);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Replay, EqualBlocks) {
    replay_on_all_sizes({"equal", "int", "sum", [](int, int) -> Count { return 3; }}, 33);
}

TEST(Replay, IrregularBlocks) {
    replay_on_all_sizes({"irregular", "int", "user-affine",
                         [](int rank, int) -> Count { return rank * 7 % 5 * (rank % 3); }},
                        33);
}

TEST(Replay, BlocksWithoutData) {
    replay_on_all_sizes({"empty", "int", "sum", [](int, int) -> Count { return 0; }}, 9);
}

/// All limits of the MPICH2004 algorithms and of the segmented gather are passed on the way.
TEST(Replay, LongEqualBlocks) {
    replay_on_all_sizes({"long", "int", "sum",
                         [](int, int ranks) -> Count { return ranks % 2 == 0 ? 20000 : 1200; }},
                        9);
}

/// Subtrees of 64 KiB go directly to the root of TUW_Gatherv_degrading.
TEST(Replay, LongIrregularBlocks) {
    replay_on_all_sizes({"long irregular", "int", "user-affine",
                         [](int rank, int) -> Count { return rank * 7 % 5 * 6000; }},
                        9);
}

TEST(Replay, ElementsWithGaps) {
    replay_on_all_sizes({"gaps", "vector", "sum", [](int, int) -> Count { return 2; }}, 9);
    replay_on_all_sizes(
        {"irregular gaps", "struct", "sum", [](int rank, int) -> Count { return rank * 7 % 5; }},
        9);
}

}  // namespace
}  // namespace mpiaudit::test
