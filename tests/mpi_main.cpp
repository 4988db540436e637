// SPDX-License-Identifier: BSD-3-Clause
// The main function of all tests that run on several ranks. All ranks run the same tests, and rank
// 0 prints. A failure on any rank fails the test program on all ranks.
#include <gmock/gmock.h>
#include <mpi.h>

#include <cstdio>

#include "chosen_tests.h"

namespace {

/// A failed expectation of any rank but 0, on standard error with its rank; rank 0 prints as usual.
class RankedFailures : public testing::EmptyTestEventListener {
  public:
    explicit RankedFailures(int rank) : rank_{rank} {}
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_,
                     result.file_name() ? result.file_name() : "?", result.line_number(),
                     result.message());
    }

  private:
    int rank_;
};

}  // namespace

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    testing::InitGoogleMock(&argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new RankedFailures(rank));
    }
    int failed = mpiaudit::choose_tests(argc, argv) ? RUN_ALL_TESTS() : 1;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
