// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of the algorithms takes the time that their papers say.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "../gather/gather_cost.h"
#include "catalogue/catalogue.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "cost/recording.h"
#include "messages/replay.h"

namespace mpiaudit {
namespace {

// Whole numbers: all times are exact.
constexpr LinearModel model{1000, 1, 10};
constexpr double alpha = model.alpha, beta = model.beta, gamma = model.gamma;

/// Traces of reference algorithms on blocks of ints.
class Recorded {
  public:
    Recorded(std::vector<Count> counts, int root) {
        problem_.counts = std::move(counts);
        problem_.root = root;
        problem_.element = &element_;
        problem_.op = &op_;
    }
    Recorded(int ranks, Count count)
        : Recorded(std::vector<Count>(static_cast<std::size_t>(ranks), count), 0) {}
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;

    double time(std::string_view name, LinearModel in = model) const {
        return record(*find_arrows(name, argument(name)).front(), problem_, false).time(in);
    }

  private:
    static Argument argument(std::string_view name) {
        return name.ends_with("_Barrier") ? Argument::one : Argument::whole;
    }

    Element element_{"int"};
    Operator op_{"sum"};
    Problem problem_;
};

int ceil_log2(int number) {
    return std::bit_width(static_cast<unsigned>(number) - 1U);
}

/// The formulas of Thakur & Gropp 2003, sections 4.1 and 4.2, for any number of ranks.
TEST(PublishedCosts, AnyNumberOfRanks) {
    constexpr std::int64_t m = 24;  // bytes, 6 ints
    for (int p = 1; p <= 33; ++p) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 6);
        const double n = static_cast<double>(p * m);
        const double all_but_own = static_cast<double>((p - 1) * m) * beta;
        EXPECT_EQ(recorded.time("ring_Allgather"), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(recorded.time("spreading_simple_Allgather"), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(recorded.time("dissemination_Allgather"), ceil_log2(p) * alpha + all_but_own);
        EXPECT_EQ(recorded.time("binomial_Bcast"), ceil_log2(p) * (alpha + n * beta));
        EXPECT_EQ(recorded.time("linear_Bcast"), (p - 1) * (alpha + n * beta));
        EXPECT_EQ(recorded.time("binomial_Reduce"), ceil_log2(p) * (alpha + n * beta + n * gamma));
        EXPECT_EQ(recorded.time("pairwise_exchange_Reduce_scatter"),
                  (p - 1) * alpha + all_but_own + static_cast<double>((p - 1) * m) * gamma);
        EXPECT_EQ(recorded.time("direct_Alltoall"), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(recorded.time("pairwise_Alltoall"), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(recorded.time("ring_Allreduce"),
                  2 * ((p - 1) * alpha + all_but_own) + static_cast<double>((p - 1) * m) * gamma);
        EXPECT_EQ(recorded.time("linear_Scan"), (p - 1) * (alpha + n * beta + n * gamma));
        EXPECT_EQ(recorded.time("dissemination_Barrier"), ceil_log2(p) * alpha);
        EXPECT_EQ(recorded.time("linear_Gather"), (p - 1) * alpha + all_but_own);
        EXPECT_EQ(recorded.time("linear_Scatter"), (p - 1) * alpha + all_but_own);
        EXPECT_LE(recorded.time("recursive_doubling_Allgather", {1, 0}), 2 * ceil_log2(p));
        // All begin with rank 0, which takes one message at a time.
        EXPECT_EQ(recorded.time("simple_Allgather", {1, 0}), std::max(0, 2 * (p - 1) - 1));
    }
}

/// The same for powers of two, and sections 4.3 and 4.4.
TEST(PublishedCosts, PowersOfTwo) {
    constexpr std::int64_t m = 24;  // bytes, 6 ints
    for (int p = 1; p <= 64; p *= 2) {
        SCOPED_TRACE(p);
        const Recorded recorded(p, 6);
        const double n = static_cast<double>(p * m);
        const double rounds = ceil_log2(p);
        const double all_but_own = static_cast<double>((p - 1) * m);
        EXPECT_EQ(recorded.time("recursive_doubling_Allgather"),
                  rounds * alpha + all_but_own * beta);
        EXPECT_EQ(recorded.time("van_de_Geijn_recursive_doubling_Bcast"),
                  2 * (rounds * alpha + all_but_own * beta));
        EXPECT_EQ(recorded.time("recursive_halving_Reduce_scatter"),
                  rounds * alpha + all_but_own * (beta + gamma));
        EXPECT_EQ(recorded.time("recursive_doubling_Reduce_scatter"),
                  rounds * alpha + (rounds * n - all_but_own) * (beta + gamma));
        EXPECT_EQ(recorded.time("Rabenseifner_Reduce"),
                  2 * (rounds * alpha + all_but_own * beta) + all_but_own * gamma);
        EXPECT_EQ(recorded.time("Rabenseifner_Allreduce"),
                  2 * (rounds * alpha + all_but_own * beta) + all_but_own * gamma);
        EXPECT_EQ(recorded.time("recursive_doubling_Allreduce"),
                  rounds * (alpha + n * (beta + gamma)));
        EXPECT_EQ(recorded.time("binomial_Gather"), rounds * alpha + all_but_own * beta);
        EXPECT_EQ(recorded.time("binomial_Scatter"), rounds * alpha + all_but_own * beta);
        EXPECT_EQ(recorded.time("TUW_Gather"), rounds * alpha + all_but_own * beta);
        // Träff, Rougier & Hunold 2014, section 2: p/2 blocks in every round.
        EXPECT_EQ(recorded.time("zeroBruck_Alltoall"),
                  rounds * (alpha + static_cast<double>(p / 2 * m) * beta));
    }
}

/// Träff 2017, Theorem 1: the gather itself costs at most the bound, the construction of the tree
/// at most 2 ceil(log2 p) - 1 messages of constant size.
TEST(PublishedCosts, TreesForIrregularBlocks) {
    for (int p = 2; p <= 33; ++p) {
        for (const int root : {0, p / 2, p - 1}) {
            SCOPED_TRACE(testing::Message() << p << " ranks, root " << root);
            std::vector<Count> counts;
            std::vector<std::int64_t> bytes;
            for (int rank = 0; rank < p; ++rank) {
                counts.push_back(rank * 7919 % 101);
                bytes.push_back(4 * counts.back());
            }
            const Recorded recorded(counts, root);
            const Trace construction = replay(p, [&](int rank) {
                return [&, rank] {
                    distributed_ordered_tree(bytes[static_cast<std::size_t>(rank)], root,
                                             Ranks{MPI_COMM_SELF});
                };
            });
            EXPECT_LE(construction.time({1, 0}), 2 * ceil_log2(p) - 1);
            const auto tree = ordered_gather_tree(bytes, root);
            EXPECT_LE(recorded.time("TUW_Gatherv"),
                      construction.time(model) + gather_cost_bound(tree, bytes, true, model));
            // Equal blocks need no construction.
            std::ranges::fill(counts, 5);
            const Recorded equal(counts, root);
            EXPECT_LE(equal.time("TUW_Gather", {1, 0}), ceil_log2(p));
            EXPECT_LE(equal.time("TUW_Scatter", {1, 0}), ceil_log2(p));
        }
    }
}

}  // namespace
}  // namespace mpiaudit
