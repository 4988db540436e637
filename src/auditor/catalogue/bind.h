// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <type_traits>

#include "catalogue/arrow.h"
#include "messages/under_test.h"

namespace mpiaudit {

/// A function that the library lacks; see persistent.h.
using Absent = std::nullptr_t;

/// Waits for what was started with this code. What was refused is not waited for: MPICH 4.0 never
/// comes back then, and the request may be anything.
inline void complete(int code, MPI_Request* request) {
    under_test::look_at(code);
    if (code == MPI_SUCCESS) under_test::look_at(MPI_Wait(request, MPI_STATUS_IGNORE));
}

/// A call of `function` with these arguments and the communicator. The signature tells the form:
/// a trailing request makes it non-blocking and adds MPI_Wait; an info object and a request make it
/// persistent: it is initialised now, and the call starts it and waits. Compiled for each
/// signature, not for each function, which took a quarter of the time that the tables need.
template <class Function, class... Arguments>
Call bound_call(Function function, MPI_Comm comm, Arguments... arguments) {
    if constexpr (std::is_invocable_v<Function, Arguments..., MPI_Comm>) {
        return [=] { under_test::look_at(function(arguments..., comm)); };
    } else if constexpr (std::is_invocable_v<Function, Arguments..., MPI_Comm, MPI_Request*>) {
        return [=] {
            MPI_Request request = MPI_REQUEST_NULL;
            complete(function(arguments..., comm, &request), &request);
        };
    } else if constexpr (std::is_same_v<Function, Absent>) {
        return {};
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

/// An initialisation as a blocking operation: one that is used once, and freed.
template <auto initialise>
struct UsedOnce {
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

template <auto initialise>
constexpr auto used_once() {
    if constexpr (std::is_same_v<decltype(initialise), Absent>)
        return Absent{};
    else
        return UsedOnce<initialise>{};
}

/// The need of an arrow whose function may be absent.
template <auto function>
constexpr unsigned presence() {
    return std::is_same_v<decltype(function), Absent> ? not_in_this_mpi : anything;
}

}  // namespace mpiaudit
