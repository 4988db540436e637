// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "catalogue/table.h"

// The operations with counts of type MPI_Count, which came with MPI-4; null in older libraries. No
// language construct but the preprocessor can spell a name that may not be declared.
#if MPI_VERSION >= 4
#define MPIAUDIT_LARGE_COUNT_OF(operation) &MPI_##operation##_c
#else
#define MPIAUDIT_LARGE_COUNT_OF(operation) nullptr
#endif

namespace mpiaudit::large_count {

inline constexpr auto gather = MPIAUDIT_LARGE_COUNT_OF(Gather);
inline constexpr auto scatter = MPIAUDIT_LARGE_COUNT_OF(Scatter);
inline constexpr auto allgather = MPIAUDIT_LARGE_COUNT_OF(Allgather);
inline constexpr auto alltoall = MPIAUDIT_LARGE_COUNT_OF(Alltoall);
inline constexpr auto bcast = MPIAUDIT_LARGE_COUNT_OF(Bcast);
inline constexpr auto reduce = MPIAUDIT_LARGE_COUNT_OF(Reduce);
inline constexpr auto allreduce = MPIAUDIT_LARGE_COUNT_OF(Allreduce);
inline constexpr auto reduce_scatter_block = MPIAUDIT_LARGE_COUNT_OF(Reduce_scatter_block);
inline constexpr auto gatherv = MPIAUDIT_LARGE_COUNT_OF(Gatherv);
inline constexpr auto scatterv = MPIAUDIT_LARGE_COUNT_OF(Scatterv);
inline constexpr auto allgatherv = MPIAUDIT_LARGE_COUNT_OF(Allgatherv);
inline constexpr auto alltoallv = MPIAUDIT_LARGE_COUNT_OF(Alltoallv);
inline constexpr auto reduce_scatter = MPIAUDIT_LARGE_COUNT_OF(Reduce_scatter);
inline constexpr auto scan = MPIAUDIT_LARGE_COUNT_OF(Scan);
inline constexpr auto exscan = MPIAUDIT_LARGE_COUNT_OF(Exscan);

/// The form of an operation with such counts, here with those of the form with int.
template <class Signature, auto function>
Arrow form(std::string_view name) {
    const Common& common = Signature::common;
    return {std::string(name),
            common.collective,
            Kind::variant,
            common.from,
            common.to,
            "the same operation with counts of type MPI_Count",
            Signature::template by<function>,
            common.needs | presence<function>()};
}

}  // namespace mpiaudit::large_count

#undef MPIAUDIT_LARGE_COUNT_OF
