// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
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

std::string text_of(const std::string& name) {
    std::ifstream stream(folder / (name + ".json"));
    return {std::istreambuf_iterator<char>(stream), {}};
}

Distribution shipped(const std::string& name) {
    return parse_distribution(text_of(name), name + ".json");
}

Count total(const std::vector<Count>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), Count{0});
}

std::vector<Count> sizes_of(const std::string& name, int ranks, Count block_size) {
    return block_sizes(shipped(name), ranks, block_size, ranks / 2, 1);
}

std::vector<std::string> shipped_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().stem().string());
    return names;
}

class ShippedDistribution : public testing::TestWithParam<std::string> {};

TEST_P(ShippedDistribution, IsNamedAfterItsFileAndExplained) {
    const Distribution distribution = shipped(GetParam());
    EXPECT_EQ(distribution.name, GetParam());
    EXPECT_NE(distribution.summary, "");
    EXPECT_NE(distribution.source, "");
}

/// parse_distribution() refuses a file whose examples do not hold.
TEST_P(ShippedDistribution, HasExamples) {
    EXPECT_NE(text_of(GetParam()).find("\"examples\": ["), std::string::npos);
}

TEST_P(ShippedDistribution, GivesBlocksOnAnyNumberOfRanks) {
    const Distribution distribution = shipped(GetParam());
    for (const int ranks : {1, 2, 3, 7, 16, 33, 560})
        for (const Count b : {1, 2, 3, 10, 999, 100'000, 123'456'789}) {
            const auto sizes = block_sizes(distribution, ranks, b, ranks / 2, 2);
            EXPECT_GT(total(sizes), 0) << ranks << " ranks, b = " << b;
        }
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedDistribution, testing::ValuesIn(shipped_names()),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

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
