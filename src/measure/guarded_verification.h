// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "catalogue/arrow.h"
#include "guidelines/path.h"

namespace mpiaudit {

/// Verifies the path on the problem of `like` twice, on buffers of its own that have exactly the
/// size that it needs: first they end where protected pages begin, then they begin where such end.
/// So whatever is read or written behind a buffer, then before it, ends the audit with the words of
/// watch_bounds(), and what is written into the rest of a page on the other side is found by a
/// pattern there. Not where buffers exceed 16 MiB per rank, and not in a simulation. Returns what
/// is wrong as verify() does. Collective.
std::optional<std::string> verify_bounds(const Path& path, const Instance& like);

/// Why the library refused the algorithm that `path`, which has just run, forces on it; the same on
/// every rank. Nothing for other paths. Collective.
std::optional<std::string> refusal(const Path& path, MPI_Comm comm);

}  // namespace mpiaudit
