// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

/// A fault of an MPI library, as the environment describes it, for a layer to be preloaded:
///
///     MPIAUDIT_FAULT='OPERATION KIND [rank=R] [from=N] [every=K] [only=N] [min=BYTES] [max=BYTES]
///                     [after=MS] [clock=1] [CONDITION ...]'
///
/// hits calls of an operation of MPI (MPI_Gather, MPI_Igather, MPI_Gather_init, ...; MPI_Gather*
/// stands for these three): on a rank of MPI_COMM_WORLD, from the N-th call on, every K-th or
/// exactly the N-th of those that more than one process makes, those with so many bytes of output
/// on this rank, those that come at least MS milliseconds after the previous blocking call has
/// ended on this rank. With clock=1 the time of MPI_Wtime advances by 0.1 us in each reading and in
/// nothing else but `slow`. Each CONDITION is a word of conditions.cpp, such as `inter` or
/// `op=MPI_MAX`: the arguments of the call must meet all of them. Kinds:
///
///     flip, middle, last   a byte of the output is inverted: the first, one within, the last one
///     plus                 the first byte is one too large
///     zero                 the output is all zeros
///     swap                 the first and the last four bytes change places
///     shift                the output is moved by a byte
///     stale, truncate      the output, or its last four bytes, are as they were before the call
///     round                inverts the last bit of each double from 2^53 on, a rounded sum
///     send                 the first byte that was sent is inverted, afterwards
///     counts               the first count of an array of counts is one too large, afterwards
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

/// The data that a call reads or writes on this rank: blocks of equal size, or `counts`.
struct Side {
    void* data = nullptr;
    int blocks = 0;
    long count = 0;  ///< elements of each block, without `counts`
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const int* counts = nullptr;
    const int* displacements = nullptr;  ///< null for displacements of another type
    const MPI_Datatype* types = nullptr;

    long count_of(int block) const { return counts == nullptr ? count : counts[block]; }
    MPI_Datatype type_of(int block) const { return types == nullptr ? type : types[block]; }
    long largest_count() const;
    /// Returns the bytes from the first element to the last one of the first block that is not
    /// empty; of all blocks, if they have equal size.
    Bytes first_bytes() const;
};

/// A call of an operation.
struct Collective {
    std::string_view operation;  ///< MPI_Igather
    std::string_view family;     ///< MPI_Gather
    MPI_Comm comm;
    Side sent = {}, received = {};
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    std::function<int()> work = {};  ///< the function of MPI
};

/// Whether the call meets a condition of MPIAUDIT_FAULT. Ends the program if there is no such
/// condition.
bool meets(const std::string& condition, const Collective& call);

/// Runs the call, with the fault if the fault hits it.
int with_fault(const Collective& call);

using Start = std::function<int(MPI_Request*)>;
/// Starts a nonblocking operation; a faulty one is complete then.
int start_nonblocking(Collective call, const Start& start, MPI_Request* request);
/// Initialises a persistent operation, whose starts are calls.
int initialise(Collective call, const Start& initialise, MPI_Request* request);
/// Starts the request as MPI does if no faulty call was initialised for it.
int start(MPI_Request* request);

/// A request of the caller that is not complete yet.
struct OpenRequest {
    MPI_Comm comm;
    bool is_receive;
};
std::map<MPI_Request, OpenRequest>& open_requests();

}  // namespace faults
