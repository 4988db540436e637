// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/intermediate_type.h"

#include <limits>
#include <vector>

#include "collectives/datatypes/layout.h"
#include "collectives/datatypes/signature.h"

namespace mpiaudit {
namespace {

/// A committed datatype of the runs without gaps. Its extent is set, for MPI may round that of a
/// struct up to an alignment.
OwnedDatatype packed_type(const std::vector<SignatureRun>& period) {
    std::vector<int> counts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> basics;
    std::vector<OwnedDatatype> long_runs;
    MPI_Aint bytes = 0;
    for (const SignatureRun& run : period) {
        const std::int64_t basic_bytes = type_bytes(run.basic);
        const bool is_long = run.count > std::numeric_limits<int>::max();
        if (is_long) long_runs.push_back(long_contiguous_type(run.count, run.basic, basic_bytes));
        counts.push_back(is_long ? 1 : static_cast<int>(run.count));
        basics.push_back(is_long ? long_runs.back().get() : run.basic);
        displacements.push_back(bytes);
        bytes += run.count * basic_bytes;
    }
    MPI_Datatype runs = MPI_DATATYPE_NULL, packed = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(period.size()), counts.data(), displacements.data(),
                           basics.data(), &runs);
    const OwnedDatatype owned_runs(runs);
    MPI_Type_create_resized(runs, 0, bytes, &packed);
    MPI_Type_commit(&packed);
    return OwnedDatatype(packed);
}

}  // namespace

IntermediateType::IntermediateType(MPI_Datatype user_type) {
    const Signature signature = type_signature(user_type);
    if (signature.period.empty()) return;
    if (signature.period.size() == 1) {
        block_ = signature.period[0].basic;
    } else {
        owned_type_ = packed_type(signature.period);
        block_ = owned_type_.get();
    }
    block_bytes_ = type_bytes(block_);
}

TypedBuffer IntermediateType::buffer(void* address, std::int64_t bytes) const {
    const bool fits = bytes % block_bytes_ == 0;
    const std::int64_t element_bytes = fits ? block_bytes_ : 1;
    const MPI_Datatype element = fits ? block_ : MPI_BYTE;
    const std::int64_t count = bytes / element_bytes;
    if (count <= std::numeric_limits<int>::max())
        return {address, static_cast<int>(count), element};
    OwnedDatatype long_type = long_contiguous_type(count, element, element_bytes);
    const MPI_Datatype type = long_type.get();
    return {address, 1, type, std::move(long_type)};
}

OwnedDatatype long_contiguous_type(std::int64_t count, MPI_Datatype element,
                                   std::int64_t element_bytes) {
    constexpr std::int64_t chunk = 1 << 30;
    const auto rest = static_cast<int>(count % chunk);
    MPI_Datatype chunk_type = MPI_DATATYPE_NULL, chunks = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(chunk), element, &chunk_type);
    const OwnedDatatype owned_chunk(chunk_type);
    MPI_Type_contiguous(static_cast<int>(count / chunk), chunk_type, &chunks);
    const OwnedDatatype owned_chunks(chunks);
    const int counts[] = {1, rest};
    const MPI_Aint displacements[] = {0, static_cast<MPI_Aint>((count - rest) * element_bytes)};
    const MPI_Datatype types[] = {chunks, element};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, counts, displacements, types, &type);
    MPI_Type_commit(&type);
    return OwnedDatatype(type);
}

}  // namespace mpiaudit
