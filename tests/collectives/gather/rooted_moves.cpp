// SPDX-License-Identifier: BSD-3-Clause
#include "rooted_moves.h"

#include <gtest/gtest.h>

#include <random>

namespace mpiaudit::test {
namespace {

const std::vector<const ElementKind*>& kinds() {
    static const std::vector<const ElementKind*> all =
        element_kinds({"int", "double", "char", "ints with holes to ints", "ints to vectors",
                       "three ints to six with holes", "ints out of order to ints",
                       "doubles to doubles out of order", "padded struct",
                       "struct in reverse to two", "predefined pair to struct"});
    return all;
}

Move next_move(const std::vector<int>& items, int root, std::size_t& number) {
    // 11 kinds, 3 placings, 2 places: coprime, so all combinations come in turn.
    const Move next{kinds()[number % kinds().size()],
                    "",
                    blocks_of(items),
                    root,
                    static_cast<Placing>(number % 3),
                    number % 2 == 1};
    ++number;
    return next;
}

/// The distributions of Träff 2017, section 5, and the extremes: blocks in items.
std::vector<std::vector<int>> item_distributions(int ranks) {
    const int b = 4;
    std::vector<std::vector<int>> all(9, std::vector<int>(static_cast<std::size_t>(ranks), 0));
    std::mt19937 random(42);
    for (int i = 0; i < ranks; ++i) {
        const auto k = static_cast<std::size_t>(i);
        all[0][k] = b;                                         // same
        all[1][k] = static_cast<int>(1 + random() % (2 * b));  // random
        all[2][k] = random() % 5 == 0 ? 5 * b : 1;             // spikes
        all[3][k] = 2 * b * (ranks - i) / ranks + 1;           // decreasing
        all[4][k] = i % 2 == 0 ? b + b / 2 : b / 2;            // alternating
        all[5][k] = i == 0 || i == ranks - 1 ? b : 0;          // two blocks
        all[7][k] = i == ranks / 3 ? 9 : 0;                    // a single block; [6]: none at all
        all[8][k] = random() % 2 ? 0 : static_cast<int>(random() % 30);
    }
    for (int i = 0; i < 6; ++i) {
        std::vector<int> items(static_cast<std::size_t>(ranks));
        for (int& count : items) count = static_cast<int>(random() % (random() % 20 + 1));
        all.push_back(items);
    }
    return all;
}

}  // namespace

std::vector<Move> irregular_moves(int ranks) {
    std::vector<Move> moves;
    std::size_t number = 0;
    for (const std::vector<int>& items : item_distributions(ranks))
        for (int root = 0; root < ranks; ++root)
            for (int repeated = 0; repeated < 2; ++repeated)
                moves.push_back(next_move(items, root, number));
    const std::vector<int> random_items = item_distributions(ranks).back();
    for (int i = 0; i < 66; ++i) moves.push_back(next_move(random_items, i % ranks, number));
    return moves;
}

std::vector<Move> regular_moves(int ranks) {
    std::vector<Move> moves;
    std::size_t number = 0;
    for (const int count : {0, 1, 40})
        for (int root = 0; root < ranks; ++root)
            for (std::size_t i = 0; i < (count == 0 ? 2 : kinds().size()); ++i) {
                const std::vector<int> items(static_cast<std::size_t>(ranks), count);
                moves.push_back(next_move(items, root, number));
                moves.back().placing = Placing::contiguous;
            }
    return moves;
}

void check_each_and_in_turns(const std::vector<Tested>& algorithms,
                             const std::vector<Move>& cases) {
    for (const Tested& tested : algorithms)
        for (const Move& move : cases) check(tested, move);
    for (std::size_t i = 0; i < 3 * cases.size(); ++i)
        check(algorithms[i % algorithms.size()], cases[i * 29 % cases.size()]);
    EXPECT_FALSE(has_unmatched_message());
}

}  // namespace mpiaudit::test
