// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>

#include "problem/distribution.h"
#include "published_tables.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;

const std::filesystem::path folder = std::filesystem::path(SOURCE_DIR) / "distributions";

Distribution shipped(const std::string& name) {
    const std::filesystem::path file = folder / (name + ".json");
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return parse_distribution(text, file.string());
}

Count total(const std::vector<Count>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), Count{0});
}

std::vector<Count> sizes_of(const std::string& name, int ranks, Count block_size) {
    return block_sizes(shipped(name), ranks, block_size, ranks / 2, 1);
}

TEST(ShippedDistributions, AreThoseOfThePaperAndEven) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const Distribution distribution = shipped(entry.path().stem().string());
        EXPECT_EQ(distribution.name, entry.path().stem().string());
        const std::string& name = distribution.name;
        EXPECT_EQ(distribution.source, name == "even"        ? "this suite"
                                       : name == "far-block" ? "Träff 2017, section 1"
                                                             : "Träff 2017, section 5");
        EXPECT_FALSE(distribution.summary.empty());
        names.push_back(distribution.name);
    }
    EXPECT_THAT(names,
                testing::UnorderedElementsAre("same", "random", "spikes", "decreasing",
                                              "alternating", "two-blocks", "even", "far-block"));
}

TEST(ShippedDistributions, TheFarBlockIsDeepestInTheFixedTree) {
    for (int ranks = 1; ranks <= 33; ++ranks) {
        const std::vector<Count> sizes = sizes_of("far-block", ranks, 3);
        int deepest = 0;  // counted from the root
        for (int i = 1; i < ranks; ++i)
            if (std::popcount(unsigned(i)) > std::popcount(unsigned(deepest))) deepest = i;
        EXPECT_EQ(sizes[static_cast<std::size_t>((ranks / 2 + deepest) % ranks)], 3 * ranks);
        EXPECT_EQ(total(sizes), 3 * ranks);
    }
}

TEST(ShippedDistributions, GiveValidSizesEverywhere) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const Distribution distribution = shipped(entry.path().stem().string());
        for (int ranks = 1; ranks <= 33; ++ranks) {
            for (Count block_size = 1; block_size <= 100'000; block_size *= 10) {
                for (const int root : {0, ranks / 2, ranks - 1}) {
                    const auto sizes = block_sizes(distribution, ranks, block_size, root, 1);
                    ASSERT_EQ(sizes.size(), static_cast<std::size_t>(ranks));
                    ASSERT_THAT(sizes, Each(Ge(0))) << distribution.name;
                }
            }
        }
    }
}

TEST(ShippedDistributions, HaveTheTotalsOfThePaper) {
    const std::map<std::string, std::string> names = {{"Same", "same"},
                                                      {"Decreasing", "decreasing"},
                                                      {"Alternating", "alternating"},
                                                      {"Two blocks", "two-blocks"}};
    const std::map<std::string, int> ranks_of_table = {
        {"1", 560}, {"4", 1600}, {"5", 3200}, {"6", 6400}};
    std::map<std::string, Count>
        next_size;  // of a table and distribution: its rows are of 1, 10 ...
    for (const PublishedRow& row : published_tables()) {
        const auto ranks = ranks_of_table.find(row.at("table"));
        const auto name = names.find(row.at("problem"));
        if (ranks == ranks_of_table.end() || name == names.end()) continue;
        Count& size = next_size[row.at("table") + row.at("problem")];
        size = size == 0 ? 1 : 10 * size;
        const auto sizes = sizes_of(name->second, ranks->second, size);
        EXPECT_EQ(std::to_string(total(sizes)), row.at("m"))
            << name->second << ' ' << ranks->second;
        EXPECT_EQ(std::to_string(ranks->second * *std::ranges::max_element(sizes)),
                  row.at("m_padded"))
            << name->second << ' ' << ranks->second;
    }
    EXPECT_EQ(next_size.size(), 16U);
}

TEST(ShippedDistributions, DeterministicOnesRankByRank) {
    EXPECT_THAT(sizes_of("same", 3, 7), ElementsAre(7, 7, 7));
    EXPECT_THAT(sizes_of("decreasing", 4, 10), ElementsAre(21, 16, 11, 6));
    EXPECT_THAT(sizes_of("alternating", 5, 7), ElementsAre(10, 4, 10, 4, 10));
    EXPECT_THAT(sizes_of("alternating", 2, 1), ElementsAre(1, 1));
    EXPECT_THAT(sizes_of("two-blocks", 5, 7), ElementsAre(7, 0, 0, 0, 7));
    EXPECT_THAT(sizes_of("two-blocks", 2, 7), ElementsAre(7, 7));
    EXPECT_THAT(sizes_of("two-blocks", 1, 7), ElementsAre(7));
    EXPECT_THAT(sizes_of("decreasing", 1, 7), ElementsAre(15));
    EXPECT_THAT(sizes_of("even", 4, 10), ElementsAre(3, 3, 2, 2));
    EXPECT_THAT(sizes_of("even", 4, 3), ElementsAre(1, 1, 1, 0));
}

TEST(ShippedDistributions, DecreasingRoundsLikeIntegers) {
    for (const int ranks : {3, 7, 49, 560, 6400}) {
        for (const Count block_size : {Count{1}, Count{999}, Count{100'000}, Count{123'456'789}}) {
            const auto sizes = sizes_of("decreasing", ranks, block_size);
            for (int rank = 0; rank < ranks; ++rank) {
                ASSERT_EQ(sizes[static_cast<std::size_t>(rank)],
                          2 * block_size * (ranks - rank) / ranks + 1);
            }
        }
    }
}

TEST(ShippedDistributions, RandomIsUniformFromOneToTwiceTheBlockSize) {
    constexpr int ranks = 6400;
    for (const Count block_size : {Count{1}, Count{10}, Count{10'000}}) {
        const auto sizes = sizes_of("random", ranks, block_size);
        EXPECT_THAT(sizes, Each(AllOf(Ge(1), Le(2 * block_size))));
        // The mean has standard deviation 2b / sqrt(12 p) = 0.0072 b: 0.04 b is more than five.
        const double mean = static_cast<double>(total(sizes)) / ranks;
        EXPECT_NEAR(mean, static_cast<double>(block_size) + 0.5,
                    0.04 * static_cast<double>(block_size));
    }
    const auto small = sizes_of("random", ranks, 2);
    for (Count size = 1; size <= 4; ++size) {
        // Standard deviation sqrt(p 3/16) = 35 around p / 4.
        EXPECT_NEAR(static_cast<double>(std::count(small.begin(), small.end(), size)), 1600, 175);
    }
}

TEST(ShippedDistributions, SpikesAreOneInRho) {
    constexpr int ranks = 6400;
    for (const Count block_size : {Count{1}, Count{10}, Count{10'000}}) {
        for (const Count rho : {Count{5}, Count{10}}) {
            const auto spikes =
                rho == 5 ? shipped("spikes") : with_parameters(shipped("spikes"), "rho=10");
            const auto sizes = block_sizes(spikes, ranks, block_size, 0, 1);
            const auto high = std::count(sizes.begin(), sizes.end(), rho * block_size);
            EXPECT_EQ(high + std::count(sizes.begin(), sizes.end(), Count{1}), ranks);
            // Standard deviation at most sqrt(p 0.2 0.8) = 32.
            EXPECT_NEAR(static_cast<double>(high), static_cast<double>(ranks / rho), 160);
        }
    }
}

TEST(ShippedDistributions, DrawsAreReproducibleAndIndependent) {
    const Distribution random = shipped("random");
    constexpr int ranks = 1000;
    const auto sizes = block_sizes(random, ranks, 100, 0, 1);
    EXPECT_EQ(sizes, block_sizes(random, ranks, 100, 0, 1));
    EXPECT_EQ(sizes, block_sizes(random, ranks, 100, 7, 1)) << "the root has no part in it";
    EXPECT_NE(sizes, block_sizes(random, ranks, 100, 0, 2));

    // Draws of another b: who gets more than b there is a fair coin against who does here.
    const auto others = block_sizes(random, ranks, 1000, 0, 1);
    int agreements = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        agreements += (sizes[rank] > 100) == (others[rank] > 1000) ? 1 : 0;
    }
    // Standard deviation sqrt(1000) / 2 = 16.
    EXPECT_NEAR(agreements, 500, 80);
}

}  // namespace
}  // namespace mpiaudit
