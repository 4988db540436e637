// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

#include "operations/layout.h"

namespace mpiaudit {

/// The arguments of an operation that give the size of its problem, and the ranks that know them.
enum class Shape {
    nothing,           ///< no data
    vector,            ///< count elements, the same number on all ranks
    gathered,          ///< equal blocks; the root knows recvcount, other ranks sendcount
    scattered,         ///< equal blocks; the root knows sendcount, other ranks recvcount
    received,          ///< equal blocks of recvcount elements, which all ranks know
    gathered_blocks,   ///< blocks of different sizes; the root knows recvcounts
    scattered_blocks,  ///< blocks of different sizes; the root knows sendcounts
    received_blocks,   ///< blocks of different sizes; all ranks know recvcounts
    reduced_block,     ///< recvcount elements of the result for each rank
    reduced_blocks,    ///< different numbers of elements; all ranks know recvcounts
    rows,              ///< each rank knows the blocks that it sends and receives
    rows_of_types,     ///< as rows, with a type for each block
    neighbours         ///< blocks along the edges of a topology
};

/// The size that all ranks of a call know.
enum class KnownSize {
    nothing,
    block,  ///< the bytes of each block, or of the vector
    blocks  ///< the bytes of all blocks
};

/// The buffer argument for which a call may pass MPI_IN_PLACE.
enum class InPlace { nowhere, everywhere, sent_by_root, received_by_root };

/// A collective operation of MPI.
struct MpiOperation {
    std::string_view name;  ///< MPI_Gather
    Shape shape;
    InPlace in_place;
    std::string_view collective;  ///< the family, and the folder of its algorithms
    Holding from, to;             ///< layouts before and after the call
    std::string_view
        arguments;  ///< names of the arguments in the standard, without the communicator
    std::string_view summary;

    constexpr bool takes(std::string_view argument) const {
        for (std::size_t at = arguments.find(argument); at != std::string_view::npos;
             at = arguments.find(argument, at + 1)) {
            const std::size_t end = at + argument.size();
            if ((at == 0 || arguments[at - 1] == ' ') &&
                (end == arguments.size() || arguments[end] == ','))
                return true;
        }
        return false;
    }
    constexpr std::size_t argument_count() const {
        std::size_t count = arguments.empty() ? 0 : 1;
        for (const char c : arguments) count += c == ',' ? 1 : 0;
        return count;
    }
    /// The name of argument `k`, counted from 0.
    constexpr std::string_view argument(std::size_t k) const {
        std::string_view left = arguments;
        for (; k > 0; --k) left.remove_prefix(left.find(", ") + 2);
        return left.substr(0, left.find(','));
    }
    constexpr bool has_root() const { return takes("root"); }
    constexpr bool is_reduction() const { return takes("op"); }
    /// True if blocks may differ in size. Other operations have equal blocks, a vector or no data.
    constexpr bool is_irregular() const { return takes("recvcounts") || takes("sendcounts"); }
    constexpr bool is_among_neighbours() const { return shape == Shape::neighbours; }
    constexpr KnownSize known_size() const { return size().known; }
    /// True if the data can be split over several calls: a vector, or blocks with displacements.
    /// Equal blocks and MPI_Reduce_scatter cannot.
    constexpr bool has_parts() const { return size().has_parts; }

  private:
    struct Size {
        KnownSize known;
        bool has_parts;
    };
    constexpr Size size() const {
        switch (shape) {
            case Shape::vector:
                return {KnownSize::block, true};
            case Shape::gathered:
            case Shape::scattered:
            case Shape::received:
            case Shape::reduced_block:
                return {KnownSize::block, false};
            case Shape::received_blocks:
                return {KnownSize::blocks, true};
            case Shape::reduced_blocks:
                return {KnownSize::blocks, false};
            case Shape::gathered_blocks:
            case Shape::scattered_blocks:
            case Shape::rows:
                return {KnownSize::nothing, true};
            case Shape::nothing:
            case Shape::rows_of_types:
            case Shape::neighbours:
                break;
        }
        return {KnownSize::nothing, false};
    }
};

/// The functions of an operation that every library has. A null pointer of type std::nullptr_t
/// stands for a function that the simulator lacks.
template <class Blocking, class Profiled, class Nonblocking>
struct MpiFunctions {
    std::string_view name;
    bool has_large_counts;  ///< whether guidelines use MPI_Gather_c, with counts of type MPI_Count
    Blocking blocking;
    Profiled profiled;  ///< PMPI_Gather
    Nonblocking nonblocking;
};

// Clang 16 cannot deduce the template arguments of an aggregate.
template <class... Types>
MpiFunctions(std::string_view, bool, Types...) -> MpiFunctions<Types...>;

template <class Functions>
struct OperationRow {
    Functions functions;
    MpiOperation operation;
};

template <class Functions>
constexpr OperationRow<Functions> operation_row(Functions functions, Shape shape, InPlace in_place,
                                                std::string_view collective, Holding from,
                                                Holding to, std::string_view arguments,
                                                std::string_view summary) {
    return {functions, {functions.name, shape, in_place, collective, from, to, arguments, summary}};
}

// Functions that some libraries lack are found by name: see functions_by_name.h. SMPI declares
// neighbourhood collectives but does not define them.
#define MPIAUDIT_NAMED_FUNCTIONS(Name, name, has_large_counts)                  \
    MpiFunctions {                                                              \
        "MPI_" #Name, has_large_counts, &MPI_##Name, &PMPI_##Name, &MPI_I##name \
    }
#define MPIAUDIT_FUNCTIONS(Name, name) MPIAUDIT_NAMED_FUNCTIONS(Name, name, true)
#define MPIAUDIT_FUNCTIONS_WITHOUT_C(Name, name) MPIAUDIT_NAMED_FUNCTIONS(Name, name, false)
#if defined(SMPI_H)
#define MPIAUDIT_NEIGHBOR_FUNCTIONS(Name, name)        \
    MpiFunctions {                                     \
        "MPI_" #Name, false, nullptr, nullptr, nullptr \
    }
#else
#define MPIAUDIT_NEIGHBOR_FUNCTIONS(Name, name) MPIAUDIT_FUNCTIONS_WITHOUT_C(Name, name)
#endif

namespace operation_table {
using enum Holding;
using enum InPlace;

/// The operations, in the order of every list. cmake/interposition.cmake also reads function names,
/// shape and arguments of these rows.
// clang-format off
inline constexpr std::tuple rows{
    operation_row(MPIAUDIT_FUNCTIONS(Gather, gather), Shape::gathered, sent_by_root, "gather", scattered, rooted,
        "sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root",
        "the library's gather of equal blocks"),
    operation_row(MPIAUDIT_FUNCTIONS(Gatherv, gatherv), Shape::gathered_blocks, sent_by_root, "gather", scattered, rooted,
        "sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root",
        "the library's gather of blocks of any size"),
    operation_row(MPIAUDIT_FUNCTIONS(Scatter, scatter), Shape::scattered, received_by_root, "scatter", rooted, scattered,
        "sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root",
        "the library's scatter of equal blocks"),
    operation_row(MPIAUDIT_FUNCTIONS(Scatterv, scatterv), Shape::scattered_blocks, received_by_root, "scatter", rooted, scattered,
        "sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root",
        "the library's scatter of blocks of any size"),
    operation_row(MPIAUDIT_FUNCTIONS(Allgather, allgather), Shape::received, everywhere, "allgather", scattered, replicated,
        "sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype",
        "the library's allgather of equal blocks"),
    operation_row(MPIAUDIT_FUNCTIONS(Allgatherv, allgatherv), Shape::received_blocks, everywhere, "allgather", scattered, replicated,
        "sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype",
        "the library's allgather of blocks of any size"),
    operation_row(MPIAUDIT_FUNCTIONS(Alltoall, alltoall), Shape::received, everywhere, "alltoall", outgoing, incoming,
        "sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype",
        "the library's exchange of equal blocks between all ranks"),
    operation_row(MPIAUDIT_FUNCTIONS(Alltoallv, alltoallv), Shape::rows, everywhere, "alltoall", outgoing, incoming,
        "sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype",
        "the library's exchange of blocks of any size"),
    operation_row(MPIAUDIT_FUNCTIONS_WITHOUT_C(Alltoallw, alltoallw), Shape::rows_of_types, everywhere, "alltoall", outgoing, incoming,
        "sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes",
        "the library's exchange of blocks of any size and type"),
    operation_row(MPIAUDIT_FUNCTIONS(Bcast, bcast), Shape::vector, nowhere, "bcast", rooted, replicated,
        "buffer, count, datatype, root",
        "the library's broadcast"),
    operation_row(MPIAUDIT_FUNCTIONS(Reduce, reduce), Shape::vector, sent_by_root, "reduce", contributed, rooted,
        "sendbuf, recvbuf, count, datatype, op, root",
        "the library's reduction to the root"),
    operation_row(MPIAUDIT_FUNCTIONS(Allreduce, allreduce), Shape::vector, everywhere, "allreduce", contributed, replicated,
        "sendbuf, recvbuf, count, datatype, op",
        "the library's reduction to all ranks"),
    operation_row(MPIAUDIT_FUNCTIONS(Reduce_scatter_block, reduce_scatter_block), Shape::reduced_block, everywhere, "reduce_scatter", contributed, scattered,
        "sendbuf, recvbuf, recvcount, datatype, op",
        "the library's reduction scattered in equal blocks"),
    operation_row(MPIAUDIT_FUNCTIONS(Reduce_scatter, reduce_scatter), Shape::reduced_blocks, everywhere, "reduce_scatter", contributed, scattered,
        "sendbuf, recvbuf, recvcounts, datatype, op",
        "the library's reduction scattered in blocks of any size"),
    operation_row(MPIAUDIT_FUNCTIONS(Scan, scan), Shape::vector, everywhere, "scan", contributed, prefixed,
        "sendbuf, recvbuf, count, datatype, op",
        "the library's inclusive prefix reduction"),
    operation_row(MPIAUDIT_FUNCTIONS(Exscan, exscan), Shape::vector, everywhere, "scan", contributed, exclusively_prefixed,
        "sendbuf, recvbuf, count, datatype, op",
        "the library's exclusive prefix reduction"),
    operation_row(MPIAUDIT_FUNCTIONS_WITHOUT_C(Barrier, barrier), Shape::nothing, nowhere, "barrier", apart, together,
        "",
        "the library's barrier"),
    operation_row(MPIAUDIT_NEIGHBOR_FUNCTIONS(Neighbor_allgather, neighbor_allgather), Shape::neighbours, nowhere, "neighbor", scattered, neighbouring,
        "sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype",
        "every rank gets equal blocks of its neighbours"),
    operation_row(MPIAUDIT_NEIGHBOR_FUNCTIONS(Neighbor_allgatherv, neighbor_allgatherv), Shape::neighbours, nowhere, "neighbor", scattered, neighbouring,
        "sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype",
        "every rank gets blocks of any size of its neighbours"),
    operation_row(MPIAUDIT_NEIGHBOR_FUNCTIONS(Neighbor_alltoall, neighbor_alltoall), Shape::neighbours, nowhere, "neighbor", outgoing_edges, incoming_edges,
        "sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype",
        "neighbours exchange equal blocks"),
    operation_row(MPIAUDIT_NEIGHBOR_FUNCTIONS(Neighbor_alltoallv, neighbor_alltoallv), Shape::neighbours, nowhere, "neighbor", outgoing_edges, incoming_edges,
        "sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype",
        "neighbours exchange blocks of any size"),
    operation_row(MPIAUDIT_NEIGHBOR_FUNCTIONS(Neighbor_alltoallw, neighbor_alltoallw), Shape::neighbours, nowhere, "neighbor", outgoing_edges, incoming_edges,
        "sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes",
        "neighbours exchange blocks of any type"),
};
// clang-format on

}  // namespace operation_table

#undef MPIAUDIT_NAMED_FUNCTIONS
#undef MPIAUDIT_FUNCTIONS
#undef MPIAUDIT_FUNCTIONS_WITHOUT_C
#undef MPIAUDIT_NEIGHBOR_FUNCTIONS

inline constexpr std::size_t operation_count =
    std::tuple_size_v<std::remove_const_t<decltype(operation_table::rows)>>;

/// The rows without their functions.
inline constexpr std::array<MpiOperation, operation_count> mpi_operations = std::apply(
    [](const auto&... row) { return std::array{row.operation...}; }, operation_table::rows);

/// Returns null if there is no operation of this name. \param name MPI_Gather
const MpiOperation* find_mpi_operation(std::string_view name);

/// Returns MPI_Igather for MPI_Gather.
std::string nonblocking_name(std::string_view blocking);

}  // namespace mpiaudit
