// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "catalogue/arrow.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {

/// Called by the calling thread between the start of an operation and its wait; null for nothing.
inline thread_local void (*before_wait)(MPI_Request* request) = nullptr;

/// Waits for the operation that returned `code` at its start. Does not wait for an operation that
/// was refused: MPICH 4.0 would not return, and the request may be invalid.
inline void complete(int code, MPI_Request* request) {
    under_test::look_at(code);
    if (code != MPI_SUCCESS) return;
    if (before_wait != nullptr) before_wait(request);
    under_test::look_at(MPI_Wait(request, MPI_STATUS_IGNORE));
}

/// Binds `function` to these arguments and the communicator. The signature tells the form: a
/// trailing request makes the call non-blocking and adds MPI_Wait; an info object and a request
/// make the call persistent: the operation is initialised now, and the call starts it and waits.
/// Compiled once for each signature, because compiling once for each function takes much longer.
template <class F, class... Arguments>
Call bound_call(F function, MPI_Comm comm, Arguments... arguments) {
    if constexpr (std::is_invocable_v<F, Arguments..., MPI_Comm>) {
        return [=] { under_test::look_at(function(arguments..., comm)); };
    } else if constexpr (std::is_invocable_v<F, Arguments..., MPI_Comm, MPI_Request*>) {
        return [=] {
            MPI_Request request = MPI_REQUEST_NULL;
            complete(function(arguments..., comm, &request), &request);
        };
    } else {
        const std::shared_ptr<MPI_Request> request(new MPI_Request{MPI_REQUEST_NULL},
                                                   [](MPI_Request* owned) {
                                                       if (*owned != MPI_REQUEST_NULL)
                                                           MPI_Request_free(owned);
                                                       delete owned;
                                                   });
        const int code = function(arguments..., comm, MPI_INFO_NULL, request.get());
        if (code != MPI_SUCCESS || *request == MPI_REQUEST_NULL)
            return [code] { under_test::look_at(code != MPI_SUCCESS ? code : MPI_ERR_REQUEST); };
        return [request] { complete(MPI_Start(request.get()), request.get()); };
    }
}

/// Makes a blocking operation of an initialisation: the persistent operation is started once and
/// freed.
template <class Initialise>
struct UsedOnce {
    Initialise initialise;
    template <class... Arguments>
    int operator()(Arguments... arguments) const {
        MPI_Request request = MPI_REQUEST_NULL;
        if (const int code = initialise(arguments..., MPI_INFO_NULL, &request); code != MPI_SUCCESS)
            return code;
        const int started = MPI_Start(&request);
        const int done = started == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : started;
        const int freed = MPI_Request_free(&request);
        return done != MPI_SUCCESS ? done : freed;
    }
};

/// Returns a call that starts `count` operations, operation i by `start(i, request)`, and waits for
/// all of them. Operations that were refused are not waited for: see complete().
template <class Start>
Call in_flight(int count, Start start) {
    return [start, requests = std::make_shared<std::vector<MPI_Request>>(
                       static_cast<std::size_t>(count))] {
        bool has_failed = false;
        for (std::size_t i = 0; i < requests->size(); ++i) {
            (*requests)[i] = MPI_REQUEST_NULL;
            const int code = start(static_cast<int>(i), &(*requests)[i]);
            under_test::look_at(code);
            if (code != MPI_SUCCESS) (*requests)[i] = MPI_REQUEST_NULL;
            has_failed = has_failed || code != MPI_SUCCESS;
        }
        const int code =
            MPI_Waitall(static_cast<int>(requests->size()), requests->data(), MPI_STATUSES_IGNORE);
        if (!has_failed) under_test::look_at(code);
    };
}

/// The blocks that a rank sends to each rank in MPI_Alltoallv, or receives from each rank.
struct BlocksOfRanks {
    std::vector<int> counts, displacements;

    explicit BlocksOfRanks(int ranks)
        : counts(static_cast<std::size_t>(ranks)), displacements(counts) {}
    explicit BlocksOfRanks(const Place& place)
        : counts(place.counts.begin(), place.counts.end()),
          displacements(place.displacements.begin(), place.displacements.end()) {}
    /// Only this rank has a block.
    BlocksOfRanks(int rank, int count, int ranks) : BlocksOfRanks(ranks) {
        counts[static_cast<std::size_t>(rank)] = count;
    }
};
/// Calls are copied between samples, and the copies share their arrays.
using SharedBlocks = std::shared_ptr<const BlocksOfRanks>;
template <class... From>
SharedBlocks blocks_of(const From&... from) {
    return std::make_shared<const BlocksOfRanks>(from...);
}

inline Call alltoallv(const void* from, const SharedBlocks& sent, void* to,
                      const SharedBlocks& received, MPI_Datatype type, MPI_Comm comm) {
    return [=] {
        under_test::look_at(MPI_Alltoallv(from, sent->counts.data(), sent->displacements.data(),
                                          type, to, received->counts.data(),
                                          received->displacements.data(), type, comm));
    };
}

/// Gathers all blocks of equal size by MPI_Allgather and copies some of them to the result. \param
/// kept the blocks, among all blocks, that become blocks of the result
inline Step allgather_and_select(const Instance& instance, const Place& from, Layout to,
                                 std::vector<std::size_t> kept) {
    const Place result = instance.target(to);
    const int count = from.span();
    const std::size_t block_bytes = static_cast<std::size_t>(from.counts.front()) * from.extent;
    const auto all = instance.scratch(static_cast<std::size_t>(count) * from.extent *
                                      static_cast<std::size_t>(instance.problem().ranks()));
    return {[=, kept = std::make_shared<const std::vector<std::size_t>>(std::move(kept)),
             comm = instance.comm] {
                under_test::look_at(
                    MPI_Allgather(from.data, count, from.type, all.get(), count, from.type, comm));
                for (std::size_t k = 0; k < kept->size() && block_bytes > 0; ++k)
                    messages::copy(result.block(k), all.get() + (*kept)[k] * block_bytes,
                                   block_bytes);
            },
            result};
}

}  // namespace mpiaudit
