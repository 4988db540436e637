// SPDX-License-Identifier: BSD-3-Clause
#include "record/session.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "text/plain.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

std::string samples_file(const std::string& folder) {
    return fs::path(folder) / "samples.jsonl";
}

std::string report_file(const std::string& folder) {
    return fs::path(folder) / "report.json";
}

/// Throws when an interrupted audit was another one than `header` describes.
void check_same_audit(const record::Header& recorded, const record::Header& header,
                      const std::string& folder) {
    // The options that belong to the audit are those that have a default there.
    for (const auto& [option, unused] : header.default_options) {
        const OptionValue* const before = find_option(recorded.options, option);
        const OptionValue* const now = find_option(header.options, option);
        if (before != nullptr && now != nullptr && *before == *now) continue;
        throw UsageError(fmt::format(
            "--resume: the audit in {} has --{} {}, not {}; give the same options, or another "
            "--output",
            folder, option, before != nullptr ? in_words(*before) : "null",
            now != nullptr ? in_words(*now) : "null"));
    }
    if (recorded.machine.ranks != header.machine.ranks)
        throw UsageError(fmt::format("--resume: the audit in {} ran on {} ranks, not {}", folder,
                                     recorded.machine.ranks, header.machine.ranks));
    const auto require_same = [&](bool is_same, const char* part) {
        if (!is_same)
            throw UsageError(
                fmt::format("--resume: the audit in {} had a different \"{}\": see the first "
                            "line of its samples.jsonl; give another --output",
                            folder, part));
    };
    require_same(recorded.mpi == header.mpi, "mpi");
    require_same(recorded.guidelines == header.guidelines, "guidelines");
    require_same(recorded.distributions == header.distributions, "distributions");
    require_same(recorded.confirms == header.confirms, "confirms");
    require_same(recorded.planned.empty() || recorded.planned == header.planned, "planned");
}

}  // namespace

Session::Session(const std::string& folder, const RunOptions& options, record::Header header)
    : folder_{folder} {
    const std::string file = samples_file(folder);
    std::error_code failure;
    try {
        if (options.resume && !fs::exists(file, failure))
            throw UsageError(fmt::format("--resume: there is no audit in {}", folder));
        fs::create_directories(folder);
        lock_.emplace(folder);
        // Known before anything is measured.
        check_replaceable(report_file(folder));
        if (options.resume)
            resume(file, header);
        else
            start(file, options, std::move(header));
    } catch (const fs::filesystem_error& error) {
        throw UsageError(
            fmt::format("--output: {} cannot be written: {}", folder, error.code().message()));
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("--output: {}", error.what()));
    }
}

void Session::start(const std::string& file, const RunOptions& options, record::Header header) {
    if (fs::exists(fs::symlink_status(file)) && !options.overwrite)
        throw UsageError(
            fmt::format("--output: there is an audit in {}; give --resume to go on, "
                        "--overwrite to replace it",
                        folder_));
    // The new samples first: as long as they cannot be written, the old audit stays whole.
    start_samples(file, header);
    fs::remove(report_file(folder_));
    samples_.emplace(file);
    audit_.header = std::move(header);
}

void Session::resume(const std::string& file, const record::Header& header) {
    SamplesFile samples = read_samples(file);
    check_same_audit(samples.audit.header, header, folder_);
    if (samples.is_truncated)
        warning_ = fmt::format("the last line of {} was half-written and is dropped", file);
    samples_.emplace(file, samples.intact_bytes);
    audit_ = std::move(samples.audit);
    for (const record::ProblemRecord& each : audit_.problems) {
        if (!each.is_left_out()) done_.insert(each.problem.id);
    }
    continuation_ = {header.started, header.host_names(), header.job.value_or(record::Job{})};
}

void Session::add(record::ProblemRecord problem) {
    if (continuation_) problem.continued = std::exchange(continuation_, std::nullopt);
    samples_->append(problem);
    done_.insert(problem.problem.id);
    add_problem(audit_, std::move(problem));
}

void Session::end(MachineAfter machine) {
    record::End end{time_now(), std::move(machine)};
    samples_->append(end);
    audit_.ends.push_back(std::move(end));
}

std::string default_folder() {
    const std::string of_this_second =
        fmt::format("results/{}-{:%Y%m%d-%H%M%S}", file_name_of(host_name()),
                    fmt::localtime(std::time(nullptr)));
    std::string folder = of_this_second;
    for (int n = 2; std::filesystem::exists(folder); ++n)
        folder = fmt::format("{}-{}", of_this_second, n);
    return folder;
}

std::string time_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace mpiaudit
