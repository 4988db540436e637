// SPDX-License-Identifier: BSD-3-Clause
#include "launches/local.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "launches/local_words.h"
#include "machine/cores.h"
#include "messages/interruption.h"
#include "process/child_process.h"
#include "record/samples_file.h"
#include "report/report.h"
#include "screens/console.h"
#include "text/command.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

// The audit and its confirmations end in a minute. The problems that tell most come first, so the
// part before the first screen has verdicts on every collective.
constexpr const char* budget_of_first_part = "4s";
constexpr const char* budget_of_second_part = "14s";
constexpr const char* budget_of_whole_audit = "20s";    ///< without confirmations
constexpr const char* time_of_generated_calls = "15s";  ///< after the second part
constexpr const char* budget_of_confirmation = "5s";
// The library's own algorithms for the operations that lose most, and their confirmation.
constexpr const char* budget_of_algorithms = "5s";
constexpr const char* budget_of_confirmed_algorithms = "3s";
/// How often an audit may start: each operation that hangs or crashes ends one start.
constexpr int most_starts = 12;
constexpr double interval_s = 0.1;  ///< between two looks at the program that runs

bool has_incident(const std::string& folder) {
    std::error_code failure;
    const fs::directory_iterator files(folder, failure);
    return std::any_of(begin(files), end(files), [](const auto& each) {
        return each.path().filename().string().starts_with("incident-");
    });
}

/// Whether a launch has ended by itself; violations do not change the exit code of confirmations.
bool is_answer(int code) {
    return code == exit_done || code == exit_wrong_result || code == exit_nothing_decided;
}

class LocalAudit {
  public:
    /// \param run the options of the audit
    LocalAudit(const LocalOptions& options, const RunOptions& run, const std::string& program,
               bool has_checker)
        : program_{program},
          folder_{options.output.empty() ? default_folder() : options.output},
          confirmations_{run.dry_run || run.is_given("confirm") ? 0 : options.confirmations},
          is_overwritten_{run.overwrite},
          has_default_time_{has_checker && !run.is_given("check-calls")} {
        const bool has_own_extent =
            std::ranges::any_of(Words{"budget", "guidelines", "algorithms", "confirm"},
                                [&](const std::string& name) { return run.is_given(name); });
        is_in_two_parts_ = confirmations_ > 0 && !has_own_extent;
        words_ = completed(options.audit, run,
                           has_own_extent     ? nullptr
                           : is_in_two_parts_ ? budget_of_first_part
                                              : budget_of_whole_audit);
        for (const char* const name : {"samples.jsonl", "report.json"})
            times_before_[name] = time_of(name);
        const int cores = usable_cores();
        const int ranks = options.ranks > 0 ? options.ranks : std::max(2, cores);
        start_ = start_of_local_ranks(options.launcher, ranks, cores);
        if (ranks > cores)
            remark("{} ranks share {} cores: the times say little about the library", ranks, cores);
    }

    int run() {
        // Commands in reports that measure a violation again begin with the launcher.
        setenv("MPIAUDIT_LAUNCHER", CommandLine{start_}.text().c_str(), 1);
        if (is_terminal(STDOUT_FILENO))
            setenv("COLUMNS", std::to_string(standard_output(When::never).columns).c_str(), 1);
        const HeldSignals signals;
        signals_ = &signals;
        int code = start_audit(folder_, joined({{"--output", folder_}, words_of_first_part()}), "");
        if (is_in_two_parts_ && has_report(code)) {
            remark("the audit goes on with the checks that there was no time for");
            code = start_audit(
                folder_,
                joined(
                    {{"--output", folder_},
                     options_without(words_, {"budget", "overwrite", "resume"}),
                     has_default_time_ ? Words{"--check-calls", time_of_generated_calls} : Words{},
                     {"--budget", budget_of_second_part, "--resume"}}),
                "/dev/null");
        }
        if (confirmations_ > 0 && has_report(code)) code = confirm(code);
        return report_end(code);
    }

  private:
    /// Returns the options of the part before the first screen, which leaves generated calls to the
    /// second part.
    Words words_of_first_part() const {
        if (!is_in_two_parts_) return words_;
        return joined({options_without(words_, {"check-calls"}), {"--check-calls", "0"}});
    }

    /// When a file of the audit was written; the earliest time if the file does not exist.
    fs::file_time_type time_of(const std::string& name) const {
        std::error_code failure;
        return fs::last_write_time(fs::path(folder_) / name, failure);
    }
    /// Whether this call has written the file of the audit.
    bool is_new(const std::string& name) const { return time_of(name) != times_before_.at(name); }
    /// Whether the audit has a report and neither a signal nor a failure has ended it.
    bool has_report(int code) const {
        return ended_by_ == 0 && (is_answer(code) || code == exit_violations) &&
               is_new("report.json");
    }

    /// Runs a program to its end and returns its exit code. A signal to this process goes on to the
    /// program, which then writes what is measured. SIGHUP becomes SIGTERM, which all launchers
    /// know.
    /// \param output the file for standard output; empty: that of this process
    int run_to_end(const Words& words, const std::string& output) {
        int status = 0;
        const pid_t child = start_program("local", words, {output, ""}, *signals_);
        while (waitpid(child, &status, WNOHANG) == 0) {
            const int signal = signals_->wait(interval_s);
            if (signal == 0 || signal == SIGCHLD) continue;
            ended_by_ = signal;
            kill(child, signal == SIGHUP ? SIGTERM : signal);
        }
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    /// Runs `mpiaudit run` on all ranks. An operation that hangs or crashes ends the ranks, which
    /// note the operation; then the audit resumes without it.
    int start_audit(const std::string& folder, Words words, const std::string& output) {
        for (int number = 1;; ++number) {
            const int code = run_to_end(joined({start_, {program_, "run"}, words}), output);
            if (ended_by_ != 0 || number == most_starts || !has_incident(folder)) return code;
            remark("the audit goes on without the operation that has ended it");
            words = joined({options_without(words, {"overwrite", "resume"}), {"--resume"}});
        }
    }

    /// Measures the violations once more, in new ranks.
    int start_confirmation(const std::string& folder) {
        std::error_code failure;
        const bool is_begun = fs::exists(folder + "/samples.jsonl", failure);
        return start_audit(
            folder,
            joined({{"--confirm", folder_, "--output", folder, "--budget", budget_of_confirmation},
                    is_overwritten_ ? Words{"--overwrite"}
                    : is_begun      ? Words{"--resume"}
                                    : Words{},
                    words_of_confirmations()}),
            "/dev/null");
    }

    /// Returns the options that a confirmation cannot read in the audit, after MPI has started.
    Words words_of_confirmations() const {
        return options_where(words_, [](const std::string& name) {
            return find_run_row(name)->acts_before_mpi || name == "color" || name == "progress";
        });
    }

    /// Compares the library's own algorithms for the operations that lose most, and confirms the
    /// faster algorithms. Returns the folder of this audit; empty if there is nothing to compare,
    /// or if the algorithms cannot be compared.
    std::string compare_algorithms(const Words& launches) {
        Words wanted;
        try {
            wanted = words_of_algorithms(make_report(launches_of(launches)));
        } catch (const std::exception& error) {
            remark("the library's own algorithms are not compared: {}", error.what());
        }
        if (wanted.empty()) return "";
        remark("the library's own algorithms for {} are compared now", wanted[1]);
        const std::string folder = folder_ + "/algorithms", again = folder + "/confirmation-1";
        const Words options = options_where(words_, [](const std::string& name) {
            const auto* const row = find_run_row(name);
            return row->is_reproduced || name == "color" || name == "progress";
        });
        int code = start_audit(
            folder,
            joined({{"--output", folder, "--overwrite", "--budget", budget_of_algorithms},
                    wanted,
                    options}),
            "/dev/null");
        if (!is_answer(code) || ended_by_ != 0) return "";
        code =
            start_audit(again,
                        joined({{"--confirm", folder, "--output", again, "--overwrite", "--budget",
                                 budget_of_confirmed_algorithms, wanted[0], wanted[1]},
                                words_of_confirmations()}),
                        "/dev/null");
        return is_answer(code) && ended_by_ == 0 ? folder : "";
    }

    /// Starts the confirmations and judges all launches together. Returns the exit code.
    /// \param first the exit code of the audit
    int confirm(int first) {
        remark("up to {} more launches measure violations again now", confirmations_);
        Words launches = {folder_};
        bool is_wrong = first == exit_wrong_result;
        int last = exit_done;
        for (int number = 1; number <= confirmations_; ++number) {
            const std::string folder = fmt::format("{}/confirmation-{}", folder_, number);
            // Every launch begins with the same lines of progress, which stay in a file.
            if (!is_terminal(STDERR_FILENO))
                remark("launch {} of {}", number + 1, confirmations_ + 1);
            last = start_confirmation(folder);
            std::error_code failure;
            // A launch leaves no samples if there are no violations.
            const bool has_samples = fs::exists(folder + "/samples.jsonl", failure);
            if (ended_by_ != 0 || !is_answer(last) || !has_samples) break;
            is_wrong = is_wrong || last == exit_wrong_result;
            launches.push_back(folder);
        }
        std::string algorithms;
        if (launches.size() > 1 && is_in_two_parts_ && ended_by_ == 0)
            algorithms = compare_algorithms(launches);
        int code = first;
        if (launches.size() > 1 || is_in_two_parts_) {
            say("\nAll launches together, in place of the screen above:\n\n");
            code = show(launches, algorithms);
        }
        if (!is_answer(last)) return last;
        return is_wrong ? exit_wrong_result : code;
    }

    /// Judges the launches together, by the rule of the audit, and returns the exit code.
    /// \param algorithms the folder of an audit of the library's own algorithms; may be empty
    int show(const Words& launches, const std::string& algorithms) {
        const auto is_for_judge = [rows = judge_rows()](const std::string& name) {
            return find_run_row(name)->belongs_to != BelongsTo::audit &&
                   std::ranges::any_of(rows, [&](const auto& row) { return row.name == name; });
        };
        return run_to_end(joined({{program_, "judge"},
                                  launches,
                                  {"--report", folder_ + "/report.json"},
                                  algorithms.empty() ? Words{} : Words{"--settings-of", algorithms},
                                  options_where(words_, is_for_judge)}),
                          "");
    }

    /// Says how to go on with an audit that is not complete. Returns the exit code of this call.
    int report_end(int code) const {
        const bool is_open = ended_by_ != 0 || !is_new("report.json");
        std::string by;
        if (ended_by_ != 0) by = fmt::format(", {} ended the audit", interruption::name(ended_by_));
        // The folder belongs to another audit if this call was refused.
        if (code != exit_usage && is_open && is_new("samples.jsonl"))
            remark(
                "{} is not complete{}. To go on, give the same command with '--output {}' and, "
                "after --, '--resume'.",
                folder_, by, shell_word(fs::absolute(folder_).string()));
        if (ended_by_ != 0) return 128 + ended_by_;
        if (code > 128 && code <= 128 + SIGRTMAX)
            remark("{} reports signal {} ({})", start_.front(), code - 128, strsignal(code - 128));
        return code;
    }

    std::string program_, folder_;
    int confirmations_;
    bool is_overwritten_, has_default_time_, is_in_two_parts_ = false;
    Words words_;  ///< options of the audit
    Words start_;  ///< starts the ranks
    std::map<std::string, fs::file_time_type> times_before_;
    const HeldSignals* signals_ = nullptr;  ///< while run() runs
    int ended_by_ = 0;                      ///< the signal that has ended the audit; 0: none
};

}  // namespace

int audit_locally(const Command& command, std::span<const CommandRow> commands,
                  const OtherProducts& other_products) {
    const LocalOptions& options = command.own<LocalOptions>();
    std::vector<const char*> words = {"mpiaudit", "run"};
    for (const std::string& each : options.audit) words.push_back(each.c_str());
    const Command audit = parse_command(static_cast<int>(words.size()), words.data(), commands);
    if (!audit.error.empty()) throw UsageError("{} (see {})", audit.error, audit.help);
    if (audit.name.empty()) {
        say("{}", audit.text);
        return exit_done;
    }
    if (audit.run.is_given("output")) throw UsageError("--output after --: give it before --");
    return LocalAudit(options, audit.run, command.arguments.front(), other_products.has_checker())
        .run();
}

}  // namespace mpiaudit
