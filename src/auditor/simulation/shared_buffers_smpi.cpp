// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <smpi/smpi.h>
#include <sys/mman.h>
#include <xbt/config.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "simulation/simulation.h"

namespace mpiaudit::simulation {
namespace {

/// Longer messages carry no data.
std::size_t most_bytes_carried = 0;

void copy_short_message(smx_activity_t message, void* data, std::size_t bytes) {
    if (bytes > most_bytes_carried) return;
    // The public headers do not define the derived type that SimGrid calls this with.
    smpi_comm_copy_buffer_callback(reinterpret_cast<simgrid::kernel::activity::CommImpl*>(message),
                                   data, bytes);
}

/// Pages that nothing is written to take no memory.
struct Stretch {
    explicit Stretch(std::size_t size)
        : data{mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)},
          bytes{size} {
        if (data == MAP_FAILED) throw std::bad_alloc();
    }
    ~Stretch() { munmap(data, bytes); }
    Stretch(const Stretch&) = delete;
    Stretch& operator=(const Stretch&) = delete;
    void* data;
    std::size_t bytes;
};

}  // namespace

std::shared_ptr<std::byte> shared_stretch(std::size_t bytes) {
    static std::weak_ptr<Stretch> known;
    std::shared_ptr<Stretch> stretch = known.lock();
    if (!stretch || stretch->bytes < bytes) {
        stretch = std::make_shared<Stretch>(bytes);
        known = stretch;
    }
    return {stretch, static_cast<std::byte*>(stretch->data)};
}

void leave_data_out() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    // Whatever algorithms have to tell each other about p ranks, and what SMPI has copied before
    // it sends: it frees that copy as it delivers it.
    constexpr std::size_t bookkeeping_bytes = 16;
    most_bytes_carried =
        std::max(bookkeeping_bytes * static_cast<std::size_t>(ranks),
                 static_cast<std::size_t>(sg_cfg_get_int("smpi/send-is-detached-thresh")));
    smpi_comm_set_copy_data_callback(&copy_short_message);
}

void carry_data() {
    most_bytes_carried = std::numeric_limits<std::size_t>::max();
}

}  // namespace mpiaudit::simulation
