// SPDX-License-Identifier: BSD-3-Clause
// Defines class Session and default_folder() of samples_file.h.
#include "record/samples_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "record/json_form.h"
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

/// Returns the files that mpi/incident.h wrote, sorted by name.
std::vector<fs::path> incident_files(const std::string& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file() && !entry.is_symlink() &&
            entry.path().filename().string().starts_with("incident-"))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

/// Returns nothing if the file is incomplete: the process may have been killed while it wrote.
std::optional<record::Incident> read_incident(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    record::Incident incident;
    std::string what, clearness, kind;
    for (std::string* line : {&incident.problem, &incident.operation, &what, &clearness}) {
        if (!std::getline(file, *line) || file.eof() || first_invalid_utf8(*line))
            return std::nullopt;
    }
    incident.is_unclear = clearness == "unclear";
    std::getline(file, kind);  // versions before that of samples 2.3 leave no kind
    const auto found = fault_names.find(kind);
    incident.what = found ? Fault{*found, what} : fault_of_old_text(what);
    return incident;
}

}  // namespace

std::vector<record::Incident> noted_incidents(const std::string& folder) {
    std::vector<record::Incident> all;
    for (const fs::path& each : incident_files(folder))
        if (auto incident = read_incident(each)) all.push_back(std::move(*incident));
    return all;
}

void remove_incidents(const std::string& folder) {
    for (const fs::path& each : incident_files(folder)) fs::remove(each);
}

namespace {

/// Throws if `header` does not describe the interrupted audit.
void check_same_audit(const record::Header& recorded, const record::Header& header,
                      const std::string& folder) {
    // Options with a default in the header belong to the audit.
    for (const auto& [option, unused] : header.default_options) {
        const OptionValue& before = option_in(recorded.options, option);
        const OptionValue& now = option_in(header.options, option);
        if (before == now) continue;
        throw UsageError(
            "--resume: the audit in {} has --{} {}, not {}; give the same options, or another "
            "--output",
            folder, option, in_words(before), in_words(now));
    }
    for (const auto& [option, usual] : recorded.default_options) {
        const bool is_here = option_in(header.default_options, option) != OptionValue();
        if (!is_here && option_in(recorded.options, option) != usual)
            throw UsageError(
                "--resume: the audit in {} has an option --{} that this version of mpiaudit does "
                "not have; go on with the version that began it",
                folder, option);
    }
    if (recorded.machine.ranks != header.machine.ranks)
        throw UsageError("--resume: the audit in {} ran on {} ranks, not {}", folder,
                         recorded.machine.ranks, header.machine.ranks);
    const auto require_same = [&](bool is_same, const char* part) {
        if (!is_same)
            throw UsageError(
                "--resume: the audit in {} had a different \"{}\": see the first line of its "
                "samples.jsonl; give another --output",
                folder, part);
    };
    require_same(recorded.mpi == header.mpi, "mpi");
    require_same(recorded.guidelines == header.guidelines, "guidelines");
    require_same(recorded.distributions == header.distributions, "distributions");
    require_same(recorded.confirms == header.confirms, "confirms");
    require_same(recorded.planned.empty() || recorded.planned == header.planned, "planned");
}

}  // namespace

Session::Session(const std::string& folder, const SessionOptions& options, record::Header header)
    : folder_{folder} {
    const std::string file = samples_file(folder);
    std::error_code failure;
    try {
        if (options.resume && !fs::is_regular_file(file, failure))
            throw UsageError("--resume: there is no audit in {}", folder);
        fs::create_directories(folder);
        lock_.emplace(folder);
        // Fails before anything is measured.
        check_replaceable(report_file(folder));
        if (options.resume)
            resume(file, header);
        else
            start(file, options, std::move(header));
    } catch (const fs::filesystem_error& error) {
        throw UsageError("--output: {} cannot be written: {}", folder, error.code().message());
    } catch (const std::runtime_error& error) {
        throw UsageError("--output: {}", error.what());
    }
}

void Session::start(const std::string& file, const SessionOptions& options, record::Header header) {
    if (fs::exists(fs::symlink_status(file)) && !options.overwrite)
        throw UsageError(
            "--output: there is an audit in {}; give --resume to go on, --overwrite to replace it",
            folder_);
    // Writes the new samples first: the old audit stays whole if they cannot be written.
    start_samples(file, header);
    fs::remove(report_file(folder_));
    remove_incidents(folder_);
    samples_.emplace(file);
    audit_.header = std::move(header);
}

void Session::resume(const std::string& file, const record::Header& header) {
    SamplesFile samples = read_samples(file);
    check_same_audit(samples.audit.header, header, folder_);
    if (samples.is_truncated)
        warning_ = fmt::format("the last line of {} was half-written and is dropped", file);
    samples_.emplace(file).shorten(samples.intact_bytes);
    audit_ = std::move(samples.audit);
    for (const record::ProblemRecord& each : audit_.problems) {
        if (!each.is_cut_short()) done_.insert(each.problem.id);
    }
    take_incidents();
    continuation_ = {header.started, header.host_names(), header.job};
}

/// Adds the incidents that ranks of an earlier session left behind to the record.
void Session::take_incidents() {
    using Names = std::pair<std::string, std::string>;
    std::set<Names> suspected, known;
    for (const record::Incident& each : audit_.incidents)
        (each.is_unclear ? suspected : known).insert({each.problem, each.operation});
    for (const fs::path& each : incident_files(folder_)) {
        auto incident = read_incident(each);
        fs::remove(each);
        if (incident && incident->problem == record::generated_calls_problem) {
            call_incident_ = std::move(incident);
            continue;
        }
        if (incident && known.insert({incident->problem, incident->operation}).second) {
            // The second incident on one problem cannot come from a lost host.
            if (suspected.contains({incident->problem, incident->operation}))
                incident->is_unclear = false;
            add(std::move(*incident));
        }
    }
}

void Session::add(record::Incident incident) {
    samples_->append(line_text(record::line_of(incident)));
    audit_.incidents.push_back(std::move(incident));
}

void Session::add(record::GeneratedCalls generated) {
    samples_->append(line_text(record::line_of(generated)));
    audit_.generated_calls = std::move(generated);
}

void Session::add(record::ProblemRecord problem) {
    if (continuation_) problem.continued = std::exchange(continuation_, std::nullopt);
    samples_->append(line_text(record::line_of(problem)));
    done_.insert(problem.problem.id);
    add_problem(audit_, std::move(problem));
}

void Session::end(MachineAfter machine) {
    record::End end{time_now(), std::move(machine)};
    samples_->append(line_text(record::line_of(end)));
    audit_.ends.push_back(std::move(end));
}

std::string default_folder() {
    const std::string of_this_second =
        fmt::format("results/{}-{:%Y%m%d-%H%M%S}", file_name_of(host_name()),
                    fmt::localtime(std::time(nullptr)));
    std::string folder = of_this_second;
    std::error_code failure;
    for (int n = 2; std::filesystem::exists(folder, failure); ++n)
        folder = fmt::format("{}-{}", of_this_second, n);
    return folder;
}

std::string time_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace mpiaudit
