// SPDX-License-Identifier: BSD-3-Clause
#include "type_maps.h"

#include <cstring>
#include <utility>

namespace mpiaudit {
namespace {

using enum TypeMapEntry::Kind;

OwnedDatatype commit(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return OwnedDatatype{type};
}

MappedType basic(MPI_Datatype predefined, TypeMapEntry::Kind kind, int bytes) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_dup(predefined, &type);
    return {OwnedDatatype{type}, {{kind, 0}}, bytes};
}

/// A struct of the entries with the given lower bound and extent.
MappedType structured(std::vector<TypeMapEntry> entries, int lower_bound, int extent_bytes) {
    std::vector<int> lengths(entries.size(), 1);
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> types;
    for (const TypeMapEntry& entry : entries) {
        displacements.push_back(entry.offset_bytes);
        types.push_back(entry.kind == int_entry ? MPI_INT : MPI_DOUBLE);
    }
    MPI_Datatype packed = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(entries.size()), lengths.data(), displacements.data(),
                           types.data(), &packed);
    const OwnedDatatype owned{packed};
    MPI_Datatype resized = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(packed, lower_bound, extent_bytes, &resized);
    return {commit(resized), std::move(entries), extent_bytes};
}

MappedType contiguous_ints(int count) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, MPI_INT, &type);
    MappedType mapped{commit(type), {}, 4 * count};
    for (int i = 0; i < count; ++i) mapped.entries.push_back({int_entry, 4 * i});
    return mapped;
}

MappedType vector_with_holes() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 2, 3, MPI_INT, &type);
    return {commit(type), {{int_entry, 0}, {int_entry, 4}, {int_entry, 12}, {int_entry, 16}}, 20};
}

int encode(int source, int destination, int position) {
    return (source * 32 + destination) * 65536 + position;
}

}  // namespace

TypePairs::TypePairs() {
    const auto keep = [this](MappedType type) { return &types_.emplace_back(std::move(type)); };
    const MappedType* ints = keep(basic(MPI_INT, int_entry, 4));
    const MappedType* doubles = keep(basic(MPI_DOUBLE, double_entry, 8));
    const MappedType* four_ints = keep(contiguous_ints(4));
    const MappedType* holes = keep(vector_with_holes());
    // Two rows whose elements interleave: the extent is that of one int.
    const MappedType* column = keep(structured({{int_entry, 0}, {int_entry, 16384}}, 0, 4));
    // Data and lower bound off the origin.
    const MappedType* offset_int = keep(structured({{int_entry, 4}}, -8, 20));
    const MappedType* pair = keep(structured({{int_entry, 0}, {double_entry, 8}}, 0, 24));
    // The same signature, the other way round in memory.
    const MappedType* reversed = keep(structured({{int_entry, 20}, {double_entry, 8}}, 4, 28));
    const MappedType* two_pairs = keep(structured(
        {{int_entry, 16}, {double_entry, 0}, {int_entry, 20}, {double_entry, 8}}, 0, 32));
    pairs_ = {
        {"int", {ints, 1}, {ints, 1}},
        {"double", {doubles, 1}, {doubles, 1}},
        {"contiguous", {four_ints, 1}, {four_ints, 1}},
        {"vector with holes", {holes, 1}, {holes, 1}},
        {"resized struct", {pair, 1}, {pair, 1}},
        {"vector to ints", {holes, 1}, {ints, 4}},
        {"ints to interleaved columns", {ints, 2}, {column, 1}},
        {"offset to contiguous", {offset_int, 4}, {four_ints, 1}},
        {"int to offset", {ints, 1}, {offset_int, 1}},
        {"struct to reversed struct", {pair, 1}, {reversed, 1}},
        {"vector and contiguous on alternate ranks", {holes, 1}, {four_ints, 1}, true},
        {"ints and vector on alternate ranks", {ints, 4}, {holes, 1}, true},
        {"pairs and two pairs on alternate ranks", {pair, 2}, {two_pairs, 1}, true},
    };
}

void PoisonedBuffer::write(const MappedBlock& block, int displacement, int source,
                           int destination) {
    int position = 0;
    for (int element = 0; element < block.count; ++element)
        for (const TypeMapEntry& entry : block.mapped->entries) {
            const int value = encode(source, destination, position++);
            const double half = value + 0.5;
            std::byte* to = memory_.data() + bytes_before +
                            (displacement + element) * block.mapped->extent_bytes +
                            entry.offset_bytes;
            if (entry.kind == int_entry)
                std::memcpy(to, &value, sizeof value);
            else
                std::memcpy(to, &half, sizeof half);
        }
}

}  // namespace mpiaudit
