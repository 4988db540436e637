// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/layout.h"

#include <algorithm>

namespace mpiaudit {
namespace {

/// What `count` of the elements take of which the first takes `element`.
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

std::int64_t type_bytes(MPI_Datatype type) {
    MPI_Count bytes = 0;
#if MPI_VERSION >= 4  // of which 4.1 warns of the other
    MPI_Type_size_c(type, &bytes);
#else
    MPI_Type_size_x(type, &bytes);
#endif
    return bytes;
}

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
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(address_count));
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

}  // namespace mpiaudit
