// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "messages/call.h"
#include "messages/under_test.h"

namespace mpiaudit {

/// `start` starts operation i of `count`, into a request; then all are waited for. What was refused
/// is not: see complete() of bind.h.
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

}  // namespace mpiaudit
