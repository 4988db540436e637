// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/half_buffer.h"

#include <numeric>

#include "collectives/call/integers.h"

namespace mpiaudit {

// A place is held from the round in which an element arrives there to the round in which it leaves:
// intervals of rounds, to be coloured with places. Going back in time, from the end, when R holds
// the result, the places of R become free one after the other, and the greedy colouring, which
// needs no more colours than intervals that overlap in one round, finds them by itself.
HalfBuffer::HalfBuffer(int ranks) {
    const int rounds = ceil_log2(ranks);
    arrivals_.assign(rounds, std::vector<int>(ranks));
    departures_.assign(rounds, std::vector<int>(ranks));
    std::vector<int> place(ranks);  // of element j in the rounds already planned
    std::iota(place.begin(), place.end(), 0);
    std::vector<int> free_places{0};  // the own element is copied to R[rank] after the last round
    for (int k = rounds - 1; k >= 0; --k) {
        const int distance = 1 << k;
        for (int j = distance; j < ranks; ++j) {
            if (!(j & distance)) continue;
            arrivals_[k][j] = place[j];
            if (j % distance == 0) continue;
            if (free_places.empty()) free_places.push_back(ranks + intermediate_elements_++);
            departures_[k][j] = place[j] = free_places.back();
            free_places.pop_back();
        }
        // Only now: in one round nothing may arrive where something leaves.
        for (int j = distance; j < ranks; ++j)
            if (j & distance) free_places.push_back(arrivals_[k][j]);
    }
}

}  // namespace mpiaudit
