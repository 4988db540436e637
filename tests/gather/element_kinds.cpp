// SPDX-License-Identifier: BSD-3-Clause
#include "element_kinds.h"

namespace mpiaudit {
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

MPI_Datatype indexed_type(std::vector<int> blocks, std::vector<int> places, MPI_Datatype element) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_indexed(static_cast<int>(blocks.size()), blocks.data(), places.data(), element, &type);
    return committed(type);
}

MPI_Datatype struct_type(std::vector<MPI_Datatype> members, std::vector<MPI_Aint> places,
                         MPI_Aint extent) {
    const std::vector<int> ones(members.size(), 1);
    MPI_Datatype type = MPI_DATATYPE_NULL, resized = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(members.size()), ones.data(), places.data(),
                           members.data(), &type);
    MPI_Type_create_resized(type, 0, extent, &resized);
    MPI_Type_free(&type);
    return committed(resized);
}

std::vector<ElementKind> make_kinds() {
    const MPI_Datatype padded = struct_type({MPI_INT, MPI_DOUBLE}, {0, 8}, 24);
    const MPI_Datatype backwards = struct_type({MPI_INT, MPI_DOUBLE}, {16, 4}, 32);
    const MPI_Datatype twice =
        struct_type({MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE}, {0, 8, 16, 24}, 40);
    const MPI_Datatype double_int = struct_type({MPI_DOUBLE, MPI_INT}, {4, 0}, 12);
    MPI_Datatype three_ints = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(3, MPI_INT, &three_ints);
    MPI_Type_commit(&three_ints);
    return {
        {"int", MPI_INT, 1, MPI_INT, 1, 4},
        {"double", MPI_DOUBLE, 1, MPI_DOUBLE, 1, 8},
        {"char", MPI_CHAR, 3, MPI_CHAR, 3, 3},
        {"ints with holes to ints", vector_type(2, 1, 3, MPI_INT), 1, MPI_INT, 2, 8},
        {"ints to vectors", MPI_INT, 6, vector_type(3, 2, 4, MPI_INT), 1, 24},
        {"three ints to six with holes", three_ints, 2, vector_type(2, 3, 5, MPI_INT), 1, 24},
        {"ints out of order to ints", indexed_type({2, 1}, {1, 0}, MPI_INT), 1, MPI_INT, 3, 12},
        {"doubles to doubles out of order", MPI_DOUBLE, 2, indexed_type({1, 1}, {1, 0}, MPI_DOUBLE),
         1, 16},
        {"padded struct", padded, 1, padded, 1, 12},
        {"struct in reverse to two", backwards, 2, twice, 1, 24},
        {"predefined pair to struct", MPI_DOUBLE_INT, 1, double_int, 1, 12},
    };
}

}  // namespace

const std::vector<ElementKind>& element_kinds() {
    static const std::vector<ElementKind> kinds = make_kinds();
    return kinds;
}

}  // namespace mpiaudit
