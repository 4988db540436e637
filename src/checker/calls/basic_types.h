// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "calls/properties.h"
#include "types/basic_types.h"

namespace mpiaudit::calls {

using namespace types;

/// Identifies one element of the contents of a call.
struct ElementKey {
    std::uint64_t seed;
    int actor;  ///< the rank that has written the element
    int block;  ///< number of the block in the send buffer of this rank
    std::int64_t element;
};

/// Writes the element that the key stands for. The bytes of data alone are written, no padding.
/// \param op null for an operation that moves data only
void write_element(std::byte* at, const BasicType& type, const ElementKey& key, Contents contents,
                   const OperatorRow* op, int actors);

/// Whether a sum may be the rounded one: it differs from `expected` by at most `slack` times the
/// sum of the absolute values.
bool is_near(const std::byte* got, const std::byte* expected, const BasicType& type,
             double sum_of_magnitudes, int actors);
double magnitude(const std::byte* at, const BasicType& type);

}  // namespace mpiaudit::calls
