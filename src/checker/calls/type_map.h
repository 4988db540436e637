// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "calls/basic_types.h"
#include "messages/owned.h"

namespace mpiaudit::calls {

/// A datatype together with what we know of it without asking the library.
struct TypeMap {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    /// Bytes from the address of an instance to each of its elements, in the order of the type map.
    std::vector<std::ptrdiff_t> offsets = {0};
    std::ptrdiff_t extent = 0;  ///< bytes from one instance to the next
    /// The predefined types of the elements, one after the other, over and over again.
    std::vector<const BasicType*> basics = {};
    OwnedDatatype owned = {};  ///< empty for a predefined type

    /// \param element counted from the first instance of a block
    const BasicType& basic_of(std::int64_t element) const {
        return *basics[static_cast<std::size_t>(element) % basics.size()];
    }
};

/// Every count of elements that is a multiple of this fits every shape.
inline constexpr int elements_in_any_type = 4;

/// Makes a committed datatype. \param rank decides the shape `by_rank`
/// \param most_instances in a buffer, gaps between blocks included; decides the shape `interleaved`
TypeMap make_type(TypeShape shape, const BasicType& basic, int rank, std::int64_t most_instances);

/// Makes the same type with absolute addresses: to be used with MPI_BOTTOM for data at `address`.
TypeMap made_absolute(const TypeMap& relative, const void* address);

}  // namespace mpiaudit::calls
