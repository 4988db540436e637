// SPDX-License-Identifier: BSD-3-Clause
// The table of times as CSV (RFC 4180), a row of MPIAUDIT_TABLES: declared in report/times.h.
#include "screens/times.h"

#include <fmt/format.h>

#include "screens/report_rows.h"

namespace mpiaudit {
namespace {

/// Writes the members of a struct as cells.
class CellWriter {
  public:
    std::string keys, cells;

    void required(const char* key, const auto& value, double = 0) { add(key, text_of(value)); }
    void optional(const char* key, const auto& value, double = 0) {
        add(key, value ? text_of(*value) : "");
    }

  private:
    static std::string text_of(const std::string& text) {
        if (text.find_first_of(",\"\n") == std::string::npos) return text;
        std::string quoted = "\"";
        for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
        return quoted + '"';
    }
    static std::string text_of(double value) { return short_number(value); }
    static std::string text_of(std::integral auto value) { return std::to_string(value); }
    void add(const char* key, const std::string& cell) {
        const char* const separator = keys.empty() ? "" : ",";
        keys += separator + std::string(key);
        cells += separator + cell;
    }
};

}  // namespace

std::string printers_of_times::csv(const Report&, const std::vector<TimesRow>& rows) {
    std::string text;
    CellWriter head;
    const TimesRow none;
    members_of<TimesRow>(head, none);
    text += head.keys + '\n';
    for (const TimesRow& row : rows) {
        CellWriter writer;
        members_of<TimesRow>(writer, row);
        text += writer.cells + '\n';
    }
    return text;
}

}  // namespace mpiaudit
