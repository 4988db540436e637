// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace mpiaudit {

/// A row of Tables 1-11 of Traeff, Practical, Linear-time, Fully Distributed Algorithms for
/// Irregular Gather and Scatter, 2017, by column: amounts in elements, averages and minima in
/// microseconds.
using PublishedRow = std::map<std::string, std::string>;

inline std::vector<PublishedRow> published_tables() {
    std::ifstream file(SOURCE_DIR "/analysis/irregular-gather-tables.csv");
    std::vector<std::vector<std::string>> lines;
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        lines.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) lines.back().push_back(cell);
    }
    std::vector<PublishedRow> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        rows.emplace_back();
        for (std::size_t k = 0; k < lines[0].size(); ++k) rows.back()[lines[0][k]] = lines[i].at(k);
    }
    return rows;
}

}  // namespace mpiaudit
