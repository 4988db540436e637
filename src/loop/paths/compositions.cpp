// SPDX-License-Identifier: BSD-3-Clause
// Compositions in place of calls. Each collective has one function for all its compositions: it
// makes buffers of the arguments of the call, and the layouts of the operations say what moves
// between these buffers (paths/buffers.h).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "collectives/patterns/reduction.h"
#include "paths/buffers.h"
#include "text/plain.h"

namespace mpiaudit::paths {
namespace {

using enum Holding;

int size_of(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}
int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

std::int64_t bytes_of(const TypedBuffer& data) {
    return data.count == 0 ? 0 : data.count * type_bytes(data.type);
}

/// Whether the first operation of a path brings all blocks to all ranks.
bool replicates(const Path& path) {
    return path.steps.front().operation->to == replicated;
}

/// Returns the bytes of all blocks, or of the slots of padded blocks. Ranks without `blocks` take
/// all blocks for as long as their own block. Returns nothing on all ranks if the slots of all
/// ranks need more than 1 GiB, or if the agreement on their size fails.
std::optional<BlockList> block_sizes(const Path& path, const Blocks& blocks, std::int64_t own_bytes,
                                     MPI_Comm comm) {
    constexpr std::int64_t most_padded_bytes = 1 << 30;
    const int ranks = size_of(comm);
    std::vector<int> sizes(static_cast<std::size_t>(ranks), static_cast<int>(own_bytes));
    for (int rank = 0; rank < blocks.size(); ++rank)
        sizes[static_cast<std::size_t>(rank)] = static_cast<int>(blocks.bytes(rank));
    if (!path.is_padded) return BlockList(std::move(sizes));
    std::int64_t largest = std::ranges::max(sizes);
    if (!replicates(path)) {
        const int code = PMPI_Allreduce(&own_bytes, &largest, 1, MPI_INT64_T, MPI_MAX, comm);
        if (code != MPI_SUCCESS) return std::nullopt;
    }
    if (largest * ranks > most_padded_bytes) return std::nullopt;
    return BlockList(static_cast<int>(largest), ranks);
}

/// Returns the blocks of all ranks in one buffer of a call.
Blocks blocks_of(const void* buffer, std::int64_t count, const NumbersOfRanks& counts,
                 const NumbersOfRanks& displacements, MPI_Datatype type, MPI_Comm comm) {
    const int ranks = size_of(comm);
    return counts.is_there()
               ? Blocks::irregular(buffer, counts.ints(), displacements.ints(), type, ranks)
               : Blocks::equal(buffer, static_cast<int>(count), type, ranks);
}

TypedBuffer buffer_of(const void* address, std::int64_t count, MPI_Datatype type) {
    return {address, static_cast<int>(count), type};
}

/// Gathers blocks, to the root or to all ranks.
std::optional<int> gathered(const Path& path, const Arguments& call) {
    const bool is_for_all = !path.collective->has_root();
    const bool is_in_place = call.sendbuf == MPI_IN_PLACE;
    const int rank = rank_in(call.comm), root = is_for_all ? 0 : call.root;
    const Blocks blocks = is_for_all || rank == root
                              ? blocks_of(call.recvbuf, call.recvcount, call.recvcounts,
                                          call.displs, call.recvtype, call.comm)
                              : Blocks();
    // If all ranks get the result of an operation, MPI_IN_PLACE is for all of them or for none.
    const bool is_copied = is_in_place && !is_for_all && replicates(path);
    const TypedBuffer data = is_copied     ? blocks.message(rank)
                             : is_in_place ? TypedBuffer()
                                           : buffer_of(call.sendbuf, call.sendcount, call.sendtype);
    const auto sizes =
        block_sizes(path, blocks, is_in_place ? blocks.bytes(rank) : bytes_of(data), call.comm);
    if (!sizes) return std::nullopt;
    const BlocksOfBytes all(blocks, *sizes, call.comm, path.is_padded, replicates(path));
    const OwnBytes own(data, sizes->count(rank), call.comm,
                       is_copied || (path.is_padded && !is_in_place));
    Buffers buffers(*sizes, call.comm, root);
    buffers.is_own_among_all = is_in_place && !is_copied;
    buffers.are_all_in_place = is_in_place && is_for_all;
    buffers.all = all.address();
    buffers.own = buffers.is_own_among_all ? all.block(rank) : own.address();
    if (buffers.is_own_among_all)
        all.read(rank);
    else
        own.read();
    const int code = call_operations(path, buffers);
    if (code == MPI_SUCCESS) all.write_all(is_in_place ? rank : -1);
    return code;
}

/// Scatters the blocks of the root.
std::optional<int> scattered_blocks(const Path& path, const Arguments& call) {
    const int rank = rank_in(call.comm);
    const bool is_root = rank == call.root, is_in_place = is_root && call.recvbuf == MPI_IN_PLACE;
    const Blocks blocks = is_root ? blocks_of(call.sendbuf, call.sendcount, call.sendcounts,
                                              call.displs, call.sendtype, call.comm)
                                  : Blocks();
    const TypedBuffer data =
        is_in_place ? TypedBuffer() : buffer_of(call.recvbuf, call.recvcount, call.recvtype);
    const auto sizes =
        block_sizes(path, blocks, is_in_place ? blocks.bytes(rank) : bytes_of(data), call.comm);
    if (!sizes) return std::nullopt;
    const BlocksOfBytes all(blocks, *sizes, call.comm, path.is_padded, replicates(path));
    const OwnBytes own(data, sizes->count(rank), call.comm, path.is_padded && !is_in_place);
    Buffers buffers(*sizes, call.comm, call.root);
    buffers.is_own_among_all = is_in_place;
    buffers.all = all.address();
    buffers.own = own.address();
    all.read_all();
    const int code = call_operations(path, buffers);
    if (code == MPI_SUCCESS && !is_in_place)
        own.write(replicates(path) ? all.block(rank) : own.address());
    return code;
}

/// Calls MPI_Alltoallv.
std::optional<int> alltoall(const Path& path, const Arguments& call) {
    const auto equal = [&](const void* buffer, std::int64_t count, MPI_Datatype type) {
        return BlocksOfBytes::equal(buffer, static_cast<int>(count), type, call.comm);
    };
    const BlocksOfBytes to = equal(call.recvbuf, call.recvcount, call.recvtype);
    const bool is_in_place = call.sendbuf == MPI_IN_PLACE;
    if (is_in_place) to.read_all();
    const BlocksOfBytes from = is_in_place ? equal(call.recvbuf, 0, MPI_BYTE)
                                           : equal(call.sendbuf, call.sendcount, call.sendtype);
    from.read_all();
    const int code = reinterpret_cast<decltype(&PMPI_Alltoallv)>(path.steps.front().function)(
        is_in_place ? MPI_IN_PLACE : from.address(), from.sizes.counts.data(),
        from.sizes.displacements.data(), MPI_BYTE, to.address(), to.sizes.counts.data(),
        to.sizes.displacements.data(), MPI_BYTE, call.comm);
    if (code == MPI_SUCCESS) to.write_all(-1);
    return code;
}

/// Calls MPI_Allreduce with one number: no rank has the result before all ranks have contributed.
std::optional<int> barrier(const Path& path, const Arguments& call) {
    const int own = 1;
    int largest = 0;
    Buffers buffers(BlockList(1, 1), call.comm);
    buffers.type = MPI_INT;
    buffers.op = MPI_MAX;
    buffers.operands = &own;
    buffers.all = &largest;
    return call_operations(path, buffers);
}

/// Moves parts of the vector as blocks. The ranks may count elements differently, but not bytes.
std::optional<int> bcast(const Path& path, const Arguments& call) {
    const OwnBytes data(buffer_of(call.buffer, call.count, call.datatype), call.comm);
    Buffers buffers(BlockList::cut(data.bytes, size_of(call.comm)), call.comm, call.root);
    buffers.all = data.address();
    buffers.own = buffers.block();
    buffers.is_own_among_all = buffers.are_all_in_place = true;
    if (buffers.rank == call.root) data.read();
    const int code = call_operations(path, buffers);
    if (code == MPI_SUCCESS && buffers.rank != call.root) data.write(data.address());
    return code;
}

// Reductions. All ranks have elements of one predefined type. Each rank may say for itself whether
// its operands are in place.

Buffers buffers_of_reduction(BlockList blocks, const Arguments& call) {
    Buffers buffers(std::move(blocks), call.comm);
    buffers.type = call.datatype;
    buffers.op = call.op;
    buffers.operands = call.sendbuf == MPI_IN_PLACE ? call.recvbuf : call.sendbuf;
    return buffers;
}

/// Runs the path with all blocks of the result in the receive buffer. Returns the code of MPI.
std::optional<int> allreduce(const Path& path, const Arguments& call) {
    const int count = static_cast<int>(call.count);
    Buffers buffers = buffers_of_reduction(BlockList::cut(count, size_of(call.comm)), call);
    const int own_count = buffers.blocks.count(buffers.rank);
    buffers.all = const_cast<void*>(call.recvbuf);
    buffers.are_all_in_place = true;
    // An empty block at the end may have the address of what comes next, which may be the operands:
    // MPICH then refuses the call as aliased, on that rank alone.
    buffers.own = own_count == 0 ? buffers.all : buffers.block();
    // The operands are still needed while a block of the result is computed.
    const bool is_aside =
        call.sendbuf == MPI_IN_PLACE && path.steps.front().operation->to == scattered;
    const OperandBuffer aside(is_aside ? own_count : 0, call.datatype);
    if (is_aside) buffers.place_of_own = std::exchange(buffers.own, aside.get());
    return call_operations(path, buffers);
}

/// Calls an operation that gives the result to all ranks. Only the root has memory for the result.
std::optional<int> reduce(const Path& path, const Arguments& call) {
    const int count = static_cast<int>(call.count);
    Buffers buffers = buffers_of_reduction(BlockList(count, 1), call);
    void* const at_root = const_cast<void*>(call.recvbuf);
    const bool is_root = buffers.rank == call.root,
               is_aside = !is_root || call.sendbuf == MPI_IN_PLACE;
    const OperandBuffer result(is_aside ? count : 0, call.datatype);
    buffers.all = is_aside ? result.get() : at_root;
    const int code = call_operations(path, buffers);
    if (is_root && is_aside && code == MPI_SUCCESS)
        copy_elements(at_root, result.get(), count, call.datatype);
    return code;
}

/// Runs the path with memory for the whole vector where a call needs it. Each rank gets its block.
std::optional<int> reduce_scatter(const Path& path, const Arguments& call) {
    const int ranks = size_of(call.comm);
    const int* const counts = call.recvcounts.ints();
    Buffers buffers =
        buffers_of_reduction(counts != nullptr ? BlockList(std::vector<int>(counts, counts + ranks))
                                               : BlockList(static_cast<int>(call.recvcount), ranks),
                             call);
    const Holding first = path.steps.front().operation->to;
    const bool has_all = first == replicated || (first == rooted && buffers.rank == buffers.root);
    const OperandBuffer all(has_all ? buffers.blocks.sum() : 0, call.datatype);
    buffers.all = all.get();
    buffers.own = const_cast<void*>(call.recvbuf);
    const int code = call_operations(path, buffers);
    if (code == MPI_SUCCESS && path.steps.back().operation->to != scattered)
        copy_elements(buffers.own, buffers.block(), buffers.blocks.count(buffers.rank),
                      call.datatype);
    return code;
}

/// Calls MPI_Exscan and MPI_Reduce_local.
std::optional<int> scan(const Path& path, const Arguments& call) {
    const auto exscan = reinterpret_cast<decltype(&PMPI_Exscan)>(path.steps[0].function);
    const auto reduce_local =
        reinterpret_cast<decltype(&PMPI_Reduce_local)>(path.steps[1].function);
    const bool has_prefix = rank_in(call.comm) > 0, is_in_place = call.sendbuf == MPI_IN_PLACE;
    const int count = static_cast<int>(call.count);
    void* const recvbuf = const_cast<void*>(call.recvbuf);
    const void* const operands = is_in_place ? recvbuf : call.sendbuf;
    int commutes = 0;
    PMPI_Op_commutative(call.op, &commutes);
    // MPI_Reduce_local leaves its result in the right operand. The prefix may be the right operand
    // if the operator commutes.
    const bool is_prefix_right = !is_in_place && commutes != 0;
    const OperandBuffer aside(is_prefix_right ? 0 : count, call.datatype);
    void* const prefix = is_prefix_right ? recvbuf : aside.get();
    const int code = exscan(operands, prefix, count, call.datatype, call.op, call.comm);
    if (code != MPI_SUCCESS) return code;
    if (is_prefix_right && has_prefix)
        return reduce_local(operands, prefix, count, call.datatype, call.op);
    if (!is_in_place) copy_elements(recvbuf, operands, count, call.datatype);
    return has_prefix ? reduce_local(prefix, recvbuf, count, call.datatype, call.op) : code;
}

}  // namespace

Composed composed(std::string_view collective) {
    struct Row {
        std::string_view collective;
        Composed function;
    };
    static constexpr std::array rows{Row{"MPI_Gather", gathered},
                                     Row{"MPI_Gatherv", gathered},
                                     Row{"MPI_Scatter", scattered_blocks},
                                     Row{"MPI_Scatterv", scattered_blocks},
                                     Row{"MPI_Allgather", gathered},
                                     Row{"MPI_Allgatherv", gathered},
                                     Row{"MPI_Alltoall", alltoall},
                                     Row{"MPI_Barrier", barrier},
                                     Row{"MPI_Bcast", bcast},
                                     Row{"MPI_Allreduce", allreduce},
                                     Row{"MPI_Reduce", reduce},
                                     Row{"MPI_Reduce_scatter", reduce_scatter},
                                     Row{"MPI_Reduce_scatter_block", reduce_scatter},
                                     Row{"MPI_Scan", scan}};
    const Row* const found = find_in(rows, collective, &Row::collective);
    return found == nullptr ? nullptr : found->function;
}

}  // namespace mpiaudit::paths
