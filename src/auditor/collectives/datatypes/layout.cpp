// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/layout.h"

#include <algorithm>
#include <limits>

namespace mpiaudit {
namespace {

/// Returns the byte range of `count` elements, where `element` is the range of the first.
ByteRange repeated(const ByteRange& element, std::int64_t count, MPI_Aint extent) {
    if (count <= 0 || element.bytes() == 0) return {};
    const MPI_Aint to_last = (count - 1) * extent;
    return {element.begin + std::min<MPI_Aint>(0, to_last),
            element.end + std::max<MPI_Aint>(0, to_last)};
}

ByteRange data_of_one(MPI_Datatype type) {
    MPI_Aint lower_bound = 0, extent = 0;
    MPI_Type_get_true_extent(type, &lower_bound, &extent);
    return {lower_bound, lower_bound + extent};
}

bool is_of_predefined(int combiner) {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

}  // namespace

MPI_Aint type_extent(MPI_Datatype type) {
    MPI_Aint lower_bound = 0, extent = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent);
    return extent;
}

ByteRange data_range(std::int64_t count, MPI_Datatype type) {
    return repeated(data_of_one(type), count, type_extent(type));
}

ByteRange element_range(std::int64_t count, MPI_Datatype type) {
    MPI_Aint lower_bound = 0, extent = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent);
    const ByteRange data = data_of_one(type);
    return repeated({std::min(lower_bound, data.begin), std::max(lower_bound + extent, data.end)},
                    count, extent);
}

bool is_gapless(MPI_Datatype type) {
    const std::int64_t bytes = type_bytes(type);
    return bytes == type_extent(type) && bytes == data_of_one(type).bytes();
}

bool is_dense(MPI_Datatype type) {
    const TypeContents contents(type);
    // Predefined pairs of two types may have a gap.
    if (contents.is_predefined()) return is_gapless(type);
    if (contents.combiner != MPI_COMBINER_CONTIGUOUS && contents.combiner != MPI_COMBINER_DUP)
        return false;
    return is_dense(contents.types[0]);
}

TypeContents::TypeContents(MPI_Datatype type) {
    int integer_count = 0, address_count = 0, type_count = 0;
    MPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner);
    if (is_predefined()) return;
    integers.resize(static_cast<std::size_t>(integer_count));
    types.resize(static_cast<std::size_t>(type_count));
    addresses.resize(static_cast<std::size_t>(address_count));
    MPI_Type_get_contents(type, integer_count, address_count, type_count, integers.data(),
                          addresses.data(), types.data());
}

TypeContents::~TypeContents() {
    for (MPI_Datatype& type : types) {
        int integer_count = 0, address_count = 0, type_count = 0, inner_combiner = 0;
        MPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &inner_combiner);
        if (!is_of_predefined(inner_combiner)) MPI_Type_free(&type);
    }
}

bool TypeContents::is_predefined() const {
    return is_of_predefined(combiner);
}

namespace {

/// Makes a datatype of `count` consecutive elements, also more than INT_MAX.
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

}  // namespace

IntermediateType::IntermediateType(MPI_Datatype user_type) {
    if (!TypeContents(user_type).is_predefined() || !is_gapless(user_type)) return;
    element_ = user_type;
    element_bytes_ = type_bytes(user_type);
}

TypedBuffer IntermediateType::buffer(void* address, std::int64_t bytes) const {
    const bool fits = bytes % element_bytes_ == 0;
    const std::int64_t element_bytes = fits ? element_bytes_ : 1;
    const MPI_Datatype element = fits ? element_ : MPI_PACKED;
    const std::int64_t count = bytes / element_bytes;
    if (count <= std::numeric_limits<int>::max())
        return {address, static_cast<int>(count), element};
    OwnedDatatype long_type = long_contiguous_type(count, element, element_bytes);
    const MPI_Datatype type = long_type.get();
    return {address, 1, type, std::move(long_type)};
}

}  // namespace mpiaudit
