// SPDX-License-Identifier: BSD-3-Clause
#include "zero_copy/zero_copy_bruck.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace mpiaudit {
namespace {

int moving_elements(int ranks, int distance) {
    int moving = 0;
    for (int j = 0; j < ranks; ++j) moving += (j & distance) != 0;
    return moving;
}

/// Places beyond the p of R that some round needs: it holds all elements that have had a hop
/// before and those that come. No schedule of the same messages without copies can need fewer.
int lower_bound(int ranks) {
    int places = 0;
    for (int distance = 1; distance < ranks; distance *= 2) {
        const int never_moved = (ranks + distance - 1) / distance;
        places = std::max(places, moving_elements(ranks, distance) - never_moved);
    }
    return places;
}

TEST(HalfBuffer, never_lets_an_element_arrive_at_a_taken_place) {
    for (int ranks = 1; ranks <= 200; ++ranks) {
        const HalfBuffer plan{ranks};
        std::map<int, int> element_at;  // by place, the elements that have had a hop
        for (int k = 0; 1 << k < ranks; ++k) {
            std::map<int, int> arriving;
            std::vector<int> leaving;
            for (int j = 0; j < ranks; ++j) {
                if (!(j >> k & 1)) continue;
                const int place = plan.arrival(k, j);
                ASSERT_EQ(element_at.count(place), 0U) << ranks << " ranks, round " << k;
                ASSERT_TRUE(arriving.emplace(place, j).second) << ranks << " ranks, round " << k;
                if (j % (1 << k) == 0) continue;
                ASSERT_EQ(element_at.at(plan.departure(k, j)), j) << ranks << " ranks, round " << k;
                leaving.push_back(plan.departure(k, j));
            }
            for (const int place : leaving) element_at.erase(place);
            element_at.merge(arriving);
        }
        for (int j = 1; j < ranks; ++j) ASSERT_EQ(element_at.at(j), j) << ranks << " ranks";
        ASSERT_EQ(element_at.count(0), 0U) << ranks << " ranks: the place of the own element";
    }
}

TEST(HalfBuffer, uses_only_the_places_that_it_says) {
    for (int ranks = 1; ranks <= 200; ++ranks) {
        const HalfBuffer plan{ranks};
        for (int k = 0; 1 << k < ranks; ++k)
            for (int j = 0; j < ranks; ++j)
                if (j >> k & 1) {
                    ASSERT_GE(plan.arrival(k, j), 0);
                    ASSERT_LT(plan.arrival(k, j), ranks + plan.intermediate_elements());
                }
    }
}

TEST(HalfBuffer, needs_no_more_places_than_any_schedule_without_copies) {
    for (int ranks = 1; ranks <= 1030; ++ranks) {
        const int needed = HalfBuffer{ranks}.intermediate_elements();
        ASSERT_EQ(needed, lower_bound(ranks)) << ranks << " ranks";
        ASSERT_LE(needed, std::max(0, ranks / 2 - 2)) << ranks << " ranks";
    }
    EXPECT_EQ(HalfBuffer{16}.intermediate_elements(), 6);
}

}  // namespace
}  // namespace mpiaudit
