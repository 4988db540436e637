// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// The same time in every round.
inline std::vector<double> times(std::size_t rounds, double seconds) {
    return std::vector<double>(rounds, seconds);
}

/// A contestant scattered -> rooted.
record::Contestant contestant(const std::string& name, std::vector<double> samples_s);
inline record::Contestant contestant(const std::string& name, std::size_t rounds, double seconds) {
    return contestant(name, times(rounds, seconds));
}
record::Contestant skipped_contestant(const std::string& name, const std::string& reason);
record::Contestant wrong_contestant(const std::string& name, const std::string& finding);

/// A problem of four ranks: its check k is guideline k of the header, between the contestants 2k
/// and 2k + 1.
record::ProblemRecord problem_record(const std::string& distribution,
                                     std::vector<record::Contestant> contestants,
                                     record::Stopped stopped = record::Stopped::decided);

/// The header of an audit of two problems with three guidelines, alpha divided over three checks.
record::Header audit_header();

}  // namespace mpiaudit
