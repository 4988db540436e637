// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "screens/console.h"
#include "screens/screen.h"

namespace mpiaudit {

/// Returns the rows below a head of two lines, and behind them the notes [1], [2], ... about advice
/// that does not fit into its row. Empty without rows.
std::string table_of(std::span<const ScreenRow> rows, const Terminal& terminal);

/// Returns the operations that have no row: hidden rows by name, and clusters.
/// \param are_more other rows are shown
std::string without_rows(std::span<const ScreenRow> hidden, std::span<const Cluster> clusters,
                         bool are_more, const Terminal& terminal);

}  // namespace mpiaudit
