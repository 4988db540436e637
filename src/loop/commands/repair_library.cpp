// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>

#include "commands/limited_run.h"
#include "commands/loop_commands.h"
#include "commands/trusted_start.h"
#include "files/files.h"
#include "options/recorded_options.h"
#include "record/samples_file.h"
#include "repair/repair.h"
#include "repair/selection.h"
#include "report/report.h"
#include "settings/selection_tree.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/plain.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;
using repair::Setting;

/// Returns the folder of a report, or the folder itself.
std::string folder_of(const std::string& result) {
    const fs::path path = result;
    return path.filename() == "report.json" ? path.parent_path().empty() ? "." : path.parent_path()
                                            : path;
}

Report report_of(const std::vector<std::string>& folders) {
    return make_report(joined_launches(read_launches(folders)));
}

/// Returns one report for each number of ranks, in the given order: folders with equal numbers are
/// launches of one audit. A single folder contains its confirmations, as jobs/local creates them.
std::vector<Report> reports_of(const std::vector<std::string>& results) {
    std::vector<std::pair<int, std::vector<std::string>>> audits;
    for (const std::string& each : results) {
        const std::string folder = folder_of(each);
        const bool is_alone = results.size() == 1;
        const int ranks = is_alone ? 0 : read_launches({folder}).front().audit.header.machine.ranks;
        auto known =
            std::ranges::find(audits, ranks, [](const auto& audit) { return audit.first; });
        if (known == audits.end()) known = audits.insert(known, {ranks, {}});
        known->second.push_back(folder);
    }
    std::vector<Report> reports;
    for (const auto& [ranks, folders] : audits) {
        reports.push_back(
            report_of(folders.size() > 1 ? folders : with_confirmations(folders.front())));
        if (reports.back().header.mpi.library != reports.front().header.mpi.library)
            throw UsageError("repair: {} is of another MPI library than {}", folders.front(),
                             audits.front().second.front());
    }
    return reports;
}

/// Returns the folders of all launches.
std::vector<std::string> folders_of(const std::vector<std::string>& results) {
    std::vector<std::string> folders;
    for (const std::string& each : results)
        std::ranges::copy(with_confirmations(folder_of(each)), std::back_inserter(folders));
    return folders;
}

/// Tries the settings, and writes them into a folder.
class Repairer {
  public:
    /// \param reports of one library, each on another number of ranks
    Repairer(const RepairOptions& options, const std::vector<Report>& reports, std::string folder)
        : options_{options},
          reports_{reports},
          folder_{fs::weakly_canonical(fs::absolute(folder))} {
        for (const Report& each : reports) {
            add(repair::find_repairs(each, {static_cast<std::size_t>(options.launches),
                                            options.assume_commutative, reports.size() > 1}),
                each.header.machine.ranks);
            violated_ += each.summary.violated;
        }
    }

    /// Makes the folder and removes the files that an earlier repair left in it. Throws UsageError
    /// if it has settings and --overwrite is not given.
    void prepare_folder() const {
        std::error_code failure;
        if (fs::exists(folder_ / settings_name, failure) && !options_.overwrite)
            throw UsageError(
                "--output: {} is there already; give --overwrite to "
                "replace it, or another folder",
                (folder_ / settings_name).string());
        fs::create_directories(folder_, failure);
        if (!fs::is_directory(folder_, failure))
            throw UsageError("--output: {} cannot be made a folder", folder_.string());
        for (const char* name : {settings_name, tuned_name, selection_name})
            fs::remove(folder_ / name, failure);
    }

    /// Tries the settings of each number of ranks together with the settings accepted before.
    void try_settings() {
        leave_out_selections();
        for (const Report& each : reports_) {
            const int ranks = each.header.machine.ranks;
            std::vector<std::vector<Setting>> candidates;
            std::ranges::copy_if(repairs_.settings, std::back_inserter(candidates),
                                 [ranks](const auto& of) { return of.front().ranks == ranks; });
            if (const auto why = not_to_be_tried(each)) {
                for (const auto& of : candidates)
                    add_obstacle(of.front().collective, ranks, "no setting: " + *why);
            } else if (!candidates.empty()) {
                try_settings_on(each, candidates);
            }
        }
    }

    /// Writes a shell script that exports the accepted settings, and the files that they name.
    void write() const {
        write_output("--output", [&] {
            write_files(accepted_);
            replace_file((folder_ / settings_name).string(), settings_file());
        });
    }

    /// Prints how many violations are confirmed, then every setting and obstacle, and how to use
    /// the settings.
    void say_all() const {
        if (violated_ == 0)
            say("The audit has no violation: there is nothing to repair.\n");
        else if (repairs_.confirmed == 0)
            say("None of {} violations is confirmed in {} launches: there is nothing to repair.\n",
                violated_, options_.launches);
        else
            say("{} of {} violations are confirmed in {} launches.\n", repairs_.confirmed,
                violated_, options_.launches);
        for (const Setting& each : accepted_)
            say("setting: {} with {}: {}, tried in {} launches\n",
                on_ranks(each.collective, each.ranks), each.algorithms,
                fmt::join(variables_of(each), " "), options_.checks);
        for (const repair::Obstacle& each : repairs_.obstacles)
            say("{}: {}\n", each.what, each.why);
        if (!accepted_.empty())
            say("settings, for the shell that starts the application: . {}\n",
                shell_word((folder_ / settings_name).string()));
    }

  private:
    static constexpr const char* settings_name = "settings.sh";
    static constexpr const char* tuned_name = "tuned.rules";
    static constexpr const char* selection_name = "selection.json";
    static constexpr const char* ranks_word = "{ranks}";  ///< in --launcher

    /// Returns the collective, with the number of ranks if it differs from that of the first
    /// report.
    std::string on_ranks(const std::string& collective, int ranks) const {
        if (ranks == reports_.front().header.machine.ranks) return collective;
        return fmt::format("{} on {} ranks", collective, ranks);
    }

    void add_obstacle(const std::string& collective, int ranks, const std::string& why) {
        repairs_.obstacles.push_back({on_ranks(collective, ranks), why});
    }

    void add(const repair::Repairs& found, int ranks) {
        repairs_.confirmed += found.confirmed;
        std::ranges::copy(found.settings, std::back_inserter(repairs_.settings));
        for (const repair::Obstacle& each : found.obstacles)
            add_obstacle(each.what, ranks, each.why);
    }

    std::optional<std::string> not_to_be_tried(const Report& report) const {
        const bool is_first = &report == &reports_.front();
        const bool is_for_all = options_.launcher.find(ranks_word) != std::string::npos;
        if (report.header.simulated) return "there is nothing to try in a simulation";
        if (options_.checks == 0) return "none is offered untried (--checks 0)";
        if (!is_first && !options_.launcher.empty() && !is_for_all)
            return "--launcher has no {ranks}, so that none can be tried on as many";
        return std::nullopt;
    }

    /// Drops settings that need a selection file if the built-in selection of MPICH was not found.
    void leave_out_selections() {
        const auto needs_one = [](const Setting& setting) {
            return setting.file == repair::SelectionFile::selection;
        };
        const bool is_any = std::ranges::any_of(repairs_.settings, [&](const auto& each) {
            return std::ranges::any_of(each, needs_one);
        });
        if (is_any) own_selection_ = settings::own_selection();
        if (!is_any || own_selection_) return;
        for (std::vector<Setting>& each : repairs_.settings) {
            const Setting first = each.front();
            std::erase_if(each, needs_one);
            if (each.empty())
                add_obstacle(first.collective, first.ranks,
                             "no setting: the library's own selection was not found in it");
        }
        std::erase_if(repairs_.settings, [](const auto& each) { return each.empty(); });
    }

    /// Tries the best settings of all collectives together, replaces rejected ones, and accepts the
    /// rest: settings are offered in the combination that was tried.
    void try_settings_on(const Report& report,
                         const std::vector<std::vector<Setting>>& candidates) {
        const std::string place = &report == &reports_.front()
                                      ? ""
                                      : fmt::format("on-{}-ranks-", report.header.machine.ranks);
        without_.clear();
        std::vector<std::size_t> next(candidates.size(), 0);
        for (int round = 1;; ++round) {
            const std::vector<Setting> together = chosen(candidates, next);
            if (together.empty()) return;
            std::vector<Setting> all = accepted_;
            all.insert(all.end(), together.begin(), together.end());
            write_files(all);
            std::vector<std::string> folders;
            // Audits without settings take turns in the first round: the machine may have changed
            // since the audit.
            const int in_turns = round == 1 ? 2 : 1;
            auto number = [&, next_one = 0]() mutable {
                return fmt::format("{} of {}", ++next_one, in_turns * options_.checks);
            };
            for (int check = 1; check <= options_.checks; ++check) {
                folders.push_back(audit_under(
                    report, all, fmt::format("check-{}{}-{}", place, round, check), number()));
                if (round == 1)
                    without_.push_back(audit_under(
                        report, {}, fmt::format("without-{}{}", place, check), number()));
            }
            if (is_any_refused(report, folders, candidates, next)) continue;
            accepted_ = all;
            return;
        }
    }

    static std::vector<Setting> chosen(const std::vector<std::vector<Setting>>& candidates,
                                       const std::vector<std::size_t>& next) {
        std::vector<Setting> together;
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (next[i] < candidates[i].size()) together.push_back(candidates[i][next[i]]);
        }
        return together;
    }

    /// Replaces settings that the audits reject by the next candidates of their collectives.
    /// Returns whether any was rejected.
    bool is_any_refused(const Report& report, const std::vector<std::string>& folders,
                        const std::vector<std::vector<Setting>>& candidates,
                        std::vector<std::size_t>& next) {
        const std::vector<Setting> together = chosen(candidates, next);
        // The launches are judged together: a violation in one launch alone is not confirmed.
        const Report under = report_of(folders), without = report_of(without_);
        bool is_any = false;
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (next[i] >= candidates[i].size()) continue;
            const Setting& setting = candidates[i][next[i]];
            const auto why = repair::objection(setting, together, report, {under, without});
            if (!why) continue;
            add_obstacle(
                setting.collective, setting.ranks,
                fmt::format("{} was tried and is not offered: {}", setting.algorithms, *why));
            ++next[i];
            is_any = true;
        }
        return is_any;
    }

    /// Runs an audit under the settings and returns its folder.
    std::string audit_under(const Report& report, const std::vector<Setting>& settings,
                            const std::string& name, const std::string& number) const {
        const std::string folder = (folder_ / name).string();
        const CommandLine command = command_under(report, settings, folder);
        remark("repair: audit {} {} the settings, of up to {}: {}.log", number,
               settings.empty() ? "without" : "under", options_.budget.text(), folder);
        remark("repair: starts {}", command.text());
        // A confirmation ends when its time is over, so a longer run hangs.
        const double limit_s = 20 * options_.budget->count + 600;
        const Ending ending = run_limited("repair", command.words, folder + ".log", limit_s);
        std::error_code failure;
        if (!fs::exists(fs::path(folder) / "report.json", failure))
            throw UsageError(
                "the audit that tries the settings has failed ({}): see {}.log and {}.log.err, or "
                "give another --launcher",
                ending.in_words(), folder, folder);
        return folder;
    }

    CommandLine command_under(const Report& report, const std::vector<Setting>& settings,
                              const std::string& folder) const {
        const record::Header& header = report.header;
        OptionValues options = header.options;
        std::vector<std::string> variables = mpiaudit::words_of(option_in(options, "setting"));
        std::ranges::for_each(variables, trusted_start::require_plain_setting);
        for (const Setting& each : settings)
            std::ranges::copy(variables_of(each), std::back_inserter(variables));
        set_option(options, "setting", std::vector<std::string>{});
        std::ranges::sort(variables);
        const auto repeated = std::ranges::unique(variables);
        variables.erase(repeated.begin(), repeated.end());
        CommandLine command = start_of_ranks_of(report);
        std::vector<std::string>& words = command.words;
        words.insert(words.end(), {program_to_start().string(), "run"});
        std::ranges::copy(audit_arguments(options, header.default_options),
                          std::back_inserter(words));
        if (!variables.empty())
            words.insert(words.end(), {"--setting", fmt::format("{}", fmt::join(variables, ","))});
        words.insert(words.end(), {"--budget", options_.budget.text(), "--color", "never",
                                   "--overwrite", "--output", folder});
        return command;
    }

    /// Returns the words that start the ranks with the variables of the audit.
    CommandLine start_of_ranks_of(const Report& report) const {
        CommandLine start;
        for (const auto& [name, value] : trusted_start::settings(report))
            start.words.push_back(name + '=' + value);
        if (!start.empty()) start.words.insert(start.words.begin(), "env");
        const CommandLine launcher =
            options_.launcher.empty()
                ? trusted_start::launcher(report, folders_of(options_.results))
                : trusted_start::words_of_option(
                      "--launcher", with_value(options_.launcher, ranks_word,
                                               std::to_string(report.header.machine.ranks)));
        std::ranges::copy(launcher.words, std::back_inserter(start.words));
        return start;
    }

    std::vector<std::string> variables_of(const Setting& setting) const {
        std::vector<std::string> variables = setting.variables;
        std::ranges::for_each(variables, trusted_start::require_plain_setting);
        if (setting.file == repair::SelectionFile::selection)
            variables.push_back("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" +
                                (folder_ / selection_name).string());
        if (setting.file != repair::SelectionFile::tuned_rules) return variables;
        return {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                "OMPI_MCA_coll_tuned_dynamic_rules_filename=" + (folder_ / tuned_name).string()};
    }

    /// Writes the files that the variables of the settings name.
    void write_files(const std::vector<Setting>& settings) const {
        const auto are_in = [&](repair::SelectionFile file) {
            return std::ranges::find(settings, file, &Setting::file) != settings.end();
        };
        if (are_in(repair::SelectionFile::selection))
            replace_file((folder_ / selection_name).string(),
                         repair::selection_file(*own_selection_, settings));
        if (are_in(repair::SelectionFile::tuned_rules))
            replace_file((folder_ / tuned_name).string(),
                         repair::tuned_rules_file(settings, reports_.front().header.mpi.library));
    }

    /// Returns a shell script that exports the variables of the accepted settings, each variable
    /// once.
    std::string settings_file() const {
        // A shell reads this file: a line end in a name of the results folder must not end a
        // comment.
        const std::string& library = reports_.front().header.mpi.library;
        std::string text =
            fmt::format("# For {}\n", plain_line(library.substr(0, library.find('\n'))));
        std::set<std::string> exported;
        for (const Setting& each : accepted_) {
            text += fmt::format("# {}\n", plain_line(on_ranks(each.collective, each.ranks) + ": " +
                                                     each.algorithms));
            for (const std::string& variable : variables_of(each)) {
                // Settings that share a file share its variables.
                if (!exported.insert(variable).second) continue;
                const std::size_t equals = variable.find('=');
                text += fmt::format("export {}={}\n", variable.substr(0, equals),
                                    shell_word(variable.substr(equals + 1)));
            }
        }
        return text;
    }

    const RepairOptions& options_;
    const std::vector<Report>& reports_;
    fs::path folder_;
    repair::Repairs repairs_;
    std::vector<Setting> accepted_;
    std::vector<std::string> without_;  ///< folders of audits without settings
    std::optional<std::string> own_selection_;
    std::size_t violated_ = 0;
};

/// Throws UsageError if a launcher has started several processes.
void require_one_process() {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const char* const ranks = std::getenv(variable);
        if (ranks != nullptr && std::atoi(ranks) > 1)
            throw UsageError("repair starts the ranks itself; run it without a launcher");
    }
}

}  // namespace

int repair_library(const RepairOptions& options) {
    require_one_process();
    const std::vector<Report> reports = reports_of(options.results);
    const std::string output =
        options.output.empty() ? (fs::path(folder_of(options.results.front())) / "repair").string()
                               : options.output;
    Repairer of_library(options, reports, output);
    of_library.prepare_folder();
    of_library.try_settings();
    of_library.write();
    of_library.say_all();
    return exit_done;
}

}  // namespace mpiaudit
