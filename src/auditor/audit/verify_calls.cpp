// SPDX-License-Identifier: BSD-3-Clause
// `mpiaudit verify --time` and `--call`; declared in commands.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "audit/commands.h"
#include "calls/generated_call.h"
#include "calls/search.h"
#include "catalogue/catalogue.h"
#include "files/files.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/under_test.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "random/random_bits.h"
#include "record/samples_file.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

using calls::ChosenCall;
using calls::Fault;

/// Longest time in seconds that one generated call is expected to take, for the watchdog.
constexpr double expected_generated_call_s = 0.1;
/// A call that takes longer is suspected to hang; seconds. Busy machines may need longer.
constexpr double suspected_hang_s = 4;
/// A suspect that takes longer hangs, unless --hang-after is given; seconds.
constexpr double hang_after_s = 30;
/// More findings are not looked for: one fault of the library may have many.
constexpr std::size_t most_findings = 50;
/// The state in the folder is at most so old when a call crashes; seconds.
constexpr double save_every_s = 1;

struct Finding {
    ChosenCall simplest;
    ChosenCall origin;  ///< the generated call that has led to the simplest one
    std::string text;
    int calls = 1;  ///< generated calls with all conditions of the simplest one
};

/// How far a search has come, so that another launch can go on after a crash.
struct SearchState {
    std::uint64_t seed = 0;
    std::uint64_t next = 0;  ///< number of the next generated call
    double seconds = 0;      ///< spent by all launches
    std::vector<Finding> findings = {};
    /// A call that has crashed or hung and may not be the simplest one that does.
    std::optional<Finding> suspect = {};
    bool is_confirming = false;  ///< whether no simpler call than the suspect crashes or hangs
};

std::string text_of(const Finding& finding) {
    return fmt::format("{}\t{}\t{}\t{}\n", finding.calls, calls::print(finding.simplest),
                       calls::print(finding.origin), finding.text);
}

Finding read_finding(std::istream& from) {
    Finding finding{};
    from >> finding.calls;
    from.ignore();
    for (ChosenCall* const call : {&finding.simplest, &finding.origin}) {
        std::string text;
        std::getline(from, text, '\t');
        *call = calls::parse_call(text);
    }
    std::getline(from, finding.text);
    return finding;
}

std::string text_of(const SearchState& state) {
    std::string text =
        fmt::format("seed\t{}\nnext\t{}\nseconds\t{}\n", state.seed, state.next, state.seconds);
    for (const Finding& each : state.findings) text += "finding\t" + text_of(each);
    if (state.suspect)
        text += (state.is_confirming ? "confirming\t" : "suspect\t") + text_of(*state.suspect);
    return text;
}

/// Reads what text_of() wrote. Throws std::invalid_argument for unknown lines.
SearchState read_state(const std::string& text) {
    SearchState state;
    std::istringstream from(text);
    for (std::string word; from >> word;) {
        if (word == "seed")
            from >> state.seed;
        else if (word == "next")
            from >> state.next;
        else if (word == "seconds")
            from >> state.seconds;
        else if (word == "finding")
            state.findings.push_back(read_finding(from));
        else if (word == "suspect" || word == "confirming") {
            state.suspect = read_finding(from);
            state.is_confirming = word == "confirming";
        } else
            throw std::invalid_argument(fmt::format("unknown line '{}'", word));
    }
    return state;
}

/// The folder of a search, on rank 0; other ranks have none.
class SearchFolder {
  public:
    SearchFolder(const std::string& folder, bool resumes, std::uint64_t seed)
        : file_{folder + "/calls.txt"} {
        std::filesystem::create_directories(folder);
        lock_.emplace(folder);
        check_replaceable(file_);
        state_.seed = seed;
        if (resumes)
            resume(folder);
        else if (std::filesystem::exists(file_))
            throw UsageError(
                "--output: there are generated calls in {}; give --resume to go on, or another "
                "folder",
                folder);
        remove_incidents(folder);
        replace_file(file_, text_of(state_));
    }

    const SearchState& state() const { return state_; }
    void save(const SearchState& state) { replace_file(file_, text_of(state)); }

  private:
    /// Continues from the saved state. A call during which the earlier search ended becomes the
    /// suspect; if the search was confirming this call, the call becomes a finding.
    void resume(const std::string& folder) {
        if (!std::filesystem::exists(file_))
            throw UsageError("--resume: there are no generated calls in {}", folder);
        state_ = in_file(file_, [&] { return read_state(read_file(file_)); });
        const auto incidents = noted_incidents(folder);
        if (incidents.empty()) return;
        const ChosenCall call =
            in_file(folder, [&] { return calls::parse_call(incidents.front().operation); });
        const ChosenCall origin = state_.suspect ? state_.suspect->origin : call;
        const Finding crashed{call, origin, incidents.front().what};
        if (state_.is_confirming && state_.suspect->simplest == call) {
            state_.findings.push_back(crashed);
            state_.suspect.reset();
        } else {
            state_.suspect = crashed;
        }
        state_.is_confirming = false;
    }

    std::string file_;
    std::optional<FolderLock> lock_;
    SearchState state_;
};

/// Generates calls, checks them, and keeps the simplest call of each fault. All ranks do the same.
class CallSearch {
  public:
    /// \param folder null on other ranks than 0, and where nothing is kept
    CallSearch(const std::vector<std::uint8_t>& operations, SearchState state, SearchFolder* folder,
               std::optional<double> hang_limit_s)
        : setting_{calls::setting_of_launch()},
          operations_{operations},
          coverage_{setting_, operations_},
          state_{std::move(state)},
          folder_{folder},
          hang_limit_s_{hang_limit_s},
          start_s_{wall_time_s() - state_.seconds} {
        for (std::uint64_t k = 0; k < state_.next; ++k) coverage_.add(generated(k));
    }

    void run(double time_s) {
        if (state_.suspect) examine_suspect();
        const Watchdog watchdog(hang_limit_s_.value_or(suspected_hang_s), exit_hang,
                                audited_ranks());
        while (!is_over(time_s)) {
            end_if_interrupted(audited_ranks());
            const ChosenCall call = generated(state_.next);
            coverage_.add(call);
            if (!is_known(call) && calls::obstacle(call, setting_) == nullptr)
                examine(call, mix_bits(state_.seed, state_.next));
            ++state_.next;
            if (wall_time_s() - saved_s_ > save_every_s) save();
        }
        save();
    }

    void examine(const ChosenCall& call, std::uint64_t random) {
        const auto fault = attempt(call, random);
        if (!fault || state_.findings.size() >= most_findings) return;
        // If a simpler call crashes, the next launch does not begin with this one again.
        ++state_.next;
        save();
        --state_.next;
        const ChosenCall simplest = calls::shrink(call, setting_, [&](const ChosenCall& simpler) {
            const auto found = attempt(simpler, random);
            return found && found->kind == fault->kind;
        });
        add_finding({simplest, call, attempt(simplest, random).value_or(*fault).text});
    }

    const std::vector<Finding>& findings() const { return state_.findings; }
    /// Number of generated calls, those of earlier launches included.
    std::uint64_t calls() const { return state_.next; }
    double seconds() const { return wall_time_s() - start_s_; }
    const calls::PairCoverage& coverage() const { return coverage_; }
    const calls::Setting& setting() const { return setting_; }

  private:
    ChosenCall generated(std::uint64_t number) {
        const std::uint64_t random = mix_bits(state_.seed, number);
        return coverage_.covered() < coverage_.valid()
                   ? coverage_.next(random)
                   : calls::random_call(setting_, operations_, random);
    }

    bool is_over(double time_s) const {
        return decided_by_rank_0(seconds() >= time_s ? 1 : 0, audited_ranks()) != 0;
    }

    /// The suspect has crashed or hung in an earlier launch. A simpler call that does so, too, ends
    /// this launch and is the suspect of the next one; if there is none, the suspect is tried
    /// again.
    void examine_suspect() {
        Finding suspect = *state_.suspect;
        std::optional<Fault> last;
        {
            const Watchdog watchdog(hang_limit_s_.value_or(suspected_hang_s), exit_hang,
                                    audited_ranks());
            suspect.simplest =
                calls::shrink(suspect.simplest, setting_, [&](const ChosenCall& simpler) {
                    auto found = attempt(simpler, state_.seed);
                    if (found) last = found;
                    return found.has_value();
                });
        }
        if (!last) {
            state_.is_confirming = true;
            save();
            const Watchdog watchdog(hang_limit_s_.value_or(hang_after_s), exit_hang,
                                    audited_ranks());
            last = attempt(suspect.simplest, state_.seed);
            state_.is_confirming = false;
        }
        state_.suspect.reset();
        if (last) {
            suspect.text = last->text;
            add_finding(suspect);
        }
        save();
    }

    void add_finding(const Finding& finding) {
        const auto known = std::ranges::find(state_.findings, finding.simplest, &Finding::simplest);
        if (known != state_.findings.end())
            ++known->calls;
        else
            state_.findings.push_back(finding);
        save();
    }

    /// A call that has all conditions of a finding is not tried again: a wrong call may hang.
    bool is_known(const ChosenCall& call) {
        const auto found = std::ranges::find_if(state_.findings, [&](const Finding& each) {
            return calls::has_conditions_of(call, each.simplest, each.origin);
        });
        if (found == state_.findings.end()) return false;
        ++found->calls;
        return true;
    }

    std::optional<Fault> attempt(const ChosenCall& call, std::uint64_t random) {
        name_tested({"generated calls", {calls::print(call)}, expected_generated_call_s});
        under_test::arrive(0);
        auto fault = calls::perform(call, groups_, random);
        // Messages of a call that has failed may still arrive: no later call uses its communicator.
        if (fault) {
            groups_.clear();
            setting_.is_world_spoilt =
                setting_.is_world_spoilt || call.communicator() == calls::Communicator::world;
        }
        return fault;
    }

    void save() {
        saved_s_ = wall_time_s();
        state_.seconds = seconds();
        if (folder_ != nullptr) folder_->save(state_);
    }

    calls::Setting setting_;
    std::vector<std::uint8_t> operations_;
    calls::PairCoverage coverage_;
    calls::Groups groups_;
    SearchState state_;
    SearchFolder* folder_;  ///< null on other ranks than 0, and where nothing is kept
    std::optional<double> hang_limit_s_;
    double start_s_;  ///< of all launches together
    double saved_s_ = 0;
};

/// While it lives, MPI functions return errors instead of ending the program.
class ReturnedErrors {
  public:
    ReturnedErrors() {
        for (std::size_t i = 0; i < handlers_.size(); ++i) {
            MPI_Comm_get_errhandler(comms()[i], &handlers_[i]);
            MPI_Comm_set_errhandler(comms()[i], MPI_ERRORS_RETURN);
        }
    }
    ~ReturnedErrors() {
        for (std::size_t i = 0; i < handlers_.size(); ++i) {
            MPI_Comm_set_errhandler(comms()[i], handlers_[i]);
            MPI_Errhandler_free(&handlers_[i]);
        }
    }
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;

  private:
    static std::array<MPI_Comm, 2> comms() { return {audited_ranks(), MPI_COMM_SELF}; }
    std::array<MPI_Errhandler, 2> handlers_{};
};

std::vector<std::uint8_t> chosen_operations(const std::vector<std::string>& names) {
    check_collectives(names);
    std::vector<std::uint8_t> chosen;
    for (std::size_t i = 0; i < operation_count; ++i) {
        const auto arrow = std::ranges::find(catalogue(), mpi_operations[i].name, &Arrow::name);
        if (names.empty() || (arrow != catalogue().end() && is_of_collectives(*arrow, names)))
            chosen.push_back(static_cast<std::uint8_t>(i));
    }
    return chosen;
}

/// Throws UsageError if options are given that generated calls do not have, or do not fit together.
void check_options(const RunOptions& options) {
    constexpr std::array known{"time",   "call",   "collectives", "hang-after",
                               "output", "resume", "order-seed"};
    for (const std::string& each : options.given)
        if (std::ranges::find(known, each) == known.end())
            throw UsageError("--{} does not apply to the generated calls of --time and --call",
                             each);
    if (options.is_given("time") && options.is_given("call"))
        throw UsageError("--call checks one call: leave out --time");
    if (options.resume && options.output.empty())
        throw UsageError("--resume: name the folder of the earlier launch with --output");
}

}  // namespace

int verify_calls(const RunOptions& options, const Environment& environment) {
    check_options(options);
    const std::vector<std::uint8_t> operations = chosen_operations(options.collectives);
    std::optional<SearchFolder> folder;
    const SearchState state = read_state(text_of_rank_0([&] {
        const std::uint64_t seed = options.order_seed.value_or(std::random_device{}());
        if (!options.output.empty()) folder.emplace(options.output, options.resume, seed);
        return text_of(folder ? folder->state() : SearchState{seed});
    }));
    note_incidents_in(
        options.output,
        "The findings are kept. Give the same command with --resume: it goes on without "
        "the call that hangs or crashes.");
    const ReturnedErrors returned_errors;
    CallSearch search(operations, state, folder ? &*folder : nullptr, options.hang_limit_s());
    int signal = 0;
    try {
        if (!options.call.empty()) {
            const ChosenCall call = or_usage_error([&] { return calls::parse_call(options.call); });
            if (const char* reason = calls::obstacle(call, search.setting()))
                throw UsageError("--call: {}", reason);
            const Watchdog watchdog(options.hang_limit_s().value_or(hang_after_s), exit_hang,
                                    audited_ranks());
            search.examine(call, state.seed);
        } else {
            search.run(options.verify_time->count);
        }
    } catch (const Interrupted& by) {
        signal = by.signal;
    }
    if (environment.rank() == 0) {
        for (const Finding& each : search.findings())
            say("WRONG {}, {} ranks: {}\n    mpiaudit verify --call \"{}\"\n",
                calls::sentence(each.simplest), environment.ranks(), each.text,
                calls::print(each.simplest));
        if (options.call.empty())
            say("{} ranks, seed {}: {} calls in {:.1f} s have {} of {} pairs of properties; {} "
                "wrong\n",
                environment.ranks(), state.seed, search.calls(), search.seconds(),
                search.coverage().covered(), search.coverage().valid(), search.findings().size());
        else if (search.findings().empty())
            say("no fault on {} ranks\n", environment.ranks());
    }
    if (!search.findings().empty()) return exit_wrong_result;
    return signal != 0 ? exit_interrupted : exit_done;
}

}  // namespace mpiaudit
