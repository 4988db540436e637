// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "collectives/typed_buffer.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

/// A number in memory that all processes share.
class SharedNumber {
  public:
    SharedNumber() {
        const MPI_Aint bytes = own_rank() == 0 ? sizeof(int) : 0;
        void* own = nullptr;
        MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window_);
        MPI_Aint shared_bytes = 0;
        int unit_bytes = 0;
        MPI_Win_shared_query(window_, 0, &shared_bytes, &unit_bytes, &number_);
    }
    SharedNumber(const SharedNumber&) = delete;
    SharedNumber& operator=(const SharedNumber&) = delete;
    ~SharedNumber() { MPI_Win_free(&window_); }
    std::atomic_ref<int> get() const { return std::atomic_ref{*number_}; }

  private:
    MPI_Win window_ = MPI_WIN_NULL;
    int* number_ = nullptr;
};

// One process comes late and leaves its mark before it enters the barrier. The time by which it is
// late decides how likely a broken barrier is seen, never whether a correct one passes.
TEST(Barrier, NobodyLeavesBeforeAllHaveCome) {
    const SharedNumber mark;
    for (int late = 0; late < ranks_of_world(); ++late) {
        if (own_rank() == late) {
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
            mark.get() = late + 1;
        }
        dissemination_Barrier(MPI_COMM_WORLD);
        EXPECT_EQ(mark.get().load(), late + 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

}  // namespace
}  // namespace mpiaudit::test
