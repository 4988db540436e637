// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// Runs a prepared path once on sources of known contents and looks at what it left: every block in
/// its place, nothing stale, nothing behind the ends, the sources as they were. Returns what is
/// wrong on the lowest rank that found something, the same text on every rank. Collective.
std::optional<std::string> verify(const Step& prepared, Layout from, Layout to,
                                  const Instance& instance);

/// The error of the lowest rank that has one, on every rank. By our own algorithms: those of the
/// library may be what is wrong. Collective.
std::optional<std::string> lowest_error(const std::optional<std::string>& own, MPI_Comm comm);

}  // namespace mpiaudit
