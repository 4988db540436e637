// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "catalogue/operation_arrows.h"
#include "catalogue/variant.h"
#include "messages/messages.h"
#include "messages/under_test.h"

// Several calls as a member function. What they need is read from their text. Programs that show a
// finding have the same calls (code/pasted_uses.cpp).
namespace mpiaudit::written {

/// A function of MPI whose code is looked at. A member with the same name hides the function, so
/// that the written calls need no word around each call.
template <auto& function>
struct Checked {
    template <class... Arguments>
    void operator()(Arguments... arguments) const {
        under_test::look_at(function(arguments...));
    }
};

/// A function that starts an operation. The request of a refused operation is null: MPICH 4.0 waits
/// for ever for other requests.
template <auto& function>
struct Started {
    template <class... Arguments>
    void operator()(Arguments... arguments) const {
        MPI_Request* const request = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
        const int code = function(arguments...);
        under_test::look_at(code);
        if (code != MPI_SUCCESS) *request = MPI_REQUEST_NULL;
    }
};

/// The variables of written calls on this rank, by the names that they have in programs.
struct Variables {
    Variables(const Instance& instance, const Place& from, const Place& result);
    /// Allocates `tmp`. \param bytes `none` on ranks that need no memory
    void allocate(const Instance& instance, std::size_t bytes);
    /// Makes lists by which the root gets or gives all elements.
    void make_root_lists();
    /// Makes lists by which a rank gets `count` elements from each rank.
    void make_received_lists();
    void make_requests();

    static constexpr Checked<::MPI_Allgather> MPI_Allgather{};
    static constexpr Checked<::MPI_Allgatherv> MPI_Allgatherv{};
    static constexpr Checked<::MPI_Alltoall> MPI_Alltoall{};
    static constexpr Checked<::MPI_Alltoallv> MPI_Alltoallv{};
    static constexpr Checked<::MPI_Bcast> MPI_Bcast{};
    static constexpr Checked<::MPI_Gather> MPI_Gather{};
    static constexpr Checked<::MPI_Recv> MPI_Recv{};
    static constexpr Checked<::MPI_Reduce> MPI_Reduce{};
    static constexpr Checked<::MPI_Reduce_scatter> MPI_Reduce_scatter{};
    static constexpr Checked<::MPI_Scan> MPI_Scan{};
    static constexpr Checked<::MPI_Scatter> MPI_Scatter{};
    static constexpr Checked<::MPI_Send> MPI_Send{};
    static constexpr Checked<::MPI_Sendrecv> MPI_Sendrecv{};
    static constexpr Checked<::MPI_Waitall> MPI_Waitall{};
    static constexpr Started<::MPI_Ibcast> MPI_Ibcast{};
    static constexpr Started<::MPI_Iscatterv> MPI_Iscatterv{};
    // Empty vectors may have null pointers, which these functions must not get.
    static void MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type,
                                 MPI_Op op) {
        if (count > 0) under_test::look_at(::MPI_Reduce_local(in, inout, count, type, op));
    }
    static void memcpy(void* to, const void* from, std::size_t bytes) {
        if (bytes > 0) messages::copy(to, from, bytes);
    }

    std::size_t of_all_ranks(std::size_t bytes_of_each) const {
        return static_cast<std::size_t>(p) * bytes_of_each;
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    MPI_Comm comm, all_but_rank_0 = MPI_COMM_NULL;
    int rank, p, root;
    const std::byte* sendbuf;
    std::byte *recvbuf, *buffer, *own_block_in_recvbuf, *tmp = nullptr, *copies = nullptr;
    MPI_Datatype type;
    MPI_Op op;
    int count;     ///< elements of the own block
    int elements;  ///< of a vector
    std::size_t extent, block_bytes, bytes;
    /// The blocks of all ranks, of the contribution to a reduction or else of the result.
    const int *counts, *displs;
    const int *sendcounts, *sdispls, *recvcounts, *rdispls;
    const int *root_counts = nullptr, *root_displs = nullptr;
    MPI_Request* requests = nullptr;

  private:
    /// Calls are copied between samples, and share their memory.
    std::shared_ptr<std::byte> memory_;
    std::shared_ptr<std::vector<int>> lists_;
    std::shared_ptr<std::vector<MPI_Request>> own_requests_;
};

/// Returns a block of C without its braces.
constexpr std::string_view inside_block(std::string_view block) {
    return block.substr(2, block.size() - 4);
}

/// Prepares written calls: a type with the call operator, its text `code` and the size of `tmp`.
template <class Calls>
Step prepare(const Instance& instance, const Place& from, Layout to) {
    constexpr auto uses = [](std::string_view word) {
        return Calls::code.find(word) != std::string_view::npos;
    };
    Place result = instance.target(to);
    Calls calls{Variables(instance, from, result)};
    calls.allocate(instance, calls.tmp_bytes());
    if (uses("root_counts")) calls.make_root_lists();
    if (uses("rdispls") && from.layout.holding == Holding::contributed) calls.make_received_lists();
    if (uses("requests")) calls.make_requests();
    if (uses("copies"))
        calls.copies = instance.workspace.target({Holding::outgoing, to.padded}).data;
    if (uses("all_but_rank_0")) calls.all_but_rank_0 = communicator_without_first(instance.comm);
    if (uses("buffer")) result.data = calls.buffer;
    return {calls, result};
}

}  // namespace mpiaudit::written

/// Defines a type for written::prepare(). Only the preprocessor can make code and its text of one
/// source. \param tmp the bytes of `tmp` on this rank \param ... the calls, as a block of C
#define MPIAUDIT_WRITTEN_CALLS(Name, tmp, ...)                                        \
    struct Name : written::Variables {                                                \
        static constexpr std::string_view code = written::inside_block(#__VA_ARGS__); \
        std::size_t tmp_bytes() const { return tmp; }                                 \
        void operator()() const __VA_ARGS__                                           \
    };
