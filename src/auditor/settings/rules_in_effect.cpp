// SPDX-License-Identifier: BSD-3-Clause
// Files with rules: outcome_of_rules() and reason_of_crash() of in_effect.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "settings/in_effect.h"
#include "settings/tuned_rules.h"
#include "text/plain.h"

namespace mpiaudit::settings {
namespace {

constexpr const char* rules_variable = "coll_tuned_dynamic_rules_filename";
constexpr const char* switch_variable = "coll_tuned_use_dynamic_rules";
constexpr const char* tree_variable = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";

/// Returns "4 B" or "4 to 4096 B".
std::string bytes_from_to(std::int64_t least, std::int64_t most) {
    return least == most ? fmt::format("{} B", least) : fmt::format("{} to {} B", least, most);
}

/// Returns the sizes of calls in words.
std::string sizes_of(const std::vector<const Call*>& calls) {
    const auto [least, most] =
        std::ranges::minmax(calls, {}, [](const Call* each) { return each->total_bytes; });
    return bytes_from_to(least->total_bytes, most->total_bytes);
}

std::vector<const Call*> calls_of(std::string_view collective, std::span<const Call> calls) {
    std::vector<const Call*> found;
    for (const Call& each : calls)
        if (each.collective == collective) found.push_back(&each);
    return found;
}

/// Returns the first size from which on the file has a rule on this number of ranks, and the last
/// one.
std::string range_of_rules(const RulesOfRanks& entry) {
    std::int64_t from = any_bytes, to = -1;
    for (const SizeRule& each : entry.sizes) {
        if (each.is_own_choice() || each.from > each.to) continue;
        from = std::min(from, each.from);
        to = std::max(to, each.to);
    }
    if (to < 0) return "only for the library's own choice";
    return to == any_bytes ? fmt::format("from {} B on", from)
                           : fmt::format("for {}", bytes_from_to(from, to));
}

/// The rules of a file beside the calls of an audit.
class Coverage {
  public:
    Coverage(const Library& library, const std::vector<RulesOfCollective>& rules,
             std::span<const Call> calls)
        : library_{library}, calls_{calls} {
        for (const RulesOfCollective& each : rules) add(each);
    }

    bool acts() const { return !ruled_.empty(); }
    /// Returns the rest of a sentence about the file.
    std::string words() const {
        std::string text;
        if (calls_.empty()) return fmt::format("has rules for {}", fmt::join(rules_, ", "));
        if (acts()) {
            text = fmt::format("is in effect for {}", fmt::join(ruled_, ", "));
            if (!unruled_.empty()) text += fmt::format("; not for {}", fmt::join(unruled_, ", "));
        } else {
            text = fmt::format("is read, and has no rule for a call of this audit: {}",
                               unruled_.empty() ? "it has rules for no collective"
                                                : fmt::format("{}", fmt::join(unruled_, ", ")));
        }
        if (!ignored_.empty())
            text +=
                fmt::format("; {} ignores rules for {}", library_.name, fmt::join(ignored_, ", "));
        for (const std::string& each : remarks_) text += "; " + each;
        return text;
    }

  private:
    void add(const RulesOfCollective& rules) {
        const std::string name(rules.collective->name);
        if (!rules.collective->has_algorithms) {
            ignored_.push_back(name);
            return;
        }
        rules_.push_back(name);
        const std::vector<const Call*> called = calls_of(name, calls_);
        if (called.empty()) {
            unruled_.push_back(name + " (not called)");
            return;
        }
        std::vector<const Call*> ruled;
        std::ranges::copy_if(called, std::back_inserter(ruled), [&](const Call* each) {
            return rules.rule(each->ranks, each->total_bytes) != nullptr;
        });
        const int ranks = called.front()->ranks;
        const RulesOfRanks* const entry = rules.find(ranks);
        if (ruled.empty()) {
            unruled_.push_back(entry == nullptr
                                   ? fmt::format("{} on {} ranks (no entry)", name, ranks)
                                   : fmt::format("{} of {} (its rules are {})", name,
                                                 sizes_of(called), range_of_rules(*entry)));
            return;
        }
        ruled_.push_back(fmt::format("{} of {}", name, sizes_of(ruled)));
        if (ruled.size() < called.size())
            ruled_.back() += fmt::format(", {} of {} sizes", ruled.size(), called.size());
        if (entry->written > ranks)
            remarks_.push_back(fmt::format("Open MPI takes the entry of {} for {} ranks, too",
                                           entry->written, ranks));
        add_unknown(rules, ruled);
    }

    /// Adds algorithms that the library does not have.
    void add_unknown(const RulesOfCollective& rules, const std::vector<const Call*>& ruled) {
        std::string variable(without_mpi(rules.collective->name));
        variable[0] = static_cast<char>(variable[0] - 'A' + 'a');
        const ControlVariable* const known = library_.find("coll_tuned_" + variable + "_algorithm");
        if (known == nullptr || known->names.empty()) return;
        std::set<int> unknown;
        for (const Call* each : ruled) {
            const SizeRule& rule = *rules.rule(each->ranks, each->total_bytes);
            if (rule.name.empty() && find_in(known->names, rule.algorithm,
                                             &std::pair<std::string, int>::second) == nullptr)
                unknown.insert(rule.algorithm);
        }
        if (!unknown.empty())
            remarks_.push_back(fmt::format("{} fails, for it has no algorithm {}",
                                           rules.collective->name, fmt::join(unknown, ", ")));
    }

    const Library& library_;
    std::span<const Call> calls_;
    std::vector<std::string> rules_, ruled_, unruled_, ignored_, remarks_;
};

/// Says that a file with rules is not in effect.
Outcome refused(Outcome outcome, const std::string& why) {
    outcome.in_effect = false;
    outcome.sentence = fmt::format("{} is not in effect: {}", outcome.value, why);
    return outcome;
}

Outcome outcome_of_tuned(Outcome file, const Library& library, const ReadFile& read,
                         std::span<const Call> calls) {
    const ControlVariable* const dynamic = library.find(switch_variable);
    if (dynamic == nullptr || dynamic->value == "0")
        return refused(file,
                       fmt::format("{} is 0; set OMPI_MCA_{}=1", switch_variable, switch_variable));
    const std::optional<std::string> text = read(file.value);
    if (!text) return refused(file, "the file cannot be read");
    try {
        const Coverage coverage(library, read_tuned_rules(*text, library.name), calls);
        file.in_effect = calls.empty() || coverage.acts();
        file.sentence = fmt::format("{} {}", file.value, coverage.words());
    } catch (const std::invalid_argument& error) {
        return refused(file, fmt::format("{} ignores the file without a message, because {}",
                                         library.name, error.what()));
    }
    return file;
}

/// Returns the collectives and sizes for which a tree chooses otherwise than the library's own one.
std::vector<std::string> changes_of(const SelectionTree& tree, const SelectionTree& own,
                                    std::span<const Call> calls) {
    std::vector<std::string> changes;
    std::set<std::string> names;
    for (const Call& each : calls) names.insert(each.collective);
    for (const std::string& name : names) {
        std::vector<const Call*> changed;
        std::set<std::string> algorithms;
        for (const Call* each : calls_of(name, calls)) {
            const std::string choice = tree.choice(*each);
            if (choice == own.choice(*each)) continue;
            changed.push_back(each);
            algorithms.insert(choice.starts_with('{') ? "by further conditions" : choice);
        }
        if (!changed.empty())
            changes.push_back(
                fmt::format("{} of {} ({})", name, sizes_of(changed), fmt::join(algorithms, ", ")));
    }
    return changes;
}

Outcome outcome_of_tree(Outcome file, const ReadFile& read, std::span<const Call> calls) {
    if (const auto crash = reason_of_crash(file.value, read)) return refused(file, *crash);
    const std::optional<std::string> own = own_selection();
    file.in_effect = true;
    if (!own) return file;
    const std::vector<std::string> changes =
        changes_of(SelectionTree(*read(file.value)), SelectionTree(*own), calls);
    if (!changes.empty()) {
        file.sentence = fmt::format("{} is in effect for {}", file.value, fmt::join(changes, ", "));
    } else if (!calls.empty()) {
        file.in_effect = false;
        file.sentence = fmt::format(
            "{} is read, and changes no call of this audit: on {} ranks it chooses what the "
            "library chooses without it",
            file.value, calls.front().ranks);
    }
    return file;
}

}  // namespace

std::optional<std::string> reason_of_crash(const std::string& file, const ReadFile& read) {
    const std::optional<std::string> text = read(file);
    if (!text) return "the file cannot be read";
    try {
        const std::vector<std::string> named = SelectionTree(*text).collectives();
        const std::optional<std::string> own = own_selection();
        if (!own) return std::nullopt;
        std::vector<std::string> missing;
        for (const std::string& each : SelectionTree(*own).collectives())
            if (!is_among(named, each)) missing.push_back(each);
        if (missing.empty()) return std::nullopt;
        return fmt::format(
            "it lacks {} of the library's collectives, such as {}; a file replaces the whole "
            "choice, and MPICH ends a program that calls a collective without a branch",
            missing.size(), missing.front());
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

std::optional<Outcome> outcome_of_rules(const Library& library, const ReadFile& read,
                                        std::span<const Call> calls) {
    if (library.is_mpich()) {
        const auto given = library.environment.find(tree_variable);
        if (given == library.environment.end() || given->second.empty()) return std::nullopt;
        return outcome_of_tree({tree_variable, given->second, "environment", {}, ""}, read, calls);
    }
    const ControlVariable* const file = library.find(rules_variable);
    if (file == nullptr || file->value.empty()) return std::nullopt;
    return outcome_of_tuned({rules_variable, file->value, "", {}, ""}, library, read, calls);
}

}  // namespace mpiaudit::settings
