// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "collectives/moved_blocks.h"
#include "world.h"
#include "zero_copy/zero_copy.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit::test {
namespace {

// The second call finds the result of the first in the receive buffer, so it is the same operation
// only if the input is not in place.

int use_and_free(PersistentAlltoall* handle, const void* sendbuf) {
    for (int use = 0; use < (sendbuf == MPI_IN_PLACE ? 1 : 2); ++use) {
        persBruck_Alltoall_start(handle);
        persBruck_Alltoall_wait(handle);
    }
    return persBruck_Alltoall_free(&handle);
}

int persBruck_twice(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    PersistentAlltoall* handle = nullptr;
    persBruck_Alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                            &handle);
    return use_and_free(handle, sendbuf);
}

int persBruckV_twice(const void* sendbuf, const int sendcounts[], const int sdispls[],
                     MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    PersistentAlltoall* handle = nullptr;
    persBruckV_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                              recvtype, comm, &handle);
    return use_and_free(handle, sendbuf);
}

std::vector<Tested> with_papers(std::string_view operation, const Tested& persistent) {
    join_algorithms(zero_copy_algorithms());
    return algorithms_of(operation, {persistent});
}
const std::vector<Tested>& regular() {
    static const std::vector<Tested> all =
        with_papers("MPI_Alltoall", {"persBruck", "MPI_Alltoall", persBruck_twice});
    return all;
}
const std::vector<Tested>& irregular() {
    static const std::vector<Tested> all = [] {
        auto made = with_papers("MPI_Alltoallv", {"persBruckV", "MPI_Alltoallv", persBruckV_twice});
        made.emplace_back("zeroBruckW", "MPI_Alltoallw", zeroBruckW_Alltoallw);
        return made;
    }();
    return all;
}

std::vector<const ElementKind*> kinds() {
    return element_kinds(
        {"int", "double", "contiguous", "vector with holes", "padded struct", "vector to ints",
         "ints to interleaved columns", "offset to contiguous", "int to offset",
         "struct to reversed struct", "vector and contiguous on alternate ranks",
         "ints and vector on alternate ranks", "pairs and two pairs on alternate ranks"});
}

struct Distribution {
    const char* name;
    std::function<int(int from, int to)> items;
    bool is_symmetric;  ///< as MPI_IN_PLACE needs
};

std::vector<Distribution> distributions(int p) {
    return {
        {"equal", [](int, int) { return 3; }, true},
        {"nothing", [](int, int) { return 0; }, true},
        {"irregular", [](int i, int j) { return (3 * i + 5 * j) % 4; }, false},
        {"symmetric", [](int i, int j) { return (i + j) * i * j % 5; }, true},
        {"one sender", [=](int i, int j) { return i == p - 1 ? j + 1 : 0; }, false},
        {"one receiver", [](int i, int j) { return j == 0 ? i % 3 : 0; }, false},
        {"one large", [=](int i, int j) { return i == p / 2 && j == p - 1 ? 200 : 1; }, false},
        {"to itself", [](int i, int j) { return i == j ? i : 0; }, true},
    };
}

/// Blocks lie in falling order of the ranks and with gaps.
void check_irregular(const ElementKind& kind, const Distribution& of, bool is_in_place,
                     MPI_Comm comm = MPI_COMM_WORLD) {
    for (const Tested& each : irregular())
        check(each, {&kind, of.name, of.items, 0, Placing::reversed_with_gaps, is_in_place}, comm);
}

TEST(Alltoall, moves_all_datatypes_and_counts) {
    for (const ElementKind* const kind : kinds())
        for (const Tested& each : regular())
            for (const int count : {0, 1, 3, 100})
                for (const bool is_in_place : {false, true})
                    check(each, {kind, "equal", [=](int, int) { return count; }, 0,
                                 Placing::contiguous, is_in_place});
}

TEST(Alltoallv, moves_all_datatypes_and_distributions) {
    for (const ElementKind* const kind : kinds())
        for (const Distribution& each : distributions(ranks_of_world())) {
            check_irregular(*kind, each, false);
            if (each.is_symmetric) check_irregular(*kind, each, true);
        }
}

/// Uses communicators of the last 1, 2, ... ranks in descending order; the other ranks wait.
TEST(Alltoall, moves_all_blocks_on_many_ranks) {
    if (ranks_of_world() < 17) return;
    const ElementKind& pairs = element_kind("pairs and two pairs on alternate ranks");
    for (int size = 1; size <= ranks_of_world(); ++size) {
        const bool is_member = own_rank() >= ranks_of_world() - size;
        MPI_Comm members = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, is_member ? 0 : MPI_UNDEFINED, -own_rank(), &members);
        if (is_member) {
            for (const Tested& each : regular())
                for (const ElementKind* const kind : {&element_kind("int"), &pairs})
                    check(each, {kind, "equal", [](int, int) { return 1; }}, members);
            for (const Distribution& each : distributions(size))
                if (!each.is_symmetric) check_irregular(pairs, each, false, members);
            MPI_Comm_free(&members);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

}  // namespace
}  // namespace mpiaudit::test
