// SPDX-License-Identifier: BSD-3-Clause
#include "calls/functions.h"

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "operations/functions_by_name.h"

namespace mpiaudit::calls {
namespace {

template <std::size_t row>
constexpr bool has_byte_displacements =
    mpi_operations[row].takes("sendtypes") && mpi_operations[row].is_among_neighbours();

template <bool is_large>
auto counts_of(const SideArguments& side, const std::vector<MPI_Count>& large) {
    if constexpr (is_large)
        return large.data();
    else
        return side.counts.data();
}

/// MPI_Alltoallw takes displacements in bytes of type int, MPI_Neighbor_alltoallw of type MPI_Aint.
template <std::size_t row, bool is_large>
auto displacements_of(const SideArguments& side, const std::vector<MPI_Aint>& large) {
    if constexpr (is_large)
        return large.data();
    else if constexpr (has_byte_displacements<row>)
        return side.displacements_bytes.data();
    else
        return side.displacements.data();
}

template <std::size_t row, bool is_large, std::size_t k>
auto argument(const Arguments& a) {
    constexpr MpiOperation operation = mpi_operations[row];
    constexpr std::string_view name = operation.argument(k);
    using CountType = std::conditional_t<is_large, MPI_Count, int>;
    // The side that has the blocks of all ranks.
    constexpr bool blocks_are_sent = operation.takes("sendcounts");
    const SideArguments& blocks = blocks_are_sent ? a.sent : a.received;
    if constexpr (name == "sendbuf")
        return static_cast<const void*>(a.sent.buffer);
    else if constexpr (name == "recvbuf" || name == "buffer")
        return a.received.buffer;
    else if constexpr (name == "count")
        return CountType{operation.is_reduction() ? a.sent.count : a.received.count};
    else if constexpr (name == "sendcount")
        return CountType{a.sent.count};
    else if constexpr (name == "recvcount")
        return CountType{a.received.count};
    else if constexpr (name == "sendcounts")
        return counts_of<is_large>(a.sent, a.large.sent_counts);
    else if constexpr (name == "recvcounts")
        return counts_of<is_large>(a.received, a.large.received_counts);
    else if constexpr (name == "displs")
        return displacements_of<row, is_large>(
            blocks, blocks_are_sent ? a.large.sent_displacements : a.large.received_displacements);
    else if constexpr (name == "sdispls")
        return displacements_of<row, is_large>(a.sent, a.large.sent_displacements);
    else if constexpr (name == "rdispls")
        return displacements_of<row, is_large>(a.received, a.large.received_displacements);
    else if constexpr (name == "recvtype")
        return a.received.type;
    else if constexpr (name == "sendtype")
        return a.sent.type;
    else if constexpr (name == "datatype")
        return operation.is_reduction() ? a.sent.type : a.received.type;
    else if constexpr (name == "sendtypes")
        return a.sent.types.data();
    else if constexpr (name == "recvtypes")
        return a.received.types.data();
    else if constexpr (name == "op")
        return a.op;
    else {
        static_assert(name == "root", "an argument of a row that no call can be given");
        return a.root;
    }
}

/// Calls `function` with the arguments of the row, the communicator and what comes behind it.
template <std::size_t row, bool is_large, class Function, class... Last>
int invoke(Function function, const Arguments& arguments, Last... last) {
    constexpr std::size_t number = mpi_operations[row].argument_count();
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
        return function(argument<row, is_large, k>(arguments)..., arguments.comm, last...);
    }
    (std::make_index_sequence<number>{});
}

struct Functions {
    int (*blocking)(const Arguments&) = nullptr;
    int (*large_count)(const Arguments&) = nullptr;
    int (*nonblocking)(const Arguments&, MPI_Request*) = nullptr;
    int (*persistent)(const Arguments&, MPI_Request*) = nullptr;
};

/// Adds the functions that the library has among those that some libraries lack.
template <std::size_t row>
void add_functions_by_name(Functions& made) {
    constexpr MpiOperation operation = mpi_operations[row];
    using LargeCount = typename SignaturesOf<row>::LargeCount;
    using Persistent = typename SignaturesOf<row>::Persistent;
    static const auto large_count =
        reinterpret_cast<LargeCount>(large_count_function(operation.name).function);
    static const auto persistent =
        reinterpret_cast<Persistent>(persistent_function(operation.name).function);
    if constexpr (std::get<row>(operation_table::rows).functions.has_large_counts) {
        if (large_count != nullptr)
            made.large_count = [](const Arguments& a) { return invoke<row, true>(large_count, a); };
    }
    if (persistent != nullptr)
        made.persistent = [](const Arguments& a, MPI_Request* request) {
            return invoke<row, false>(persistent, a, MPI_INFO_NULL, request);
        };
}

template <std::size_t row>
Functions functions_of_row() {
    constexpr const auto& functions = std::get<row>(operation_table::rows).functions;
    Functions made;
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(functions.blocking)>>) {
        made.blocking = [](const Arguments& a) {
            return invoke<row, false>(functions.blocking, a);
        };
        made.nonblocking = [](const Arguments& a, MPI_Request* request) {
            return invoke<row, false>(functions.nonblocking, a, request);
        };
        add_functions_by_name<row>(made);
    }
    return made;
}

const std::array<Functions, operation_count>& functions() {
    static const auto all = []<std::size_t... row>(std::index_sequence<row...>) {
        return std::array{functions_of_row<row>()...};
    }
    (std::make_index_sequence<operation_count>{});
    return all;
}

}  // namespace

void Arguments::widen() {
    large.sent_counts.assign(sent.counts.begin(), sent.counts.end());
    large.received_counts.assign(received.counts.begin(), received.counts.end());
    large.sent_displacements.assign(sent.displacements.begin(), sent.displacements.end());
    large.received_displacements.assign(received.displacements.begin(),
                                        received.displacements.end());
}

bool Arguments::has_same_arrays_as(const Arguments& before) const {
    return sent == before.sent && received == before.received &&
           large.sent_counts == before.large.sent_counts &&
           large.received_counts == before.large.received_counts &&
           large.sent_displacements == before.large.sent_displacements &&
           large.received_displacements == before.large.received_displacements;
}

int call_blocking(std::size_t operation, const Arguments& arguments) {
    return functions()[operation].blocking(arguments);
}

int call_large_count(std::size_t operation, const Arguments& arguments) {
    return functions()[operation].large_count(arguments);
}

int start_nonblocking(std::size_t operation, const Arguments& arguments, MPI_Request* request) {
    return functions()[operation].nonblocking(arguments, request);
}

int initialise_persistent(std::size_t operation, const Arguments& arguments, MPI_Request* request) {
    return functions()[operation].persistent(arguments, request);
}

bool has_persistent() {
    return functions().front().persistent != nullptr;
}

bool has_large_counts() {
    return functions().front().large_count != nullptr;
}

}  // namespace mpiaudit::calls
