// SPDX-License-Identifier: BSD-3-Clause
#include "machine/conditions.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "messages/messages.h"
#include "mpi/shared_memory.h"

namespace mpiaudit {
namespace {

constexpr int looks = 9, round_trips = 100;
constexpr std::size_t copied_bytes = std::size_t{1} << 20, page_bytes = 4096;

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
    const int rank = messages::rank_in(node), other = 1 - rank;
    if (messages::size_of(node) < 2) return std::nullopt;
    // A turn that two processes hand to each other, and room for a block.
    const SharedMemory memory(node, page_bytes + copied_bytes);
    if (rank > 1 || !memory.is_shared()) return std::nullopt;
    auto& turn = *static_cast<std::atomic<int>*>(memory.get());
    std::byte* const room = static_cast<std::byte*>(memory.get()) + page_bytes;
    const auto play = [&] {
        for (int i = 0; i < round_trips; ++i) {
            wait_for(turn, rank);
            turn.store(other, std::memory_order_release);
        }
        if (rank == 0) wait_for(turn, rank);
    };
    const double round_trips_s = median_s(play);
    if (rank == 1) return std::nullopt;
    const std::vector<std::byte> block(copied_bytes, std::byte{1});
    const double copy_s = median_s([&] { std::memcpy(room, block.data(), copied_bytes); });
    return HostSpeed{.handover_s = round_trips_s / round_trips / 2,
                     .copy_bytes_per_s = copied_bytes / std::max(copy_s, 1e-9)};
}

}  // namespace mpiaudit
