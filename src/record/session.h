// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "options/options.h"
#include "record/samples_file.h"

namespace mpiaudit {

/// The results folder of an audit, on rank 0.
class Session {
  public:
    /// Makes the folder and starts its samples.jsonl with `header`, or goes on with what is there.
    /// Throws UsageError when there is an audit already and neither --resume nor --overwrite is
    /// given, when there is none to resume or it is another one, and when nothing can be written.
    Session(const std::string& folder, const RunOptions& options, nlohmann::json header);

    const std::string& folder() const { return folder_; }
    const nlohmann::json& header() const { return samples_.header; }
    bool has(const std::string& problem_id) const { return done_.contains(problem_id); }
    void add(nlohmann::json line);
    /// What the machine looked like when the measurement ended.
    void end(nlohmann::json machine);
    const SamplesFile& samples() const { return samples_; }
    /// Something to tell the user about what was found in the folder; empty when there is nothing.
    const std::string& warning() const { return warning_; }

  private:
    void resume(const std::string& file, const nlohmann::json& header, const RunOptions& options);

    std::string folder_;
    SamplesFile samples_;
    /// When and where a resumed audit goes on; part of the first problem that it measures.
    nlohmann::json continuation_;
    std::set<std::string> done_;
    std::string warning_;
};

/// results/HOST-YYYYMMDD-HHMMSS
std::string default_folder();
/// ISO 8601, UTC.
std::string time_now();

}  // namespace mpiaudit
