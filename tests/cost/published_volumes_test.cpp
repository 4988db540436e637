// SPDX-License-Identifier: BSD-3-Clause
// The data that every rank sends, and the sizes at which the MPICH2004 algorithms switch, as their
// papers state.
#include <gtest/gtest.h>

#include <numeric>

#include "collectives/call/integers.h"
#include "collectives/patterns/ordered_tree.h"
#include "recorded.h"

namespace mpiaudit {
namespace {

constexpr int largest = 17;
using Numbers = Recorded::Numbers;

Numbers of_all(int ranks, std::int64_t number) {
    return Numbers(static_cast<std::size_t>(ranks), number);
}

std::int64_t total(const Numbers& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

/// The most rounds of recursive doubling among any number of ranks: one for every level, and for
/// each level whose last subtree is incomplete, with h of 2^i ranks in its upper half, at most
/// ceil(lg(2^i / h)) more until the lower half has everything.
int recursive_doubling_rounds(int size) {
    int rounds = ceil_log2(size);
    for (int half = 1; half < size; half *= 2) {
        const int upper = size % half;
        if ((size & half) && upper > 0) rounds += ceil_log2((half + upper - 1) / upper);
    }
    return rounds;
}

/// The bytes that each rank sends if every survivor sends `among_survivors` bytes to survivors, and
/// the other ranks hand over `bytes` and get `bytes` back.
Numbers folded_volumes(int size, std::int64_t bytes, std::int64_t among_survivors) {
    Numbers volumes = of_all(size, among_survivors);
    const int pairs = size - power_of_two_below(size);
    for (int pair = 0; pair < pairs; ++pair) {
        volumes[static_cast<std::size_t>(2 * pair)] = bytes;
        volumes[static_cast<std::size_t>(2 * pair + 1)] += bytes;
    }
    return volumes;
}

TEST(PublishedVolumes, Allgathers) {
    constexpr std::int64_t m = 12;  // bytes, 3 ints
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 3);
        const bool is_power_of_two = power_of_two_below(p) == p;
        const auto expect_minimal_volume = [&](const char* name, std::int64_t messages) {
            EXPECT_EQ(recorded.bytes_sent(name), of_all(p, (p - 1) * m)) << name;
            EXPECT_EQ(recorded.bytes_received(name), of_all(p, (p - 1) * m)) << name;
            EXPECT_EQ(recorded.messages_sent(name), of_all(p, messages)) << name;
        };
        for (const char* const each :
             {"ring_Allgather", "ring_Allgatherv", "spreading_simple_Allgather",
              "spreading_simple_Allgatherv", "simple_Allgather", "simple_Allgatherv"})
            expect_minimal_volume(each, p - 1);
        for (const char* const each : {"dissemination_Allgather", "dissemination_Allgatherv"})
            expect_minimal_volume(each, ceil_log2(p));
        for (const char* const each :
             {"recursive_doubling_Allgather", "recursive_doubling_Allgatherv"}) {
            EXPECT_LE(recorded.rounds(each), recursive_doubling_rounds(p));
            EXPECT_GE(recorded.rounds(each), ceil_log2(p));
            EXPECT_EQ(recorded.bytes_received(each), of_all(p, (p - 1) * m));
            if (is_power_of_two) expect_minimal_volume(each, ceil_log2(p));
        }
        for (const char* const each : {"gather_bcast_Allgather", "gather_bcast_Allgatherv"}) {
            EXPECT_EQ(recorded.rounds(each), 2 * ceil_log2(p));
            EXPECT_EQ(recorded.bytes_sent(each).front(), p * m * ceil_log2(p));
            EXPECT_EQ(total(recorded.messages_sent(each)), 2 * (p - 1));
        }
    }
}

TEST(PublishedVolumes, MPICH2004AllgatherTakesTheRingFrom512KiBOn) {
    constexpr int p = 16;
    constexpr Count limit = 512 * 1024;
    for (const Count block : {limit / p - 1, limit / p}) {
        const Recorded equal(std::vector<Count>(p, block), 0, "char");
        EXPECT_EQ(equal.rounds("MPICH2004_Allgather"), block * p < limit ? 4 : p - 1);
    }
    // The limit applies to the sum of irregular blocks.
    for (const Count sum : {limit - 1, limit}) {
        std::vector<Count> counts(p, 1);
        counts[3] = sum - (p - 1);
        EXPECT_EQ(Recorded(counts, 0, "char").rounds("MPICH2004_Allgatherv"),
                  sum < limit ? 4 : p - 1);
    }
}

TEST(PublishedVolumes, Bcasts) {
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        constexpr std::int64_t n = 100, part = 12;
        const int root = p / 2;
        const auto at_root = static_cast<std::size_t>(root);
        const Recorded short_one(vector_of(p, n), root, "char");
        EXPECT_EQ(short_one.bytes_sent("binomial_Bcast")[at_root], n * ceil_log2(p));
        EXPECT_EQ(total(short_one.bytes_sent("binomial_Bcast")), n * (p - 1));
        // The root sends all parts but its own twice: 2 (p-1)/p n.
        const Recorded parts(vector_of(p, p * part), root, "char");
        const char* const doubling = "van_de_Geijn_recursive_doubling_Bcast";
        EXPECT_LE(parts.rounds(doubling), ceil_log2(p) + recursive_doubling_rounds(p));
        if (power_of_two_below(p) == p) {
            EXPECT_EQ(parts.bytes_sent(doubling)[at_root], 2 * (p - 1) * part);
        }
    }
    // MPICH2004 changes at 12 KiB and at 512 KiB.
    for (const auto& [bytes, messages] : {std::pair{12 * 1024 - 1, 4},
                                          {12 * 1024, 4 + 4},
                                          {512 * 1024 - 1, 4 + 4},
                                          {512 * 1024, 4 + 15}})
        EXPECT_EQ(Recorded(vector_of(16, bytes), 0, "char").messages_sent("MPICH2004_Bcast")[0],
                  messages);
}

TEST(PublishedVolumes, GathersAndScattersOverTreesKnownToAll) {
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        for (const int root : {0, p - 1})
            for (const Count items : {0, 5}) {
                const Recorded recorded(std::vector<Count>(static_cast<std::size_t>(p), items),
                                        root);
                for (const char* const each :
                     {"linear_Gather", "binomial_Gather", "knomial_Gather_radix4",
                      "segmented_binomial_Gather", "TUW_Gather", "linear_Gatherv", "linear_Scatter",
                      "binomial_Scatter", "knomial_Scatter_radix4", "TUW_Scatter"})
                    EXPECT_EQ(total(recorded.messages_sent(each)), items > 0 ? p - 1 : 0) << each;
            }
    }
    // The binomial tree over 4 ranks has subtrees of 1, 2 and 1 blocks; the one of 2 blocks takes
    // two segments.
    EXPECT_EQ(total(Recorded(4, 10000).messages_sent("segmented_binomial_Gather")), 4);
}

TEST(PublishedVolumes, GathersAndScattersOverTreesThatAreConstructed) {
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        const int last = p - 1;
        const auto sent = [&](const char* name, Count items) {
            return Recorded(std::vector<Count>(static_cast<std::size_t>(p), items), last)
                .messages_sent(name);
        };
        // Every join of two cubes is an exchange of two messages and informs at most one gather
        // root on either side; every rank but the root sends its subtree once.
        const std::int64_t construction = total(sent("TUW_Gatherv", 0));
        EXPECT_GE(construction, 2 * last);
        EXPECT_LE(construction, 4 * last);
        EXPECT_EQ(total(sent("TUW_Gatherv", 1)), construction + last);
        // Few blocks travel with the construction, one message of each rank, and none for nothing
        // to the root, which knows that nothing comes.
        EXPECT_EQ(total(sent("TUW_Gatherv_carrying", 1)), last);
        EXPECT_LE(total(sent("TUW_Gatherv_carrying", 0)), last);
        // The last rank acts for all its cubes, so it constructs the tree with the same number of
        // messages with data as without.
        const auto children = [&](int radix) {
            return std::ssize(regular_ordered_node(last, p, last, 1, radix).children);
        };
        constexpr Count beyond_the_threshold = 20000;
        for (const auto& [name, items, parts] :
             {std::tuple{"TUW_Scatterv", Count{1}, children(2)},
              {"TUW_Scatterv_k2", 1, children(3)},
              {"TUW_Scatterv_k3", 1, children(4)},
              {"TUW_Scatterv_degrading", 1, children(2)},
              {"TUW_Scatterv_degrading", beyond_the_threshold, last}})
            EXPECT_EQ(sent(name, items).back() - sent(name, 0).back(), parts) << name;
    }
}

TEST(PublishedVolumes, Reductions) {
    constexpr std::int64_t items = 48, n = 4 * items;  // divisible by the powers of two
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        for (const int root : {0, p - 1}) {
            Numbers expected = of_all(p, n);
            expected[static_cast<std::size_t>(root)] = 0;
            const Recorded commutative(vector_of(p, items), root);
            EXPECT_EQ(commutative.bytes_sent("TUW_Reduce"), expected);
            EXPECT_EQ(total(commutative.messages_sent("TUW_Reduce")), p - 1);
            EXPECT_EQ(commutative.rounds("binomial_Reduce"), ceil_log2(p));
            EXPECT_EQ(commutative.bytes_sent("binomial_Reduce"), expected);
            // The tree ends at rank 0, and the result has one more message to go.
            expected = of_all(p, n);
            if (root == 0) expected[0] = 0;
            const Recorded in_order(vector_of(p, items), root, "int", "user-affine");
            EXPECT_EQ(in_order.rounds("binomial_Reduce"), ceil_log2(p) + (root > 0));
            EXPECT_EQ(in_order.bytes_sent("binomial_Reduce"), expected);
        }
        const int root = p / 2, survivors = power_of_two_below(p);
        const auto at_root = static_cast<std::size_t>(root);
        const Recorded recorded(vector_of(p, items), root);
        EXPECT_EQ(recorded.rounds("linear_Reduce"), p - 1);
        EXPECT_EQ(recorded.bytes_received("linear_Reduce")[at_root], n * (p - 1));
        EXPECT_EQ(recorded.rounds("Rabenseifner_Reduce"),
                  2 * ceil_log2(survivors) + (p > survivors));
        const Numbers sent = recorded.bytes_sent("Rabenseifner_Reduce");
        EXPECT_EQ(sent[at_root], (survivors - 1) * n / survivors);
        for (int rank = 0; survivors == p && rank < p; ++rank) {
            const int position = (rank - root + p) % p, gathered = position & -position;
            EXPECT_EQ(sent[static_cast<std::size_t>(rank)], (p - 1 + gathered) * n / p);
        }
    }
}

TEST(PublishedVolumes, MPICH2004TakesRabenseifnerAbove2KiBForOperatorsOfMPI) {
    for (const char* const each : {"MPICH2004_Reduce", "MPICH2004_Allreduce"}) {
        EXPECT_EQ(Recorded(vector_of(8, 512), 0).rounds(each), 3) << each;
        EXPECT_EQ(Recorded(vector_of(8, 513), 0).rounds(each), 6) << each;
        EXPECT_EQ(Recorded(vector_of(8, 513), 0, "int", "user-affine").rounds(each), 3) << each;
    }
    // The paper's (4.3), which starts at distance p/2: the near-first variant gives other blocks
    // away.
    const Recorded recorded(vector_of(6, 1024), 3);
    const Numbers sent = recorded.bytes_sent("MPICH2004_Reduce");
    EXPECT_EQ(sent, recorded.bytes_sent("Rabenseifner_Reduce"));
    EXPECT_NE(sent, recorded.bytes_sent("near_first_Rabenseifner_Reduce"));
}

TEST(PublishedVolumes, Allreduces) {
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        const int levels = ceil_log2(power_of_two_below(p)), survivors = power_of_two_below(p);
        const int folding = survivors < p ? 2 : 0;
        constexpr std::int64_t items = 48, n = 4 * items;
        const Recorded recorded(vector_of(p, items), 0);
        EXPECT_EQ(recorded.rounds("recursive_doubling_Allreduce"), levels + folding);
        EXPECT_EQ(recorded.bytes_sent("recursive_doubling_Allreduce"),
                  folded_volumes(p, n, n * levels));
        EXPECT_EQ(recorded.rounds("Rabenseifner_Allreduce"), 2 * levels + folding);
        EXPECT_EQ(recorded.bytes_sent("Rabenseifner_Allreduce"),
                  folded_volumes(p, n, 2 * (survivors - 1) * n / survivors));
        EXPECT_EQ(recorded.rounds("reduce_bcast_Allreduce"), 2 * ceil_log2(p));
        EXPECT_EQ(recorded.bytes_sent("reduce_bcast_Allreduce").front(), n * ceil_log2(p));
    }
}

TEST(PublishedVolumes, ReduceScatters) {
    constexpr std::int64_t m = 12;  // bytes, 3 ints
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 3);
        const int pairs = p - power_of_two_below(p), levels = ceil_log2(p - pairs);
        const char* const halving = "recursive_halving_Reduce_scatter_block";
        EXPECT_EQ(recorded.rounds(halving), levels + (pairs > 0 ? 2 : 0));
        // A rank that acts for two ranks sends all blocks but theirs, and at the end its
        // neighbour's block.
        Numbers expected = of_all(p, (p - 1) * m);
        for (int pair = 0; pair < pairs; ++pair)
            expected[static_cast<std::size_t>(2 * pair)] = p * m;
        EXPECT_EQ(recorded.bytes_sent(halving), expected);
        const Recorded in_order(std::vector<Count>(static_cast<std::size_t>(p), 3), 0, "int",
                                "user-affine");
        const char* const doubling = "recursive_doubling_Reduce_scatter_block";
        EXPECT_LE(in_order.rounds(doubling), recursive_doubling_rounds(p));
        EXPECT_GE(in_order.rounds(doubling), ceil_log2(p));
        if (pairs == 0) {
            EXPECT_EQ(in_order.bytes_sent(doubling), of_all(p, m * (p * levels - (p - 1))));
        }
        EXPECT_EQ(recorded.bytes_sent("pairwise_exchange_Reduce_scatter_block"),
                  of_all(p, (p - 1) * m));
        const char* const old = "reduce_scatterv_Reduce_scatter_block";
        expected = of_all(p, p * m);
        expected[0] = (p - 1) * m;
        EXPECT_EQ(recorded.rounds(old), ceil_log2(p) + p - 1);
        EXPECT_EQ(recorded.bytes_sent(old), expected);
    }
}

TEST(PublishedVolumes, MPICH2004ReduceScatterChangesAt512KiBOrIfNotCommutativeAt512Bytes) {
    constexpr int p = 16;
    const char* const name = "MPICH2004_Reduce_scatter_block";
    const auto rounds = [&](const char* op, Count ints) {
        return Recorded(std::vector<Count>(p, ints), 0, "int", op).rounds(name);
    };
    EXPECT_EQ(rounds("sum", 512 * 1024 / 4 / p - 1), 4);
    EXPECT_EQ(rounds("sum", 512 * 1024 / 4 / p), p - 1);
    EXPECT_EQ(rounds("user-affine", 7), 4);
    EXPECT_EQ(Recorded(std::vector<Count>(p, 7), 0, "int", "user-affine").bytes_sent(name)[0],
              4 * 7 * (4 * p - (p - 1)));
    EXPECT_EQ(rounds("user-affine", 8), p - 1);
}

TEST(PublishedVolumes, Scans) {
    for (int p = 1; p <= largest; ++p) {
        SCOPED_TRACE(p);
        const Recorded recorded(vector_of(p, 10), 0);
        for (const char* const each : {"recursive_doubling_Scan", "recursive_doubling_Exscan"}) {
            EXPECT_EQ(recorded.rounds(each), ceil_log2(p)) << each;
            for (int rank = 0; rank < p; ++rank) {
                int partners = 0;
                for (int mask = 1; mask < p; mask *= 2) partners += (rank ^ mask) < p;
                EXPECT_EQ(recorded.bytes_sent(each)[static_cast<std::size_t>(rank)], 40 * partners);
            }
        }
        Numbers chain = of_all(p, 40);
        chain.back() = 0;
        for (const char* const each : {"linear_Scan", "linear_Exscan"}) {
            EXPECT_EQ(recorded.rounds(each), p - 1) << each;
            EXPECT_EQ(recorded.bytes_sent(each), chain) << each;
        }
    }
}

}  // namespace
}  // namespace mpiaudit
