// SPDX-License-Identifier: BSD-3-Clause
#include "machine/conditions.h"
#include "messages/messages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace mpiaudit {
namespace {

constexpr int tag = 0, looks = 9, round_trips = 100;
constexpr std::size_t copied_bytes = std::size_t{1} << 20, page_bytes = 4096;

/// A turn that two processes hand to each other, and room for a block, mapped by both.
class SharedPage {
  public:
    /// \param create whether the file is made here, or has been by the other process
    SharedPage(const std::string& path, bool create) {
        const int file = open(path.c_str(), create ? O_RDWR | O_CREAT | O_EXCL : O_RDWR, 0600);
        if (file < 0) return;
        if (!create || ftruncate(file, static_cast<off_t>(page_bytes + copied_bytes)) == 0) {
            void* at = mmap(nullptr, page_bytes + copied_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                            file, 0);
            if (at != MAP_FAILED) start_ = static_cast<std::byte*>(at);
        }
        close(file);
        if (start_ != nullptr && create) new (start_) std::atomic<int>(0);
    }
    SharedPage(const SharedPage&) = delete;
    SharedPage& operator=(const SharedPage&) = delete;
    ~SharedPage() {
        if (start_ != nullptr) munmap(start_, page_bytes + copied_bytes);
    }

    bool is_mapped() const { return start_ != nullptr; }
    std::byte* room() const { return start_ + page_bytes; }
    std::atomic<int>& turn() const {
        return *std::launder(reinterpret_cast<std::atomic<int>*>(start_));
    }

  private:
    std::byte* start_ = nullptr;
};

double median(std::array<double, looks> samples) {
    std::ranges::nth_element(samples, samples.begin() + looks / 2);
    return samples[looks / 2];
}

template <class Work>
double median_s(const Work& work) {
    std::array<double, looks> samples{};
    for (double& sample : samples) {
        const auto start = std::chrono::steady_clock::now();
        work();
        sample = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return median(samples);
}

void wait_for(const std::atomic<int>& turn, int own) {
    // Where both share a processor, the one that waits has to leave it.
    constexpr int spins = 2000;
    for (int i = 0; turn.load(std::memory_order_acquire) != own; ++i) {
        if (i >= spins) std::this_thread::yield();
    }
}

}  // namespace

std::optional<HostSpeed> measure_host_speed(MPI_Comm node) {
    const int rank = messages::rank_in(node), ranks = messages::size_of(node);
    if (ranks < 2 || rank > 1) return std::nullopt;
    const int other = 1 - rank;
    int first = static_cast<int>(getpid());
    if (rank == 0)
        MPI_Send(&first, 1, MPI_INT, other, tag, node);
    else
        MPI_Recv(&first, 1, MPI_INT, other, tag, node, MPI_STATUS_IGNORE);
    const std::string path = fmt::format("/dev/shm/mpiaudit-{}-{}", getuid(), first);
    // The first process makes the file, the other one opens it; both know whether both have it.
    int has = 0, other_has = 0;
    if (rank == 1) MPI_Recv(&other_has, 1, MPI_INT, other, tag, node, MPI_STATUS_IGNORE);
    const SharedPage page(path, rank == 0);
    has = page.is_mapped() ? 1 : 0;
    MPI_Send(&has, 1, MPI_INT, other, tag, node);
    if (rank == 0) {
        MPI_Recv(&other_has, 1, MPI_INT, other, tag, node, MPI_STATUS_IGNORE);
        unlink(path.c_str());
    }
    if (has == 0 || other_has == 0) return std::nullopt;
    const auto play = [&] {
        for (int i = 0; i < round_trips; ++i) {
            wait_for(page.turn(), rank);
            page.turn().store(other, std::memory_order_release);
        }
        if (rank == 0) wait_for(page.turn(), rank);
    };
    const double round_trips_s = median_s(play);
    if (rank == 1) return std::nullopt;
    const std::vector<std::byte> block(copied_bytes, std::byte{1});
    const double copy_s = median_s([&] { std::memcpy(page.room(), block.data(), copied_bytes); });
    return HostSpeed{.handover_s = round_trips_s / round_trips / 2,
                     .copy_bytes_per_s = copied_bytes / std::max(copy_s, 1e-9)};
}

}  // namespace mpiaudit
