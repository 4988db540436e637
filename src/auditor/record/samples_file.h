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

/// The raw results of an audit, one JSON object per line: a header, which says what is measured and
/// where, one line per problem, and one line at the end of each session. A written line never
/// changes, so that a killed audit can go on later.
struct SamplesFile {
    record::Audit audit;
    /// True if a killed audit left an incomplete last line. `audit` does not contain that line.
    bool is_truncated = false;
    std::size_t intact_bytes = 0;  ///< size of the complete lines
};

/// Throws std::runtime_error if the file cannot be read, has no header, or has a damaged or foreign
/// line before its end: "FILE:LINE: contestants[2].samples_s[4] must be a number, is a string".
SamplesFile read_samples(const std::string& path);

/// True if a folder has the samples of an audit, readable or compressed by xz.
bool has_samples(const std::string& folder);

/// Returns the samples of the audit in a folder. Throws UsageError if there are none, or if they
/// are damaged; for compressed samples, with the command that unpacks them.
SamplesFile read_results(const std::string& folder);

/// Returns the header of the audit in a folder; nothing if the folder has no audit. Throws
/// UsageError if the header is damaged.
std::optional<record::Header> read_header(const std::string& folder);

/// True if the name or the first line says that the file holds the samples of an audit. Such a file
/// may only be replaced by samples.
bool holds_samples(const std::string& path);

/// Returns the text of a line that record::line_of() made, to be appended to the file. Bytes that
/// are not UTF-8 are replaced, since they must not end an audit.
std::string line_text(const nlohmann::json& line);

/// Starts the samples of an audit. Replaces an older file; the new file appears together with its
/// header. Throws as replace_file() does.
void start_samples(const std::string& path, const record::Header& header);

/// Checks that the file of an option can be written, before any work is done. An empty name needs
/// no check.
/// \param option as on the command line: "--junit"
/// \throws UsageError if the file cannot be written, or if it holds the samples of an audit, which
/// would be lost
void check_output(const std::string& option, const std::string& path);

/// Calls `write`, which writes the file of an option.
/// \throws UsageError that names the option, if `write` throws std::runtime_error
void write_output(const std::string& option, const std::function<void()>& write);

/// One launch, and the name that the user gave for it.
struct NamedAudit {
    std::string name;
    record::Audit audit;
};

/// Returns the launches of one audit in the order that make_report() takes: audits first, then
/// launches that confirm one of the audits and have only some of its checks. Of the checks that
/// audits chose while they ran, only those stay that all audits have.
/// Throws UsageError, which lists every difference, if the launches differ in library, ranks,
/// options, guidelines, distributions or planned checks, if an audit is incomplete, or if two
/// launches are the same or share the seed of the order, so that they are not independent.
std::vector<record::Audit> joined_launches(std::vector<NamedAudit> launches);

/// Returns the folder of an audit and the folders inside it of launches that confirm the audit:
/// confirmation, confirmation-1 and so on, where jobs/local puts them.
std::vector<std::string> with_confirmations(const std::string& folder);

/// Returns the audits in the folders. Prints a warning if the end of an audit is lost. Throws
/// UsageError.
std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders);

/// Returns the joined launches of one audit. A single folder brings the confirmations that it
/// contains, without those that were interrupted.
std::vector<record::Audit> launches_of(const std::vector<std::string>& folders);

/// The results folder of an audit, on rank 0. No other process can write to the folder (see
/// FolderLock).
class Session {
  public:
    /// Creates the folder and starts samples.jsonl with `header`, or continues the audit in the
    /// folder. Throws UsageError if the folder has an audit and neither --resume nor --overwrite is
    /// given, if there is no audit to resume or it is another audit, if another process writes
    /// there, or if nothing can be written.
    Session(const std::string& folder, const SessionOptions& options, record::Header header);

    const std::string& folder() const { return folder_; }
    const record::Header& header() const { return audit_.header; }
    bool has(const std::string& problem_id) const { return done_.contains(problem_id); }
    void add(record::ProblemRecord problem);
    void add(record::Incident incident);
    /// Replaces the generated calls so far.
    void add(record::GeneratedCalls generated);
    /// Returns the generated call during which the last session ended; nothing if there is none.
    const std::optional<record::Incident>& call_incident() const { return call_incident_; }
    /// Records the machine after the last measurement.
    void end(MachineAfter machine);
    const record::Audit& audit() const { return audit_; }
    /// Returns a warning about the contents of the folder; an empty text if there is none.
    const std::string& warning() const { return warning_; }

  private:
    void start(const std::string& file, const SessionOptions& options, record::Header header);
    void resume(const std::string& file, const record::Header& header);
    void take_incidents();

    std::string folder_;
    std::optional<FolderLock> lock_;
    std::optional<GrowingFile> samples_;
    record::Audit audit_;
    std::optional<record::Incident> call_incident_;
    /// Time and place at which a resumed audit goes on; written with the first problem that it
    /// measures.
    std::optional<record::Continued> continuation_;
    std::set<std::string> done_;
    std::string warning_;
};

/// Returns the hangs and crashes that the processes of a launch have noted in the folder (see
/// mpi/incident.h), lowest rank first.
std::vector<record::Incident> noted_incidents(const std::string& folder);
/// Removes the files of noted incidents from the folder.
void remove_incidents(const std::string& folder);

/// Returns a folder that does not exist yet: results/HOST-YYYYMMDD-HHMMSS, with a number behind it
/// if two audits begin in one second.
std::string default_folder();
/// Returns the present time as ISO 8601, UTC.
std::string time_now();

}  // namespace mpiaudit
