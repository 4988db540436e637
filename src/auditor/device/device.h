// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "device/memory_kind.h"

// Memory of devices. The library of the vendor is loaded on demand, so that mpiaudit needs it
// neither to be built nor to run with buffers on the host.
namespace mpiaudit::device {

/// Loads the library of the vendor of `kind`, and chooses the device of this rank. From now on
/// messages::copy() and messages::fill() reach the memory of devices. Does nothing for `host`, and
/// at later calls. Returns why the devices cannot be used, as a sentence with the remedy; nullopt
/// if they can. \param local_rank number of this rank on its node
std::optional<std::string> use(MemoryKind kind, int local_rank);

/// Allocates memory of a kind other than `host`, after use(). Throws std::runtime_error.
std::shared_ptr<std::byte> allocate(MemoryKind kind, std::size_t bytes);

/// Returns whether the address is in memory of allocate(), which code of the host must not touch.
bool holds(const void* address);

/// What is known about a library's support for buffers of a kind.
enum class Support { yes, no, unknown };
struct KnownSupport {
    Support answer = Support::unknown;
    std::string source;  ///< what says so: "MPIX_Query_cuda_support() returns 0"
};
/// Asks the MPI library. Finds functions that only some libraries have while the program runs. Call
/// this function between MPI_Init and MPI_Finalize.
KnownSupport support_of_library(MemoryKind kind);

}  // namespace mpiaudit::device
