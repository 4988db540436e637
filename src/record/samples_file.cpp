// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "record/json_form.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

/// Takes the lines of a file one by one.
class LineReader {
  public:
    void take(const std::string& text) {
        const json line = json::parse(text, nullptr, false);
        const std::string kind = record::kind_of(line);
        if (kind.empty()) throw std::invalid_argument("not a line of an audit's samples");
        if (!has_header_ && kind == "header") {
            audit.header = record::header_of(line);
            has_header_ = true;
        } else if (has_header_ && kind == "problem") {
            add(record::problem_of(line, audit.header));
        } else if (has_header_ && kind == "end") {
            audit.ends.push_back(record::end_of(line));
        } else {
            throw std::invalid_argument(fmt::format("unexpected line of kind '{}'", kind));
        }
    }
    bool has_header() const { return has_header_; }

    record::Audit audit;

  private:
    void add(record::ProblemRecord problem) {
        // Evidence counts once.
        if (!ids_.insert(problem.problem.id).second)
            throw std::invalid_argument(
                fmt::format("id is {}, which was measured before", problem.problem.id));
        audit.problems.push_back(std::move(problem));
    }

    bool has_header_ = false;
    std::set<std::string> ids_;  ///< of the problems
};

}  // namespace

SamplesFile read_samples(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(
            fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
    SamplesFile samples;
    LineReader reader;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        // A line is complete when its end was written, too.
        if (file.eof()) {
            samples.is_truncated = true;
            break;
        }
        try {
            reader.take(text);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path, number, error.what()));
        }
        samples.intact_bytes += text.size() + 1;
    }
    if (!reader.has_header())
        throw std::runtime_error(
            fmt::format("{}: has no header; it is not an audit's samples, or the "
                        "audit was killed before its first measurement",
                        path));
    samples.audit = std::move(reader.audit);
    return samples;
}

SamplesWriter::SamplesWriter(const std::string& path)
    : path_{path}, file_{path, std::ios::binary | std::ios::app} {
    if (!file_)
        throw std::runtime_error(
            fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
}

void SamplesWriter::append(const record::Header& header) {
    append_line(record::line_of(header).dump());
}

void SamplesWriter::append(const record::ProblemRecord& problem) {
    append_line(record::line_of(problem).dump());
}

void SamplesWriter::append(const record::End& end) {
    append_line(record::line_of(end).dump());
}

void SamplesWriter::append_line(const std::string& line) {
    file_ << line << '\n' << std::flush;
    if (!file_)
        throw std::runtime_error(
            fmt::format("{}: cannot be written ({})", path_, std::strerror(errno)));
}

}  // namespace mpiaudit
