// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "files/files.h"
#include "options/options.h"
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

/// The header of the audit in a folder; nothing where there is no audit. Throws UsageError when the
/// header is damaged.
std::optional<record::Header> read_header(const std::string& folder);

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

/// One launch, and what the user calls it.
struct NamedAudit {
    std::string name;
    record::Audit audit;
};

/// The launches of one audit in an order that make_report() takes: audits first, then those that
/// confirm one of them, which have only some of its checks. Of the checks that audits have chosen
/// on the way, those stay that all audits have. Throws UsageError with everything that differs when
/// they are not the same audit (library, ranks, options, guidelines, distributions, planned
/// checks), when an audit is not complete, and when two of them are one launch or share the seed of
/// the order, so that they are not independent.
std::vector<record::Audit> joined_launches(std::vector<NamedAudit> launches);

/// The folder of an audit, and those of the launches that confirm it in there: confirmation,
/// confirmation-1 and so on, where jobs/local puts them.
std::vector<std::string> with_confirmations(const std::string& folder);

/// The audits in the folders, with a warning where the end of one is lost. Throws UsageError.
std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders);

/// Those of one audit, joined. A folder that stands alone has its confirmations in it, of which
/// what was broken off is left out.
std::vector<record::Audit> launches_of(const std::vector<std::string>& folders);

/// The results folder of an audit, on rank 0. No other one can write to it (see FolderLock).
class Session {
  public:
    /// Makes the folder and starts its samples.jsonl with `header`, or goes on with what is there.
    /// Throws UsageError when there is an audit already and neither --resume nor --overwrite is
    /// given, when there is none to resume or it is another one, when another process is writing
    /// there, and when nothing can be written.
    Session(const std::string& folder, const SessionOptions& options, record::Header header);

    const std::string& folder() const { return folder_; }
    const record::Header& header() const { return audit_.header; }
    bool has(const std::string& problem_id) const { return done_.contains(problem_id); }
    void add(record::ProblemRecord problem);
    void add(record::Incident incident);
    /// What the machine looked like when the measurement ended.
    void end(MachineAfter machine);
    const record::Audit& audit() const { return audit_; }
    /// Something to tell the user about what was found in the folder; empty when there is nothing.
    const std::string& warning() const { return warning_; }

  private:
    void start(const std::string& file, const SessionOptions& options, record::Header header);
    void resume(const std::string& file, const record::Header& header);
    void take_incidents();

    std::string folder_;
    std::optional<FolderLock> lock_;
    std::optional<GrowingFile> samples_;
    record::Audit audit_;
    /// When and where a resumed audit goes on; part of the first problem that it measures.
    std::optional<record::Continued> continuation_;
    std::set<std::string> done_;
    std::string warning_;
};

/// results/HOST-YYYYMMDD-HHMMSS, of which nothing is there: two audits may begin in one second.
std::string default_folder();
/// ISO 8601, UTC.
std::string time_now();

}  // namespace mpiaudit
