// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "commands/limited_run.h"
#include "commands/loop_commands.h"
#include "commands/trusted_start.h"
#include "files/files.h"
#include "judge/verdict.h"
#include "proof/proof.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/plain.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Moment = std::chrono::steady_clock;

/// A run of the application that failed.
class FailedRun : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Returns NAME=VALUE of each line `export NAME=VALUE`. The file may come from elsewhere, so no
/// shell reads the file, and only variables of a library are allowed. Throws UsageError for any
/// other line but comments.
Words variables_in(const std::string& file) {
    Words variables;
    std::istringstream lines(read_file(file));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.starts_with('#')) continue;
        const auto command = CommandLine::of_complete(line);
        if (!command)
            throw UsageError(
                "--settings: {}:{}: has a quote that is not closed, or a backslash at its end; end "
                "each value in its line: export NAME='VALUE'",
                plain_line(file), number);
        const Words& words = command->words;
        if (words.empty()) continue;
        const std::size_t equals = std::min(words.back().find('='), words.back().size());
        const std::string name = words.back().substr(0, equals);
        const bool is_of_repair = name == "OMPI_MCA_coll_tuned_dynamic_rules_filename" ||
                                  name == "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
        if (words.size() != 2 || words.front() != "export" || equals == words.back().size() ||
            !(is_of_repair ||
              trusted_start::is_plain_setting(name, words.back().substr(equals + 1))))
            throw UsageError(
                "--settings: {}:{}: is no line `export NAME=VALUE` with a variable that selects an "
                "MPI library's algorithms; mpiaudit repair writes such files",
                plain_line(file), number);
        variables.push_back(words.back());
    }
    return variables;
}

/// One of the two configurations that a pair compares.
struct Arm {
    Words settings;  ///< NAME=VALUE; empty: the base
    std::string_view name;
};

// The limit for a run in seconds is times_of_limit times the longest run without settings, and
// added_to_limit_s: a busy machine is no hang.
constexpr double times_of_limit = 10, added_to_limit_s = 60;

std::string in_words_with_option(const Ending& ending) {
    return ending.in_words() + (ending.is_too_late ? "; --limit allows more" : "");
}

/// Runs the application in a folder.
class Application {
  public:
    Application(const ProveOptions& options, int ranks)
        : launch_(trusted_start::words_of_option(
                      "--launch", with_value(options.launch, "{ranks}", std::to_string(ranks)))
                      .words),
          application_(options.application),
          program_(program_to_start().string()),
          copied_(options.copy),
          folder_(fs::absolute(options.output)) {
        if (launch_.empty()) throw UsageError("--launch: names no program");
        if (!options.limit.empty()) given_limit_s_ = options.limit->count;
    }

    /// Returns the limit for a run in seconds: that of the user, or much longer than each run
    /// without settings so far.
    double limit_s() const {
        return given_limit_s_ ? *given_limit_s_
                              : times_of_limit * longest_base_s_ + added_to_limit_s;
    }
    /// Learns the limit from a run that does not count, unless the user has given one.
    /// \param most_s seconds that this run may take
    void learn_limit(const Arm& base, double most_s) {
        if (given_limit_s_) return;
        given_limit_s_ = most_s + added_to_limit_s;
        run_with(base, 0);
        given_limit_s_.reset();
    }

    /// Returns the path of the files of a run, without their endings.
    std::string files_of(const Arm& arm, int pair) const {
        return (folder_ / fmt::format("{}-{}", pair, arm.name)).string();
    }
    /// Records the application once and returns its times. Removes the recording of an earlier run
    /// first, copies the folder of --copy, and notes the longest base run for limit_s(). Throws
    /// FailedRun if the run fails or leaves no recording.
    proof::Run run_with(const Arm& arm, int pair) {
        const std::string recording = files_of(arm, pair) + ".json";
        const std::string output = files_of(arm, pair) + ".out";
        fs::remove(recording);
        copy_folder(arm, pair);
        const Ending ending = run_limited("prove", command(arm, pair), output, limit_s());
        if (!ending.is_success())
            throw FailedRun(fmt::format(
                "prove: a run of the application {} the settings failed ({}); see {}.err", arm.name,
                in_words_with_option(ending), output));
        if (arm.settings.empty()) longest_base_s_ = std::max(longest_base_s_, ending.seconds);
        if (!fs::exists(recording))
            throw FailedRun(
                fmt::format("prove: the application has not called MPI_Finalize, or "
                            "not with the MPI library of this mpiaudit; see {}.err",
                            output));
        return proof::run_of(application::parse_problems(read_file(recording), recording));
    }

  private:
    /// Copies the folder for a run and removes the copy of the previous pair.
    void copy_folder(const Arm& arm, int pair) const {
        if (copied_.empty()) return;
        fs::remove_all(files_of(arm, pair - 1));
        fs::remove_all(files_of(arm, pair));
        fs::copy(copied_, files_of(arm, pair),
                 fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    }

    Words command(const Arm& arm, int pair) const {
        Words words;
        if (!arm.settings.empty() || !copied_.empty()) words.push_back("env");
        if (!copied_.empty()) words.insert(words.end(), {"-C", files_of(arm, pair)});
        words.insert(words.end(), arm.settings.begin(), arm.settings.end());
        words.insert(words.end(), launch_.begin(), launch_.end());
        words.insert(words.end(), {program_, "record", "--overwrite", "--output",
                                   files_of(arm, pair) + ".json", "--"});
        words.insert(words.end(), application_.begin(), application_.end());
        return words;
    }

    Words launch_, application_;
    std::string program_;
    fs::path copied_, folder_;
    std::optional<double> given_limit_s_;
    double longest_base_s_ = 0;
};

/// Makes the folder of the output. Throws UsageError if the folder is there without --overwrite, or
/// if --copy is no folder or contains the folder of the output.
void make_folder(const ProveOptions& options) {
    std::error_code failure;
    if (!options.copy.empty() && !fs::is_directory(options.copy, failure))
        throw UsageError("--copy: {} is no folder", options.copy);
    const fs::path copied = fs::weakly_canonical(options.copy);
    const fs::path output = fs::weakly_canonical(fs::absolute(options.output));
    if (!options.copy.empty() && std::ranges::mismatch(copied, output).in1 == copied.end())
        throw UsageError(
            "--copy: {} holds the folder of --output, {}: copies of it would hold each other",
            options.copy, options.output);
    if (!options.overwrite && fs::exists(options.output, failure))
        throw UsageError("--output: {} is there already; give --overwrite to write into it",
                         options.output);
    fs::create_directories(options.output, failure);
    if (failure)
        throw UsageError("--output: {} cannot be made ({})", options.output, failure.message());
}

/// Throws UsageError if the folder's name needs quotes and the command of --compare has some, too:
/// the name would end them, and a shell would run the rest.
void require_words(const ProveOptions& options) {
    const std::string folder = fs::absolute(options.output).string();
    if (options.compare.empty() || shell_word(folder) == folder) return;
    if (options.compare.find_first_of("'\"`\\") != std::string::npos ||
        folder.find('{') != std::string::npos)
        throw UsageError(
            "--output: the name {} has characters that --compare cannot put between quotes; give "
            "another folder, or write the command without quotes",
            plain_line(folder));
}

/// Returns whether the command of the user finds the outputs of a pair equal.
bool is_same(const std::string& command, const std::string& base, const std::string& repaired,
             double limit_s) {
    // The command is the user's own and may be a pipeline. Names of files are inserted as quoted
    // words.
    std::string text = command;
    for (const auto& [name, files] : {std::pair("base", base), std::pair("repaired", repaired)}) {
        text = with_value(text, fmt::format("{{{}}}", name), shell_word(files + ".out"));
        text = with_value(text, fmt::format("{{{}-folder}}", name), shell_word(files));
    }
    const Ending ending = run_limited("prove", {"sh", "-c", text}, repaired + ".compared", limit_s);
    if (ending.is_too_late)
        throw FailedRun(fmt::format("prove: the command of --compare failed ({})",
                                    in_words_with_option(ending)));
    return ending.is_success();
}

void say_answer(const proof::Proof& proof, const ProveOptions& options) {
    for (const proof::Question& each : proof.questions())
        say("{}\n", proof::in_words(each, options.tolerance));
    say("{}\n", options.compare.empty() ? "Outputs were not compared (--compare)."
                                        : "Outputs were the same in all pairs.");
    if (proof.is_faster())
        say("Faster with the settings.\n");
    else if (proof.is_slower())
        say("Slower with the settings: do not use them.\n");
    else
        say("Not shown to be faster.\n");
}

/// Runs pairs until the proof is settled, or pairs or time are used up.
/// \returns whether all outputs were equal
bool run_pairs(const ProveOptions& options, Application& application, const Arm& base,
               const Arm& repaired, std::uint64_t seed, proof::Proof& proof) {
    const double budget_s = options.budget->count;
    application.learn_limit(base, budget_s);
    const auto begin = Moment::now();
    for (int pair = 1; pair <= options.pairs && !proof.is_settled(options.pairs); ++pair) {
        const std::chrono::duration<double> passed = Moment::now() - begin;
        if (pair > 1 && passed.count() * pair / (pair - 1) > budget_s) break;
        std::array<proof::Run, 2> runs;
        const bool base_is_first = judge::fair_coin(~seed, static_cast<std::uint64_t>(pair));
        if (base_is_first) runs[0] = application.run_with(base, pair);
        runs[1] = application.run_with(repaired, pair);
        if (!base_is_first) runs[0] = application.run_with(base, pair);
        if (!options.compare.empty() &&
            !is_same(options.compare, application.files_of(base, pair),
                     application.files_of(repaired, pair), application.limit_s())) {
            say("Other results with the settings: see {}.out and {}.out.\n",
                application.files_of(base, pair), application.files_of(repaired, pair));
            return false;
        }
        proof.add(runs[0], runs[1]);
        say("pair {}: collectives {:.4g} s without, {:.4g} s with; wall {:.4g} s, {:.4g} s\n", pair,
            runs[0].collective_s, runs[1].collective_s, runs[0].wall_s, runs[1].wall_s);
    }
    return true;
}

}  // namespace

int prove(const ProveOptions& options) {
    if (options.settings.empty())
        throw UsageError(
            "prove: give the settings with --settings FILE; mpiaudit repair writes such files");
    const Words settings = variables_in(options.settings);
    if (settings.empty())
        throw UsageError("--settings: {} sets no variable", plain_line(options.settings));
    if (options.ranks == 0 && options.launch.find("{ranks}") != std::string::npos)
        throw UsageError(
            "--ranks: on how many ranks does the application run? Give --ranks NUMBER");
    Application application(options, options.ranks);
    require_words(options);
    make_folder(options);
    const fs::path folder = fs::absolute(options.output);
    const Arm base{{}, "without"}, repaired{settings, "with"};
    // A proof of earlier runs must not remain beside the files of these runs.
    fs::remove(folder / "proof.json");
    const std::uint64_t seed = std::random_device()() | std::uint64_t{std::random_device()()} << 32;
    proof::Proof proof(options.tolerance, options.alpha, seed);
    try {
        if (!run_pairs(options, application, base, repaired, seed, proof)) return exit_wrong_result;
    } catch (const FailedRun& failure) {
        remark("{}", failure.what());
        return exit_internal;
    }
    replace_file(folder / "proof.json", proof::proof_file(proof, options.settings,
                                                          options.tolerance, options.alpha, seed));
    say_answer(proof, options);
    return proof.is_faster() ? exit_done : exit_violations;
}

}  // namespace mpiaudit
