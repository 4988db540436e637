// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "record/json_form.h"
#include "record/scale_folders.h"
#include "text/command.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

constexpr const char* packed_name = "samples.jsonl.xz";

/// Throws if `folder` has only compressed samples, or is the file of such samples itself.
void require_unpacked(const std::filesystem::path& folder) {
    std::error_code failure;
    const auto packed = folder.filename() == packed_name ? folder : folder / packed_name;
    if (!std::filesystem::is_regular_file(packed, failure)) return;
    throw UsageError("{}: the samples are compressed; unpack them first: xz -dk {}",
                     folder.string(), shell_word(packed.string()));
}

/// A header has a command, which is not empty.
bool has_header(const record::Audit& audit) {
    return !audit.header.command.empty();
}

/// Throws if the problem is there already, or belongs to another audit: evidence counts once.
void add(record::ProblemRecord problem, record::Audit& audit) {
    const std::string id = problem.problem.id;
    const std::vector<std::string>& planned = audit.header.planned;
    if (!problem.problem.chosen && !planned.empty() && !is_among(planned, id))
        throw make_invalid_argument("id is {}, which is no problem of this audit", id);
    if (!add_problem(audit, std::move(problem)))
        throw make_invalid_argument("id is {}, which was measured before", id);
    if (audit.planned_and_measured() > audit.header.planned_problems)
        throw make_invalid_argument("id is {}, beyond the {} problems of this audit", id,
                                    audit.header.planned_problems);
}

/// Adds one line of a file of samples to the audit. Throws std::invalid_argument unless the header
/// is the first line, and only the first.
void take_line(const std::string& text, record::Audit& audit) {
    if (const auto at = first_invalid_utf8(text)) throw std::invalid_argument(not_utf8(text, *at));
    const json line = parsed_json(text);
    const std::string kind = record::kind_of(line);
    if (kind.empty()) throw std::invalid_argument("not a line of an audit's samples");
    if (has_header(audit) == (kind == "header"))
        throw make_invalid_argument("unexpected line of kind '{}'", kind);
    if (kind == "header")
        audit.header = record::header_of(line);
    else if (kind == "problem")
        add(record::problem_of(line, audit.header), audit);
    else if (kind == "incident")
        audit.incidents.push_back(record::incident_of(line));
    else if (kind == "calls")
        audit.generated_calls = record::generated_calls_of(line);
    else if (kind == "end")
        audit.ends.push_back(record::end_of(line));
    else
        throw make_invalid_argument("unexpected line of kind '{}'", kind);
}

}  // namespace

SamplesFile read_samples(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(
            fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
    SamplesFile samples;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        // A line without a newline is incomplete.
        if (file.eof()) {
            samples.is_truncated = true;
            break;
        }
        try {
            take_line(text, samples.audit);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path, number, error.what()));
        }
        samples.intact_bytes += text.size() + 1;
    }
    if (!has_header(samples.audit))
        throw std::runtime_error(
            fmt::format("{}: has no header: the audit was ended before anything was measured, or "
                        "these are no samples; --overwrite begins again",
                        path));
    return samples;
}

bool has_samples(const std::string& folder) {
    const std::filesystem::path path = folder;
    std::error_code failure;
    return std::filesystem::exists(path / "samples.jsonl", failure) ||
           std::filesystem::exists(path / packed_name, failure);
}

SamplesFile read_results(const std::string& folder) {
    const auto path = std::filesystem::path(folder) / "samples.jsonl";
    std::error_code failure;
    if (const auto scales = scales_in(folder); !scales.empty())
        throw UsageError("{}: has an audit for each number of {}; give one of them, such as {}",
                         folder, scales.front().unit, folder_of(folder, scales.front()));
    if (!std::filesystem::is_regular_file(path, failure)) {
        require_unpacked(folder);
        throw UsageError("{}: is not the folder of an audit, it has no samples.jsonl", folder);
    }
    try {
        return read_samples(path);
    } catch (const std::runtime_error& error) {
        throw UsageError(error.what());
    }
}

std::optional<record::Header> read_header(const std::string& folder) {
    const auto path = std::filesystem::path(folder) / "samples.jsonl";
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    std::string line;
    // An incomplete line has no header; read_samples() reports the line.
    if (!std::getline(file, line) || file.eof()) return std::nullopt;
    record::Audit audit;
    try {
        take_line(line, audit);
    } catch (const std::invalid_argument& error) {
        throw UsageError("{}:1: {}", path.string(), error.what());
    }
    return std::move(audit.header);
}

bool holds_samples(const std::string& path) {
    if (std::filesystem::path(path).filename() == "samples.jsonl") return true;
    std::error_code failure;
    // Opening a pipe would block until a writer comes.
    if (!std::filesystem::is_regular_file(path, failure)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string line;
    return std::getline(file, line) && record::kind_of(parsed_json(line)) == "header";
}

void start_samples(const std::string& path, const record::Header& header) {
    replace_file(path, line_text(record::line_of(header)));
}

std::string line_text(const json& line) {
    return json_text(line) + '\n';
}

void check_output(const std::string& option, const std::string& path) {
    if (path.empty()) return;
    if (holds_samples(path))
        throw UsageError(
            "{}: {} holds the samples of an audit, which would be lost; give another name", option,
            path);
    write_output(option, [&] { check_replaceable(path); });
}

void write_output(const std::string& option, const std::function<void()>& write) {
    try {
        write();
    } catch (const std::runtime_error& error) {
        throw UsageError("{}: {}", option, error.what());
    }
}

}  // namespace mpiaudit
