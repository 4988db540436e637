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

}  // namespace mpiaudit
