// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/halving.h"

#include <algorithm>
#include <ranges>

namespace mpiaudit {

Fold far_first(const Ranks& ranks) {
    return {ranks, power_of_two_below(ranks.size)};
}

Fold near_first(const Ranks& ranks) {
    const int survivors = power_of_two_below(ranks.size);
    return {ranks, survivors, ceil_log2(survivors)};
}

void allreduce_by_recursive_doubling(const Reduction& reduction, const void* input, void* output,
                                     const Ranks& ranks) {
    const Fold fold = far_first(ranks);
    allreduce_among(fold, reduction, input, output, ranks, [&](void* incoming) {
        void* result = output;
        for (int mask = 1; mask < fold.survivors; mask *= 2) {
            const int partner = fold.number ^ mask;
            const int other = fold.position(partner);
            ranks.exchange(reduction.all_of(result), other, reduction.all_of(incoming), other);
            if (partner < fold.number)
                reduction.combine(incoming, result);
            else
                reduction.append(result, incoming);
        }
        reduction.move(result, output, ranks);
    });
}

void reduce_by_halving(const Reduction& reduction, const Blocks& parts, void* incoming,
                       const Fold& fold, const Ranks& ranks) {
    const Blocks arriving = parts.with_buffer(incoming);
    for (int mask = fold.survivors / 2; mask > 0; mask /= 2) {
        const int partner = fold.number ^ mask;
        const int rank = ranks.at(fold.position(partner));
        const int first_kept = fold.number - fold.number % mask;
        const TypedBuffer given = parts.message(partner - partner % mask, mask);
        const TypedBuffer kept = parts.message(first_kept, mask);
        const TypedBuffer received = arriving.message(first_kept, mask);
        ranks.exchange(given, rank, received, rank);
        reduction.combine(received.address, kept);
    }
}

HalvingRounds circulant_rounds(int ranks) {
    HalvingRounds made{{}, 0, {}};
    for (int offset = 0; offset < ranks; ++offset) made.offsets.push_back(offset);
    for (int left = ranks; left > 1; left = (left + 1) / 2) {
        const int distance = (left + 1) / 2;
        made.rounds.push_back({distance, distance, 0, left - distance});
    }
    return made;
}

// Builds the rounds from the last one to the first. While `distance` is d, `slots` are the
// multiples of 2d below p, the largest one last. Slot s stands for the block s places before the
// rank. The slots s + d, which the round gives away, are added on one side of the others. The
// largest slot may have no partner and is then kept uncombined: the slots with partners must be
// consecutive, so the partners are added on the left in this case, else on the right, where the
// largest of them is again the last slot.
HalvingRounds near_first_rounds(int ranks) {
    HalvingRounds made{{}, 0, {}};
    int distance = 1;
    while (2 * distance < ranks) distance *= 2;
    std::vector<int> slots = {0};
    for (; distance > 0 && ranks > 1; distance /= 2) {
        std::vector<int> given;
        for (const int slot : slots)
            if (slot + distance < ranks) given.push_back(slot + distance);
        const int n = static_cast<int>(given.size());
        if (given.size() == slots.size()) {
            made.rounds.push_back({-distance, n, 0, n});
            slots.insert(slots.end(), given.begin(), given.end());
        } else {
            for (HalvingRounds::Round& later : made.rounds) {
                later.given += n;
                later.kept += n;
            }
            made.own += n;
            made.rounds.push_back({-distance, 0, n, n});
            slots.insert(slots.begin(), given.begin(), given.end());
        }
    }
    std::ranges::reverse(made.rounds);
    for (const int slot : slots) made.offsets.push_back(slot > 0 ? ranks - slot : 0);
    return made;
}

// Builds the rounds from the last one to the first; a partner's blocks are mirrored.
HalvingRounds bine_rounds(int ranks) {
    HalvingRounds made{{0}, 0, {}, true};
    for (int round = ceil_log2(ranks) - 1; round >= 0; --round) {
        const int distance = bine_distance(round);
        const int n = static_cast<int>(made.offsets.size());
        for (int place = 0; place < n; ++place)
            made.offsets.push_back(
                modulo(distance - made.offsets[static_cast<std::size_t>(place)], ranks));
        made.rounds.push_back({distance, n, 0, n});
    }
    std::ranges::reverse(made.rounds);
    return made;
}

HalvedVector::HalvedVector(const HalvingRounds& rounds, const Blocks& blocks,
                           const Reduction& reduction, const Fold& fold, const Ranks& ranks)
    : rounds_{rounds},
      reduction_{reduction},
      fold_{fold},
      ranks_{ranks},
      memory_{reduction.buffer()} {
    begins_ = {0};
    for (int place = 0; place < fold.survivors; ++place)
        begins_.push_back(begins_.back() + blocks.count(block_at(place)));
    blocks_ = Blocks::consecutive(memory_.get(), begins_, reduction.type);
    for_each_row(blocks, [&](const TypedBuffer& place, const TypedBuffer& block) {
        copy_locally(block, place, ranks_);
    });
}

int HalvedVector::block_at(int place) const {
    return number_at(rounds_.offsets[static_cast<std::size_t>(place)]);
}

int HalvedVector::number_at(int distance) const {
    return modulo(fold_.number + sign() * distance, fold_.survivors);
}

int HalvedVector::rank_at(int distance) const {
    return ranks_.at(fold_.position(number_at(distance)));
}

template <class Copy>
void HalvedVector::for_each_row(const Blocks& blocks, Copy copy) const {
    for (int first = 0; first < fold_.survivors;) {
        int n = 1;
        while (first + n < fold_.survivors && block_at(first + n) == block_at(first) + n) ++n;
        if (places(first, n).count > 0) copy(places(first, n), blocks.message(block_at(first), n));
        first += n;
    }
}

void HalvedVector::reduce_scatter() {
    if (rounds_.rounds.empty()) return;
    int largest = 0;
    for (const HalvingRounds::Round& round : rounds_.rounds)
        largest = std::max(largest, places(round.kept, round.blocks).count);
    incoming_ = OperandBuffer{largest, reduction_.type};
    for (const HalvingRounds::Round& round : rounds_.rounds) {
        const TypedBuffer given = places(round.given, round.blocks);
        const TypedBuffer kept = places(round.kept, round.blocks);
        ranks_.exchange(given, rank_at(round.distance), {incoming_.get(), kept.count, kept.type},
                        rank_at(opposite(round.distance)));
        reduction_.combine(incoming_.get(), kept);
    }
}

void HalvedVector::allgather() {
    for (const HalvingRounds::Round& round : std::views::reverse(rounds_.rounds)) {
        const TypedBuffer sent = places(round.kept, round.blocks);
        const TypedBuffer received = places(round.given, round.blocks);
        ranks_.exchange(sent, rank_at(opposite(round.distance)), received, rank_at(round.distance));
    }
}

void HalvedVector::copy_to(const Blocks& blocks) const {
    for_each_row(blocks, [&](const TypedBuffer& place, const TypedBuffer& block) {
        copy_locally(place, block, ranks_);
    });
}

}  // namespace mpiaudit
