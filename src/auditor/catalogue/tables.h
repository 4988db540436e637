// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <vector>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// Operations between other layouts than their own, by collectives; see operation_arrows().
std::vector<Arrow> other_uses();
/// Neighbourhood collectives by other operations and by messages.
std::vector<Arrow> neighbor_arrows();
/// Neighbourhood collectives with fewer messages than there are edges.
std::vector<Arrow> moore_arrows();
/// Agreements, packing and the arrows that a path uses without naming them.
std::vector<Arrow> local_arrows();
/// Natives by other natives, with copies and messages between: what a library could do itself.
std::vector<Arrow> composed_arrows();
/// Natives on the first half of the ranks.
std::vector<Arrow> first_half_arrows();
/// Other ways to call each native operation of `usual`.
std::vector<Arrow> variant_arrows(const std::deque<Arrow>& usual);

}  // namespace mpiaudit
