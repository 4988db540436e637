// SPDX-License-Identifier: BSD-3-Clause
#include "paths/buffers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "messages/packable.h"

namespace mpiaudit::paths {
namespace {

void pack(const TypedBuffer& data, void* into, int bytes, MPI_Comm comm) {
    int position = 0;
    const Packable packed(data.address, data.count, data.type);
    if (data.count > 0)
        PMPI_Pack(packed.data, packed.count, packed.type, into, bytes, &position, comm);
}

void unpack(const void* from, int bytes, const TypedBuffer& data, MPI_Comm comm) {
    int position = 0;
    const Packable unpacked(data.address, data.count, data.type);
    if (data.count > 0)
        PMPI_Unpack(from, bytes, &position, unpacked.data, unpacked.count, unpacked.type, comm);
}

/// Returns at least one byte: some libraries look at the address of an empty buffer.
Scratch scratch_of(int bytes) {
    return Scratch(static_cast<std::size_t>(std::max(1, bytes)));
}

/// Returns whether the data of the blocks follow each other without gaps, as `sizes` says.
bool are_bytes_in_order(const Blocks& blocks, const BlockList& sizes) {
    bool are_in_order = is_dense(blocks.type());
    for (int i = 0; i < blocks.size() && are_in_order; ++i)
        are_in_order =
            sizes.count(i) == 0 || blocks.at(i) == displaced(blocks.buffer(), sizes.begin(i));
    return are_in_order;
}

}  // namespace

void copy_elements(void* to, const void* from, int count, MPI_Datatype type) {
    const ByteRange range = element_range(count, type);
    if (range.bytes() > 0)
        std::memcpy(displaced(to, range.begin), displaced(from, range.begin),
                    static_cast<std::size_t>(range.bytes()));
}

BlocksOfBytes::BlocksOfBytes(const Blocks& blocks, BlockList block_sizes, MPI_Comm comm,
                             bool is_padded, bool is_needed)
    : sizes{std::move(block_sizes)},
      blocks_{blocks},
      comm_{comm},
      is_aside_{blocks.size() == 0 ? is_needed : is_padded || !are_bytes_in_order(blocks, sizes)} {
    if (is_aside_) aside_ = scratch_of(sizes.sum());
}

BlocksOfBytes BlocksOfBytes::equal(const void* buffer, int count, MPI_Datatype type,
                                   MPI_Comm comm) {
    int ranks = 0;
    PMPI_Comm_size(comm, &ranks);
    return {Blocks::equal(buffer, count, type, ranks),
            BlockList(static_cast<int>(count * type_bytes(type)), ranks), comm};
}

void BlocksOfBytes::read(int rank) const {
    if (is_aside_) pack(blocks_.message(rank), block(rank), sizes.count(rank), comm_);
}

void BlocksOfBytes::read_all() const {
    for (int rank = 0; rank < blocks_.size(); ++rank) read(rank);
}

void BlocksOfBytes::write_all(int kept) const {
    for (int rank = 0; is_aside_ && rank < blocks_.size(); ++rank)
        if (rank != kept) unpack(block(rank), sizes.count(rank), blocks_.message(rank), comm_);
}

OwnBytes::OwnBytes(const TypedBuffer& data, int room, MPI_Comm comm, bool is_padded)
    : bytes{room},
      data_{data.address, data.count, data.type},
      comm_{comm},
      is_aside_{is_padded || (data.count > 0 && !is_dense(data.type))} {
    if (is_aside_) aside_ = scratch_of(bytes);
}

OwnBytes::OwnBytes(const TypedBuffer& data, MPI_Comm comm)
    : OwnBytes(data, data.count == 0 ? 0 : static_cast<int>(data.count * type_bytes(data.type)),
               comm) {}

void OwnBytes::read() const {
    if (is_aside_) pack(data_, aside_.get(), bytes, comm_);
}

void OwnBytes::write(const void* from) const {
    if (is_aside_ || from != data_.address) unpack(from, bytes, data_, comm_);
}

namespace {

using enum Holding;
using enum InPlace;
constexpr const auto& rows = operation_table::rows;

/// Returns whether an operation begins and ends with blocks of all ranks or vectors for a
/// reduction.
constexpr bool is_in_paths(const MpiOperation& operation) {
    const auto is_known = [](Holding holding) {
        return holding == scattered || holding == rooted || holding == replicated ||
               holding == contributed;
    };
    return is_known(operation.from) && is_known(operation.to);
}

/// Returns the send buffer of an operation on this rank: MPI_IN_PLACE if the data already lie in
/// the buffer of the result and the operation allows this on this rank.
const void* sent(const MpiOperation& operation, const Buffers& buffers) {
    const bool is_root = buffers.rank == buffers.root;
    const void* const result = operation.to == scattered ? buffers.own : buffers.all;
    if (operation.from == rooted) return buffers.all;
    if (operation.from == contributed) {
        const bool is_in_place =
            buffers.operands == result && (operation.in_place == everywhere || is_root);
        return is_in_place ? MPI_IN_PLACE : buffers.operands;
    }
    const bool is_in_place = operation.in_place == everywhere ? buffers.are_all_in_place
                                                              : is_root && buffers.is_own_among_all;
    return is_in_place ? MPI_IN_PLACE : buffers.own;
}

/// Returns the receive buffer of an operation on this rank, or MPI_IN_PLACE.
void* received(const MpiOperation& operation, const Buffers& buffers) {
    if (operation.to != scattered) return buffers.all;
    const bool is_in_place = operation.in_place == received_by_root &&
                             buffers.rank == buffers.root && buffers.is_own_among_all;
    return is_in_place ? MPI_IN_PLACE : buffers.own;
}

/// Returns argument `k` of an operation, by the name that the argument has in the MPI standard.
template <std::size_t row, std::size_t k>
auto argument(const Buffers& buffers) {
    constexpr const MpiOperation& operation = mpi_operations[row];
    constexpr std::string_view name = operation.argument(k);
    if constexpr (name == "sendbuf")
        return sent(operation, buffers);
    else if constexpr (name == "recvbuf" || name == "buffer")
        return received(operation, buffers);
    else if constexpr (name == "count")
        return buffers.blocks.sum();
    else if constexpr (name == "sendcount" || name == "recvcount")
        return buffers.blocks.count(buffers.rank);
    else if constexpr (name == "sendcounts" || name == "recvcounts")
        return buffers.blocks.counts.data();
    else if constexpr (name == "displs")
        return buffers.blocks.displacements.data();
    else if constexpr (name == "op")
        return buffers.op;
    else if constexpr (name == "root")
        return buffers.root;
    else
        return buffers.type;
}

using Caller = int (*)(Function function, const Buffers& buffers);

/// Returns a function that calls an operation with arguments from Buffers; null for operations that
/// no path has.
template <std::size_t row>
constexpr Caller caller_of() {
    if constexpr (!is_in_paths(mpi_operations[row])) {
        return nullptr;
    } else {
        return [](Function function, const Buffers& buffers) {
            using Profiled = decltype(std::get<row>(rows).functions.profiled);
            return [&]<std::size_t... k>(std::index_sequence<k...>) {
                return reinterpret_cast<Profiled>(function)(argument<row, k>(buffers)...,
                                                            buffers.comm);
            }
            (std::make_index_sequence<mpi_operations[row].argument_count()>{});
        };
    }
}

constexpr auto callers = []<std::size_t... row>(std::index_sequence<row...>) {
    return std::array{caller_of<row>()...};
}
(std::make_index_sequence<operation_count>{});

}  // namespace

int call_operations(const Path& path, const Buffers& buffers) {
    for (const PathStep& each : path.steps) {
        const auto row = static_cast<std::size_t>(each.operation - mpi_operations.data());
        const int code = callers[row](each.function, buffers);
        if (code != MPI_SUCCESS) return code;
        if (each.operation->to == scattered && buffers.place_of_own != nullptr)
            copy_elements(buffers.place_of_own, buffers.own, buffers.blocks.count(buffers.rank),
                          buffers.type);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit::paths
