// SPDX-License-Identifier: BSD-3-Clause
#include "launches/local_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "machine/machine_description.h"
#include "report/findings.h"
#include "text/command.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

using namespace std::string_literals;

/// Elements of a block at which algorithms are compared beside the sizes of the operations that
/// lose most: a setting acts on all sizes.
constexpr std::int64_t other_block_sizes[] = {1, 20'000};

/// Returns what `launcher --version` prints; empty if the launcher cannot be started.
std::string version_of(const Words& launcher) {
    const std::string command = CommandLine{launcher}.text() + " --version 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    for (int c = 0; pipe && (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
    return text;
}

/// Whether Open MPI's mpirun has the option -q, which version 5 has dropped.
bool has_option_q(const std::string& version) {
    constexpr std::string_view before_number = ") ";
    const std::size_t at = version.find(before_number) + before_number.size();
    return at + 1 < version.size() && version[at] >= '1' && version[at] <= '4' &&
           version[at + 1] == '.';
}

}  // namespace

Words options_without(const Words& words, const Words& names) {
    return options_where(words, [&](const std::string& name) { return !is_among(names, name); });
}

Words joined(std::initializer_list<Words> lists) {
    Words all;
    for (const Words& each : lists) all.insert(all.end(), each.begin(), each.end());
    return all;
}

Words start_of_local_ranks(const std::string& launcher, int ranks, int cores) {
    Words start = CommandLine::of(launcher).words;
    const std::string version = version_of(start);
    const auto add = [&](const Words& words) { start = joined({start, words}); };
    const bool is_bound_by_launcher = hwloc_version().empty() && ranks <= cores;
    add({"-n", std::to_string(ranks)});
    if (is_bound_by_launcher) add({"--bind-to", "core"});
    if (version.find("Open MPI") == version.npos && version.find("OpenRTE") == version.npos)
        return start;
    if (geteuid() == 0) add({"--allow-run-as-root"});
    if (!is_bound_by_launcher) add({"--bind-to", "none"});
    if (has_option_q(version)) add({"-q"});
    if (ranks > cores) add({"--oversubscribe", "--mca", "mpi_yield_when_idle", "1"});
    return start;
}

Words completed(Words words, const RunOptions& run, const char* budget) {
    const auto complete = [&](const char* option, bool is_at_terminal) {
        if (!run.is_given(option))
            words = joined({words, {"--"s + option, is_at_terminal ? "always" : "never"}});
    };
    complete("color", is_terminal(STDOUT_FILENO));
    complete("progress", is_terminal(STDERR_FILENO));
    return budget == nullptr ? words : joined({words, {"--budget", budget}});
}

Words words_of_algorithms(const Report& report) {
    const auto rows = rows_with_choice(report);
    if (rows.empty()) return {};
    std::set<std::int64_t> sizes(std::begin(other_block_sizes), std::end(other_block_sizes));
    for (const OverviewRow* row : rows) {
        const record::ProblemDescription& problem = find_problem(report, row->problem)->problem;
        sizes.insert(std::max<std::int64_t>(1, problem.total / problem.ranks));
    }
    return {"--algorithms",  operations_of_rows(report, rows),        "--distributions", "same",
            "--block-sizes", fmt::format("{}", fmt::join(sizes, ","))};
}

}  // namespace mpiaudit
