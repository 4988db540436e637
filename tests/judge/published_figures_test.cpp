// SPDX-License-Identifier: BSD-3-Clause
// The judge on Tables 1-11 of Traeff, Practical, Linear-time, Fully Distributed Algorithms for
// Irregular Gather and Scatter, 2017: averages and minima in microseconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit::judge {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) result.push_back(cell);
    return result;
}

std::vector<Row> published_figures() {
    std::ifstream file(SOURCE_DIR "/tests/data/irregular-gather-tables.csv");
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> columns = cells(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> values = cells(line);
        Row& row = rows.emplace_back();
        for (std::size_t k = 0; k < columns.size(); ++k) row[columns[k]] = values.at(k);
    }
    return rows;
}

/// In how many rows of a table `left <= right` is violated; each figure stands for one sample.
int violations(const std::string& table, const std::string& left, const std::string& right,
               Criterion criterion) {
    const Rule rule{.criterion = criterion, .tolerance = 0.0};
    int count = 0;
    for (const Row& row : published_figures()) {
        if (row.at("table") != table) continue;
        const std::vector<double> left_s{std::stod(row.at(left)) * 1e-6};
        const std::vector<double> right_s{std::stod(row.at(right)) * 1e-6};
        count += judge(left_s, right_s, rule, 1).verdict == Verdict::violated ? 1 : 0;
    }
    return count;
}

std::vector<int> violations_in_tables(const std::string& left, const std::string& right,
                                      Criterion criterion) {
    std::vector<int> counts;
    for (const char* table : {"1", "2", "3", "5", "6", "11"})
        counts.push_back(violations(table, left, right, criterion));
    return counts;
}

TEST(PublishedFigures, AreThirtyRowsInEachOfElevenTables) {
    std::map<std::string, int> rows;
    for (const Row& row : published_figures()) ++rows[row.at("table")];
    EXPECT_EQ(rows.size(), 11U);
    for (const auto& [table, count] : rows) EXPECT_EQ(count, 30) << "table " << table;
}

TEST(PublishedFigures, ShowGathervViolatingGuideline2ByAverages) {
    EXPECT_THAT(violations_in_tables("gatherv_avg", "padded_avg", Criterion::averages),
                testing::ElementsAre(19, 15, 10, 13, 20, 18));
}

TEST(PublishedFigures, ShowGathervViolatingGuideline2ByMinima) {
    EXPECT_THAT(violations_in_tables("gatherv_min", "padded_min", Criterion::minima),
                testing::ElementsAre(19, 15, 7, 14, 22, 14));
}

TEST(PublishedFigures, ShowTuwGathervKeepingGuideline2ByMinimaInTable1) {
    EXPECT_EQ(violations("1", "tuw_min", "padded_min", Criterion::minima), 0);
}

}  // namespace
}  // namespace mpiaudit::judge
