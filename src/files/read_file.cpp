// SPDX-License-Identifier: BSD-3-Clause
#include "files/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "text/plain.h"
#include "text/usage_error.h"

namespace mpiaudit {
namespace {

constexpr std::size_t most_bytes = 256U << 20U;  // /dev/zero has no end
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

void require_utf8(std::string_view text, const std::string& path) {
    const auto at = first_invalid_utf8(text);
    if (!at) return;
    const std::string_view before = text.substr(0, *at);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw UsageError(fmt::format("{}:{}: {}; save the file as UTF-8", path, line,
                                 not_utf8(text.substr(start), *at - start)));
}

}  // namespace

std::string read_file(const std::string& path) {
    std::error_code failure;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, failure))
        throw UsageError(fmt::format("{}: cannot be read; is it a readable file?", path));
    std::string text;
    std::array<char, 1U << 16U> part{};
    while (file && text.size() <= most_bytes) {
        file.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad())
        throw UsageError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
    if (text.size() > most_bytes) throw UsageError(fmt::format("{}: is larger than 256 MiB", path));
    if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    require_utf8(text, path);
    return text;
}

}  // namespace mpiaudit
