// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/circulant_blocks.h"

#include "collectives/call/segments.h"

namespace mpiaudit {

CirculantBroadcast::CirculantBroadcast(const Ranks& ranks, int blocks)
    : ranks_{ranks},
      skips_{circulant_skips(ranks.size)},
      rounds_{static_cast<int>(skips_.size()) - 1, blocks},
      receives_{circulant_receives(skips_, ranks.position)} {
    for (std::size_t k = 0; k < receives_.size(); ++k) {
        const int receiver = (ranks.position + skips_[k]) % ranks.size;
        sends_.push_back(ranks.position == 0 ? static_cast<int>(k)
                                             : circulant_receives(skips_, receiver)[k]);
    }
}

CirculantBroadcast::Message CirculantBroadcast::sent(int round) const {
    const auto k = static_cast<std::size_t>(rounds_.skip(round));
    const int place = ranks_.position + skips_[k];
    if (place == ranks_.size) return {-1, 0};
    return {rounds_.block(sends_[k], round), ranks_.at(place)};
}

CirculantBroadcast::Message CirculantBroadcast::received(int round) const {
    const auto k = static_cast<std::size_t>(rounds_.skip(round));
    if (ranks_.position == 0) return {-1, 0};
    return {rounds_.block(receives_[k], round), ranks_.shifted(-skips_[k])};
}

int circulant_blocks(const Blocks& vector, const Ranks& ranks) {
    const int q = static_cast<int>(circulant_skips(ranks.size).size()) - 1;
    return pipeline_segments(vector.bytes(0, vector.size()), vector.begin(vector.size()),
                             std::max(q - 1, 0));
}

}  // namespace mpiaudit
