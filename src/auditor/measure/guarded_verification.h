// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "catalogue/arrow.h"
#include "guidelines/path.h"

namespace mpiaudit {

/// What came of a path.
struct Verified {
    std::optional<std::string> wrong;    ///< as verify() says it
    std::optional<std::string> refused;  ///< by the library, which was to use a forced algorithm
};

/// Prepares and verifies the path three times. First on buffers of its own that have exactly the
/// size that it needs: they end where protected pages begin, then they begin where such end. So
/// whatever is read or written behind a buffer, then before it, ends the audit with the words of
/// watch_bounds(), and what is written into the rest of a page on the other side is found by a
/// pattern there. Not where buffers exceed 16 MiB per rank, and not in a simulation. Then, if that
/// went well, several times on the buffers of `instance`. The same on every rank. Collective.
Verified verify_guarded(const Path& path, const Instance& instance);

}  // namespace mpiaudit
