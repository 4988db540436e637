// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "files/files.h"
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
/// damaged or not one of this audit's: "FILE:LINE: contestants[2].samples_s[4] must be a number, is
/// a string".
SamplesFile read_samples(const std::string& path);

/// The samples of the audit in a folder. Throws UsageError when there are none, or damaged ones.
SamplesFile read_results(const std::string& folder);

/// Whether the file is the samples of some audit, by its name or by its first line: nothing else
/// may be written over it.
bool holds_samples(const std::string& path);

/// A line of the file, as record::line_of() has it, to be appended. What is not UTF-8, which
/// nothing there should be, does not end an audit.
std::string line_text(const nlohmann::json& line);

/// Starts the samples of an audit, in place of any that were there: the file has its header as soon
/// as it is there. Throws as replace_file() does.
void start_samples(const std::string& path, const record::Header& header);

/// Before the work, so that nothing is printed that looks like success: whether the file that an
/// option names can be written. Nothing to check where the name is empty.
/// \param option as on the command line: "--junit"
/// \throws UsageError when it cannot, or holds the samples of an audit, which would be lost
void check_output(const std::string& option, const std::string& path);

/// Calls what writes such a file.
/// \throws UsageError that names the option, when it throws std::runtime_error
void write_output(const std::string& option, const std::function<void()>& write);

}  // namespace mpiaudit
