// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "messages/messages.h"
#include "messages/owned.h"

namespace mpiaudit {

/// Messages that are initialised once and started often.
class PersistentRequests {
  public:
    PersistentRequests() = default;
    PersistentRequests(const PersistentRequests&) = delete;
    PersistentRequests& operator=(const PersistentRequests&) = delete;
    ~PersistentRequests() {
        for (MPI_Request& request : requests_) MPI_Request_free(&request);
    }

    void add_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
        if (messages::recorder) [[unlikely]]
            return initialise(true, const_cast<void*>(data), count, type, to, tag, comm);
        MPI_Send_init(data, count, type, to, tag, comm, &requests_.emplace_back());
    }
    void add_receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm) {
        if (messages::recorder) [[unlikely]]
            return initialise(false, data, count, type, from, tag, comm);
        MPI_Recv_init(data, count, type, from, tag, comm, &requests_.emplace_back());
    }
    std::size_t size() const { return requests_.size() + initialised_.size(); }

    /// Starts the messages first, ..., first + n - 1.
    void start(std::size_t first, std::size_t n) {
        if (messages::recorder) [[unlikely]] {
            for (std::size_t i = first; i < first + n; ++i) restart(initialised_[i]);
            return;
        }
        MPI_Startall(static_cast<int>(n), requests_.data() + first);
    }
    void wait(std::size_t first, std::size_t n) {
        if (messages::recorder) [[unlikely]] {
            std::vector<int> started;
            for (std::size_t i = first; i < first + n; ++i)
                started.push_back(initialised_[i].started);
            return messages::recorder->wait(started);
        }
        MPI_Waitall(static_cast<int>(n), requests_.data() + first, MPI_STATUSES_IGNORE);
    }

  private:
    struct Initialised {
        bool is_send;
        void* data;
        int count;
        OwnedDatatype type;  ///< duplicate, as the caller may free the original
        int peer;
        int tag;
        MPI_Comm comm;
        int started = -1;
    };
    void initialise(bool is_send, void* data, int count, MPI_Datatype type, int peer, int tag,
                    MPI_Comm comm) {
        MPI_Datatype duplicate = MPI_DATATYPE_NULL;
        MPI_Type_dup(type, &duplicate);
        initialised_.push_back({is_send, data, count, OwnedDatatype{duplicate}, peer, tag, comm});
    }
    void restart(Initialised& i) {
        i.started = i.is_send ? messages::recorder->start_send(i.data, i.count, i.type.get(),
                                                               i.peer, i.tag, i.comm)
                              : messages::recorder->start_receive(i.data, i.count, i.type.get(),
                                                                  i.peer, i.tag, i.comm);
    }

    std::vector<MPI_Request> requests_;
    std::vector<Initialised> initialised_;  ///< in place of requests_ while calls are recorded
};

}  // namespace mpiaudit
