// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// Returns a contestant. \param way layouts with the operations between them:
/// "scattered -> MPI_Gather -> rooted"
inline record::ContestantDescription described_way(const std::string& name,
                                                   const std::string& way = "a") {
    const std::regex arrow(" -> ");
    const std::vector<std::string> parts(
        std::sregex_token_iterator(way.begin(), way.end(), arrow, -1), {});
    record::ContestantDescription made;
    made.name = name;
    for (std::size_t i = 0; i + 2 < parts.size(); i += 2)
        made.steps.emplace_back(parts[i + 1] + ": " + parts[i] + " -> " + parts[i + 2]);
    made.from = parts.front();
    made.to = parts.back();
    made.forced = name.find("[binomial]") != std::string::npos;
    return made;
}

}  // namespace mpiaudit
