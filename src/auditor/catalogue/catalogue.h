// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// Returns every arrow: the collectives with their algorithms, then moves within a rank. All lists
/// and reports have this order.
const std::deque<Arrow>& catalogue();

/// Adds arrows that only this run knows, at the end. Pointers to arrows stay valid.
void join_catalogue(const std::vector<Arrow>& arrows);
/// Adds the arrows of another product, under the name that files of guidelines use for the product.
void join_product(std::string_view product, const std::vector<Arrow>& arrows);
/// Returns whether join_product() has added arrows under this name.
bool has_product(std::string_view product);

/// Adds to an arrow the function that makes only its datatypes.
void join_types_only(std::string_view name, Prepare types_only);

/// Removes the arrows behind the first `size` ones, and with them every path through these arrows;
/// for tests.
void shorten_catalogue(std::size_t size);

/// Returns all uses of `name` with this kind of argument, the most natural use first.
std::vector<const Arrow*> find_arrows(std::string_view name, Argument argument);

/// Returns views and local moves, which statements do not name.
const std::vector<const Arrow*>& silent_arrows();

/// Returns the names that statements can use, each once.
std::vector<std::string> arrow_names();

}  // namespace mpiaudit
