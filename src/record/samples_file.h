// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mpiaudit {

/// The raw results of an audit: one JSON object per line, first a header that says what is measured
/// and where, then one line per problem, and one when a session has ended. A line once written
/// stays: an audit may be killed at any time and go on later.
struct SamplesFile {
    nlohmann::json header;
    std::vector<nlohmann::json> problems;
    /// What every session of the audit found when it ended; none of one that was killed.
    std::vector<nlohmann::json> ends;
    /// Set when the last line was half-written by a killed audit, and is not among the problems.
    bool is_truncated = false;
    std::size_t intact_bytes = 0;  ///< of the lines that are complete
};

/// Throws std::runtime_error when the file cannot be read, has no header or a line in its middle
/// cannot be parsed.
SamplesFile read_samples(const std::string& path);

/// False for an audit that was interrupted.
bool is_complete(const SamplesFile& samples);
/// The hosts of an audit, by its header or by its report.
std::vector<std::string> host_names(const nlohmann::json& header);

/// Appends lines and flushes each, so that what was measured survives a kill.
class SamplesWriter {
  public:
    /// Opens for appending; throws std::runtime_error when that is not possible.
    explicit SamplesWriter(const std::string& path);
    /// Throws std::runtime_error when the line cannot be written.
    void append(const nlohmann::json& line);

  private:
    std::string path_;
    std::ofstream file_;
};

}  // namespace mpiaudit
