// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "memory/memory_kind.h"

// Memory of devices. The library of the vendor is loaded on demand, so that mpiaudit needs it
// neither to be built nor to run with buffers on the host.
namespace mpiaudit::device {

/// Loads the library of the vendor of `kind`, and chooses the device of this rank. From now on
/// messages::copy() and messages::fill() reach the memory of devices. Does nothing for `host`, and
/// at later calls. Returns why the devices cannot be used, as a sentence with the remedy; nullopt
/// if they can. \param local_rank number of this rank on its node
std::optional<std::string> use(MemoryKind kind, int local_rank);

/// Allocates memory; of a kind other than `host` only after use(). The contents are undefined.
/// Throws std::runtime_error.
std::shared_ptr<std::byte> allocate(MemoryKind kind, std::size_t bytes);

/// Returns the kind of memory at the address: `host` outside of memory from allocate().
MemoryKind kind_of(const void* address);
/// Returns whether code of the host must not touch the memory at the address.
inline bool holds(const void* address) {
    return kind_of(address) != MemoryKind::host;
}

/// A stretch of bytes that repeats in memory at equal distances.
struct Column {
    std::byte* start;
    std::size_t distance;  ///< bytes from one stretch to the next
};
/// Copies `count` stretches of `bytes` bytes each, as one operation of the device. At least one of
/// the two columns is in memory of a device. Throws std::runtime_error.
void copy_column(const Column& to, const Column& from, std::size_t bytes, std::size_t count);

}  // namespace mpiaudit::device
