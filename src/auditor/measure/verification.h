// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// Some faults hit every tenth call only. A path is run again, `most_runs` times at most, while
/// that takes no more than `seconds`; at least once.
struct Repetition {
    int most_runs = 1;
    double seconds = 0.0;
};
inline constexpr Repetition several{12, 1e-3};

/// Runs a prepared path on sources of known contents and looks at what it left: every block in its
/// place, nothing stale, nothing behind the ends, the sources as they were, what it agreed on, and
/// the error codes that it returned. Of a barrier, that nobody leaves before all have come. Returns
/// what is wrong on the lowest rank that found something, the same text on every rank. Collective.
std::optional<std::string> verify(const Step& prepared, Layout from, Layout to,
                                  const Instance& instance, Repetition repetition = {});

/// The error that the calls on this rank have returned since the last time, in words.
std::optional<std::string> returned_error(int rank);

}  // namespace mpiaudit
