// SPDX-License-Identifier: BSD-3-Clause
#include "record/session.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "options/recorded_options.h"
#include "record/options_json.h"

namespace mpiaudit {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string samples_file(const std::string& folder) {
    return fs::path(folder) / "samples.jsonl";
}

/// Throws when an interrupted audit was another one than `header` describes.
void check_same_audit(const json& recorded, const json& header, const RunOptions& options,
                      const std::string& folder) {
    const json& old_options = recorded["options"];
    const json given = as_json(audit_options(options));  // items() only refers to it
    for (const auto& [option, value] : given.items()) {
        if (!old_options.contains(option) || old_options[option] != value)
            throw UsageError(fmt::format(
                "--resume: the audit in {} has --{} {}, not {}; give the same options, or another "
                "--output",
                folder, option, old_options.value(option, json()).dump(), value.dump()));
    }
    if (recorded["machine"]["ranks"] != header["machine"]["ranks"])
        throw UsageError(fmt::format("--resume: the audit in {} ran on {} ranks, not {}", folder,
                                     recorded["machine"]["ranks"].dump(),
                                     header["machine"]["ranks"].dump()));
    for (const char* part : {"mpi", "guidelines", "distributions", "confirms"}) {
        if (recorded.value(part, json()) != header.value(part, json()))
            throw UsageError(
                fmt::format("--resume: the audit in {} had a different \"{}\": see the first "
                            "line of its samples.jsonl; give another --output",
                            folder, part));
    }
}

}  // namespace

Session::Session(const std::string& folder, const RunOptions& options, json header)
    : folder_{folder} {
    const std::string file = samples_file(folder);
    std::error_code failure;
    const bool exists = fs::exists(file, failure);
    try {
        if (options.resume) {
            if (!exists) throw UsageError(fmt::format("--resume: there is no audit in {}", folder));
            resume(file, header, options);
            return;
        }
        if (exists && !options.overwrite)
            throw UsageError(
                fmt::format("--output: there is an audit in {}; give --resume to go on, "
                            "--overwrite to replace it",
                            folder));
        fs::create_directories(folder);
        if (exists) fs::remove(file);
        fs::remove(fs::path(folder) / "report.json");
        SamplesWriter(file).append(header);
        samples_.header = std::move(header);
    } catch (const fs::filesystem_error& error) {
        throw UsageError(
            fmt::format("--output: {} cannot be written: {}", folder, error.code().message()));
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("--output: {}", error.what()));
    }
}

void Session::resume(const std::string& file, const json& header, const RunOptions& options) {
    samples_ = read_samples(file);
    check_same_audit(samples_.header, header, options, folder_);
    if (samples_.is_truncated) {
        warning_ = fmt::format("the last line of {} was half-written and is dropped", file);
        fs::resize_file(file, samples_.intact_bytes);
    }
    for (const json& problem : samples_.problems) done_.insert(problem["id"].get<std::string>());
    continuation_ = {
        {"started", header["started"]}, {"hosts", host_names(header)}, {"job", header["job"]}};
}

void Session::add(json line) {
    if (!continuation_.is_null()) line["continued"] = std::move(continuation_);
    continuation_ = nullptr;
    SamplesWriter(samples_file(folder_)).append(line);
    done_.insert(line["id"].get<std::string>());
    samples_.problems.push_back(std::move(line));
}

void Session::end(json machine) {
    json line = {{"kind", "end"}, {"ended", time_now()}, {"machine", std::move(machine)}};
    SamplesWriter(samples_file(folder_)).append(line);
    samples_.ends.push_back(std::move(line));
}

std::string default_folder() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return fmt::format("results/{}-{:%Y%m%d-%H%M%S}", host.data(),
                       fmt::localtime(std::time(nullptr)));
}

std::string time_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace mpiaudit
