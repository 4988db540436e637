// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "audit/commands.h"
#include "audit/output_option.h"
#include "audit/read_launches.h"
#include "files/written_file.h"
#include "options/recorded_options.h"
#include "record/recorded_audit.h"
#include "repair/repair.h"
#include "repair/selection.h"
#include "report/reproduce.h"
#include "text/console.h"
#include "text/shell_word.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;
using repair::Setting;

/// A report stands for its folder.
std::string folder_of(const std::string& result) {
    const fs::path path = result;
    return path.filename() == "report.json" ? path.parent_path().empty() ? "." : path.parent_path()
                                            : path;
}

Report report_of(const std::vector<std::string>& folders) {
    try {
        const std::vector<record::Audit> launches = joined_launches(read_launches(folders));
        return make_report(launches, recorded_rule(launches.front().header.rule));
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

/// Of each number of ranks one, in the order in which they are given: folders of as many ranks are
/// launches of one audit. That which stands alone has its confirmations in it, as jobs/local puts
/// them there.
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
            throw UsageError(fmt::format("repair: {} is of another MPI library than {}",
                                         folders.front(), audits.front().second.front()));
    }
    return reports;
}

/// What is written, and tried before that, in a folder.
class Repairer {
  public:
    /// \param reports of the same library on as many ranks each; settings are tried for the first
    Repairer(const RepairOptions& options, const std::vector<Report>& reports, std::string folder)
        : options_{options},
          report_{reports.front()},
          folder_{fs::weakly_canonical(fs::absolute(folder))} {
        std::vector<repair::Repairs> all;
        for (const Report& each : reports) {
            all.push_back(repair::find_repairs(
                each, {static_cast<std::size_t>(options.launches), options.allow_reassociation,
                       options.assume_commutative}));
            violated_ += each.summary.violated;
        }
        repairs_ = std::move(all.front());
        for (std::size_t i = 1; i < all.size(); ++i)
            add_rules_of(all[i], reports[i].header.machine.ranks);
    }

    void prepare_folder() const {
        std::error_code failure;
        if (fs::exists(folder_ / rules_name, failure) && !options_.overwrite)
            throw UsageError(
                fmt::format("--output: {} is there already; give --overwrite to "
                            "replace it, or another folder",
                            (folder_ / rules_name).string()));
        fs::create_directories(folder_, failure);
        if (!fs::is_directory(folder_, failure))
            throw UsageError(fmt::format("--output: {} cannot be made a folder", folder_.string()));
        for (const char* name :
             {rules_name, beside_name, settings_name, tuned_name, selection_name})
            fs::remove(folder_ / name, failure);
    }

    void try_settings() {
        if (repairs_.settings.empty()) return;
        if (options_.checks == 0 || report_.header.simulated) {
            for (const auto& each : repairs_.settings)
                repairs_.obstacles.push_back(
                    {each.front().collective,
                     report_.header.simulated
                         ? "no setting: there is nothing to try in a simulation"
                         : "no setting: none is offered untried (--checks 0)"});
            return;
        }
        leave_out_selections();
        // What is offered has been tried as it is offered, all together.
        std::vector<std::size_t> next(repairs_.settings.size(), 0);
        for (int round = 1;; ++round) {
            const std::vector<Setting> together = chosen(next);
            if (together.empty()) return;
            if (!is_any_refused(together, round, next)) {
                accepted_ = together;
                return;
            }
        }
    }

    void write() {
        repairs_.rules.report =
            fs::weakly_canonical(fs::absolute(folder_of(options_.results.front()))).string();
        write_output("--output", [&] {
            replace_file((folder_ / rules_name).string(), rules::rules_file(repairs_.rules));
            if (accepted_.empty()) return;
            write_files(accepted_);
            replace_file((folder_ / settings_name).string(), settings_file());
            replace_file((folder_ / beside_name).string(),
                         rules::rules_file(
                             repair::rules_beside(repairs_.rules, accepted_, ranks_of_settings())));
        });
    }

    void say_all() const {
        say("{} of {} violations are confirmed in {} launches.\n", repairs_.confirmed, violated_,
            options_.launches);
        for (const Setting& each : accepted_)
            say("setting: {} with {}: {}, tried in {} launches\n", each.collective, each.algorithms,
                fmt::join(variables_of(each), " "), options_.checks);
        for (const rules::Rule& each : repairs_.rules.rules) say("rule: {}\n", in_words(each));
        for (const repair::Obstacle& each : repairs_.obstacles)
            say("{}: {}\n", each.what, each.why);
        if (!accepted_.empty())
            say("settings, for the shell that starts the application: . {}\n",
                shell_word((folder_ / settings_name).string()));
        if (repairs_.rules.rules.empty()) return;
        say("rules for libmpiaudit-repair.so: {}\n", (folder_ / rules_name).string());
        if (!accepted_.empty())
            say("those that go with the settings: {}\n", (folder_ / beside_name).string());
    }

  private:
    static constexpr const char* rules_name = "rules.json";
    static constexpr const char* beside_name = "rules-beside-settings.json";
    static constexpr const char* settings_name = "settings.sh";
    static constexpr const char* tuned_name = "tuned.rules";
    static constexpr const char* selection_name = "selection.json";

    /// Of an audit on another number of ranks.
    void add_rules_of(const repair::Repairs& other, int ranks) {
        const auto there = [ranks](const std::string& what) {
            return fmt::format("{} on {} ranks", what, ranks);
        };
        repairs_.confirmed += other.confirmed;
        std::ranges::copy(other.rules.rules, std::back_inserter(repairs_.rules.rules));
        for (const auto& each : other.settings)
            repairs_.obstacles.push_back(
                {there(each.front().collective),
                 fmt::format("no setting: those are tried on {} ranks", ranks_of_settings())});
        for (const repair::Obstacle& each : other.obstacles)
            repairs_.obstacles.push_back({there(each.what), each.why});
    }

    int ranks_of_settings() const { return report_.header.machine.ranks; }

    /// Where this MPICH does not show its own choice, none can be written.
    void leave_out_selections() {
        const bool is_any = std::ranges::any_of(repairs_.settings, [](const auto& each) {
            return std::ranges::any_of(
                each, [](const Setting& setting) { return !setting.selected.empty(); });
        });
        if (is_any) own_selection_ = repair::own_selection();
        if (!is_any || own_selection_) return;
        for (std::vector<Setting>& each : repairs_.settings) {
            const std::string collective = each.front().collective;
            std::erase_if(each, [](const Setting& setting) { return !setting.selected.empty(); });
            if (each.empty())
                repairs_.obstacles.push_back(
                    {collective, "no setting: the library's own selection was not found in it"});
        }
        std::erase_if(repairs_.settings, [](const auto& each) { return each.empty(); });
    }

    std::vector<Setting> chosen(const std::vector<std::size_t>& next) const {
        std::vector<Setting> together;
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (next[i] < repairs_.settings[i].size())
                together.push_back(repairs_.settings[i][next[i]]);
        }
        return together;
    }

    /// Those that an audit under all of them refuses give way to the next of their collective.
    bool is_any_refused(const std::vector<Setting>& together, int round,
                        std::vector<std::size_t>& next) {
        write_files(together);
        std::vector<std::string> folders;
        for (int check = 1; check <= options_.checks; ++check) {
            folders.push_back(audit_under(together, fmt::format("check-{}-{}", round, check)));
            // What the machine does now it need not have done in the audit.
            if (round == 1) without_.push_back(audit_under({}, fmt::format("without-{}", check)));
        }
        // What one launch alone finds is not confirmed.
        const Report under = report_of(folders), without = report_of(without_);
        bool is_any = false;
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (next[i] >= repairs_.settings[i].size()) continue;
            const Setting& setting = repairs_.settings[i][next[i]];
            const auto why = repair::objection(setting, together, report_, {under, without});
            if (!why) continue;
            repairs_.obstacles.push_back(
                {setting.collective,
                 fmt::format("{} was tried and is not offered: {}", setting.algorithms, *why)});
            ++next[i];
            is_any = true;
        }
        return is_any;
    }

    /// The folder of the audit.
    std::string audit_under(const std::vector<Setting>& settings, const std::string& name) const {
        const std::string folder = (folder_ / name).string();
        const std::string command = command_under(settings, folder);
        remark("repair: {}", command);
        const int status =
            std::system((command + " > " + shell_word(folder + ".log") + " 2>&1").c_str());
        std::error_code failure;
        if (!fs::exists(fs::path(folder) / "report.json", failure))
            throw UsageError(fmt::format(
                "the audit that tries the settings has failed (exit code {}): see "
                "{}.log, or give another --launcher",
                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), folder));
        return folder;
    }

    std::string command_under(const std::vector<Setting>& settings,
                              const std::string& folder) const {
        const record::Header& header = report_.header;
        OptionValues options = header.options;
        std::vector<std::string> variables;
        if (const OptionValue* const own = find_option(options, "setting")) {
            if (const auto* const list = std::get_if<std::vector<std::string>>(own))
                variables = *list;
        }
        for (const Setting& each : settings)
            std::ranges::copy(variables_of(each), std::back_inserter(variables));
        set_option(options, "setting", std::vector<std::string>{});
        std::error_code failure;
        const std::string program = fs::read_symlink("/proc/self/exe", failure).string();
        std::string command = start_of_audit(header, program, options_.launcher);
        for (const std::string& word : audit_arguments(options, header.default_options))
            command += ' ' + shell_word(word);
        std::ranges::sort(variables);
        const auto repeated = std::ranges::unique(variables);
        variables.erase(repeated.begin(), repeated.end());
        if (!variables.empty())
            command += " --setting " + shell_word(fmt::format("{}", fmt::join(variables, ",")));
        return fmt::format("{} --budget {} --color never --overwrite --output {}", command,
                           options_.budget, shell_word(folder));
    }

    std::vector<std::string> variables_of(const Setting& setting) const {
        std::vector<std::string> variables = setting.variables;
        if (!setting.selected.empty())
            variables.push_back("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" +
                                (folder_ / selection_name).string());
        if (setting.tuned_rules.empty()) return variables;
        return {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                "OMPI_MCA_coll_tuned_dynamic_rules_filename=" + (folder_ / tuned_name).string()};
    }

    /// The files that variables of the settings name.
    void write_files(const std::vector<Setting>& settings) const {
        write_tuned_rules(settings);
        const bool has_selection = std::ranges::any_of(
            settings, [](const Setting& each) { return !each.selected.empty(); });
        if (has_selection)
            replace_file((folder_ / selection_name).string(),
                         repair::selection_file(*own_selection_, settings, ranks_of_settings()));
    }

    void write_tuned_rules(const std::vector<Setting>& settings) const {
        const bool has_rules = std::ranges::any_of(
            settings, [](const Setting& each) { return !each.tuned_rules.empty(); });
        if (has_rules)
            replace_file((folder_ / tuned_name).string(), repair::tuned_rules_file(settings));
    }

    std::string settings_file() const {
        std::string text = fmt::format("# For {}\n", repairs_.rules.library);
        for (const Setting& each : accepted_) {
            text += fmt::format("# {}: {}\n", each.collective, each.algorithms);
            for (const std::string& variable : variables_of(each)) {
                const std::size_t equals = variable.find('=');
                text += fmt::format("export {}={}\n", variable.substr(0, equals),
                                    shell_word(variable.substr(equals + 1)));
            }
        }
        return text;
    }

    std::string in_words(const rules::Rule& rule) const {
        std::string text = rule.collective;
        if (rule.ranks() != ranks_of_settings()) text += fmt::format(" on {} ranks", rule.ranks());
        if (rule.root) text += fmt::format(", root {}", *rule.root);
        if (rule.bytes && rule.bytes->from == rule.bytes->to)
            text += fmt::format(", {} B", rule.bytes->from);
        else if (rule.bytes)
            text += fmt::format(", {} to {} B", rule.bytes->from, rule.bytes->to);
        return fmt::format("{}: {}, {:.3g} times as fast", text, rule.path, rule.factor);
    }

    const RepairOptions& options_;
    const Report& report_;
    fs::path folder_;
    repair::Repairs repairs_;
    std::vector<Setting> accepted_;
    std::vector<std::string> without_;  ///< audits in turns with the first that are tried
    std::optional<std::string> own_selection_;
    std::size_t violated_ = 0;
};

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
    Repairer repairer(options, reports, output);
    repairer.prepare_folder();
    repairer.try_settings();
    repairer.write();
    repairer.say_all();
    return exit_done;
}

}  // namespace mpiaudit
