// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// Every arrow there is: the collectives with their algorithms, then what happens within a rank.
/// The order is that of every list and report.
const std::deque<Arrow>& catalogue();

/// Adds what only this run knows, at the end; pointers to arrows stay valid.
void join_catalogue(const std::vector<Arrow>& arrows);
/// What another product has, by the name with which files of guidelines ask for it.
void join_product(std::string_view product, const std::vector<Arrow>& arrows);
bool has_product(std::string_view product);

/// Adds to an arrow what makes its datatypes alone.
void join_types_only(std::string_view name, Prepare types_only);

/// Forgets what has joined since there were so many arrows, and with it every path through it: for
/// tests.
void shorten_catalogue(std::size_t size);

/// All uses of `name` with this kind of argument, the most natural one first.
std::vector<const Arrow*> find_arrows(std::string_view name, Argument argument);

/// Views and local moves, which a statement does not name.
const std::vector<const Arrow*>& silent_arrows();

/// Names that a statement can use, each once.
std::vector<std::string> arrow_names();

}  // namespace mpiaudit
