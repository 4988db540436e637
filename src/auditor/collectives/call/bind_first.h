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

/// A function whose first argument is known, with the others as its own: it has the signature of
/// its MPI counterpart.
template <auto function, auto& first>
inline constexpr auto& bind_first = BindFirst<function>::template call<first>;

class Blocks;
class Reduction;
struct Fold;
struct HalvingRounds;
struct Ranks;

/// Reduces the `input` of all ranks into the `output` of the rank at position 0 or of all; `input`
/// may be `output`.
using VectorReduction = void(const Reduction& reduction, const void* input, void* output,
                             const Ranks& ranks);
/// MPI_Allreduce, MPI_Scan and MPI_Exscan by such an algorithm.
int reduction_by(VectorReduction algorithm, const void* sendbuf, void* recvbuf, int count,
                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
/// Gives every rank all blocks, of which it has its own.
using Replicate = void(const Blocks& blocks, const Ranks& ranks);
/// Which ranks are left for an algorithm that needs a power of two.
using FoldOf = Fold(const Ranks& ranks);
/// The rounds of a reduce-scatter among so many ranks.
using RoundsOf = HalvingRounds(int ranks);

}  // namespace mpiaudit
