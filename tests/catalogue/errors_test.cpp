// SPDX-License-Identifier: BSD-3-Clause
// An error that a library returns makes the contestant wrong, in every use of the operation.
#include <gtest/gtest.h>
#include <mpi.h>

#include "../world.h"
#include "catalogue/catalogue.h"
#include "collectives/patterns/node_communicators.h"
#include "guidelines/guideline.h"
#include "joined_papers.h"
#include "messages/kept_with.h"
#include "messages/under_test.h"
#include "problem/operator.h"

namespace {
bool returns_errors = false;
}

/// Does the right work, and returns an error.
#define WITH_ERROR(name, parameters, arguments)            \
    extern "C" int name parameters {                       \
        const int code = P##name arguments;                \
        return returns_errors ? int{MPI_ERR_OTHER} : code; \
    }
using Data = const void*;
using Ints = const int*;
using Type = MPI_Datatype;

WITH_ERROR(MPI_Barrier, (MPI_Comm comm), (comm))
WITH_ERROR(MPI_Bcast, (void* a, int n, Type t, int root, MPI_Comm comm), (a, n, t, root, comm))
WITH_ERROR(MPI_Gather, (Data a, int n, Type t, void* b, int k, Type u, int root, MPI_Comm comm),
           (a, n, t, b, k, u, root, comm))
WITH_ERROR(MPI_Gatherv,
           (Data a, int n, Type t, void* b, Ints k, Ints d, Type u, int root, MPI_Comm comm),
           (a, n, t, b, k, d, u, root, comm))
WITH_ERROR(MPI_Scatter, (Data a, int n, Type t, void* b, int k, Type u, int root, MPI_Comm comm),
           (a, n, t, b, k, u, root, comm))
WITH_ERROR(MPI_Scatterv,
           (Data a, Ints n, Ints d, Type t, void* b, int k, Type u, int root, MPI_Comm comm),
           (a, n, d, t, b, k, u, root, comm))
WITH_ERROR(MPI_Allgather, (Data a, int n, Type t, void* b, int k, Type u, MPI_Comm comm),
           (a, n, t, b, k, u, comm))
WITH_ERROR(MPI_Allgatherv, (Data a, int n, Type t, void* b, Ints k, Ints d, Type u, MPI_Comm comm),
           (a, n, t, b, k, d, u, comm))
WITH_ERROR(MPI_Alltoall, (Data a, int n, Type t, void* b, int k, Type u, MPI_Comm comm),
           (a, n, t, b, k, u, comm))
WITH_ERROR(MPI_Alltoallv,
           (Data a, Ints n, Ints c, Type t, void* b, Ints k, Ints d, Type u, MPI_Comm comm),
           (a, n, c, t, b, k, d, u, comm))
WITH_ERROR(MPI_Alltoallw,
           (Data a, Ints n, Ints c, const Type* t, void* b, Ints k, Ints d, const Type* u,
            MPI_Comm comm),
           (a, n, c, t, b, k, d, u, comm))
WITH_ERROR(MPI_Reduce, (Data a, void* b, int n, Type t, MPI_Op op, int root, MPI_Comm comm),
           (a, b, n, t, op, root, comm))
WITH_ERROR(MPI_Allreduce, (Data a, void* b, int n, Type t, MPI_Op op, MPI_Comm comm),
           (a, b, n, t, op, comm))
WITH_ERROR(MPI_Reduce_scatter_block, (Data a, void* b, int n, Type t, MPI_Op op, MPI_Comm comm),
           (a, b, n, t, op, comm))
WITH_ERROR(MPI_Reduce_scatter, (Data a, void* b, Ints n, Type t, MPI_Op op, MPI_Comm comm),
           (a, b, n, t, op, comm))
WITH_ERROR(MPI_Scan, (Data a, void* b, int n, Type t, MPI_Op op, MPI_Comm comm),
           (a, b, n, t, op, comm))
WITH_ERROR(MPI_Exscan, (Data a, void* b, int n, Type t, MPI_Op op, MPI_Comm comm),
           (a, b, n, t, op, comm))

namespace mpiaudit {
namespace {

TEST(Errors, ThatAnyUseOfAnOperationReturnsAreSeen) {
    const Element element{"int"};
    const Operator op{"sum"};
    Problem problem;
    problem.counts = std::vector<Count>(static_cast<std::size_t>(ranks_of_world()), 5);
    problem.element = &element;
    problem.op = &op;
    int uses = 0;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::native && arrow.kind != Kind::in_place) continue;
        if (arrow.name.ends_with("_c") || arrow.collective == "neighbor") continue;
        const Path path{arrow.name, {{&arrow, false, false}}, {}};
        if (path.obstacle(problem)) continue;
        Workspace workspace(problem, own_rank(), path.needs());
        const Step step = path.prepare({workspace, MPI_COMM_WORLD});
        under_test::first_error = MPI_SUCCESS;
        returns_errors = true;
        step.call();
        returns_errors = false;
        EXPECT_EQ(under_test::first_error, MPI_ERR_OTHER) << arrow.name << ": " << arrow.summary;
        ++uses;
    }
    EXPECT_GT(uses, 30);
    forget_kept(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace mpiaudit
