// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <stdexcept>

#include "moved_blocks.h"

namespace mpiaudit::test {
namespace {

MPI_Datatype committed(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return type;
}

MPI_Datatype vector_type(int count, int block, int stride, MPI_Datatype element) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, block, stride, element, &type);
    return committed(type);
}

std::vector<ElementKind> make_kinds() {
    const MPI_Datatype padded = struct_type({MPI_INT, MPI_DOUBLE}, {0, 8}, 24);
    const MPI_Datatype backwards = struct_type({MPI_INT, MPI_DOUBLE}, {16, 4}, 32);
    const MPI_Datatype twice =
        struct_type({MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE}, {0, 8, 16, 24}, 40);
    const MPI_Datatype double_int = struct_type({MPI_DOUBLE, MPI_INT}, {4, 0}, 12);
    const MPI_Datatype holes = vector_type(2, 2, 3, MPI_INT), hole = vector_type(2, 1, 3, MPI_INT);
    const MPI_Datatype four_ints = contiguous(4, MPI_INT);
    // Two rows whose elements interleave: the extent is that of one int.
    const MPI_Datatype column = struct_type({MPI_INT, MPI_INT}, {0, 16384}, 4);
    // Data and bounds off the origin.
    const MPI_Datatype offset_int = struct_type({MPI_INT}, {4}, 20, -8);
    const MPI_Datatype resized = struct_type({MPI_INT, MPI_INT}, {4, 16}, 36, -8);
    // The same signature as the padded struct, the other way round in memory.
    const MPI_Datatype reversed = struct_type({MPI_INT, MPI_DOUBLE}, {20, 8}, 28, 4);
    const MPI_Datatype two_pairs =
        struct_type({MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE}, {16, 0, 20, 8}, 32);
    const MPI_Datatype three_ints = contiguous(3, MPI_INT);
    const MPI_Datatype matrix =
        struct_type({MPI_INT, MPI_INT, MPI_INT, MPI_INT}, {-8, -4, 8, 12}, 44, -20);
    const MPI_Datatype backwards_ints = struct_type({MPI_INT}, {0}, -8);
    return {
        {"int", {MPI_INT, 1}, {MPI_INT, 1}},
        {"double", {MPI_DOUBLE, 1}, {MPI_DOUBLE, 1}},
        {"char", {MPI_CHAR, 3}, {MPI_CHAR, 3}},
        {"ints with holes to ints", {hole, 1}, {MPI_INT, 2}},
        {"ints to vectors", {MPI_INT, 6}, {vector_type(3, 2, 4, MPI_INT), 1}},
        {"three ints to six with holes", {three_ints, 2}, {vector_type(2, 3, 5, MPI_INT), 1}},
        {"ints out of order to ints", {indexed_type({2, 1}, {1, 0}, MPI_INT), 1}, {MPI_INT, 3}},
        {"doubles to doubles out of order",
         {MPI_DOUBLE, 2},
         {indexed_type({1, 1}, {1, 0}, MPI_DOUBLE), 1}},
        {"padded struct", {padded, 1}, {padded, 1}},
        {"struct in reverse to two", {backwards, 2}, {twice, 1}},
        {"predefined pair to struct", {MPI_DOUBLE_INT, 1}, {double_int, 1}},
        {"contiguous", {four_ints, 1}, {four_ints, 1}},
        {"three ints", {three_ints, 1}, {three_ints, 1}},
        {"matrix with gaps", {matrix, 1}, {matrix, 1}},
        {"ints backwards", {backwards_ints, 1}, {backwards_ints, 1}},
        {"vector with hole", {hole, 1}, {hole, 1}},
        {"vector with holes", {holes, 1}, {holes, 1}},
        {"vector to ints", {holes, 1}, {MPI_INT, 4}},
        {"ints to interleaved columns", {MPI_INT, 2}, {column, 1}},
        {"offset to contiguous", {offset_int, 4}, {four_ints, 1}},
        {"int to offset", {MPI_INT, 1}, {offset_int, 1}},
        {"struct to reversed struct", {padded, 1}, {reversed, 1}},
        {"resized with holes", {resized, 1}, {resized, 1}},
        {"ints to resized with holes", {MPI_INT, 2}, {resized, 1}},
        {"resized with holes to ints", {resized, 1}, {MPI_INT, 2}},
        {"vector and contiguous on alternate ranks", {holes, 1}, {four_ints, 1}, true},
        {"ints and vector on alternate ranks", {MPI_INT, 4}, {holes, 1}, true},
        {"pairs and two pairs on alternate ranks", {padded, 2}, {two_pairs, 1}, true},
        {"resized and ints on alternate ranks", {resized, 1}, {MPI_INT, 2}, true},
    };
}

}  // namespace

MPI_Datatype contiguous(int count, MPI_Datatype element) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, element, &type);
    return committed(type);
}

MPI_Datatype indexed_type(std::vector<int> blocks, std::vector<int> places, MPI_Datatype element) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_indexed(static_cast<int>(blocks.size()), blocks.data(), places.data(), element, &type);
    return committed(type);
}

MPI_Datatype struct_type(std::vector<MPI_Datatype> members, std::vector<MPI_Aint> places,
                         MPI_Aint extent, MPI_Aint lower_bound) {
    const std::vector<int> ones(members.size(), 1);
    MPI_Datatype type = MPI_DATATYPE_NULL, resized = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(members.size()), ones.data(), places.data(),
                           members.data(), &type);
    MPI_Type_create_resized(type, lower_bound, extent, &resized);
    MPI_Type_free(&type);
    return committed(resized);
}

const ElementKind& element_kind(std::string_view name) {
    static const std::vector<ElementKind> kinds = make_kinds();
    const auto found = std::ranges::find(kinds, name, &ElementKind::name);
    if (found == kinds.end()) throw std::invalid_argument(std::string(name));
    return *found;
}

std::vector<const ElementKind*> element_kinds(const std::vector<std::string_view>& names) {
    std::vector<const ElementKind*> kinds;
    for (const std::string_view name : names) kinds.push_back(&element_kind(name));
    return kinds;
}

}  // namespace mpiaudit::test
