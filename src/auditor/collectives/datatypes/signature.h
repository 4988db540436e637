// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

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

}  // namespace mpiaudit
