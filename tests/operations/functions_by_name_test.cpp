// SPDX-License-Identifier: BSD-3-Clause
#include "operations/functions_by_name.h"

#include <gtest/gtest.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

// Of newer_mpi.cpp.
extern "C" {
int MPI_Both_init();
int MPIX_Older_init();
int MPI_Newer_c();
}

namespace mpiaudit {
namespace {

AnyFunction any_function(int (*function)()) {
    return reinterpret_cast<AnyFunction>(function);
}

TEST(FunctionsByName, APersistentFunctionHasTheNameThatTheLibraryHas) {
    EXPECT_EQ(persistent_function("MPI_Both").name, "MPI_Both_init");
    EXPECT_EQ(persistent_function("MPI_Both").function, any_function(&MPI_Both_init));
    EXPECT_EQ(persistent_function("MPI_Older").name, "MPIX_Older_init");
    EXPECT_EQ(persistent_function("MPI_Older").function, any_function(&MPIX_Older_init));
    EXPECT_EQ(large_count_function("MPI_Newer").function, any_function(&MPI_Newer_c));
}

TEST(FunctionsByName, AMissingFunctionHasTheNameOfTheStandard) {
    EXPECT_EQ(persistent_function("MPI_Missing").name, "MPI_Missing_init");
    EXPECT_EQ(persistent_function("MPI_Missing").function, nullptr);
    EXPECT_EQ(large_count_function("MPI_Missing").name, "MPI_Missing_c");
    EXPECT_EQ(large_count_function("MPI_Missing").function, nullptr);
}

/// The row of an operation in the table.
constexpr std::size_t row_of(std::string_view name) {
    std::size_t row = 0;
    while (mpi_operations[row].name != name) ++row;
    return row;
}

template <class Persistent, std::size_t row>
constexpr bool is_persistent = std::is_same_v<Persistent, typename SignaturesOf<row>::Persistent>;
template <class LargeCount, std::size_t row>
constexpr bool has_large_counts =
    std::is_same_v<LargeCount, typename SignaturesOf<row>::LargeCount>;

TEST(FunctionsByName, SignaturesAreThoseOfTheHeader) {
#if MPI_VERSION >= 4
#define EXPECT_SIGNATURES(Name)                                                       \
    EXPECT_TRUE((is_persistent<decltype(&MPI_##Name##_init), row_of("MPI_" #Name)>)); \
    EXPECT_TRUE((has_large_counts<decltype(&MPI_##Name##_c), row_of("MPI_" #Name)>))
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define EXPECT_SIGNATURES(Name) \
    EXPECT_TRUE((is_persistent<decltype(&MPIX_##Name##_init), row_of("MPI_" #Name)>))
#else
    GTEST_SKIP() << "mpi.h declares neither persistent functions nor those with large counts";
#define EXPECT_SIGNATURES(Name)
#endif
    EXPECT_SIGNATURES(Gather);
    EXPECT_SIGNATURES(Gatherv);
    EXPECT_SIGNATURES(Scatter);
    EXPECT_SIGNATURES(Scatterv);
    EXPECT_SIGNATURES(Allgather);
    EXPECT_SIGNATURES(Allgatherv);
    EXPECT_SIGNATURES(Alltoall);
    EXPECT_SIGNATURES(Alltoallv);
    EXPECT_SIGNATURES(Bcast);
    EXPECT_SIGNATURES(Reduce);
    EXPECT_SIGNATURES(Allreduce);
    EXPECT_SIGNATURES(Reduce_scatter_block);
    EXPECT_SIGNATURES(Reduce_scatter);
    EXPECT_SIGNATURES(Scan);
    EXPECT_SIGNATURES(Exscan);
}

}  // namespace
}  // namespace mpiaudit
