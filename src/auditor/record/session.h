// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <string>

#include "files/files.h"
#include "options/options.h"
#include "record/audit_record.h"
#include "record/samples_file.h"

namespace mpiaudit {

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
