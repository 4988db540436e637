// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace mpiaudit {

SamplesFile read_samples(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(
            fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
    SamplesFile samples;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        // A line is complete when its end was written, too.
        if (file.eof()) {
            samples.is_truncated = true;
            break;
        }
        nlohmann::json line = nlohmann::json::parse(text, nullptr, false);
        if (line.is_discarded() || !line.is_object() || !line.contains("kind") ||
            !line["kind"].is_string())
            throw std::runtime_error(
                fmt::format("{}:{}: not a line of an audit's samples", path, number));
        const auto kind = line["kind"].get<std::string>();
        if (number == 1 && kind == "header")
            samples.header = std::move(line);
        else if (number > 1 && kind == "problem")
            samples.problems.push_back(std::move(line));
        else if (number > 1 && kind == "end")
            samples.ends.push_back(std::move(line));
        else
            throw std::runtime_error(
                fmt::format("{}:{}: unexpected line of kind '{}'", path, number, kind));
        samples.intact_bytes += text.size() + 1;
    }
    if (samples.header.is_null())
        throw std::runtime_error(
            fmt::format("{}: has no header; it is not an audit's samples, or the "
                        "audit was killed before its first measurement",
                        path));
    return samples;
}

SamplesWriter::SamplesWriter(const std::string& path)
    : path_{path}, file_{path, std::ios::binary | std::ios::app} {
    if (!file_)
        throw std::runtime_error(
            fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
}

void SamplesWriter::append(const nlohmann::json& line) {
    file_ << line.dump() << '\n' << std::flush;
    if (!file_)
        throw std::runtime_error(
            fmt::format("{}: cannot be written ({})", path_, std::strerror(errno)));
}

bool is_complete(const SamplesFile& samples) {
    return samples.problems.size() == samples.header["planned_problems"].get<std::size_t>();
}

std::vector<std::string> host_names(const nlohmann::json& header) {
    std::vector<std::string> names;
    for (const nlohmann::json& host : header["machine"]["hosts"]) names.push_back(host["name"]);
    return names;
}

}  // namespace mpiaudit
