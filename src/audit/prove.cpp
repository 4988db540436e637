// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>

#include "audit/commands.h"
#include "files/read_file.h"
#include "files/written_file.h"
#include "judge/evidence.h"
#include "options/size_range.h"
#include "paths/paths.h"
#include "proof/proof.h"
#include "rules/rules.h"
#include "text/console.h"
#include "text/shell_word.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Moment = std::chrono::steady_clock;

/// A run of the application that did not end as it should.
class FailedRun : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string replaced(std::string text, std::string_view name, const std::string& value) {
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + value.size()))
        text.replace(at, name.size(), value);
    return text;
}

/// Starts a program, with what it prints in a file, and waits for its end.
/// \returns as wait(2)
int run(const Words& words, const std::string& output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (output + ".err").c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw UsageError(
            fmt::format("prove: {} cannot be started ({})", words.front(), std::strerror(error)));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// Runs of the application, with files of rules that may be empty.
class Application {
  public:
    Application(const ProveOptions& options, int ranks) {
        std::istringstream launch(replaced(options.launch, "{ranks}", std::to_string(ranks)));
        for (std::string word; launch >> word;) launch_.push_back(word);
        if (launch_.empty()) throw UsageError("--launch: names no program");
        application_ = options.application;
        program_ = fs::read_symlink("/proc/self/exe").string();
    }

    /// \param name of the files that it leaves
    proof::Run run_with(const std::string& rules, const fs::path& name) const {
        const std::string report = name.string() + ".json", output = name.string() + ".out";
        fs::remove(report);
        Words words = launch_;
        for (const std::string& word : {program_, std::string("apply"), std::string("--rules"),
                                        rules, std::string("--report"), report, std::string("--")})
            words.push_back(word);
        words.insert(words.end(), application_.begin(), application_.end());
        const int status = run(words, output);
        if (status != 0)
            throw FailedRun(fmt::format(
                "prove: a run of the application failed ({} {}); see {}",
                WIFSIGNALED(status) ? "signal" : "exit code",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), output + ".err"));
        if (!fs::exists(report))
            throw FailedRun(
                fmt::format("prove: the application has not called MPI_Finalize, or "
                            "not with the MPI library of this mpiaudit; see {}",
                            output + ".err"));
        return proof::parse_run(read_file(report), report);
    }

  private:
    Words launch_, application_;
    std::string program_;
};

int largest_group(const rules::Rules& rules) {
    int most = 0;
    for (const rules::Rule& rule : rules.rules) most = std::max(most, rule.ranks());
    if (most == 0) throw UsageError("--ranks: no rule says on how many ranks; give --ranks NUMBER");
    return most;
}

rules::Rules checked_rules(const ProveOptions& options) {
    if (options.rules.empty()) throw UsageError("prove: give the rules with --rules FILE");
    rules::Rules rules = rules::parse_rules(read_file(options.rules), options.rules);
    for (const rules::Rule& rule : rules.rules) paths::find_path(rule.collective, rule.path);
    return rules;
}

void make_folder(const ProveOptions& options) {
    std::error_code failure;
    if (!options.overwrite && fs::exists(options.output, failure))
        throw UsageError(fmt::format(
            "--output: {} is there already; give --overwrite to write into it", options.output));
    fs::create_directories(options.output, failure);
    if (failure)
        throw UsageError(
            fmt::format("--output: {} cannot be made ({})", options.output, failure.message()));
}

/// Whether the outputs of a pair are the same, as the user's command sees it.
bool is_same(const std::string& command, const fs::path& base, const fs::path& repaired,
             const fs::path& output) {
    const std::string text =
        replaced(replaced(command, "{base}", shell_word(base.string() + ".out")), "{repaired}",
                 shell_word(repaired.string() + ".out"));
    return run({"sh", "-c", text}, output.string() + ".compared") == 0;
}

void say_answer(const proof::Proof& proof, const ProveOptions& options) {
    if (proof.calls() == 0)
        say("No call took another path, so that nothing can be faster.\n");
    else
        say("{} calls of a run took another path.\n", proof.calls());
    for (const proof::Question& each : proof.questions())
        say("{}\n", proof::in_words(each, options.tolerance, proof.calls() > 0));
    say("{}\n", options.compare.empty() ? "Outputs were not compared (--compare)."
                                        : "Outputs were the same in all pairs.");
    say("{}\n", proof.is_faster() ? "Faster with the rules." : "Not shown to be faster.");
}

}  // namespace

int prove(const ProveOptions& options) {
    const rules::Rules rules = checked_rules(options);
    const Application application(options,
                                  options.ranks > 0 ? options.ranks : largest_group(rules));
    const double budget_s = parse_duration("--budget", options.budget);
    make_folder(options);
    const fs::path folder = fs::absolute(options.output);
    const std::string with = fs::absolute(options.rules), without = folder / "no-rules.json";
    replace_file(without, rules::rules_file({rules.library, "", {}}));
    const std::uint64_t seed = std::random_device()() | std::uint64_t{std::random_device()()} << 32;
    proof::Proof proof(options.tolerance, options.alpha, seed);
    const auto begin = Moment::now();
    try {
        for (int pair = 0; pair < options.pairs && !proof.is_settled(options.pairs); ++pair) {
            const std::chrono::duration<double> passed = Moment::now() - begin;
            if (pair > 0 && passed.count() * (pair + 1) / pair > budget_s) break;
            const fs::path base = folder / fmt::format("{}-without", pair + 1);
            const fs::path repaired = folder / fmt::format("{}-with", pair + 1);
            std::optional<proof::Run> base_run, repaired_run;
            const bool base_is_first = judge::fair_coin(~seed, static_cast<std::uint64_t>(pair));
            if (base_is_first) base_run = application.run_with(without, base);
            repaired_run = application.run_with(with, repaired);
            if (!base_run) base_run = application.run_with(without, base);
            if (!options.compare.empty() && !is_same(options.compare, base, repaired, repaired)) {
                say("Other results with the rules: see {} and {}.\n", base.string() + ".out",
                    repaired.string() + ".out");
                return exit_wrong_result;
            }
            proof.add(*base_run, *repaired_run);
            say("pair {}: collectives {:.4g} s without, {:.4g} s with; wall {:.4g} s, {:.4g} s\n",
                proof.pairs(), base_run->collective_s, repaired_run->collective_s, base_run->wall_s,
                repaired_run->wall_s);
        }
    } catch (const FailedRun& failure) {
        remark("{}", failure.what());
        return exit_internal;
    }
    replace_file(folder / "proof.json",
                 proof::proof_file(proof, options.rules, options.tolerance, options.alpha, seed));
    say_answer(proof, options);
    return proof.is_faster() ? exit_done : exit_violations;
}

}  // namespace mpiaudit
