// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "../../recorded_calls.h"
#include "collectives/allreduce/allreduce.h"
#include "collectives/alltoall/alltoall.h"
#include "messages/kept_with.h"
#include "zero_copy/zero_copy.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit {
namespace {

using Alltoall = decltype(&MPI_Alltoall);
using Alltoallv = decltype(&MPI_Alltoallv);

constexpr int block_bytes = 12;

using SentMessage = std::pair<int, int>;  // to whom, bytes

/// This rank's MPI calls.
struct Calls {
    std::vector<SentMessage> sent;  ///< to others, in order
    long datatypes_made;
    long bytes_packed;  ///< and unpacked
    bool is_balanced;   ///< nothing was made that is still there
};

Calls calls_in(const std::function<void()>& action) {
    const test::OpenHandles before = test::open_handles;
    Calls made{{}, -test::datatypes_made, -test::bytes_packed_and_unpacked, false};
    for (const Trace::Operation& each : test::record_calls(action))
        if (each.action == Trace::Action::send)
            made.sent.push_back({each.partner, static_cast<int>(each.amount)});
    made.datatypes_made += test::datatypes_made;
    made.bytes_packed += test::bytes_packed_and_unpacked;
    made.is_balanced = test::open_handles == before;
    return made;
}

/// An all-to-all of three ints per block, with all its buffers.
struct RegularProblem {
    RegularProblem() {
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        input.resize(3 * static_cast<std::size_t>(ranks));
        output.resize(3 * static_cast<std::size_t>(ranks));
        counts.assign(static_cast<std::size_t>(ranks), 3);
        for (int i = 0; i < ranks; ++i) displacements.push_back(3 * i);
        private_communicator(MPI_COMM_WORLD);
    }
    Calls calls_of(Alltoall run) {
        return calls_in(
            [&] { run(input.data(), 3, MPI_INT, output.data(), 3, MPI_INT, MPI_COMM_WORLD); });
    }
    Calls calls_of(Alltoallv run) {
        return calls_in([&] {
            run(input.data(), counts.data(), displacements.data(), MPI_INT, output.data(),
                counts.data(), displacements.data(), MPI_INT, MPI_COMM_WORLD);
        });
    }
    int rounds() const { return std::bit_width(static_cast<unsigned>(ranks - 1)); }
    int shifted(int distance) const { return (rank + distance + ranks) % ranks; }

    int ranks = 0;
    int rank = 0;
    std::vector<int> input;
    std::vector<int> output;
    std::vector<int> counts;
    std::vector<int> displacements;
};

int moving_blocks(int ranks, int distance) {
    int moving = 0;
    for (int j = 0; j < ranks; ++j) moving += (j & distance) != 0;
    return moving;
}

/// There is one message per round, to the rank `direction` * 2^k away, with the blocks whose bit k
/// is one.
std::vector<SentMessage> bruck_messages(const RegularProblem& problem, int direction) {
    std::vector<SentMessage> messages;
    for (int distance = 1; distance < problem.ranks; distance *= 2)
        messages.push_back({problem.shifted(direction * distance),
                            moving_blocks(problem.ranks, distance) * block_bytes});
    return messages;
}

TEST(Messages, of_bruck_variants_go_up_or_down_in_log_p_rounds) {
    RegularProblem problem;
    for (const Alltoall run : {basicBruck_Alltoall, basicBruck_ix_Alltoall})
        EXPECT_EQ(problem.calls_of(run).sent, bruck_messages(problem, 1));
    for (const Alltoall run : {modBruck_Alltoall, modBruck_ix_Alltoall, zeroBruck_Alltoall,
                               zeroBruck_blocks_Alltoall, zeroBruck_half_Alltoall})
        EXPECT_EQ(problem.calls_of(run).sent, bruck_messages(problem, -1));
}

// The copies in Theorems 1 and 2 that MPI does not make when it sends: an unpack for each received
// element, and p packs and unpacks of step 3. Zero-copy Bruck has neither.
TEST(Messages, of_bruck_are_unpacked_as_the_theorems_say) {
    RegularProblem problem;
    const auto packed_by = [&](Alltoall run) {
        return problem.calls_of(run).bytes_packed / block_bytes;
    };
    int came = 0;
    for (int distance = 1; distance < problem.ranks; distance *= 2)
        came += moving_blocks(problem.ranks, distance);
    EXPECT_LE(came, problem.rounds() * (problem.ranks / 2));
    for (const Alltoall run : {basicBruck_Alltoall, basicBruck_ix_Alltoall})
        EXPECT_EQ(packed_by(run), came + 2 * problem.ranks);
    for (const Alltoall run : {modBruck_Alltoall, modBruck_ix_Alltoall})
        EXPECT_EQ(packed_by(run), came);
    for (const Alltoall run :
         {zeroBruck_Alltoall, zeroBruck_blocks_Alltoall, zeroBruck_half_Alltoall})
        EXPECT_EQ(packed_by(run), 0);
}

TEST(Messages, of_a_persistent_bruck_are_sent_by_each_use_only) {
    RegularProblem problem;
    const test::OpenHandles before = test::open_handles;
    PersistentAlltoall* handle = nullptr;
    const Calls init = calls_in([&] {
        persBruck_Alltoall_init(problem.input.data(), 3, MPI_INT, problem.output.data(), 3, MPI_INT,
                                MPI_COMM_WORLD, &handle);
    });
    EXPECT_EQ(init.sent, std::vector<SentMessage>{});
    for (int use = 0; use < 2; ++use) {
        const Calls calls = calls_in([&] {
            persBruck_Alltoall_start(handle);
            persBruck_Alltoall_wait(handle);
        });
        EXPECT_EQ(calls.sent, bruck_messages(problem, -1));
        EXPECT_EQ(calls.datatypes_made, 0);
        EXPECT_TRUE(calls.is_balanced);
    }
    persBruck_Alltoall_free(&handle);
    EXPECT_EQ(test::open_handles, before);
}

/// Returns the messages of the agreement on the largest block, or on the smallest one, too.
std::vector<SentMessage> messages_of_agreement(int numbers = 1) {
    std::int64_t bytes[2] = {};
    return calls_in([&] {
               recursive_doubling_Allreduce(MPI_IN_PLACE, bytes, numbers, MPI_INT64_T, MPI_MAX,
                                            MPI_COMM_WORLD);
           })
        .sent;
}

TEST(Messages, of_chosen_bruck_are_without_sizes_where_blocks_are_equal) {
    RegularProblem problem;
    std::vector<SentMessage> expected = messages_of_agreement(2);
    for (const SentMessage& blocks : bruck_messages(problem, -1)) expected.push_back(blocks);
    EXPECT_EQ(problem.calls_of(chosen_Bruck_Alltoallv).sent, expected);
}

TEST(Messages, of_chosen_bruck_are_padded_where_the_largest_block_is_at_most_twice_the_smallest) {
    RegularProblem problem;
    for (const int own : {1, 2}) {
        problem.counts[static_cast<std::size_t>(problem.rank)] = own;  // the others are 3
        const auto sent =
            problem.calls_of(own == 2 ? padded_Bruck_Alltoallv : zeroBruckV_Alltoallv).sent;
        std::vector<SentMessage> expected = messages_of_agreement(2);
        expected.insert(expected.end(),
                        sent.begin() + static_cast<std::ptrdiff_t>(messages_of_agreement().size()),
                        sent.end());
        EXPECT_EQ(problem.calls_of(chosen_Bruck_Alltoallv).sent, expected) << own;
    }
}

TEST(Messages, of_irregular_bruck_are_preceded_by_the_largest_size_and_by_their_sizes) {
    RegularProblem problem;
    std::vector<SentMessage> expected = messages_of_agreement();
    for (const SentMessage& blocks : bruck_messages(problem, -1)) {
        expected.emplace_back(blocks.first,
                              blocks.second / block_bytes * static_cast<int>(sizeof(int)));
        expected.push_back(blocks);
    }
    EXPECT_EQ(problem.calls_of(zeroBruckV_Alltoallv).sent, expected);
}

TEST(Messages, of_direct_and_pairwise_go_to_every_other_rank_once) {
    RegularProblem problem;
    std::vector<SentMessage> expected;
    for (int distance = 1; distance < problem.ranks; ++distance)
        expected.push_back({problem.shifted(distance), block_bytes});
    EXPECT_EQ(problem.calls_of(direct_Alltoall).sent, expected);
    EXPECT_EQ(problem.calls_of(pairwise_Alltoall).sent, expected);
    EXPECT_EQ(problem.calls_of(direct_Alltoallv).sent, expected);
    EXPECT_EQ(problem.calls_of(pairwise_Alltoallv).sent, expected);
}

TEST(Messages, without_data_are_not_sent_but_by_irregular_bruck_to_find_that_out) {
    RegularProblem problem;
    problem.counts.assign(problem.counts.size(), 0);
    EXPECT_EQ(problem.calls_of(direct_Alltoallv).sent, std::vector<SentMessage>{});
    EXPECT_EQ(problem.calls_of(pairwise_Alltoallv).sent, std::vector<SentMessage>{});
    EXPECT_EQ(problem.calls_of(zeroBruckV_Alltoallv).sent, messages_of_agreement());
}

/// Runs the algorithm and its preparation, which makes datatypes and sends nothing. Returns the
/// number of datatypes.
template <class Run>
long expect_only_datatypes_of(Run run, Run create_types_only) {
    RegularProblem problem;
    const Calls full = problem.calls_of(run), types_only = problem.calls_of(create_types_only);
    EXPECT_EQ(types_only.datatypes_made, full.datatypes_made);
    EXPECT_TRUE(types_only.is_balanced);
    EXPECT_EQ(types_only.sent, std::vector<SentMessage>{});
    return full.datatypes_made;
}

TEST(TypesOnly, makes_the_datatypes_of_the_algorithm_and_no_messages) {
    const int rounds = RegularProblem().rounds();
    // The zero-copy variants make two datatypes for each round, the others one; a vector with an
    // incomplete last block consists of several datatypes.
    for (const auto& [run, create_types_only, fewest, most] :
         {std::tuple{&basicBruck_Alltoall, &basicBruck_Alltoall_create_types_only, 1, 2},
          {&basicBruck_ix_Alltoall, &basicBruck_ix_Alltoall_create_types_only, 1, 1},
          {&modBruck_Alltoall, &modBruck_Alltoall_create_types_only, 1, 2},
          {&modBruck_ix_Alltoall, &modBruck_ix_Alltoall_create_types_only, 1, 1},
          {&zeroBruck_Alltoall, &zeroBruck_Alltoall_create_types_only, 2, 2},
          {&zeroBruck_blocks_Alltoall, &zeroBruck_blocks_Alltoall_create_types_only, 2, 2},
          {&zeroBruck_half_Alltoall, &zeroBruck_half_Alltoall_create_types_only, 2, 2}}) {
        const long made = expect_only_datatypes_of(run, create_types_only);
        EXPECT_GE(made, fewest * rounds);
        EXPECT_LE(made, most * rounds);
    }
    expect_only_datatypes_of(zeroBruckV_Alltoallv, zeroBruckV_Alltoallv_create_types_only);
}

/// Uses the handle three times with new contents each; three ints for each rank.
void expect_transposed_each_time(PersistentAlltoall* handle, RegularProblem& problem,
                                 std::vector<int>& input) {
    for (int use = 0; use < 3; ++use) {
        for (int i = 0; i < 3 * problem.ranks; ++i) input[i] = 1000 * use + 100 * problem.rank + i;
        persBruck_Alltoall_start(handle);
        persBruck_Alltoall_wait(handle);
        for (int source = 0; source < problem.ranks; ++source)
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(problem.output[3 * source + i],
                          1000 * use + 100 * source + 3 * problem.rank + i)
                    << "use " << use << " from " << source;
    }
    persBruck_Alltoall_free(&handle);
    EXPECT_EQ(handle, nullptr);
}

TEST(PersistentAlltoallTest, sends_what_the_buffer_holds_at_each_start) {
    RegularProblem problem;
    int* const output = problem.output.data();
    PersistentAlltoall *regular = nullptr, *in_place = nullptr, *irregular = nullptr;
    persBruck_Alltoall_init(problem.input.data(), 3, MPI_INT, output, 3, MPI_INT, MPI_COMM_WORLD,
                            &regular);
    expect_transposed_each_time(regular, problem, problem.input);
    persBruck_Alltoall_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, output, 3, MPI_INT, MPI_COMM_WORLD,
                            &in_place);
    expect_transposed_each_time(in_place, problem, problem.output);
    persBruckV_Alltoallv_init(problem.input.data(), problem.counts.data(),
                              problem.displacements.data(), MPI_INT, output, problem.counts.data(),
                              problem.displacements.data(), MPI_INT, MPI_COMM_WORLD, &irregular);
    expect_transposed_each_time(irregular, problem, problem.input);
}

}  // namespace
}  // namespace mpiaudit
