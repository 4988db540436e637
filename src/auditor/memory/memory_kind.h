// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace mpiaudit {

/// Kind of memory of a buffer: of the host; of an NVIDIA device (cuda) or managed by its driver
/// (managed); of an AMD device (hip).
enum class MemoryKind { host, cuda, managed, hip };

std::string_view name(MemoryKind kind);

/// Memory kinds of the buffers that calls read and of the buffers that calls write.
struct MemoryKinds {
    MemoryKind sent = MemoryKind::host, received = MemoryKind::host;

    bool operator==(const MemoryKinds&) const = default;
    bool are_host() const { return sent == MemoryKind::host && received == MemoryKind::host; }
    /// Returns the kind that needs the library of a vendor; `host` if neither does.
    MemoryKind of_device() const { return sent == MemoryKind::host ? received : sent; }
    /// Returns the kind of the device's own memory: `hip` or `cuda`.
    MemoryKind own_of_device() const {
        return of_device() == MemoryKind::hip ? MemoryKind::hip : MemoryKind::cuda;
    }
    /// Returns whether both buffers are in the device's own memory.
    bool are_of_device() const { return sent == own_of_device() && received == sent; }
    /// Returns the text that read() reads.
    std::string text() const;
    /// Reads one kind, or two kinds with a comma between them. Throws std::invalid_argument that
    /// names the value and the remedy.
    static MemoryKinds read(const std::string& text);
};

}  // namespace mpiaudit
