// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit {

// What commands have in common that become an application before which a library of ours is loaded.

/// Has the library loaded by what this process becomes. Throws UsageError when there is no such
/// library, or the application would not load it.
void preload(const std::string& command, const std::string& library,
             const std::vector<std::string>& application);

/// Becomes the application; returns an exit code when it cannot be started.
int become(const std::string& command, const std::vector<std::string>& application);

/// Says what is wrong once for all ranks, which find the same, and returns the exit code.
int refuse_on_all_ranks(const std::string& what);

}  // namespace mpiaudit
