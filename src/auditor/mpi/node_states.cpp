// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/node_states.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <memory>
#include <new>

#include "collectives/bcast/bcast.h"
#include "messages/agreement.h"
#include "messages/owned.h"

namespace mpiaudit {
namespace {

using Name = std::array<char, 64>;

Name drawn_name() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    Name name{};
    fmt::format_to_n(name.data(), name.size() - 1, "/mpiaudit-{}-{}-{}", getpid(), now.tv_sec,
                     now.tv_nsec);
    return name;
}

/// Null where it cannot be had. The first rank of the node makes it, before the others look for it.
void* map_shared(const Name& name, std::size_t bytes, bool makes_it) {
    const int flags = makes_it ? O_CREAT | O_EXCL | O_RDWR : O_RDWR;
    const int file = shm_open(name.data(), flags, S_IRUSR | S_IWUSR);
    if (file < 0) return nullptr;
    void* memory = MAP_FAILED;
    // Memory that is promised but not there would end the process when it is touched.
    if (!makes_it || posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0)
        memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

NodeStates::NodeStates(MPI_Comm comm) {
    MPI_Comm made{};
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    const OwnedComm node{made};
    int place = 0, ranks = 1, rank = 0;
    MPI_Comm_rank(node.get(), &place);
    MPI_Comm_size(node.get(), &ranks);
    MPI_Comm_rank(comm, &rank);
    if (!share(node.get(), place, ranks)) {
        bytes_ = sizeof(Header) + sizeof(RankState);
        use(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        new (header_) Header;
    }
    new (&own()) RankState;
    own().rank = rank;
    under_test::state = &own().at;
}

bool NodeStates::share(MPI_Comm node, int place, int ranks) {
    const auto number = static_cast<std::size_t>(ranks);
    bytes_ = sizeof(Header) + number * sizeof(RankState);
    Name name = drawn_name();
    void* memory = place == 0 ? map_shared(name, bytes_, true) : nullptr;
    binomial_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, node);
    if (place != 0) memory = map_shared(name, bytes_, false);
    if (memory != nullptr && place == 0) new (memory) Header;
    const bool is_missing = largest_of_ranks(memory == nullptr ? 1 : 0, node) == 1;
    if (place == 0) shm_unlink(name.data());
    if (is_missing) {
        if (memory != nullptr) munmap(memory, bytes_);
        return false;
    }
    count_ = number;
    own_ = static_cast<std::size_t>(place);
    use(memory);
    return true;
}

void NodeStates::use(void* memory) {
    header_ = static_cast<Header*>(memory);
    states_ = reinterpret_cast<RankState*>(static_cast<std::byte*>(memory) + sizeof(Header));
}

NodeStates::~NodeStates() {
    under_test::state = &under_test::own_state;
    munmap(header_, bytes_);
}

}  // namespace mpiaudit
