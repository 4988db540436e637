// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>

/// A fault of an MPI library, as the environment describes it, for a layer to be preloaded:
///
///     MPIAUDIT_FAULT='OPERATION KIND [rank=R] [from=N] [every=K] [only=N] [min=BYTES] [max=BYTES]'
///
/// hits calls of an operation of MPI (MPI_Gather, MPI_Igather, MPI_Gather_init, ...): on a rank of
/// MPI_COMM_WORLD, from the N-th call on, every K-th or exactly the N-th of those that more than
/// one process makes, those with so many bytes of output on this rank. Kinds:
///
///     flip, middle, last   a byte of the output is inverted: the first, one within, the last one
///     plus                 the first byte is one too large
///     zero                 the output is all zeros
///     swap                 the first and the last four bytes change places
///     shift                the output is moved by a byte
///     stale, truncate      the output, or its last four bytes, are as they were before the call
///     round                inverts the last bit of each double from 2^53 on, a rounded sum
///     send                 the first byte that was sent is inverted, afterwards
///     before, behind       the byte before, behind the output is inverted
///     noop                 nothing is done, and success is returned
///     code                 the right work is done, and an error is returned
///     refuse               nothing is done, and an error is returned
///     handler              nothing is done, and the error handler is called
///     slow                 the right work is done, and then nothing for US microseconds and so
///                          many per cent of the time that it took: [us=US] [percent=PERCENT]
///     hang                 does not return
///     segv, abort, bus, kill     the process gets that signal
///     exit                 the process ends with exit code 9
///
/// Where it has hit, the file MPIAUDIT_FAULT_MARK is made.
namespace faults {

struct Bytes {
    void* data = nullptr;
    std::size_t number = 0;
};

/// A call of an operation: the data that it reads and writes on this rank, and the function of MPI.
struct Collective {
    const char* operation;
    MPI_Comm comm;
    const void* sent;
    Bytes output;
    std::function<int()> work;
};

/// Runs the call, with the fault if the fault hits it.
int with_fault(const Collective& call);

/// A persistent operation has been initialised: its starts are calls.
void remember(MPI_Request request, Collective call);
/// Starts the request as MPI does if no faulty call was initialised for it.
int start(MPI_Request* request);

}  // namespace faults
