// SPDX-License-Identifier: BSD-3-Clause
// Defines class Received of repaired.h.
#include "repairer/repaired.h"

#include <limits>

#include "interposition/library.h"
#include "messages/packable.h"
#include "text/console.h"

namespace mpiaudit::repairer {
namespace {

using interposition::Arguments;
using interposition::Shape;

int packed_bytes(std::int64_t count, MPI_Datatype type, MPI_Comm comm) {
    int bytes = 0;
    if (count * interposition::type_bytes(type) > std::numeric_limits<int>::max() / 2) {
        remark("repair: MPIAUDIT_REPAIR=verify compares at most 1 GiB; leave it out");
        PMPI_Abort(comm, 2);
    }
    PMPI_Pack_size(static_cast<int>(count), type, comm, &bytes);
    return bytes;
}

}  // namespace

/// Lists the pieces of memory that the call writes on this rank. The first `defined_` pieces have a
/// defined result afterwards; the rest of a buffer in place and the vector of rank 0 in MPI_Exscan
/// have none.
Received::Received(Shape shape, const Arguments& call, bool is_exclusive) : comm_(call.comm) {
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(comm_, &rank);
    PMPI_Comm_size(comm_, &ranks);
    const bool has_root = call.root != Arguments::no_root, is_root = call.root == rank;
    const auto own = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);
    const auto add_blocks = [&](const interposition::Counts& displacements) {
        for (std::size_t i = 0; i < all; ++i)
            add(call.recvbuf, displacements[i], call.recvcounts[i], call.recvtype);
    };
    switch (shape) {
        case Shape::nothing:
        case Shape::neighbours:
        case Shape::rows_of_types:
            break;
        case Shape::vector:
            if (call.op == MPI_OP_NULL) {  // MPI_Bcast
                add(call.buffer, 0, call.count, call.datatype);
                break;
            }
            if (has_root && !is_root) break;
            add(call.recvbuf, 0, call.count, call.datatype);
            // Rank 0 has no exclusive prefix.
            if (is_exclusive && rank == 0) return;
            break;
        case Shape::gathered:
            if (is_root) add_all(call.recvbuf, call.recvcount, call.recvtype, ranks);
            break;
        case Shape::received:
            add_all(call.recvbuf, call.recvcount, call.recvtype, ranks);
            break;
        case Shape::scattered:
        case Shape::scattered_blocks:
            if (call.recvbuf != MPI_IN_PLACE) add(call.recvbuf, 0, call.recvcount, call.recvtype);
            break;
        case Shape::gathered_blocks:
            if (!is_root) break;
            [[fallthrough]];
        case Shape::received_blocks:
            add_blocks(call.displs);
            break;
        case Shape::rows:
            add_blocks(call.rdispls);
            break;
        case Shape::reduced_block:
        case Shape::reduced_blocks: {
            const auto count_of = [&](std::size_t i) {
                return shape == Shape::reduced_block ? call.recvcount : call.recvcounts[i];
            };
            add(call.recvbuf, 0, count_of(own), call.datatype);
            defined_ = pieces_.size();
            if (!call.is_in_place()) return;
            // The rest of the buffer has operands.
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < all; ++i) sum += count_of(i);
            add(call.recvbuf, count_of(own), sum - count_of(own), call.datatype);
            return;
        }
    }
    defined_ = pieces_.size();
}

void Received::add(const void* buffer, std::int64_t displacement, std::int64_t count,
                   MPI_Datatype type) {
    if (count == 0) return;
    MPI_Aint lower_bound = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower_bound, &extent);
    // MPI_BOTTOM may be null, and null pointers must not be moved.
    const auto address =
        reinterpret_cast<std::uintptr_t>(buffer) +
        static_cast<std::uintptr_t>(displacement * static_cast<std::int64_t>(extent));
    pieces_.push_back({reinterpret_cast<void*>(address), count, type});
}

void Received::add_all(const void* buffer, std::int64_t count, MPI_Datatype type, int blocks) {
    for (int i = 0; i < blocks; ++i) add(buffer, i * count, count, type);
}

std::string Received::packed(std::size_t first, std::size_t pieces) const {
    std::string all;
    for (std::size_t i = first; i < pieces; ++i) {
        const Piece& piece = pieces_[i];
        std::string part(static_cast<std::size_t>(packed_bytes(piece.count, piece.type, comm_)),
                         '\0');
        int position = 0;
        const Packable from(piece.address, static_cast<int>(piece.count), piece.type);
        PMPI_Pack(from.data, from.count, from.type, part.data(), static_cast<int>(part.size()),
                  &position, comm_);
        all += part;
    }
    return all;
}

std::string Received::contents() const {
    return packed(0, pieces_.size());
}

std::string Received::result() const {
    return packed(0, defined_);
}

void Received::restore(const std::string& contents) const {
    std::size_t at = 0;
    for (const Piece& piece : pieces_) {
        const int bytes = packed_bytes(piece.count, piece.type, comm_);
        int position = 0;
        const Packable into(piece.address, static_cast<int>(piece.count), piece.type);
        PMPI_Unpack(contents.data() + at, bytes, &position, into.data, into.count, into.type,
                    comm_);
        at += static_cast<std::size_t>(bytes);
    }
}

}  // namespace mpiaudit::repairer
