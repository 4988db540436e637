// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "algorithms/algorithms.h"
#include "collectives/moved_blocks.h"
#include "messages/owned.h"

namespace mpiaudit::test {

/// An operator with a datatype of `numbers` numbers, and its effect on two vectors of numbers.
struct ReductionCase {
    std::string name;
    MPI_Datatype type;
    int numbers;
    MPI_Op op;
    bool is_commutative;
    std::function<std::vector<int>(const std::vector<int>&, const std::vector<int>&)> combine;
    OwnedOp owned{};

    /// Operands of `rank`: small numbers that look random.
    std::vector<int> operands(int rank, int count) const;
    /// The operands of ranks first to last combined in this order, first <= last.
    std::vector<int> reduced(int first, int last, int count) const;
};

/// Sum, maximum and bitwise or of ints, sum of doubles, and of our own: a commutative operator on
/// three ints, and the product of 2 x 2 matrices modulo 2^32, which does not commute, once as four
/// ints and once as a datatype with gaps and a lower bound, some of whose data lie before its
/// address; a commutative operator on that one too.
std::vector<ReductionCase> reduction_cases();

/// Calls an algorithm of MPI_Reduce, MPI_Allreduce, MPI_Scan or MPI_Exscan and checks on every rank
/// the received data, that nothing else has changed, and that no object of MPI remains.
void expect_reduction(const Algorithm& algorithm, const ReductionCase& reduction, int count,
                      int root, bool in_place, MPI_Comm comm = MPI_COMM_WORLD);

/// The same of MPI_Reduce_scatter, or of MPI_Reduce_scatter_block with the first of the counts.
void expect_reduce_scatter(const Algorithm& algorithm, const ReductionCase& reduction,
                           const std::vector<int>& counts, bool in_place,
                           MPI_Comm comm = MPI_COMM_WORLD);

}  // namespace mpiaudit::test
