// SPDX-License-Identifier: BSD-3-Clause
#include "timing/warm_up.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace mpiaudit {
namespace {

/// A round that waits, ever shorter until the given one.
class Settling {
  public:
    explicit Settling(int rounds) : rounds_{rounds} {
        calls_.push_back([this] {
            ++called_;
            const double start = MPI_Wtime();
            while (MPI_Wtime() - start < 1e-3 * std::max(1, rounds_ - called_)) continue;
        });
    }
    Rounds rounds() const {
        return {calls_, MPI_COMM_WORLD, find_clock("mpi").value(),
                find_synchronisation("dissemination").value(), 1};
    }
    int called() const { return called_; }

  private:
    int rounds_;
    int called_ = 0;
    std::vector<Call> calls_;
};

const std::vector<int> only{0};

TEST(HasSettled, WhenTheMedianOfAWindowNoLongerFalls) {
    EXPECT_FALSE(has_settled(std::vector<double>{5, 1, 1, 1, 1}, 3));
    EXPECT_FALSE(has_settled(std::vector<double>{9, 2, 3, 1, 1, 1}, 3));
    EXPECT_TRUE(has_settled(std::vector<double>{100, 1, 1, 1, 1, 0.5}, 3));
    EXPECT_TRUE(has_settled(std::vector<double>{9, 9, 9, 1, 1, 1, 2, 2, 2}, 3));
}

TEST(WarmUp, GoesOnWhileRoundsBecomeFaster) {
    // On a busy machine the second window may be no faster than the first, and all rightly ends.
    bool has_gone_on = false;
    for (int attempt = 0; attempt < 20 && !has_gone_on; ++attempt) {
        Settling settling(12);
        Rounds rounds = settling.rounds();
        const WarmUp warm_up = warm_up_until_settled(rounds, only, MPI_COMM_WORLD, 10.0);
        EXPECT_GE(warm_up.rounds, 10);
        EXPECT_LE(warm_up.rounds, 50);
        EXPECT_EQ(warm_up.rounds, settling.called());
        int of_rank_0 = warm_up.rounds;
        MPI_Bcast(&of_rank_0, 1, MPI_INT, 0, MPI_COMM_WORLD);
        EXPECT_EQ(warm_up.rounds, of_rank_0);
        has_gone_on = of_rank_0 > 10;
    }
    EXPECT_TRUE(has_gone_on);
}

TEST(WarmUp, EndsAtItsLimits) {
    Settling slow(10);
    Rounds rounds = slow.rounds();
    const WarmUp warm_up = warm_up_until_settled(rounds, only, MPI_COMM_WORLD, 1e-3);
    EXPECT_EQ(warm_up.rounds, 1);
    EXPECT_FALSE(warm_up.has_settled);
    EXPECT_EQ(warm_up_until_settled(rounds, only, MPI_COMM_WORLD, 0.0).rounds, 0);
    EXPECT_EQ(slow.called(), 1);
}

TEST(WarmUp, OfAFixedNumber) {
    Settling settling(1);
    Rounds rounds = settling.rounds();
    EXPECT_EQ(warm_up_for(rounds, only, MPI_COMM_WORLD, 3, 10.0).rounds, 3);
    EXPECT_EQ(warm_up_for(rounds, only, MPI_COMM_WORLD, 0, 10.0).rounds, 0);
    EXPECT_EQ(warm_up_for(rounds, only, MPI_COMM_WORLD, 100, 1e-12).rounds, 1);
    EXPECT_EQ(settling.called(), 4);
}

}  // namespace
}  // namespace mpiaudit
