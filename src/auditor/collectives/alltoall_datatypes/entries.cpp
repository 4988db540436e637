// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall_datatypes/entries.h"

#include <utility>

namespace mpiaudit {

void Entries::add(int count, MPI_Aint displacement, MPI_Datatype type) {
    if (count == 0) return;
    counts_.push_back(count);
    displacements_.push_back(displacement);
    types_.push_back(type);
}

void Entries::add(OwnedDatatype type, MPI_Aint displacement) {
    add(1, displacement, type.get());
    owned_.push_back(std::move(type));
}

void Entries::add_bounded_vector(int bound, int blocklength, int stride, MPI_Aint displacement,
                                 MPI_Aint extent, MPI_Datatype base) {
    if (blocklength == 0) return;
    const int begun = bound % stride;
    const int cut = begun < blocklength ? begun : 0;
    const int whole = bound / stride + (begun >= blocklength ? 1 : 0);
    if (whole == 1) add(blocklength, displacement, base);
    if (whole > 1) {
        MPI_Datatype vector = MPI_DATATYPE_NULL;
        MPI_Type_vector(whole, blocklength, stride, base, &vector);
        add(OwnedDatatype{vector}, displacement);
    }
    add(cut, displacement + MPI_Aint{whole} * stride * extent, base);
}

int Entries::create(MPI_Datatype* newtype) const {
    // The common case of one entry at the start needs no structured type on top of it.
    const bool is_single = counts_.size() == 1 && displacements_.front() == 0;
    if (is_single) return MPI_Type_contiguous(counts_.front(), types_.front(), newtype);
    return MPI_Type_create_struct(static_cast<int>(counts_.size()), counts_.data(),
                                  displacements_.data(), types_.data(), newtype);
}

}  // namespace mpiaudit
