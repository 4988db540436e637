// SPDX-License-Identifier: BSD-3-Clause
#include "calls/type_map.h"

#include <algorithm>
#include <array>

namespace mpiaudit::calls {
namespace {

void own(TypeMap& map, MPI_Datatype type) {
    MPI_Type_commit(&type);
    map.owned = OwnedDatatype{type};
    map.type = type;
}

void resize(MPI_Datatype& type, MPI_Aint lower, MPI_Aint extent) {
    MPI_Datatype resized{};
    MPI_Type_create_resized(type, lower, extent, &resized);
    MPI_Type_free(&type);
    type = resized;
}

const BasicType& short_type() {
    return *std::ranges::find(basic_types(), "MPI_SHORT", &BasicType::name);
}

}  // namespace

TypeMap make_type(TypeShape shape, const BasicType& basic, int rank, std::int64_t most_instances) {
    const auto e = static_cast<std::ptrdiff_t>(basic.extent);
    TypeMap map{basic.type, {0}, e, {&basic}};
    MPI_Datatype type{};
    if (shape == TypeShape::by_rank)
        shape = rank % 2 == 1 ? TypeShape::contiguous : TypeShape::plain;
    switch (shape) {
        case TypeShape::plain:
        case TypeShape::by_rank:
            return map;
        case TypeShape::contiguous:
            MPI_Type_contiguous(2, basic.type, &type);
            map.offsets = {0, e};
            map.extent = 2 * e;
            break;
        case TypeShape::vector:
            MPI_Type_vector(2, 1, 2, basic.type, &type);
            map.offsets = {0, 2 * e};
            map.extent = 3 * e;
            break;
        case TypeShape::gap_in_front: {
            const std::array lengths{1, 1};
            const std::array displacements{1, 3};
            MPI_Type_indexed(2, lengths.data(), displacements.data(), basic.type, &type);
            map.offsets = {e, 3 * e};
            map.extent = 3 * e;  // from the lower bound e to the upper bound 4e
            break;
        }
        case TypeShape::negative_bound:
            MPI_Type_contiguous(2, basic.type, &type);
            resize(type, -e, 4 * e);
            map.offsets = {0, e};
            map.extent = 4 * e;
            break;
        case TypeShape::backwards: {
            const std::array lengths{1, 1};
            const std::array displacements{1, 0};
            MPI_Type_indexed(2, lengths.data(), displacements.data(), basic.type, &type);
            map.offsets = {e, 0};
            map.extent = 2 * e;
            break;
        }
        case TypeShape::subarray: {
            const std::array matrix{2, 3}, column{2, 1}, start{0, 1};
            MPI_Type_create_subarray(2, matrix.data(), column.data(), start.data(), MPI_ORDER_C,
                                     basic.type, &type);
            map.offsets = {e, 4 * e};
            map.extent = 6 * e;
            break;
        }
        case TypeShape::structure: {
            const BasicType& second = short_type();
            const auto at = std::max(e, static_cast<std::ptrdiff_t>(second.extent));
            const std::array lengths{1, 1};
            const std::array<MPI_Aint, 2> displacements{0, at};
            const std::array types{basic.type, second.type};
            MPI_Type_create_struct(2, lengths.data(), displacements.data(), types.data(), &type);
            resize(type, 0, 2 * at);
            map.offsets = {0, at};
            map.extent = 2 * at;
            map.basics = {&basic, &second};
            break;
        }
        case TypeShape::interleaved:
            MPI_Type_vector(2, 1, static_cast<int>(most_instances), basic.type, &type);
            resize(type, 0, e);
            map.offsets = {0, most_instances * e};
            break;
        case TypeShape::nested: {
            MPI_Datatype two{};
            MPI_Type_contiguous(2, basic.type, &two);
            MPI_Type_vector(2, 1, 2, two, &type);
            MPI_Type_free(&two);
            map.offsets = {0, e, 4 * e, 5 * e};
            map.extent = 6 * e;
            break;
        }
    }
    own(map, type);
    return map;
}

TypeMap made_absolute(const TypeMap& relative, const void* address) {
    MPI_Aint at = 0;
    MPI_Get_address(address, &at);
    const int one = 1;
    MPI_Datatype type{};
    MPI_Type_create_hindexed(1, &one, &at, relative.type, &type);
    TypeMap map{type, relative.offsets, relative.extent, relative.basics};
    own(map, type);
    return map;
}

}  // namespace mpiaudit::calls
