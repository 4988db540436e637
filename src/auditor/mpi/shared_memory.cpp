// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <new>

#include "collectives/bcast/bcast.h"
#include "messages/agreement.h"
#include "messages/messages.h"

namespace mpiaudit {

void SharedMemory::map(const char* name, int flags) {
    const int file = shm_open(name, flags, S_IRUSR | S_IWUSR);
    if (file < 0) return;
    // posix_fallocate() reserves the memory; touching unreserved memory could end the process.
    if ((flags & O_CREAT) == 0 || posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0)
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory_ == MAP_FAILED) memory_ = nullptr;
    close(file);
}

SharedMemory::SharedMemory(MPI_Comm node, std::size_t bytes) : bytes_{bytes} {
    const bool makes_it = messages::rank_in(node) == 0;
    std::array<char, 64> name{};
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    fmt::format_to_n(name.data(), name.size() - 1, "/mpiaudit-{}-{}-{}", getpid(), now.tv_sec,
                     now.tv_nsec);
    if (makes_it) map(name.data(), O_CREAT | O_EXCL | O_RDWR);
    binomial_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, node);
    if (!makes_it) map(name.data(), O_RDWR);
    is_shared_ = largest_of_ranks(memory_ == nullptr ? 1 : 0, node) == 0;
    if (makes_it) shm_unlink(name.data());
    if (is_shared_) return;
    if (memory_ != nullptr) munmap(memory_, bytes_);
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
}

SharedMemory::~SharedMemory() {
    munmap(memory_, bytes_);
}

}  // namespace mpiaudit
