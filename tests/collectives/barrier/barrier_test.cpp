// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "world.h"

namespace mpiaudit::test {
namespace {

/// A number in memory that all processes share. MPI_Win_allocate_shared makes none with MPICH 5
/// over UCX.
class SharedNumber {
  public:
    SharedNumber() {
        std::array path = std::to_array("/dev/shm/mpiaudit-XXXXXX");
        int file = own_rank() == 0 ? mkstemp(path.data()) : -1;
        EXPECT_TRUE(own_rank() != 0 || ftruncate(file, sizeof(int)) == 0);
        MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
        if (own_rank() != 0) file = open(path.data(), O_RDWR);
        number_ = static_cast<int*>(
            mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        close(file);
        MPI_Barrier(MPI_COMM_WORLD);
        if (own_rank() == 0) unlink(path.data());
    }
    SharedNumber(const SharedNumber&) = delete;
    SharedNumber& operator=(const SharedNumber&) = delete;
    ~SharedNumber() { munmap(number_, sizeof(int)); }
    std::atomic_ref<int> get() const { return std::atomic_ref{*number_}; }

  private:
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
