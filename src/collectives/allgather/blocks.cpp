// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/blocks.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace mpiaudit {
namespace {

bool fits_int(MPI_Aint count) {
    return count <= std::numeric_limits<int>::max();
}

}  // namespace

Blocks::Blocks(MPI_Datatype type, int blocks) : type_{type}, blocks_{blocks} {
    MPI_Aint lower_bound = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent_bytes_);
}

Blocks Blocks::equal(int count, MPI_Datatype type, int blocks) {
    Blocks made{type, blocks};
    made.quotient_ = count;
    return made;
}

Blocks Blocks::split(int count, MPI_Datatype type, int blocks) {
    Blocks made{type, blocks};
    made.quotient_ = count / blocks;
    made.remainder_ = count % blocks;
    return made;
}

Blocks Blocks::irregular(const int* counts, const int* displacements, MPI_Datatype type,
                         int blocks) {
    Blocks made{type, blocks};
    made.counts_ = counts;
    made.displacements_ = displacements;
    return made;
}

MPI_Aint Blocks::offset_bytes(int block) const {
    if (displacements_) return displacements_[block] * extent_bytes_;
    return (static_cast<MPI_Aint>(block) * quotient_ + std::min(block, remainder_)) * extent_bytes_;
}

Message Blocks::message(int first, int n) const {
    first %= blocks_;
    if (!is_consecutive(first, n)) {
        std::vector<int> blocks;
        for (int i = first; i < first + n; ++i) blocks.push_back(i % blocks_);
        return message(blocks);
    }
    int count = 0;
    int start = first;
    for (int block = first; block < first + n; ++block) {
        // An empty block may claim to lie anywhere.
        if (count == 0) start = block;
        count += this->count(block);
    }
    return {n == 0 ? 0 : offset_bytes(start), count, type_, {}};
}

bool Blocks::is_consecutive(int first, int n) const {
    if (first + n > blocks_) return false;
    MPI_Aint total = 0;
    MPI_Aint end_bytes = 0;
    for (int block = first; block < first + n; ++block) {
        if (count(block) == 0) continue;
        if (total > 0 && offset_bytes(block) != end_bytes) return false;
        end_bytes = offset_bytes(block) + count(block) * extent_bytes_;
        total += count(block);
    }
    return fits_int(total);
}

Message Blocks::message(std::span<const int> blocks) const {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (const int block : blocks) {
        if (count(block) == 0) continue;
        const MPI_Aint place = offset_bytes(block);
        if (!places.empty() && places.back() + lengths.back() * extent_bytes_ == place &&
            fits_int(static_cast<MPI_Aint>(lengths.back()) + count(block))) {
            lengths.back() += count(block);
        } else {
            lengths.push_back(count(block));
            places.push_back(place);
        }
    }
    if (places.empty()) return {0, 0, type_, {}};
    if (places.size() == 1) return {places.front(), lengths.front(), type_, {}};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(places.size()), lengths.data(), places.data(), type_,
                             &made);
    MPI_Type_commit(&made);
    return {0, 1, made, OwnedDatatype{made}};
}

}  // namespace mpiaudit
