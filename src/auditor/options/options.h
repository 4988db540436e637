// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <typeindex>
#include <vector>

#include "judge/verdict.h"
#include "options/option_types.h"
#include "text/exit_code.h"

namespace mpiaudit {

/// The default guidelines: those about the library's own operations.
inline constexpr const char* library_guidelines = "library";

/// Formats of the report for other programs, one row each: the name of the option for the file,
/// which is also the name of the function that writes the file (report/gate.h), and its help.
#define MPIAUDIT_FORMATS(row)                                                           \
    row(junit, "Write the checks as JUnit XML, a test case for each")                   \
        row(markdown, "Write the answer as Markdown, for the page of a pipeline's run") \
            row(github, "Write an annotation of GitHub Actions for each violated operation")

struct Format {
    const char* option;
    const char* help;
};
#define MPIAUDIT_FORMAT(option, help) {#option, help},
inline constexpr Format formats[] = {MPIAUDIT_FORMATS(MPIAUDIT_FORMAT)};

/// Forms of the table of times (report/times.h), one row each: the function that prints the form,
/// the name of its option, and its help. An audit with such an option only times operations.
#define MPIAUDIT_TABLES(row)                                                                   \
    row(table, "table",                                                                        \
        "Time the operations of --collectives as OSU does, and compare nothing: print a line " \
        "for each distribution, size and implementation, with bytes, median, minimum, "        \
        "percentiles, maximum, and the fastest and slowest rank")                              \
        row(csv, "csv", "Print the rows of --table as CSV, times in seconds")                  \
            row(json_lines, "json-lines",                                                      \
                "Print the rows of --table as JSON, an object on each line, times in seconds")

struct TableFormat {
    const char* option;
    const char* help;
};
#define MPIAUDIT_TABLE(function, option, help) {option, help},
inline constexpr TableFormat table_formats[] = {MPIAUDIT_TABLES(MPIAUDIT_TABLE)};

/// The forms of the table of times that are printed in place of the verdicts, and the length of the
/// first screen.
struct TableOptions {
    bool all = false;                                     ///< print all rows and sentences
    std::array<bool, std::size(table_formats)> tables{};  ///< in the order of `table_formats`
    bool has_table() const { return std::ranges::count(tables, true) > 0; }
};

/// Conditions for a failure of the audit, and files that other programs read.
struct GateOptions {
    AsGiven<FailureCondition> fail_on = "never";
    std::string baseline;  ///< path of a report, or of a folder with a report
    std::array<std::string, std::size(formats)> files;  ///< output files, in the order of `formats`
};

/// Names of the options that the command line gives, or that the confirmed audit has recorded.
struct GivenOptions {
    std::set<std::string> given;
    bool is_given(const std::string& name) const { return given.contains(name); }
};

/// Options that --problems takes from the recording of the application.
inline constexpr const char* taken_from_recording[] = {"distributions", "counts",  "block-sizes",
                                                       "root",          "element", "op"};

/// Options about what is audited: guidelines and problems.
struct InputOptions {
    std::vector<std::string> guidelines = {library_guidelines};
    std::vector<std::string> only;
    std::vector<std::string> collectives;
    std::vector<std::string> algorithms;
    /// Name or file of the stand-ins for operations of a library in a simulation.
    std::string library;
    std::vector<std::string> distributions = {"same",       "random",      "spikes",
                                              "decreasing", "alternating", "two-blocks"};
    std::string counts;
    std::string problems;
    AsGiven<BlockSizes> block_sizes = "1..100000:x10";
    AsGiven<Root> root = "half";
    std::string graph = "5-point";
    std::string element = "int";
    std::string op = "sum";
    std::uint64_t seed = 1;
    AsGiven<MemoryKinds> memory_kind = "host";
    std::string network;
    int node_size = 0;  ///< ranks per node; 0: by the host names
};

/// Options about how a problem is measured.
struct ProtocolOptions {
    std::optional<std::uint64_t> order_seed;
    std::string protocol = "none";
    AsGiven<SampleStarts> sync = "barrier";
    AsGiven<Clock> clock = "mpi";
    AsGiven<Arrivals> arrivals = "together";
    HeapChoice heap = HeapChoice::both;
    BufferChoice buffers = BufferChoice::same;
    bool in_a_row = false;
    bool no_communication = false;
    bool shared_buffers = false;
    RoundsOrAuto warmup;  ///< warm-up rounds; nullopt: until times settle
    std::string call;     ///< of `verify`: the only generated call to check
    int calls = 0;        ///< of `verify`: the number of generated calls; 0: no limit
    KnownCalls known = KnownCalls::skip;  ///< of `verify`: for generated calls
    int max_rounds = 400;
    AsGiven<Seconds> time_per_problem = "0";
    AsGiven<Binding> bind = "core";
};

/// Limits of time and memory.
struct LimitOptions {
    AsGiven<Seconds> budget;
    AsGiven<Seconds> calls_time = "0";  ///< --check-calls, beside the budget
    AsGiven<Seconds> hang_after;
    AsGiven<Bytes> memory;

    double budget_s() const {
        return budget.empty() ? std::numeric_limits<double>::infinity() : budget->count;
    }
    std::optional<double> hang_limit_s() const {
        return hang_after.empty() ? std::nullopt : std::optional(hang_after->count);
    }
    /// Returns the memory for the buffers of a rank in bytes. \param otherwise value without
    /// --memory
    std::uint64_t memory_bytes(std::uint64_t otherwise) const {
        return memory.empty() ? otherwise : memory->count;
    }
};

/// Options about the launch.
struct LaunchOptions {
    /// Environment variables of the MPI library (--setting), NAME=VALUE.
    std::vector<std::string> library_variables;
    std::string link;     ///< nominal rate between nodes, as parse_rate() reads it; may be empty
    std::string confirm;  ///< folder of the audit to confirm
    int launches = 0;     ///< launches needed to confirm a violation; 0: measure all violations
    std::string row;      ///< code of the row to confirm; empty: all violations
    AsGiven<ScaleNumbers> ranks, nodes;
    int ranks_per_node = 0;
    bool dry_run = false;
};

/// Options about the results folder.
struct SessionOptions {
    std::string output;
    bool resume = false;
    bool overwrite = false;
    /// The number of audits of this launch, one for each number of ranks or nodes, and the folder
    /// above theirs; empty for a single audit. No options: launches/scales.cpp sets both.
    int scales = 1;
    std::string folder_of_scales;
};

/// The options of `mpiaudit run` and, as far as they apply, `mpiaudit verify`. Members have the
/// names of their options unless the table of options says otherwise.
struct RunOptions : InputOptions,
                    ProtocolOptions,
                    LimitOptions,
                    LaunchOptions,
                    SessionOptions,
                    GateOptions,
                    TableOptions,
                    judge::Rule,
                    GivenOptions {
    When color = When::automatic;
    When progress = When::automatic;

    judge::Rule rule(int checks_of_audit) const;
};

struct JudgeOptions : GateOptions, TableOptions, judge::Rule, GivenOptions {
    std::vector<std::string> results;
    std::string report;
    std::string settings_of;  ///< folder of an audit with --algorithms
    When color = When::automatic;
};

struct ListOptions {
    std::string what;
};

/// A parsed command line.
struct Command {
    std::string name;  ///< "run", ..., "version"; empty if there is only a text
    RunOptions run;    ///< options of `run` or `verify`
    JudgeOptions judge;
    std::string text;                      ///< help to print if `name` is empty
    std::string help = "mpiaudit --help";  ///< command that prints the help
    std::string error;                     ///< error in the command line; empty if there is none
    std::vector<std::string> arguments;

    /// Returns the options of another command, which alone knows their type.
    template <class Options>
    Options& own() {
        return *std::any_cast<Options>(
            &others_.try_emplace(typeid(Options), Options{}).first->second);
    }
    template <class Options>
    const Options& own() const {
        return std::any_cast<const Options&>(others_.at(typeid(Options)));
    }

  private:
    std::map<std::type_index, std::any> others_;
};

/// Sets tolerance and outliers to the defaults of the criterion if they are not given. Evidence: 5
/// % tolerance, samples beyond Tukey's fences are left out of statistics. The rules of papers: no
/// tolerance, no sample is left out.
void settle_rule(judge::Rule& rule, const GivenOptions& options);

}  // namespace mpiaudit
