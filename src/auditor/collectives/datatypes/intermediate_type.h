// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "collectives/datatypes/layout.h"

namespace mpiaudit {

/// `count` successive entries of one basic datatype in a type signature.
struct SignatureRun {
    MPI_Datatype basic;
    std::int64_t count;
    bool operator==(const SignatureRun&) const = default;
};

/// The type signature of a datatype (MPI 3.1, section 4.1) as a power: `period` repeated
/// `repetitions` times, where the period is primitive, that is, no power of a shorter signature.
/// Two datatypes that can describe the same message, a send X^a and a receive Y^b with equal
/// signatures, have the same primitive period (words with a common power have a common root), so
/// every rank finds it alone. It is the smallest common block that Träff 2017, section 3, asks for.
struct Signature {
    std::vector<SignatureRun> period;  ///< Adjacent runs differ; empty for a type without data.
    std::int64_t repetitions = 0;
};

/// The signature of any datatype; one MPI_Type_get_envelope for a predefined one.
Signature type_signature(MPI_Datatype type);

/// The primitive period of a signature given as its runs: the shortest word whose power it is.
Signature primitive_signature(std::vector<SignatureRun> runs);

/// How a rank describes data of other ranks that pass through it: as a number of the smallest
/// common blocks of its own datatype (see Signature), packed without gaps. All ranks that
/// contribute data have the same smallest common block, so every message has matching types at both
/// ends. A rank without data may have passed an unrelated datatype: where its block does not divide
/// the amount, the data pass as MPI_BYTE (a relay of bytes, right between ranks of one
/// architecture).
class IntermediateType {
  public:
    explicit IntermediateType(MPI_Datatype user_type);
    /// The bytes [address, address + bytes) as a buffer of such blocks. Amounts beyond 2^31 - 1
    /// blocks become one element of a datatype that is as long.
    TypedBuffer buffer(void* address, std::int64_t bytes) const;

  private:
    OwnedDatatype owned_type_;  ///< Empty when the block is a basic datatype.
    MPI_Datatype block_ = MPI_BYTE;
    std::int64_t block_bytes_ = 1;
};

/// A committed datatype of `count` >= 1 successive elements, where count may exceed an int.
OwnedDatatype long_contiguous_type(std::int64_t count, MPI_Datatype element,
                                   std::int64_t element_bytes);

}  // namespace mpiaudit
