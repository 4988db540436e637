// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/verdict.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// A setting of the library that makes an operation faster. An audit with --algorithms has measured
/// the setting, and other launches have confirmed it. All numbers but the ranges are of one
/// problem.
struct FasterSetting {
    std::string operation;     ///< MPI_Gather, MPI_Igather + MPI_Wait
    std::string variables;     ///< as a shell takes them in front of a command
    std::string algorithm;     ///< the library's name
    std::string family;        ///< in the words of the literature
    double factor = 1;         ///< time of the library's choice over time of this algorithm
    double saved_s = 0;        ///< seconds per call
    std::size_t launches = 0;  ///< that measured the setting
    std::optional<std::int64_t> bytes;  ///< as OverviewRow::bytes; none without data
    /// Sizes at which the library's own choice is clearly faster, ascending.
    std::vector<std::int64_t> slower_at_bytes;
    /// The largest time of this algorithm over the library's own choice at these sizes; 0 without
    /// such sizes.
    double slower_by = 0;
};

/// Adjacent sizes at which an operation is violated with one kind of blocks. Problems are
/// identified by their ids.
struct ViolatedRange {
    std::string operation, distribution;
    std::string first, last;  ///< problems of the smallest and the largest size
    /// The next problems outside of the range, at which the operation holds or is violated far
    /// less; none if no such size was measured.
    std::optional<std::string> below, above;
    std::size_t sizes = 1;           ///< number of sizes measured in the range
    std::string guideline, problem;  ///< check of the worst violation
    double factor = 1;               ///< its severity()
    std::string instead;             ///< the contestant to call instead
    double saved_s = 0;              ///< the most that a call saves at any of the sizes, seconds
};

/// The kind of advice about a violation.
enum class AdviceKind {
    setting,       ///< set a variable of the library
    calls,         ///< make other calls of MPI
    communicator,  ///< keep a communicator that the program makes again and again
    report,        ///< no call of MPI helps: tell the library's developers
};
inline constexpr judge::Names<AdviceKind, 4> advice_kinds{
    {{{AdviceKind::setting, "setting"},
      {AdviceKind::calls, "calls"},
      {AdviceKind::communicator, "communicator"},
      {AdviceKind::report, "report"}}}};

/// Where a replacement is no good: on another problem of the audit, for the same operation between
/// the same layouts.
struct Caveat {
    bool is_wrong = false;         ///< its result was wrong; else it took longer than the operation
    std::string problem;           ///< id, of the worst problem of its distribution
    std::optional<double> factor;  ///< time of the replacement over that of the operation
};

/// A violated operation on the first screen, on the page and in the summaries for pipelines. All
/// numbers but the range are of one check on one problem, between the operation and one
/// replacement. Every printer shows these numbers, so a row has one ratio wherever it is read.
struct OverviewRow {
    /// A way between the layouts of the check. The times of the operation and of the replacement
    /// are takes_s and instead_s. Other ways stand in proportion to the operation, by the rounds
    /// that measured all ways.
    struct Way {
        std::string contestant;
        double time_s = 0;
    };
    /// The largest ratio of the operation over any way on any problem.
    struct Worst {
        double factor = 1;
        std::string problem, contestant;
        std::optional<std::int64_t> bytes;  ///< as OverviewRow::bytes
    };
    std::string operation;  ///< MPI_Gather, MPI_Igather + MPI_Wait
    std::string form;       ///< equal for operations in one form; empty for blocking operations
    bool is_other_form = false;      ///< the operation is not a blocking one
    std::string guideline, problem;  ///< ids of the check
    std::string contestant;          ///< the replacement; the faster way if no MPI call can replace
    AdviceKind kind = AdviceKind::report;
    std::optional<double> factor;  ///< time over that of the replacement; none without replacement
    std::optional<double> factor_low, factor_high;  ///< interval of the factor
    double takes_s = 0;                             ///< seconds of a call of the operation
    /// takes_s / factor: seconds of a call of the replacement. For a communicator, of the fastest
    /// other function that makes one. None if no other way was compared.
    std::optional<double> instead_s;
    double lost_s = 0;  ///< seconds that each call loses on the problem: takes_s - instead_s, or
                        ///< takes_s if no other way was compared
    std::vector<Caveat> caveats;  ///< where the replacement is no good, worst first
    /// Bytes per rank (bytes_of_rank()) of the problem, and the smallest and largest size at which
    /// the operation is violated against any way, with any blocks. None for operations without
    /// data.
    std::optional<std::int64_t> bytes, low_bytes, high_bytes;
    std::optional<Worst> worst;  ///< none without a ratio that the evidence confirms
    bool is_lowest = false, is_highest = false;  ///< no smaller, or larger, size was measured
    bool is_per_block = false;   ///< the bytes are those of one block, not of all blocks; true
                                 ///< without data
    bool is_clear = false;       ///< the first sentence of the report counts the operation
    bool lacks_program = false;  ///< `mpiaudit reproduce` cannot write a program of the row
    std::vector<Way> ways;       ///< the operation and the fastest other ways, fastest first
};

}  // namespace mpiaudit
