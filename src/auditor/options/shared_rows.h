// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"

/// Rows of options that several commands have.
namespace mpiaudit::shared {

inline constexpr const char* of_verdicts = "Verdicts";
inline constexpr const char* of_output = "Output";

inline constexpr const char* clock_help = "Clock: MPI_Wtime or CLOCK_MONOTONIC";

template <class Options>
void add(std::vector<OptionRow<Options>>& rows, std::initializer_list<OptionRow<Options>> others) {
    rows.insert(rows.end(), others);
}

/// Adds the options of judge::Rule. \param default_of_all default in the help; null: the command's
/// own defaults
template <class Options>
void add_rule_rows(std::vector<OptionRow<Options>>& rows, const char* default_of_all = nullptr) {
    const auto or_that = [&](const char* own) {
        return default_of_all != nullptr ? default_of_all : own;
    };
    add(rows, {{.name = "judge",
                .member = at<&judge::Rule::criterion>,
                .help = "Rule of the verdicts: evidence bounds the probability of false "
                        "violations; the others are rules of papers: averages and minima compare "
                        "just these, intervals the confidence intervals of the means, pgmpi the "
                        "medians of several launches (Wilcoxon; mpiaudit judge only)",
                .group = of_verdicts,
                .shown_default = default_of_all,
                .belongs_to = BelongsTo::audit,
                .is_reproduced = true},
               {.name = "tolerance",
                .member = at<&judge::Rule::tolerance>,
                .help = "Share by which the left side may be slower",
                .group = of_verdicts,
                .value = "SHARE",
                .shown_default = or_that("0.05; with --judge other than evidence 0"),
                .belongs_to = BelongsTo::audit,
                .is_reproduced = true},
               {.name = "outliers",
                .member = at<&judge::Rule::outliers>,
                .help = "Samples that averages, intervals and deviations leave out: those beyond "
                        "either of Tukey's fences, beyond the upper one, or none",
                .group = of_verdicts,
                .shown_default = or_that("two-sided; with --judge other than evidence none"),
                .belongs_to = BelongsTo::audit,
                .is_reproduced = true},
               {.name = "alpha",
                .member = at<&judge::Rule::alpha>,
                .help = "Bound on the probability of any false violation in the whole audit",
                .group = of_verdicts,
                .value = "PROBABILITY",
                .bounds = {1e-12, 0.5},
                .shown_default = default_of_all,
                .belongs_to = BelongsTo::audit,
                .is_reproduced = true}});
}

template <class Options>
void add_gate_rows(std::vector<OptionRow<Options>>& rows) {
    add(rows, {{.name = "fail-on",
                .member = at<&GateOptions::fail_on>,
                .help = "Exit with code 1 if the library violates a guideline, or only if an "
                        "operation takes more than R times as long as its replacement. Functions "
                        "that make communicators count only with ,communicators behind",
                .group = of_verdicts,
                .value = "never|violation|ratio>R",
                .is_usual = true},
               {.name = "baseline",
                .member = at<&GateOptions::baseline>,
                .help = "Exit with code 1 if an operation became slower than in this report (a "
                        "file, or the folder of an audit); together with --fail-on, only if such "
                        "an operation has violations that fail",
                .group = of_verdicts,
                .value = "REPORT"}});
    [&]<std::size_t... places>(std::index_sequence<places...>) {
        add(rows, {{.name = formats[places].option,
                    .member = ElementRef<&GateOptions::files, places>{},
                    .help = formats[places].help,
                    .group = of_output,
                    .value = "FILE"}...});
    }
    (std::make_index_sequence<std::size(formats)>{});
}

template <class Options>
void add_table_rows(std::vector<OptionRow<Options>>& rows) {
    [&]<std::size_t... places>(std::index_sequence<places...>) {
        add(rows, {{.name = table_formats[places].option,
                    .member = ElementRef<&TableOptions::tables, places>{},
                    .help = table_formats[places].help,
                    .group = of_output,
                    .belongs_to = BelongsTo::audit,
                    .is_usual = true,
                    .is_replaced = true}...});
    }
    (std::make_index_sequence<std::size(table_formats)>{});
    add(rows, {{.name = "all",
                .member = at<&Options::all>,
                .help = "Print all rows and sentences, also those of small losses and those that "
                        "have no room on a screen",
                .group = of_output,
                .belongs_to = BelongsTo::terminal}});
}

template <class Options>
OptionRow<Options> color_row() {
    return {.name = "color",
            .member = at<&Options::color>,
            .help = "Mark violations in colour",
            .group = of_output,
            .belongs_to = BelongsTo::terminal};
}

}  // namespace mpiaudit::shared
