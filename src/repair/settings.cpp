// SPDX-License-Identifier: BSD-3-Clause
// Other algorithms of the library, by variables of the environment.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include "repair/intel_mpi.h"
#include "repair/selection.h"
#include "repair/violations.h"
#include "report/remedy.h"
#include "text/mpi_name.h"

namespace mpiaudit::repair {
namespace {

/// The collectives of coll/tuned whose rules may ask for sizes: all ranks of a call know these.
/// What Open MPI 4.1 compares is the bytes of all blocks together, or their mean.
struct TunedCollective {
    std::string_view name;
    int number;
    enum class Size { whole, all_blocks, mean_block } size;
};
constexpr std::array tuned_collectives = {
    TunedCollective{"MPI_Allgather", 0, TunedCollective::Size::all_blocks},
    TunedCollective{"MPI_Allgatherv", 1, TunedCollective::Size::mean_block},
    TunedCollective{"MPI_Allreduce", 2, TunedCollective::Size::whole},
    TunedCollective{"MPI_Alltoall", 3, TunedCollective::Size::all_blocks},
    TunedCollective{"MPI_Bcast", 7, TunedCollective::Size::whole},
};

constexpr std::string_view open_mpi_variable = "OMPI_MCA_coll_tuned_";

/// Of Open MPI 4.1: algorithms that take operators in another order, whether they commute or not.
bool keeps_order(const std::string& collective, const std::string& algorithm, bool is_open_mpi) {
    // MPICH looks whether the operator commutes.
    if (!is_open_mpi) return true;
    static const std::map<std::string, std::set<std::string>> reordering = {
        {"MPI_Allreduce", {"ring", "segmented_ring"}},
        {"MPI_Reduce", {"chain", "pipeline", "binary", "binomial"}},
        {"MPI_Reduce_scatter", {"recursive_halving", "ring"}},
    };
    const auto found = reordering.find(collective);
    if (found != reordering.end()) return !found->second.contains(algorithm);
    // As it reduces by MPI_Reduce.
    return true;
}

/// Algorithms that fail on communicators of other numbers of ranks.
bool needs_certain_ranks(const std::string& collective, const std::string& algorithm) {
    return algorithm == "two_proc" ||
           (collective.starts_with("MPI_Reduce_scatter") && algorithm == "noncommutative");
}

/// ring of MPI_Allreduce[ring](m).
std::string algorithm_of(const std::string& contestant) {
    const std::size_t begin = contestant.find('[') + 1;
    return contestant.substr(begin, contestant.find(']') - begin);
}

class SettingsOfCollective {
  public:
    SettingsOfCollective(const Report& report, std::string name, const Wishes& wishes)
        : report_{report}, name_{std::move(name)}, wishes_{wishes} {
        is_reduction_ = rules::find_collective(name_)->is_reduction;
        is_open_mpi_ = report.header.mpi.library.starts_with("Open MPI");
    }

    /// Of another root.
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
        if (is_intel_mpi(report_.header.mpi.library)) settings = tried_blindly();
        for (const std::string& contestant : algorithms) add_forced(contestant, settings);
        std::ranges::stable_sort(settings, std::ranges::greater{}, &Setting::saved_s);
        if (is_open_mpi_)
            add_tuned_rules(settings);
        else
            add_selection(settings);
        if (algorithms.empty() && reasons_.empty())
            reasons_.insert("no algorithm of the library was found faster");
        if (!settings.empty()) {
            repairs.settings.push_back(std::move(settings));
            return;
        }
        std::string why;
        for (const std::string& each : reasons_) why += (why.empty() ? "" : "; ") + each;
        repairs.obstacles.push_back({name_, "no setting: " + why});
    }

  private:
    /// Whether nobody's operator may be taken in another order than the ranks have.
    bool may_reorder(const std::string& algorithm) {
        if (!is_reduction_ || keeps_order(name_, algorithm, is_open_mpi_)) return true;
        const bool all_commute = all_known_commute() || wishes_.assumes_commutative;
        if (!all_commute)
            reasons_.insert(algorithm +
                            " gives wrong results for operators that do not commute "
                            "(--assume-commutative)");
        return all_commute;
    }

    /// Only the recording of an application tells its operators.
    bool all_known_commute() const {
        if (!report_.header.application || has_unknown_calls()) return false;
        return std::ranges::none_of(report_.header.application->problems,
                                    [&](const application::SelectedProblem& each) {
                                        return each.collective == name_ && each.op == "user-affine";
                                    });
    }

    /// Blocking calls of this collective that the audit did not measure.
    bool has_unknown_calls() const {
        if (!report_.header.application) return false;
        return std::ranges::any_of(
            report_.header.application->left_out, [&](const application::LeftOutProblem& each) {
                return (each.is_elsewhere || each.is_here) && each.collective == name_;
            });
    }

    /// Nothing tells whether these keep the order of operators.
    std::vector<Setting> tried_blindly() {
        if (is_reduction_ && !all_known_commute() && !wishes_.assumes_commutative) {
            reasons_.insert(
                "other algorithms may give wrong results for operators that do not commute "
                "(--assume-commutative)");
            return {};
        }
        return intel_settings(name_, sizes_, report_.header.machine.ranks);
    }

    /// One algorithm for all calls of the collective, so it must be slower nowhere.
    void add_forced(const std::string& contestant, std::vector<Setting>& settings) {
        const std::string algorithm = algorithm_of(contestant);
        if (needs_certain_ranks(name_, algorithm)) {
            reasons_.insert(algorithm + " fails on other numbers of ranks");
            return;
        }
        if (!may_reorder(algorithm)) return;
        if (has_unknown_calls()) {
            reasons_.insert("calls that were not audited would change with it");
            return;
        }
        Setting setting{
            .collective = name_, .variables = variables_of(contestant), .algorithms = algorithm};
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
        if (!setting.variables.empty()) settings.push_back(std::move(setting));
    }

    /// Where the audit is sure of it, or does not know. What it is not sure of is tried.
    bool is_slower(const std::string& contestant, const ReportedProblem& problem) const {
        const ReportedContestant* const forced = find_contestant(problem, contestant);
        const ReportedContestant* library = find_contestant(problem, name_ + "(m)");
        if (library == nullptr) library = find_contestant(problem, name_);
        if (forced == nullptr || library == nullptr || forced->skipped || forced->wrong)
            return true;
        if (library->wrong) return false;
        const auto check = std::ranges::find_if(report_.checks, [&](const JudgedCheck& each) {
            return each.problem == problem.problem.id && each.left == library->name &&
                   each.right == contestant;
        });
        if (check == report_.checks.end() || !check->samples || !check->samples->has_ratio())
            return true;
        return check->samples->judgement.ratio.high < 1 / negligible;
    }

    /// NAME=VALUE, as the audit has them on record.
    std::vector<std::string> variables_of(const std::string& contestant) const {
        const std::string arrow = contestant.substr(0, contestant.find('('));
        const auto& all = report_.header.implementations;
        const auto found = std::ranges::find(all, arrow, &record::Implementation::name);
        std::vector<std::string> variables;
        if (found == all.end()) return variables;
        std::istringstream words(found->written_as);
        for (std::string word; words >> word;) variables.push_back(word);
        // Between nodes the device composes these of others, whatever is asked for.
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

    /// A file that selects by size, on communicators of this many ranks only.
    void add_tuned_rules(std::vector<Setting>& settings) {
        const auto tuned = std::ranges::find(tuned_collectives, name_, &TunedCollective::name);
        // What comes first, file or forced algorithm, is another one in later versions.
        const bool is_known = report_.header.mpi.library.starts_with("Open MPI v4.1");
        if (tuned == tuned_collectives.end() || !is_known) return;
        const std::vector<Run> runs =
            runs_of(sizes_, [&](const AuditedSize&, const FasterWay& way) {
                return way.is_forced && may_reorder(algorithm_of(way.contestant)) &&
                       number_of(way.contestant) > 0;
            });
        if (runs.empty()) return;
        Setting setting{.collective = name_};
        const int ranks = report_.header.machine.ranks;
        std::string messages;
        int count = 1;
        for (const Run& run : runs) {
            const std::int64_t from = metric(*tuned, sizes_[run.first]);
            const std::int64_t to = metric(*tuned, sizes_[run.last]);
            if (from > 0) {
                messages += fmt::format("{} {} 0 0\n", from, number_of(run.way));
                messages += fmt::format("{} 0 0 0\n", to + 1);
                count += 2;
            }
            add_run(run, setting);
        }
        // Number 0 is the library's own choice: for fewer ranks, no bytes, and more ranks.
        setting.tuned_rules =
            fmt::format("{} # {}\n3\n0 1\n0 0 0 0\n{} {} # ranks\n0 0 0 0\n{}{} 1\n0 0 0 0\n",
                        tuned->number, name_, ranks, count, messages, ranks + 1);
        settings.push_back(std::move(setting));
    }

    /// A branch of MPICH's own choice, which selects by size, on as many ranks only.
    void add_selection(std::vector<Setting>& settings) {
        const int ranks = report_.header.machine.ranks;
        const std::vector<Run> runs =
            runs_of(sizes_, [&](const AuditedSize& size, const FasterWay& way) {
                return way.is_forced && selection_size(name_, size.bytes, ranks) &&
                       is_selectable(name_, algorithm_of(way.contestant), ranks) &&
                       !variables_of(way.contestant).empty();
            });
        if (runs.empty()) return;
        // A variable that is set already would have its way.
        Setting setting{.collective = name_, .variables = variables_of(runs.front().way)};
        std::string& variable = setting.variables.front();
        variable = variable.substr(0, variable.find('=')) + "=auto";
        for (const Run& run : runs) {
            add_run(run, setting);
            setting.selected.push_back({*selection_size(name_, sizes_[run.first].bytes, ranks),
                                        *selection_size(name_, sizes_[run.last].bytes, ranks),
                                        algorithm_of(run.way)});
        }
        settings.push_back(std::move(setting));
    }

    void add_run(const Run& run, Setting& setting) const {
        setting.saved_s += run.saved_s;
        for (std::size_t i = run.first; i <= run.last; ++i)
            setting.problems.push_back(sizes_[i].problem->problem.id);
        setting.algorithms += (setting.algorithms.empty() ? "" : ", ") +
                              fmt::format("{} from {} to {} B", algorithm_of(run.way),
                                          sizes_[run.first].bytes, sizes_[run.last].bytes);
    }

    /// The number of the algorithm, which stands at the end of its variable; 0 when there is none.
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

    /// What the library compares with the sizes of a file.
    static std::int64_t metric(const TunedCollective& tuned, const AuditedSize& size) {
        const auto ranks = static_cast<std::int64_t>(size.problem->problem.ranks);
        switch (tuned.size) {
            case TunedCollective::Size::all_blocks:
                return size.bytes * ranks;
            case TunedCollective::Size::mean_block:
                return size.bytes / ranks;
            case TunedCollective::Size::whole:
                break;
        }
        return size.bytes;
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

std::string tuned_rules_file(const std::vector<Setting>& settings) {
    std::string text;
    int collectives = 0;
    for (const Setting& each : settings) {
        if (each.tuned_rules.empty()) continue;
        ++collectives;
        text += each.tuned_rules;
    }
    return fmt::format("{} # collectives\n{}", collectives, text);
}

Repairs find_repairs(const Report& report, const Wishes& wishes) {
    Repairs repairs;
    const std::string& library = report.header.mpi.library;
    repairs.rules.library = library.substr(0, library.find('\n'));
    const std::vector<AuditedCollective> collectives = audited_collectives(report, wishes);
    for (const AuditedCollective& collective : collectives) {
        for (const AuditedSize& size : collective.sizes) repairs.confirmed += size.faster.size();
    }
    add_settings(report, collectives, wishes, repairs);
    add_rules(report, collectives, wishes, repairs);
    return repairs;
}

}  // namespace mpiaudit::repair
