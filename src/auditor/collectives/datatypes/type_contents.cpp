// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/type_contents.h"

namespace mpiaudit {
namespace {

bool is_of_predefined(int combiner) {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

}  // namespace

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
