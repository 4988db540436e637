// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// The guidelines that an audit checks by default: those about the library's own operations.
inline constexpr const char* library_guidelines = "library";

/// The forms of the report for other programs, a row for each: the option that names the file,
/// which is also the name of the function that writes it (report/gate.h), and its help.
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

/// What makes an audit fail, and for whom it is written down.
struct GateOptions {
    AsGiven<FailureCondition> fail_on = "never";
    std::string baseline;                               ///< a report, or a folder that has one
    std::array<std::string, std::size(formats)> files;  ///< of the formats
};

/// Options that a command line gives, or the audit that is confirmed.
struct GivenOptions {
    std::set<std::string> given;
    bool is_given(const std::string& name) const { return given.contains(name); }
};

/// Options that an audit of what an application calls takes from the recording.
inline constexpr const char* taken_from_recording[] = {"distributions", "counts",  "block-sizes",
                                                       "root",          "element", "op"};

/// What is audited: which guidelines, on which problems.
struct InputOptions {
    std::vector<std::string> guidelines = {library_guidelines};
    std::vector<std::string> only;
    std::vector<std::string> collectives;
    std::vector<std::string> algorithms;
    /// What stands for the library's operations in a simulation.
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
    std::string network;
    int node_size = 0;  ///< 0: what the processors' names say
};

/// How it is measured.
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
    bool rank_times = false;
    bool shared_buffers = false;
    RoundsOrAuto warmup;               ///< nothing: until their time settles
    int calls = 0, communicators = 0;  ///< of `verify` only
    AsGiven<Seconds> verify_time;      ///< of `verify` only; empty: no generated calls
    std::string call;                  ///< of `verify` only: the one generated call to be checked
    int max_rounds = 400;
    AsGiven<Seconds> time_per_problem = "0";
    AsGiven<Binding> bind = "core";
};

/// What it may take.
struct LimitOptions {
    AsGiven<Seconds> budget;
    AsGiven<Seconds> hang_after;
    AsGiven<Bytes> memory;

    double budget_s() const {
        return budget.empty() ? std::numeric_limits<double>::infinity() : budget->count;
    }
    std::optional<double> hang_limit_s() const {
        return hang_after.empty() ? std::nullopt : std::optional(hang_after->count);
    }
    /// For the buffers of a rank. \param otherwise where --memory is not given
    std::uint64_t memory_bytes(std::uint64_t otherwise) const {
        return memory.empty() ? otherwise : memory->count;
    }
};

/// Which launch it is.
struct LaunchOptions {
    /// --setting: environment variables of the MPI library, NAME=VALUE.
    std::vector<std::string> library_variables;
    std::string confirm;  ///< folder of the audit whose suspicions are measured again
    int launches = 0;     ///< that are to have measured each of them; 0: this one measures all
    int ranks = 0;
    int ranks_per_node = 0;
    bool dry_run = false;
};

/// Where it is kept.
struct SessionOptions {
    std::string output;
    bool resume = false;
    bool overwrite = false;
};

/// The choices of `mpiaudit run` and, as far as they apply, `mpiaudit verify`. The names are those
/// of the options but where the table of options says otherwise.
struct RunOptions : InputOptions,
                    ProtocolOptions,
                    LimitOptions,
                    LaunchOptions,
                    SessionOptions,
                    GateOptions,
                    judge::Rule,
                    GivenOptions {
    When color = When::automatic;
    When progress = When::automatic;

    judge::Rule rule(int checks_of_audit) const;
};

struct JudgeOptions : GateOptions, judge::Rule, GivenOptions {
    std::vector<std::string> results;
    std::string report;
    When color = When::automatic;
};

struct ListOptions {
    std::string what;
};

/// A parsed command line.
struct Command {
    std::string name;  ///< "run", ..., "version"; empty where there is only a text
    RunOptions run;    ///< of `run` or `verify`
    JudgeOptions judge;
    std::string text;                      ///< help to print, when there is no name
    std::string help = "mpiaudit --help";  ///< what explains the command
    std::string error;  ///< what is wrong with the command line; empty when nothing is
    std::vector<std::string> arguments;

    /// The options of another command, which is the only one that knows their type.
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

/// Sets what a rule leaves to its criterion where it is not given: evidence allows 5 % and
/// describes samples without what lies beyond Tukey's fences; the plain comparisons allow and leave
/// out nothing, as the papers that have them.
void settle_rule(judge::Rule& rule, const GivenOptions& options);

}  // namespace mpiaudit
