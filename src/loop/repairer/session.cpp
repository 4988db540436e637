// SPDX-License-Identifier: BSD-3-Clause
#include "repairer/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "files/files.h"
#include "random/random_bits.h"
#include "repairer/repaired.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/plain.h"
#ifdef MPIAUDIT_PAPERS
#include "optimal_trees/optimal_tree.h"
#include "zero_copy/zero_copy_algorithms.h"
#endif

namespace mpiaudit::repairer {
namespace {

Mode mode_of(const std::string& word) {
    if (word.empty() || word == "on") return Mode::on;
    if (word == "off") return Mode::off;
    if (word == "count") return Mode::count;
    if (word == "verify") return Mode::verify;
    throw make_invalid_argument("{} is '{}'; it takes on, off, count or verify",
                                rules::mode_variable, word);
}

void add_rule(const rules::Rule& rule) {
    AppliedRule& applied = session.rules.emplace_back();
    applied.rule = rule;
    applied.path = paths::find_path(rule.collective, rule.path);
    of_collective(rule.collective).rules.push_back(&applied);
}

/// The configuration of this rank; equal checksums mean equal configurations.
struct Wish {
    std::uint64_t checksum = 0;
    std::string error;  ///< why the configuration is invalid
};

/// Reads the mode and the file of rules from the environment, and adds the rules to the session.
/// Refuses rules for another MPI library. Returns the checksum 0 if the mode is off, or if there is
/// an error.
Wish read_wish() {
    Wish wish;
    try {
#ifdef MPIAUDIT_PAPERS
        join_algorithms(zero_copy_algorithms());
        join_algorithms(optimal_tree_algorithms());
#endif
        const std::string word = interposition::variable(rules::mode_variable),
                          file = interposition::variable(rules::rules_variable);
        session.mode = mode_of(word);
        if (session.mode == Mode::off) return wish;
        if (file.empty())
            throw make_invalid_argument("{} names no file of rules", rules::rules_variable);
        const std::string text = read_file(file),
                          library = library_name(plain(interposition::library_in_use()));
        const rules::Rules rules = rules::parse_rules(text, file);
        // Packages of one version differ in the text after the version.
        if (rules.library != rules::any_library && library_name(rules.library) != library)
            throw make_invalid_argument(
                "{}: the rules are for {}, and this is {}; audit this library", file,
                library_name(rules.library), library);
        for (const rules::Rule& rule : rules.rules) add_rule(rule);
        wish.checksum = std::max<std::uint64_t>(1, hash_bits(text + '\n' + word));
    } catch (const std::exception& error) {
        wish.error = error.what();
    }
    return wish;
}

struct Agreement {
    bool is_same = false, is_anything = false;
};

/// Returns whether all ranks have this checksum, and whether any rank has another than 0.
/// Collective over MPI_COMM_WORLD.
Agreement agreed(std::uint64_t checksum, MPI_Comm comm) {
    const std::uint64_t own[] = {checksum, ~checksum};
    std::uint64_t most[2] = {};
    PMPI_Allreduce(own, most, 2, MPI_UINT64_T, MPI_MAX, comm);
    return {most[0] == ~most[1], most[0] != 0};
}

/// Numbers the hosts of all ranks in the order of their first ranks. Collective over
/// MPI_COMM_WORLD.
void learn_hosts() {
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    PMPI_Get_processor_name(name, &length);
    const std::uint64_t own = hash_bits(name);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(session.ranks));
    PMPI_Allgather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    std::map<std::uint64_t, int> numbers;
    for (const std::uint64_t host : all)
        session.hosts.push_back(
            numbers.emplace(host, static_cast<int>(numbers.size())).first->second);
}

/// Counts of a rule over all ranks, divided by the ranks of its communicators: numbers of calls.
struct Numbers {
    std::int64_t calls = 0, differences = 0, unequal = 0;
    std::array<std::int64_t, refusals> refused{};
};

/// Returns the numbers of every rule on rank 0, and zeros on the other ranks. Collective over
/// MPI_COMM_WORLD.
std::vector<Numbers> numbers_of_all() {
    std::vector<std::int64_t> own;
    for (const AppliedRule& each : session.rules) {
        own.push_back(each.calls);
        own.push_back(each.differences);
        own.push_back(each.unequal);
        own.insert(own.end(), each.refused.begin(), each.refused.end());
    }
    std::vector<std::int64_t> all(own.size());
    if (!own.empty())
        PMPI_Reduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_INT64_T, MPI_SUM, 0,
                    MPI_COMM_WORLD);
    std::vector<Numbers> numbers;
    auto next = all.begin();
    for (const AppliedRule& each : session.rules) {
        Numbers& of_rule = numbers.emplace_back();
        const int ranks = each.rule.ranks();
        of_rule.calls = *next++ / ranks;
        of_rule.differences = *next++;
        of_rule.unequal = *next++ / ranks;
        for (std::int64_t& refused : of_rule.refused) refused = *next++ / ranks;
    }
    return numbers;
}

/// Time in collectives, as the mean over ranks, and time from start to end on the slowest rank.
struct Times {
    double collective_s = 0, wall_s = 0;
};

/// Returns the times on rank 0. Collective over MPI_COMM_WORLD.
Times times_of_all() {
    const double wall =
        1e-9 * static_cast<double>(interposition::monotonic_ns() - session.start_ns);
    const std::int64_t ticks = interposition::ticks() - session.start_ticks;
    const double own =
        ticks <= 0 ? 0 : wall * static_cast<double>(session.ticks) / static_cast<double>(ticks);
    Times times;
    PMPI_Reduce(&own, &times.collective_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    times.collective_s /= session.ranks;
    PMPI_Reduce(&wall, &times.wall_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return times;
}

void write_report(const Times& times, std::int64_t calls, std::int64_t differences) {
    try {
        replace_file(
            session.report,
            fmt::format("{{\"collective_seconds\": {}, \"wall_seconds\": {}, \"calls\": {}, "
                        "\"differences\": {}}}\n",
                        times.collective_s, times.wall_s, calls, differences));
    } catch (const std::exception& error) {
        remark("repair: {}", error.what());
    }
}

/// Returns the calls of one kind over all ranks, in the order of rules::all_collectives().
/// Collective.
std::vector<std::int64_t> begun(std::atomic<std::int64_t> OfCollective::*kind) {
    std::vector<std::int64_t> own, all;
    for (const MpiOperation& each : rules::all_collectives())
        own.push_back(of_collective(each.name).*kind);
    all.resize(own.size());
    PMPI_Reduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_INT64_T, MPI_SUM, 0,
                MPI_COMM_WORLD);
    return all;
}

void append(std::string& list, const std::string& item) {
    if (!list.empty()) list += ", ";
    list += item;
}

/// Returns "3 nonblocking MPI_Bcast, 1 persistent MPI_Allreduce". Collective.
std::string begun_in_words() {
    std::string text;
    for (const auto& [kind, word] : {std::pair{&OfCollective::nonblocking, "nonblocking"},
                                     std::pair{&OfCollective::persistent, "persistent"}}) {
        const std::vector<std::int64_t> all = begun(kind);
        auto next = all.begin();
        for (const MpiOperation& each : rules::all_collectives()) {
            const std::int64_t calls = *next++;
            if (calls > 0) append(text, fmt::format("{} {} {}", calls, word, each.name));
        }
    }
    return text;
}

/// Returns the findings of mode verify as text.
std::string verified_in_words(const std::vector<Numbers>& numbers) {
    std::int64_t wrong = 0, reordered = 0, unequal = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        (session.rules[i].rule.reassociates ? reordered : wrong) += numbers[i].differences;
        unequal += numbers[i].unequal;
    }
    std::string text;
    if (wrong > 0) append(text, fmt::format("{} RESULTS WERE WRONG", wrong));
    if (unequal > 0) append(text, fmt::format("{} CALLS GAVE RANKS DIFFERENT RESULTS", unequal));
    if (reordered > 0)
        append(text, fmt::format("{} sums differ from the library's, as sums in another order may",
                                 reordered));
    return text.empty() ? "all results were the library's" : text;
}

/// Prints what was done in one line, however many rules there are.
void say_what_was_done(const std::vector<Numbers>& numbers, const std::string& begun) {
    std::string taken, left;
    Numbers sum;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const AppliedRule& applied = session.rules[i];
        if (numbers[i].calls > 0)
            append(taken, fmt::format("{} {} by {}", numbers[i].calls, applied.rule.collective,
                                      applied.path.name));
        sum.calls += numbers[i].calls;
        for (std::size_t why = 0; why < refusals; ++why)
            sum.refused[why] += numbers[i].refused[why];
    }
    for (std::size_t why = 0; why < refusals; ++why)
        if (sum.refused[why] > 0)
            append(left,
                   fmt::format("{} {}", sum.refused[why], words_for(static_cast<Refusal>(why))));
    std::string line = fmt::format("{} calls took another path", sum.calls);
    if (!taken.empty()) line += ": " + taken;
    if (!left.empty()) line += "; left to the library: " + left;
    if (!begun.empty()) line += "; seen, and not substituted: " + begun;
    if (session.mode == Mode::verify) line += "; " + verified_in_words(numbers);
    remark("repair: {}", line);
}

__attribute__((constructor)) void at_load() {
    interposition::end_in_foreign_program("apply");
    interposition::end_where_calls_are_hidden("apply");
}

}  // namespace

Session& session = *new Session;

std::string_view words_for(Refusal refusal) {
    constexpr std::array<std::string_view, refusals> words{
        "without data",
        "of more than 2 GiB",
        "with operations or types of the application",
        "that add up floating-point numbers",
        "whose ranks would get different floating-point sums",
        "that add up integers of 8 or 16 bits",
        "on communicators without a duplicate",
        "only counted"};
    return words[static_cast<std::size_t>(refusal)];
}

/// Reads the rules and compares them between ranks. Collective.
void start() {
    if (session.phase != Phase::before) return;
    session.phase = Phase::off;
    PMPI_Comm_rank(MPI_COMM_WORLD, &session.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &session.ranks);
    const std::string report = interposition::variable(rules::report_variable);
    std::error_code failure;
    if (!report.empty()) session.report = std::filesystem::absolute(report, failure);
    const Wish wish = read_wish();
    if (session.rank == 0 && !wish.error.empty())
        remark("repair: {}; all calls are left to the library", wish.error);
    const Agreement agreement = agreed(wish.checksum, MPI_COMM_WORLD);
    if (!agreement.is_same && session.rank == 0)
        remark("repair: the ranks do not have the same rules; all calls are left to the library");
    if (!agreement.is_same) {
        for (auto& [name, each] : session.collectives) each.rules.clear();
        session.rules.clear();
    }
    if (!agreement.is_anything) return;
    learn_hosts();
    interposition::prepare_predefined();
    interposition::call_on_end_at_finalize();
    session.start_ticks = interposition::ticks();
    session.start_ns = interposition::monotonic_ns();
    session.phase = Phase::on;
    prepare(MPI_COMM_WORLD);
}

/// Collects the counts; rank 0 prints what was done.
void finish() {
    const interposition::Inside inside;
    if (session.phase != Phase::on) return;
    session.phase = Phase::off;
    const std::vector<Numbers> numbers = numbers_of_all();
    const Times times = times_of_all();
    const std::string begun = begun_in_words();
    if (session.rank != 0) return;
    if (!numbers.empty()) say_what_was_done(numbers, begun);
    std::int64_t calls = 0, differences = 0;
    for (const Numbers& each : numbers) {
        calls += each.calls;
        differences += each.differences;
    }
    if (!session.report.empty()) write_report(times, calls, differences);
}

OfCollective& of_collective(std::string_view name) {
    // Several threads may make their first calls at the same time.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const auto found = session.collectives.find(name);
    if (found != session.collectives.end()) return found->second;
    OfCollective& made = session.collectives[std::string(name)];
    made.collective = rules::find_collective(name);
    return made;
}

void note_difference(AppliedRule& applied, const interposition::Arguments& arguments) {
    if (applied.differences++ > 0 || applied.rule.reassociates) return;
    int rank = 0;
    PMPI_Comm_rank(arguments.comm, &rank);
    remark("repair: {} by {}: rank {} of {} got another result than with the library",
           applied.rule.collective, applied.path.name, rank, applied.rule.ranks());
}

void compare_ranks(AppliedRule& applied, MPI_Comm comm, const std::string& result) {
    if (agreed(hash_bits(result), comm).is_same || applied.unequal++ > 0) return;
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        remark("repair: {} by {}: the ranks got different results", applied.rule.collective,
               applied.path.name);
}

}  // namespace mpiaudit::repairer

void mpiaudit::interposition::on_start() {
    repairer::start();
}

void mpiaudit::interposition::on_end() {
    repairer::finish();
}
