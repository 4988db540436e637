// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/report.h"

#include <nlohmann/json.hpp>

#include "report/small_audit.h"
#include "screens/console.h"

namespace mpiaudit {

inline const judge::Rule evidence{};  // tolerance 0.05, alpha 0.05

/// Slower and faster than 1 s in turn.
inline std::vector<double> to_and_fro(std::size_t rounds) {
    std::vector<double> samples;
    for (std::size_t k = 0; k < rounds; ++k) samples.push_back(k % 2 == 0 ? 2.0 : 0.5);
    return samples;
}

inline record::Audit audit(std::vector<record::ProblemRecord> problems) {
    return {audit_header(), std::move(problems), {}, {}};
}

/// The only check of an audit of one problem with the two contestants.
inline JudgedCheck check_of(const record::Contestant& left, const record::Contestant& right,
                            record::Stopped stopped = record::Stopped::decided,
                            const judge::Rule& rule = evidence) {
    return make_report(audit({problem_record("same", {left, right}, stopped)}), rule).checks.at(0);
}

}  // namespace mpiaudit
