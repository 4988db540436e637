// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "screens/console.h"

namespace mpiaudit {

/// The times of one implementation on one problem, of all samples. Times are seconds; a sample is
/// the time of the slowest rank.
struct TimesRow {
    std::string distribution, implementation;
    std::string problem;                ///< id
    std::optional<std::int64_t> bytes;  ///< bytes_of_rank(); none for operations without data
    std::size_t samples = 0;
    double median_s = 0, minimum_s = 0, p90_s = 0, p99_s = 0, maximum_s = 0;
    double long_share = 0;  ///< share of the time in calls longer than judge::long_call medians
    std::optional<record::RankMedians> ranks;  ///< none in a simulation
};

/// Returns a row for each measured operation that the audit asked about, in the order of the
/// report: in an audit without checks all contestants, else the left sides of checks of the library
/// that are one operation on the whole problem.
std::vector<TimesRow> times_of(const Report& report);

/// Returns "same, 40 B: MPI_Gatherv 1.51 us, TUW_Gatherv 1.72 us", the medians of the rows of one
/// problem; empty without rows.
std::string times_in_words(const std::vector<TimesRow>& rows);

/// Returns how many operations an audit without checks has not timed, and why; empty if none is
/// missing.
std::string not_timed_in_words(const Report& report);

/// Returns the table of times if all checks of the report are about one operation of the library:
/// the rows of its blocking function. On a terminal the table has as many lines as fit beside the
/// verdict. Empty for other reports.
std::string times_of_the_operation(const Report& report, const Terminal& terminal);

/// The functions that print the forms of the table, in the order of `table_formats`.
#define MPIAUDIT_TABLE_PRINTER(function, option, help) \
    std::string function(const Report& report, const std::vector<TimesRow>& rows);
namespace printers_of_times {
MPIAUDIT_TABLES(MPIAUDIT_TABLE_PRINTER)
}
#define MPIAUDIT_TABLE_PRINTER_OF(function, option, help) printers_of_times::function,
inline constexpr std::string (*table_printers[])(const Report&, const std::vector<TimesRow>&) = {
    MPIAUDIT_TABLES(MPIAUDIT_TABLE_PRINTER_OF)};

template <>
inline constexpr auto members_of<TimesRow> = [](auto& io, auto& row) {
    MPIAUDIT_REQUIRED(io, row, distribution, implementation, problem)
    MPIAUDIT_OPTIONAL(io, row, bytes)
    MPIAUDIT_REQUIRED(io, row, samples, median_s, minimum_s, p90_s, p99_s, maximum_s, long_share)
    const auto of_ranks = [&](auto record::RankMedians::*member) {
        return row.ranks ? std::optional((*row.ranks).*member) : std::nullopt;
    };
    io.optional("fastest_rank", of_ranks(&record::RankMedians::fastest));
    io.optional("fastest_rank_s", of_ranks(&record::RankMedians::fastest_s));
    io.optional("slowest_rank", of_ranks(&record::RankMedians::slowest));
    io.optional("slowest_rank_s", of_ranks(&record::RankMedians::slowest_s));
};

}  // namespace mpiaudit
