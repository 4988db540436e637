// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhoods where everybody around is a neighbour, on a torus of two dimensions: blocks go
// along the rows first, and on along the columns with those that are for the same rank of another
// row. So 4 messages take the place of 8. J. L. Träff, A. Carpen-Amarie, S. Hunold, A. Rougier,
// Message-combining algorithms for isomorphic, sparse collective communication, 2016.
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "catalogue/operation_arrows.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

constexpr int moore_tag = 3;

/// The blocks of the neighbours, row by row, as the graph has them.
enum Around : std::size_t {
    north_west,
    north,
    north_east,
    west,
    east,
    south_west,
    south,
    south_east
};

/// A row of three blocks.
constexpr std::size_t row_of_blocks = 3;

/// What a rank exchanges with two opposite neighbours, in equal messages.
struct OppositeExchange {
    MPI_Comm comm;
    MPI_Datatype type;
    int count;
    std::array<int, 2> neighbours;

    void operator()(const std::byte* to_first, const std::byte* to_second, std::byte* from_first,
                    std::byte* from_second) const {
        std::array<MPI_Request, 4> requests{};
        look_at(
            MPI_Irecv(from_first, count, type, neighbours[0], moore_tag, comm, requests.data()));
        look_at(MPI_Irecv(from_second, count, type, neighbours[1], moore_tag, comm, &requests[1]));
        look_at(MPI_Isend(to_first, count, type, neighbours[0], moore_tag, comm, &requests[2]));
        look_at(MPI_Isend(to_second, count, type, neighbours[1], moore_tag, comm, &requests[3]));
        look_at(
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    }
};

OppositeExchange exchange_with(const Instance& instance, const Place& from, Around first,
                               Around second, int blocks) {
    const std::span<const int> around =
        instance.problem().graph->sources[static_cast<std::size_t>(instance.rank())];
    return {instance.comm,
            from.type,
            blocks * narrow(instance.problem().largest()),
            {around[first], around[second]}};
}

void copy_block(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
}

/// The own block goes to the left and to the right, then the three of a row up and down.
Step allgather_by_dimensions(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const std::size_t bytes = static_cast<std::size_t>(from.counts.front()) * from.extent;
    const OppositeExchange along_row = exchange_with(instance, from, west, east, 1);
    const OppositeExchange along_column =
        exchange_with(instance, from, north, south, row_of_blocks);
    const auto row = instance.workspace.scratch(row_of_blocks * bytes);
    return {[=] {
                along_row(from.data, from.data, result.block(west), result.block(east));
                copy_block(row.get(), result.block(west), bytes);
                copy_block(row.get() + bytes, from.data, bytes);
                copy_block(row.get() + 2 * bytes, result.block(east), bytes);
                along_column(row.get(), row.get(), result.block(north_west),
                             result.block(south_west));
            },
            result};
}

/// Rows of three blocks, what is for the row above first.
struct RowsOfBlocks {
    std::shared_ptr<std::byte> to_west, to_east, from_west, from_east, to_north, to_south;
    RowsOfBlocks(const Workspace& workspace, std::size_t bytes) {
        for (auto* each : {&to_west, &to_east, &from_west, &from_east, &to_north, &to_south})
            *each = workspace.scratch(row_of_blocks * bytes);
    }
};

/// What is for the ranks to the left goes to the left one, for those to the right to the right one,
/// which pass on what is not theirs with what they have for the rows above and below.
Step alltoall_by_dimensions(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const std::size_t bytes = static_cast<std::size_t>(instance.problem().largest()) * from.extent;
    const OppositeExchange along_row = exchange_with(instance, from, west, east, row_of_blocks);
    const OppositeExchange along_column =
        exchange_with(instance, from, north, south, row_of_blocks);
    const RowsOfBlocks all(instance.workspace, bytes);
    const auto collect = [=](const std::shared_ptr<std::byte>& row,
                             const std::array<const std::byte*, row_of_blocks>& blocks) {
        for (std::size_t k = 0; k < row_of_blocks; ++k)
            copy_block(row.get() + k * bytes, blocks[k], bytes);
    };
    return {[=] {
                const auto third = [&](const std::shared_ptr<std::byte>& row, std::size_t k) {
                    return row.get() + k * bytes;
                };
                collect(all.to_west,
                        {from.block(north_west), from.block(west), from.block(south_west)});
                collect(all.to_east,
                        {from.block(north_east), from.block(east), from.block(south_east)});
                along_row(all.to_west.get(), all.to_east.get(), all.from_west.get(),
                          all.from_east.get());
                copy_block(result.block(west), third(all.from_west, 1), bytes);
                copy_block(result.block(east), third(all.from_east, 1), bytes);
                collect(all.to_north,
                        {third(all.from_west, 0), from.block(north), third(all.from_east, 0)});
                collect(all.to_south,
                        {third(all.from_west, 2), from.block(south), third(all.from_east, 2)});
                along_column(all.to_north.get(), all.to_south.get(), result.block(north_west),
                             result.block(south_west));
            },
            result};
}

}  // namespace

std::vector<Arrow> moore_arrows() {
    constexpr auto summary = "along the rows first, then along the columns, in 4 messages";
    const auto row = [&](const char* name, Holding from, Holding to, Prepare prepare) {
        return Arrow{name, "neighbor", Kind::variant, from,
                     to,   summary,    prepare,       equal_blocks | moore_torus};
    };
    return {
        row("MPI_Neighbor_allgather[by dimensions]", scattered, neighbouring,
            allgather_by_dimensions),
        row("MPI_Neighbor_alltoall[by dimensions]", outgoing_edges, incoming_edges,
            alltoall_by_dimensions),
    };
}

}  // namespace mpiaudit
