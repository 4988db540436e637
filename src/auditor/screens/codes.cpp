// SPDX-License-Identifier: BSD-3-Clause
#include "screens/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "text/exit_code.h"

namespace mpiaudit {
namespace {

/// Returns the number of "S3" or "3"; 0 for other texts.
std::size_t number_in(std::string_view code) {
    if (code.starts_with('S') || code.starts_with('s')) code.remove_prefix(1);
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), number);
    return error == std::errc() && end == code.data() + code.size() ? number : 0;
}

}  // namespace

std::string code_of_row(const Report& report, const OverviewRow& row) {
    return fmt::format("S{}", &row - report.overview.data() + 1);
}

bool is_code_of_row(const std::string& text) {
    return (text.starts_with('S') || text.starts_with('s')) && number_in(text) > 0;
}

const OverviewRow& row_of_code(const Report& report, const std::string& said_in,
                               const std::string& code) {
    const std::size_t number = number_in(code), rows = report.overview.size();
    if (number > 0 && number <= rows) return report.overview[number - 1];
    if (rows == 0)
        throw UsageError("{} {}: the screen has no rows, for nothing is violated", said_in, code);
    throw UsageError("{} {}: the screen has the row{} S1{}", said_in, code, rows > 1 ? "s" : "",
                     rows > 1 ? fmt::format(" to S{}", rows) : "");
}

}  // namespace mpiaudit
