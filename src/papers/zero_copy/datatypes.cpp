// SPDX-License-Identifier: BSD-3-Clause
#include "zero_copy/datatypes.h"

#include <algorithm>
#include <utility>

#include "collectives/datatypes/layout.h"

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
    // A single entry at displacement 0 needs no structured type.
    const bool is_single = counts_.size() == 1 && displacements_.front() == 0;
    if (is_single) return MPI_Type_contiguous(counts_.front(), types_.front(), newtype);
    return MPI_Type_create_struct(static_cast<int>(counts_.size()), counts_.data(),
                                  displacements_.data(), types_.data(), newtype);
}

int Type_create_vector_bounded(int bound, int blocklength, int stride, MPI_Datatype base,
                               MPI_Datatype* newtype) {
    if (bound < 0 || blocklength < 0 || stride < 1 || stride < blocklength) return MPI_ERR_ARG;
    const MPI_Aint extent = type_extent(base);
    // The type is a vector, followed by one shorter block (section 3.1, alternative c).
    Entries entries;
    entries.add_bounded_vector(bound, blocklength, stride, 0, extent, base);
    return entries.create(newtype);
}

int Type_create_vector_circular(int total, int start, int bound, int blocklength, int stride,
                                MPI_Datatype base, MPI_Datatype* newtype) {
    if (bound < 0 || blocklength < 0 || stride < 1 || stride < blocklength) return MPI_ERR_ARG;
    if (bound > total || start < 0 || (start >= total && start > 0)) return MPI_ERR_ARG;
    const MPI_Aint extent = type_extent(base);

    const int before_wrap = std::min(bound, total - start);
    const int after_wrap = bound - before_wrap;
    Entries entries;
    entries.add_bounded_vector(before_wrap, blocklength, stride, start * extent, extent, base);
    // The ring may end within a block, whose rest is then at the start of the ring, or within the
    // gap after a block, of which a part remains.
    const int phase = before_wrap % stride;
    const int rest_of_block = std::min(std::max(blocklength - phase, 0), after_wrap);
    const int to_next_block = std::min(stride - phase, after_wrap);
    if (phase > 0) entries.add(rest_of_block, 0, base);
    const int resumed_at = phase > 0 ? to_next_block : 0;
    entries.add_bounded_vector(after_wrap - resumed_at, blocklength, stride, resumed_at * extent,
                               extent, base);
    return entries.create(newtype);
}

int Type_create_bucket(int count, const int counts[], int bucket_size, MPI_Datatype base,
                       MPI_Datatype* newtype) {
    if (count < 0) return MPI_ERR_ARG;
    const bool fits = std::all_of(counts, counts + count,
                                  [=](int filled) { return filled >= 0 && filled <= bucket_size; });
    if (!fits) return MPI_ERR_ARG;
    const MPI_Aint extent = type_extent(base);
    // Displacements are in bytes: an int may not hold that of the last bucket in elements.
    std::vector<MPI_Aint> displacements(count);
    for (int i = 0; i < count; ++i) displacements[i] = MPI_Aint{i} * bucket_size * extent;
    return MPI_Type_create_hindexed(count, counts, displacements.data(), base, newtype);
}

}  // namespace mpiaudit
