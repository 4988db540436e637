// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "report/report.h"

namespace mpiaudit {

/// The largest ScreenLine::rank of what comes on a screen; files have the rest, too.
inline constexpr int last_on_screen = 3;

/// A sentence of a screen.
struct ScreenLine {
    enum class Emphasis : std::uint8_t { none, violation, remark };

    std::string text;          ///< without line ends
    int rank = 0;              ///< 0: always on the screen; of the others, the largest go first
    std::size_t most = 2;      ///< largest number of lines on the screen; a file has the whole text
    std::string command = {};  ///< a command below the text, which can be pasted
    Emphasis emphasis = Emphasis::none;
};

/// A slow operation as texts.
struct ScreenRow {
    const OverviewRow* of = nullptr;
    RowInWords words;
    std::string code;                         ///< S1: `mpiaudit explain FOLDER S1`
    std::string operation;                    ///< Reduce_scatter_block
    std::string takes, instead, lost, times;  ///< microseconds, and the largest ratio
    std::string sizes;                        ///< 1.4Ki..2Mi, or 2 B
    std::string advice;                       ///< Gatherv
    std::string note;             ///< below the table: the variables of a setting; may be empty
    bool has_conditions = false;  ///< needs, unusual data, sizes at which the advice is no good
    std::size_t alike = 0;        ///< number of other operations in the same form
};

/// Operations that are slow at the same few sizes by about the same ratio, probably for one cause.
struct Cluster {
    std::vector<ScreenRow> rows;
    std::int64_t low_bytes = 0, high_bytes = 0;
};

/// The answer of an audit, before its lines are fitted to a terminal or a file.
struct Screen {
    std::vector<ScreenLine> head;
    std::vector<ScreenRow> rows;  ///< blocking operations, then other forms
    std::vector<Cluster> clusters;
    std::vector<ScreenRow> small;  ///< is_small(): only in files and with --all
    std::vector<ScreenLine> below;
    std::vector<ScreenLine> foot;
};

/// Where an audit lies.
struct Where {
    std::string program = "mpiaudit";
    std::string folder = {};  ///< empty: the screen names no command about the audit
    std::string report = {};  ///< "report: FILE"; may be empty
};

Screen first_screen(const Report& report, const Where& where);

/// Returns what the generated calls of an audit have found: each new fault with its command, else
/// that there is none, and how many calls were made. Empty if the audit has generated no calls.
std::vector<ScreenLine> lines_of_generated_calls(const Report& report);

}  // namespace mpiaudit
