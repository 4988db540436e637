// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace mpiaudit {

template <auto function>
struct BindFirst;
template <class Result, class First, class... Arguments, Result (*function)(First, Arguments...)>
struct BindFirst<function> {
    template <auto& first>
    static Result call(Arguments... arguments) {
        return function(first, arguments...);
    }
};

/// Binds the first argument of a function: the result has the signature of its MPI counterpart.
template <auto function, auto& first>
inline constexpr auto& bind_first = BindFirst<function>::template call<first>;

class Blocks;
class Reduction;
struct Fold;
struct HalvingRounds;
struct Ranks;

/// Reduces the `input` of all ranks to the `output` of the rank at position 0, or of all ranks;
/// `input` and `output` may be one buffer.
using VectorReduction = void(const Reduction& reduction, const void* input, void* output,
                             const Ranks& ranks);
/// Implements MPI_Allreduce, MPI_Scan or MPI_Exscan by such an algorithm.
int reduction_by(VectorReduction algorithm, const void* sendbuf, void* recvbuf, int count,
                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
/// Gives every rank all blocks; at the begin each rank has its own.
using Replicate = void(const Blocks& blocks, const Ranks& ranks);
/// Returns the ranks that take part in an algorithm for a power of two.
using FoldOf = Fold(const Ranks& ranks);
/// Returns the rounds of a reduce-scatter among `ranks` ranks.
using RoundsOf = HalvingRounds(int ranks);

}  // namespace mpiaudit
