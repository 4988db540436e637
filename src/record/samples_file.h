// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <string>

#include "record/audit_record.h"

namespace mpiaudit {

/// The raw results of an audit: one JSON object per line, first a header that says what is measured
/// and where, then one line per problem, and one when a session has ended. A line once written
/// stays: an audit may be killed at any time and go on later.
struct SamplesFile {
    record::Audit audit;
    /// Set when the last line was half-written by a killed audit, and is not among the problems.
    bool is_truncated = false;
    std::size_t intact_bytes = 0;  ///< of the lines that are complete
};

/// Throws std::runtime_error when the file cannot be read, has no header or a line in its middle is
/// damaged: "FILE:LINE: contestants[2].samples_s[4] must be a number, is a string".
SamplesFile read_samples(const std::string& path);

/// Appends lines and flushes each, so that what was measured survives a kill.
class SamplesWriter {
  public:
    /// Opens for appending; throws std::runtime_error when that is not possible.
    explicit SamplesWriter(const std::string& path);
    /// Throw std::runtime_error when the line cannot be written.
    void append(const record::Header& header);
    void append(const record::ProblemRecord& problem);
    void append(const record::End& end);

  private:
    void append_line(const std::string& line);

    std::string path_;
    std::ofstream file_;
};

}  // namespace mpiaudit
