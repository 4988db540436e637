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

/// Counted from the root, in a binomial tree.
Count deepest_rank(int ranks) {
    unsigned deepest = 0;
    for (unsigned i = 1; i < static_cast<unsigned>(ranks); ++i)
        if (std::popcount(i) > std::popcount(deepest)) deepest = i;
    return deepest;
}

/// The block of rank i, of which u is the draw.
Count said(const std::string& name, Count i, int p, Count b, int root, double u) {
    if (name == "same") return b;
    if (name == "random") return 1 + static_cast<Count>(2.0 * static_cast<double>(b) * u);
    if (name == "spikes") return u < 1.0 / 5 ? 5 * b : 1;
    if (name == "spikes:rho=10") return u < 1.0 / 10 ? 10 * b : 1;
    if (name == "decreasing") return 2 * b * (p - i) / p + 1;
    if (name == "alternating") return i % 2 == 0 ? b + b / 2 : b - b / 2;
    if (name == "two-blocks") return i == 0 || i == p - 1 ? b : 0;
    if (name == "even") return b / p + (i < b % p);
    return i == (root + deepest_rank(p)) % p ? b * p : 0;
}

TEST(ShippedDistributions, GiveEveryRankWhatTheySay) {
    std::vector<int> all_ranks(33);
    std::iota(all_ranks.begin(), all_ranks.end(), 1);
    all_ranks.insert(all_ranks.end(), {49, 560});
    for (const char* name : {"same", "random", "spikes", "spikes:rho=10", "decreasing",
                             "alternating", "two-blocks", "even", "far-block"}) {
        const std::string file = std::string(name).substr(0, std::string_view(name).find(':'));
        Distribution distribution = shipped(file);
        if (name != file) distribution = with_parameters(distribution, name + file.size() + 1);
        for (const int ranks : all_ranks)
            for (const Count b : {1, 2, 3, 10, 999, 100'000, 123'456'789})
                for (const auto& [root, seed] : {std::pair{0, 1U}, {ranks / 2, 2U}}) {
                    std::vector<Count> expected;
                    for (int i = 0; i < ranks; ++i)
                        expected.push_back(
                            said(name, i, ranks, b, root, uniform_draw(seed, name, b, i)));
                    ASSERT_EQ(block_sizes(distribution, ranks, b, root, seed), expected)
                        << name << ", " << ranks << " ranks, b = " << b;
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

}  // namespace
}  // namespace mpiaudit
