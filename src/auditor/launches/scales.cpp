// SPDX-License-Identifier: BSD-3-Clause
#include "launches/scales.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>

#include "audit/steps.h"
#include "catalogue/catalogue.h"
#include "files/files.h"
#include "launches/ranks_of_launch.h"
#include "machine/machine_description.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "record/samples_file.h"
#include "record/scale_folders.h"
#include "screens/scales.h"
#include "simulation/simulation.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

int audit(const Command& command, const Environment& environment,
          const OtherProducts& other_products, Watchdog* watchdog) {
    return command.run.confirm.empty()
               ? run_audit(command, environment, other_products, nullptr, watchdog)
               : confirm_audit(command, environment, other_products, watchdog);
}

/// Restores what an audit changes in the process when the object dies: the binding of the main
/// thread, and the arrows that --algorithms adds.
class RestoredProcess {
  public:
    RestoredProcess() : binding_{topology_.binding()} {}
    ~RestoredProcess() {
        topology_.bind(binding_);
        shorten_catalogue(arrows_);
    }
    RestoredProcess(const RestoredProcess&) = delete;
    RestoredProcess& operator=(const RestoredProcess&) = delete;

  private:
    Topology topology_;
    std::string binding_;
    std::size_t arrows_ = catalogue().size();
};

/// Audits scales of one launch one after the other.
class ScaledLaunch {
  public:
    ScaledLaunch(const Command& command, const Environment& environment,
                 const OtherProducts& other_products, const Launch& launch,
                 std::vector<AuditScale> scales)
        : command_{command},
          environment_{environment},
          other_products_{other_products},
          launch_{launch},
          scales_{std::move(scales)} {}

    /// Returns the exit code of the launch. Collective over MPI_COMM_WORLD.
    int run() {
        if (launch_.is_plan()) return plan();
        if (scales_.size() > 1) prepare_folder();
        const RunOptions& options = command_.run;
        if (!options.dry_run) watchdog_.emplace(options.hang_limit_s(), exit_hang, MPI_COMM_WORLD);
        if (scales_.size() == 1) return audit_scale(scales_.front(), command_);
        const std::vector<AuditScale> left = scales_left();
        std::vector<int> codes;
        for (const AuditScale& each : left) {
            codes.push_back(audit_scale(each, command_for(each, left.size())));
            // The ranks of the scale have thrown the error.
            if (codes.back() == exit_usage || codes.back() == exit_internal) return codes.back();
            if (codes.back() == exit_interrupted) break;
        }
        if (!options.dry_run) on_rank_0([&] { conclude(codes.back() != exit_interrupted); });
        return joint_code(codes);
    }

  private:
    int plan() {
        for (const AuditScale& each : scales_) {
            Command command = command_;
            command.run.ranks = std::to_string(launch_.planned_ranks(each));
            command.run.nodes = {};
            command.run.scales = static_cast<int>(scales_.size());
            const RestoredProcess restored;
            if (const int code = audit(command, environment_, other_products_, nullptr);
                code != exit_done)
                return code;
        }
        return exit_done;
    }

    /// Audits one scale, while the other ranks sleep. Throws, on the ranks of the scale, the errors
    /// that all of them meet. Returns the exit code, alike on all ranks of the launch.
    int audit_scale(const AuditScale& scale, const Command& command) {
        PartOfLaunch part(launch_.ranks_of(scale));
        std::exception_ptr error;
        int code = exit_done;
        if (part.is_measured()) {
            const RestoredProcess restored;
            try {
                code = audit(command, environment_, other_products_,
                             watchdog_ ? &*watchdog_ : nullptr);
            } catch (const UsageError&) {
                code = exit_usage;
                error = std::current_exception();
            } catch (const FailureOfRank0&) {
                code = exit_internal;
                error = std::current_exception();
            }
        }
        const int signal = part.end();
        code = decided_by_rank_0(code, MPI_COMM_WORLD);
        if (error) std::rethrow_exception(error);
        return signal == 0 || is_last(scale) || code == exit_usage ? code : interrupted(signal);
    }

    bool is_last(const AuditScale& scale) const { return scale.number == scales_.back().number; }

    /// A signal came when an audit had ended, or has ended it.
    int interrupted(int signal) const {
        if (environment_.rank() == 0)
            remark("{}: the other numbers of {} are not audited; --resume goes on",
                   interruption::name(signal), scales_.front().unit);
        return exit_interrupted;
    }

    /// Finds the folder of all scales, and refuses options that need a single report, and a folder
    /// with other audits. Collective.
    void prepare_folder() {
        const RunOptions& options = command_.run;
        folder_ = text_of_rank_0([&] {
            require_one_report_each(options);
            std::string folder = !options.output.empty()    ? options.output
                                 : !options.confirm.empty() ? std::string()
                                                            : default_folder();
            if (!folder.empty() && !options.dry_run) require_own_folder(folder);
            return folder;
        });
    }

    void require_one_report_each(const RunOptions& options) const {
        std::string given = options.baseline.empty() ? "" : "baseline";
        for (std::size_t i = 0; i < std::size(formats); ++i)
            if (!options.files[i].empty()) given = formats[i].option;
        if (given.empty()) return;
        throw UsageError(
            "--{}: each number of --{} has a report of its own; leave the option out, and then "
            "call: mpiaudit judge FOLDER/{} --{} ...",
            given, scales_.front().unit, scales_.front().folder_name(), given);
    }

    void require_own_folder(const std::string& folder) const {
        if (read_header(folder))
            throw UsageError(
                "--output: {} has an audit of a single number of ranks; give another folder",
                folder);
        const std::vector<AuditScale> found = scales_in(folder);
        for (const AuditScale& each : found) {
            const bool is_known = std::ranges::any_of(scales_, [&](const AuditScale& scale) {
                return scale.folder_name() == each.folder_name();
            });
            if (!is_known)
                throw UsageError(
                    "--output: {} has an audit of {}, too, which --{} does not name; name this "
                    "number, or give another folder",
                    folder, each.in_words(), scales_.front().unit);
        }
        if (command_.run.resume && found.empty())
            throw UsageError("--resume: there is no audit in {}", folder);
        const auto file = std::filesystem::path(folder) / scaling_file;
        std::error_code failure;
        if (!std::filesystem::exists(folder, failure)) return;
        check_replaceable(file);
        if (command_.run.overwrite) std::filesystem::remove(file, failure);
    }

    /// Returns the scales that --resume has to go on with; all of them without --resume, or if all
    /// are complete. Collective.
    std::vector<AuditScale> scales_left() const {
        std::vector<char> is_left(scales_.size(), 1);
        on_rank_0([&] {
            for (std::size_t i = 0; command_.run.resume && i < scales_.size(); ++i)
                is_left[i] = !is_complete(folder_of(folder_, scales_[i]));
            if (std::ranges::count(is_left, 1) == 0) is_left.assign(scales_.size(), 1);
        });
        broadcast_bytes(is_left.data(), is_left.size());
        std::vector<AuditScale> left;
        for (std::size_t i = 0; i < scales_.size(); ++i)
            if (is_left[i] != 0) left.push_back(scales_[i]);
        return left;
    }

    static bool is_complete(const std::string& folder) {
        return read_header(folder) && read_results(folder).audit.is_complete() &&
               noted_incidents(folder).empty();
    }

    /// Returns the command of one scale: its folder and its share of the budget. Collective.
    Command command_for(const AuditScale& scale, std::size_t scales_left) const {
        Command command = command_;
        RunOptions& run = command.run;
        (scale.unit == "ranks" ? run.ranks : run.nodes) = std::to_string(scale.number);
        run.scales = static_cast<int>(scales_.size());
        // A generated call that ends the launch would leave later scales without measurements.
        if (!is_last(scale)) run.calls_time = "0";
        if (!run.budget.empty())
            run.budget =
                fmt::format("{:.0f}ms", 1e3 * run.budget->count / static_cast<double>(scales_left));
        if (!run.confirm.empty()) run.confirm = folder_of(run.confirm, scale);
        run.folder_of_scales = folder_.empty() ? command_.run.confirm : folder_;
        if (folder_.empty()) return command;
        run.output = folder_of(folder_, scale);
        run.resume = from_rank_0(run.resume && read_header(run.output).has_value());
        return command;
    }

    /// Prints the answer, on rank 0. Writes one document about all scales when all are over, so
    /// that scripts can see the end of the launch.
    void conclude(bool are_over) const {
        const std::string& above = folder_.empty() ? command_.run.confirm : folder_;
        std::vector<ScaleReport> reports;
        for (const AuditScale& each : scales_) {
            if (const auto report = joint_report_of(each)) reports.push_back(*report);
        }
        if (reports.empty()) return;
        say("{}", answer_of_scales(reports, standard_output(command_.run.color)));
        // A confirmation of audits without a violation measures nothing and leaves no folder.
        std::error_code failure;
        if (!are_over || !std::filesystem::exists(above, failure)) return;
        const std::string file = std::filesystem::path(above) / scaling_file;
        replace_file(file, scaling_json(reports, above));
        say("report: {}\n", plain_line(file));
    }

    /// Returns the report of a scale with its confirmations; nothing if it was not begun.
    std::optional<ScaleReport> joint_report_of(const AuditScale& scale) const {
        std::vector<std::string> folders;
        for (const std::string& each : {command_.run.confirm, folder_}) {
            if (!each.empty() && read_header(folder_of(each, scale))) folders.push_back(each);
        }
        if (folders.empty()) return std::nullopt;
        return report_of_scale(folders, scale, std::identity());
    }

    const Command& command_;
    const Environment& environment_;
    const OtherProducts& other_products_;
    const Launch& launch_;
    std::vector<AuditScale> scales_;
    std::string folder_;  ///< above those of the scales; empty if each confirmation has its own
    std::optional<Watchdog> watchdog_;
};

/// Returns the command without generated calls if no product generates them. Throws UsageError if
/// the command asks for generated calls all the same.
Command with_calls_of(const OtherProducts& other_products, Command command) {
    RunOptions& run = command.run;
    if (run.is_given("check-calls") && run.calls_time->count > 0)
        other_products.require_checker("--check-calls");
    if (!other_products.has_checker()) run.calls_time = "0";
    return command;
}

}  // namespace

int run_launch(const Command& given, const Environment& environment,
               const OtherProducts& other_products) {
    const Command command = with_calls_of(other_products, given);
    const RunOptions& options = command.run;
    const std::vector<AuditScale> confirmed = confirmed_scales(options.confirm);
    const bool by_nodes = !options.nodes.empty() || (options.ranks.empty() && !confirmed.empty() &&
                                                     confirmed.front().unit == "nodes");
    const Launch launch(options, by_nodes);
    const std::string unit = by_nodes ? "nodes" : "ranks";
    std::vector<AuditScale> scales = confirmed;
    if (!options.nodes.empty() || !options.ranks.empty())
        scales = scales_of(by_nodes ? *options.nodes : *options.ranks, unit, launch);
    const auto all = static_cast<std::size_t>(messages::size_of(MPI_COMM_WORLD));
    const bool is_whole = scales.size() == 1 && !launch.is_plan() && confirmed.empty() &&
                          launch.ranks_of(scales.front()).size() == all;
    if (scales.empty() || is_whole) return audit(command, environment, other_products, nullptr);
    if (platform().time_stands_still && !launch.is_plan())
        throw UsageError("--{}: all ranks of a simulation audit; simulate each number by itself",
                         unit);
    return ScaledLaunch(command, environment, other_products, launch, std::move(scales)).run();
}

}  // namespace mpiaudit
