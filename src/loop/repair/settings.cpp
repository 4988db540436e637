// SPDX-License-Identifier: BSD-3-Clause
// Defines add_settings() of violations.h and find_repairs() of repair.h: other algorithms of the
// library, selected by environment variables.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include "repair/selection.h"
#include "repair/violations.h"
#include "report/judged_check.h"
#include "text/plain.h"

namespace mpiaudit::repair {
namespace {

constexpr std::string_view open_mpi_variable = "OMPI_MCA_coll_tuned_";

/// Returns false for algorithms of Open MPI 4.1 to 6.0 that reorder operands even of
/// non-commutative operators.
bool keeps_order(const std::string& collective, const std::string& algorithm, bool is_open_mpi) {
    // MPICH checks whether the operator commutes.
    if (!is_open_mpi) return true;
    static const std::map<std::string, std::set<std::string>> reordering = {
        {"MPI_Allreduce", {"ring", "segmented_ring", "allgather_reduce"}},
        {"MPI_Reduce", {"chain", "pipeline", "binary", "binomial", "knomial"}},
        {"MPI_Reduce_scatter", {"recursive_halving", "ring"}},
    };
    const auto found = reordering.find(collective);
    if (found != reordering.end()) return !found->second.contains(algorithm);
    // Algorithms of other collectives keep the order.
    return true;
}

/// Returns whether the algorithm fails on some numbers of ranks.
bool needs_certain_ranks(const std::string& collective, const std::string& algorithm) {
    return algorithm == "two_proc" ||
           (collective.starts_with("MPI_Reduce_scatter") && algorithm == "noncommutative");
}

/// Returns the name of the algorithm that a contestant forces.
std::string algorithm_of(const std::string& contestant) {
    return parse_way(contestant).terms.front().form.variant;
}

/// Returns whether the algorithm aborts in place: that of MPICH 4.0.2 copies a block onto itself if
/// blocks differ. An audit need not have such calls, but an application may.
bool aborts_in_place(const std::string& collective, const std::string& algorithm) {
    return collective == "MPI_Reduce_scatter" && algorithm == "pairwise";
}

class SettingsOfCollective {
  public:
    SettingsOfCollective(const Report& report, std::string name, const Wishes& wishes)
        : report_{report}, name_{std::move(name)}, wishes_{wishes} {
        is_reduction_ = find_collective(name_)->is_reduction();
        is_open_mpi_ = report.header.mpi.library.starts_with("Open MPI");
    }

    /// Adds the audited sizes of the collective with another root.
    void take(const AuditedCollective& collective) {
        sizes_.insert(sizes_.end(), collective.sizes.begin(), collective.sizes.end());
    }

    void add(Repairs& repairs) {
        std::ranges::stable_sort(sizes_, {}, &AuditedSize::bytes);
        std::set<std::string> algorithms;
        bool is_violated = false;
        for (const AuditedSize& size : sizes_) {
            is_violated = is_violated || !size.faster.empty();
            for (const FasterWay& way : size.faster) {
                if (way.is_forced) algorithms.insert(way.contestant);
            }
        }
        if (!is_violated) return;
        std::vector<Setting> settings;
        for (const std::string& contestant : algorithms) add_forced(contestant, settings);
        std::ranges::stable_sort(settings, std::ranges::greater{}, &Setting::saved_s);
        add_by_size(settings);
        if (algorithms.empty() && reasons_.empty())
            reasons_.insert("the audit found no faster algorithm of the library");
        if (!settings.empty()) {
            repairs.settings.push_back(std::move(settings));
            return;
        }
        std::string why;
        for (const std::string& each : reasons_) why += (why.empty() ? "" : "; ") + each;
        repairs.obstacles.push_back({name_, "no setting: " + why});
    }

  private:
    /// Returns whether the algorithm keeps the order of operands, or all operators commute.
    bool may_reorder(const std::string& algorithm) {
        if (!is_reduction_ || keeps_order(name_, algorithm, is_open_mpi_)) return true;
        const bool all_commute = all_known_commute() || wishes_.assumes_commutative;
        if (!all_commute)
            reasons_.insert(algorithm +
                            " gives wrong results for operators that do not commute "
                            "(--assume-commutative)");
        return all_commute;
    }

    /// Returns whether all operators of the application commute; only a recording tells this.
    bool all_known_commute() const {
        if (!report_.header.application || is_called_otherwise()) return false;
        return std::ranges::none_of(report_.header.application->problems,
                                    [&](const application::SelectedProblem& each) {
                                        return each.collective == name_ && each.op == "user-affine";
                                    });
    }

    /// Returns whether the application also makes calls on this number of ranks that were not
    /// audited and that a file cannot tell apart.
    bool is_called_otherwise() const {
        return is_left_out(report_, name_, &application::LeftOutProblem::is_here) ||
               is_placed_otherwise();
    }
    bool is_placed_otherwise() const {
        return is_left_out(report_, name_, &application::LeftOutProblem::is_placed_otherwise);
    }
    bool is_called_on_other_ranks() const {
        if (!report_.header.application) return wishes_.has_other_ranks;
        return is_left_out(report_, name_, &application::LeftOutProblem::is_elsewhere);
    }

    /// Adds a candidate for all calls of the collective, unless the algorithm is slower on an
    /// audited problem.
    void add_forced(const std::string& contestant, std::vector<Setting>& settings) {
        const std::string algorithm = algorithm_of(contestant);
        Setting setting{.collective = name_,
                        .ranks = report_.header.machine.ranks,
                        .variables = variables_of(contestant),
                        .algorithms = algorithm};
        if (aborts_in_place(name_, algorithm)) {
            reasons_.insert(algorithm + " aborts in place");
            return;
        }
        if (!may_reorder(algorithm) || !keep_to_audited(contestant, setting)) return;
        for (const AuditedSize& size : sizes_) {
            if (const FasterWay* way = size.find(contestant)) {
                setting.saved_s += size.calls * way->saved_s;
                setting.problems.push_back(size.problem->problem.id);
                continue;
            }
            if (is_slower(contestant, *size.problem)) {
                reasons_.insert(fmt::format("{} is slower or cannot run on {}", algorithm,
                                            size.problem->problem.id));
                return;
            }
        }
        if (!setting.variables.empty() || setting.file != SelectionFile::none)
            settings.push_back(std::move(setting));
    }

    /// Restricts a setting to audited calls. \returns whether this is possible
    bool keep_to_audited(const std::string& contestant, Setting& setting) {
        const std::string algorithm = algorithm_of(contestant);
        const bool fails_elsewhere = needs_certain_ranks(name_, algorithm);
        if (!is_called_otherwise() && !is_called_on_other_ranks() && !fails_elsewhere) return true;
        if (!is_called_otherwise() && select_by_ranks(contestant, setting)) return true;
        reasons_.insert(fails_elsewhere ? algorithm + " fails on other numbers of ranks"
                                        : "it would also change calls that were not audited");
        return false;
    }

    /// Makes a file select the algorithm on this number of ranks only. \returns whether the library
    /// can
    bool select_by_ranks(const std::string& contestant, Setting& setting) const {
        const std::string algorithm = algorithm_of(contestant);
        const int number = number_of(contestant);
        if (has_tuned_rules(report_.header.mpi.library, name_) && number > 0) {
            setting.file = SelectionFile::tuned_rules;
            setting.variables.clear();
        } else if (is_of_mpich(setting) && is_selectable(name_, algorithm, setting.ranks)) {
            setting.file = SelectionFile::selection;
            leave_choice(setting.variables);
        } else {
            return false;
        }
        setting.selected = {{.algorithm = algorithm, .number = number}};
        setting.algorithms = fmt::format("{} on {} ranks", algorithm, setting.ranks);
        return true;
    }

    static bool is_of_mpich(const Setting& setting) {
        return !setting.variables.empty() && setting.variables.front().starts_with("MPIR_CVAR_");
    }

    /// Sets a variable of MPICH to auto: another value would take precedence over the file.
    static void leave_choice(std::vector<std::string>& variables) {
        std::string& variable = variables.front();
        variable = variable.substr(0, variable.find('=')) + "=auto";
    }

    /// Returns whether the audit shows that the algorithm is slower, or has no samples of it.
    /// Undecided cases are tried.
    bool is_slower(const std::string& contestant, const ReportedProblem& problem) const {
        const auto check = std::ranges::find_if(report_.checks, [&](const JudgedCheck& each) {
            return each.problem == problem.problem.id && each.right == contestant &&
                   (each.left == name_ + "(m)" || each.left == name_);
        });
        if (check == report_.checks.end()) return true;
        const ReportedContestant* const forced = contestant_of(*check, contestant, problem);
        const ReportedContestant* const library = contestant_of(*check, check->left, problem);
        if (forced == nullptr || library == nullptr || forced->skipped || forced->wrong)
            return true;
        if (library->wrong) return false;
        if (!check->samples || !check->samples->has_ratio()) return true;
        return check->samples->judgement.ratio.high < 1 / negligible;
    }

    /// Returns the variables NAME=VALUE of a forced algorithm, as recorded by the audit.
    std::vector<std::string> variables_of(const std::string& contestant) const {
        const std::string arrow = parse_way(contestant).terms.front().form.name();
        const auto& all = report_.header.implementations;
        const auto found = std::ranges::find(all, arrow, &record::Implementation::name);
        std::vector<std::string> variables;
        if (found == all.end()) return variables;
        std::istringstream words(found->written_as);
        for (std::string word; words >> word;) variables.push_back(word);
        // MPICH's device composes these collectives of others between nodes unless this is
        // disabled.
        const std::string_view collective = without_mpi(name_);
        const bool is_composed = collective == "Allreduce" || collective == "Bcast" ||
                                 collective == "Reduce" || collective == "Barrier";
        if (found->written_as.starts_with("MPIR_CVAR_") && is_composed &&
            report_.header.machine.hosts.size() > 1) {
            const std::string& first = variables.front();
            const std::size_t end = first.find("_INTRA_ALGORITHM");
            variables.push_back(first.substr(0, end) + "_DEVICE_COLLECTIVE=0");
        }
        return variables;
    }

    /// Adds a candidate that selects algorithms by size on this number of ranks: a file of Open
    /// MPI, or a tree of MPICH.
    void add_by_size(std::vector<Setting>& settings) {
        if (is_open_mpi_ && !has_tuned_rules(report_.header.mpi.library, name_)) return;
        const int ranks = report_.header.machine.ranks;
        const auto compared = [&](const AuditedSize& size) {
            return is_open_mpi_ ? tuned_size(name_, size.bytes, ranks)
                                : selection_size(name_, size.bytes, ranks);
        };
        const std::vector<WinningRange> ranges =
            winning_ranges(sizes_, [&](const AuditedSize& size, const FasterWay& way) {
                return way.is_forced && compared(size) && is_selectable_by_size(way.contestant);
            });
        if (ranges.empty() || is_placed_otherwise()) return;
        Setting setting{.collective = name_, .ranks = ranks, .file = SelectionFile::tuned_rules};
        if (!is_open_mpi_) {
            setting.file = SelectionFile::selection;
            setting.variables = variables_of(ranges.front().way);
            leave_choice(setting.variables);
        }
        for (const WinningRange& range : ranges) {
            const SelectedAlgorithm selected{*compared(sizes_[range.first]),
                                             *compared(sizes_[range.last]), algorithm_of(range.way),
                                             number_of(range.way)};
            // MPI_Allgather and MPI_Alltoall of Open MPI compare 0 bytes for calls in place.
            if (is_open_mpi_ && selected.from == 0) continue;
            setting.selected.push_back(selected);
            add_range(range, setting);
        }
        if (!setting.selected.empty()) settings.push_back(std::move(setting));
    }

    bool is_selectable_by_size(const std::string& contestant) {
        const std::string algorithm = algorithm_of(contestant);
        if (is_open_mpi_) return may_reorder(algorithm) && number_of(contestant) > 0;
        return is_selectable(name_, algorithm, report_.header.machine.ranks) &&
               !aborts_in_place(name_, algorithm) && !variables_of(contestant).empty();
    }

    void add_range(const WinningRange& range, Setting& setting) const {
        setting.saved_s += range.saved_s;
        for (std::size_t i = range.first; i <= range.last; ++i)
            setting.problems.push_back(sizes_[i].problem->problem.id);
        setting.algorithms += (setting.algorithms.empty() ? "" : ", ") +
                              fmt::format("{} from {} to {} B", algorithm_of(range.way),
                                          sizes_[range.first].bytes, sizes_[range.last].bytes);
    }

    /// Returns the algorithm's number in its variable of Open MPI; 0 if there is none.
    int number_of(const std::string& contestant) const {
        int number = 0;
        for (const std::string& variable : variables_of(contestant)) {
            const std::size_t equals = variable.find("_algorithm=");
            if (!variable.starts_with(open_mpi_variable) || equals == variable.npos) continue;
            const char* const begin = variable.data() + variable.find('=') + 1;
            std::from_chars(begin, variable.data() + variable.size(), number);
        }
        return number;
    }

    const Report& report_;
    std::string name_;
    const Wishes& wishes_;
    bool is_reduction_ = false, is_open_mpi_ = false;
    std::vector<AuditedSize> sizes_;
    std::set<std::string> reasons_;
};

}  // namespace

void add_settings(const Report& report, const std::vector<AuditedCollective>& collectives,
                  const Wishes& wishes, Repairs& repairs) {
    std::map<std::string, SettingsOfCollective> all;
    for (const AuditedCollective& each : collectives)
        all.try_emplace(each.name, report, each.name, wishes).first->second.take(each);
    for (auto& [name, each] : all) each.add(repairs);
    std::ranges::stable_sort(repairs.settings, std::ranges::greater{},
                             [](const auto& each) { return each.front().saved_s; });
}

Repairs find_repairs(const Report& report, const Wishes& wishes) {
    Repairs repairs;
    const std::vector<AuditedCollective> collectives = audited_collectives(report, wishes);
    for (const AuditedCollective& collective : collectives) {
        for (const AuditedSize& size : collective.sizes) repairs.confirmed += size.faster.size();
    }
    add_settings(report, collectives, wishes, repairs);
    return repairs;
}

}  // namespace mpiaudit::repair
