// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "problem/workspace.h"

namespace mpiaudit {

/// The known contents of every layout of a problem: each element encodes its block and its position
/// in it, so that a permuted, truncated, missing or stale block shows.
class Contents {
  public:
    /// `origin`: the holding that the data start from. Where it is `contributed`, the blocks of
    /// every other layout are reductions of the contributions.
    Contents(const Problem& problem, Holding origin) : problem_{problem}, origin_{origin} {}

    /// Writes what `rank` holds in the layout of `place`.
    void write(const Place& place, int rank) const { write(place, rank, false); }
    /// Writes a different value into every element of the place, so that an element that was never
    /// written is found, whatever was there before.
    void write_stale(const Place& place, int rank) const { write(place, rank, true); }
    /// The first element of the place that is not as write() would have written it, in words.
    std::optional<std::string> find_error(const Place& place, int rank) const;

  private:
    void write(const Place& place, int rank, bool is_stale) const;
    /// Number of the block among all that are different.
    std::uint64_t identity(Holding holding, int rank, std::size_t block) const;
    /// What a reduction makes of the keys of elements; nothing where data are only moved.
    std::optional<Operator::Values> reduced(Holding holding, int rank) const;
    /// Calls visit(address, values, block, position) for some elements after others until it
    /// returns false.
    template <class Visit>
    void for_each_run(const Place& place, int rank, Visit visit) const;

    const Problem& problem_;
    Holding origin_;
};

}  // namespace mpiaudit
