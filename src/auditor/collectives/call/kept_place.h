// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>

#include "collectives/call/ranks.h"
#include "messages/kept_with.h"

namespace mpiaudit {

/// What a rank does in some trees, made by make() in the first call with this root and kept with
/// the communicator, since it takes a time that grows with the number of ranks.
template <class Place, class Make>
std::shared_ptr<const Place> kept_place(const Ranks& ranks, const Make& make) {
    using Places = std::map<int, std::shared_ptr<const Place>>;  // by the root
    constexpr std::size_t most_places = 1000;
    auto& places = kept_with<Places>(ranks.comm);
    if (!places.contains(ranks.first) && places.size() >= most_places) places.clear();
    std::shared_ptr<const Place>& place = places[ranks.first];
    if (!place) place = std::make_shared<const Place>(make());
    return place;
}

}  // namespace mpiaudit
