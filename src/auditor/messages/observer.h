// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace mpiaudit {

/// Sees what recorded calls do with their data, in the program order of each rank (recorder.h). A
/// rank that waits for control data begins again, so its steps are seen again.
class Observer {
  public:
    /// Arguments of a call.
    struct Data {
        const void* address;
        int count;
        MPI_Datatype type;
    };

    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    /// The rank begins: what was seen of this rank does not count.
    virtual void begin(int rank) = 0;
    /// The rank gets temporary memory for user data.
    virtual void allocate(const void* address, std::size_t bytes) = 0;
    /// The rank starts to send or to receive. \param number of the message on this rank, for wait()
    /// \param partner rank in the call; may be the rank itself \param channel messages of two ranks
    /// on one channel arrive in order; those on other channels may overtake them
    virtual void start(bool is_send, int number, const Data& data, int partner, int channel) = 0;
    /// The rank waits for messages, of which some may have ended or may be unknown here.
    virtual void wait(std::span<const int> numbers) = 0;
    /// right := left op right
    virtual void reduce(const void* left, const Data& right) = 0;
    virtual void pack(const Data& from, const void* packed) = 0;
    virtual void unpack(const void* packed, const Data& to) = 0;
    virtual void copy(const void* to, const void* from, std::size_t bytes) = 0;
};

}  // namespace mpiaudit
