// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/arrow.h"

namespace mpiaudit {

/// Every arrow that a statement can name: the native collectives, then the reference algorithms of
/// each collective. The order is that of every list and report.
std::span<const Arrow> catalogue();

/// The arrows that a path may use without naming them: free views and local moves.
std::span<const Arrow> silent_arrows();

/// All uses of `name` with this kind of argument, the most natural one first.
std::vector<const Arrow*> find_arrows(std::string_view name, Argument argument);

/// Names of the catalogue, each once.
std::vector<std::string> arrow_names();

}  // namespace mpiaudit
