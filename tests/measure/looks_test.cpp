// SPDX-License-Identifier: BSD-3-Clause
#include "measure/open_checks.h"

#include <gmock/gmock.h>

#include <set>
#include <vector>

namespace mpiaudit {
namespace {

TEST(Looks, TakeTheirShareOfTheTime) {
    const std::vector<int> active = {2, 5, 7};
    Looks looks(1, 1e-3);
    double elapsed_s = 0.0, spent_s = 0.0;
    std::set<int> looked_at;
    for (int batch = 0; batch < 100'000; ++batch) {
        elapsed_s += 1e-3;
        const auto contestant = looks.draw(active, elapsed_s);
        if (!contestant) continue;
        looked_at.insert(*contestant);
        looks.add(2e-3);
        spent_s += 2e-3;
        elapsed_s += 2e-3;
        EXPECT_LE(spent_s, Looks::share_of_time * elapsed_s + 1e-3);
    }
    EXPECT_GE(spent_s, 0.95 * Looks::share_of_time * elapsed_s);
    EXPECT_EQ(looked_at, std::set<int>(active.begin(), active.end()));
}

TEST(Looks, DifferBetweenSeeds) {
    const std::vector<int> active = {0, 1};
    std::set<std::vector<int>> moments;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        Looks looks(seed, 0.0);
        std::vector<int> drawn;
        for (int i = 0; i < 64; ++i) drawn.push_back(looks.draw(active, 1.0).value_or(-1));
        moments.insert(drawn);
    }
    EXPECT_EQ(moments.size(), 8U);
}

TEST(Looks, NobodyIsLeft) {
    Looks looks(1, 0.0);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(looks.draw({}, 1.0), std::nullopt);
}

}  // namespace
}  // namespace mpiaudit
