// SPDX-License-Identifier: BSD-3-Clause
// Defines joined_launches() of samples_file.h.
#include "record/samples_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include "options/recorded_options.h"
#include "text/console.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

using record::Header;

bool confirms(const NamedAudit& launch, const NamedAudit& audit) {
    const Header& other = audit.audit.header;
    const auto& confirmed = launch.audit.header.confirms;
    return confirmed && confirmed->order_seed == other.order_seed() &&
           confirmed->started == other.started;
}

/// Returns words that identify a check in every launch: guideline, problem and block sizes.
std::string identity_of_check(const record::ProblemRecord& problem, const record::Check& check) {
    std::string text =
        fmt::format("{} on {} (root {}, counts [{}])", check.guideline, problem.problem.id,
                    problem.problem.root, fmt::join(problem.counts, ","));
    for (const std::size_t side : {check.left, check.right}) {
        if (problem.contestants[side].name.way().scale.is_next)
            text += fmt::format(" to b={}", problem.problem.next_block_size.value_or(0));
    }
    return text;
}

/// Whether the plan has the problem of a check, or the launch chose that problem while it ran.
enum class ProblemOrigin { planned, chosen };

std::set<std::string> checks_of(const NamedAudit& launch,
                                std::initializer_list<ProblemOrigin> wanted) {
    std::set<std::string> checks;
    for (const record::ProblemRecord& each : launch.audit.problems) {
        const ProblemOrigin origin =
            each.problem.chosen ? ProblemOrigin::chosen : ProblemOrigin::planned;
        if (std::ranges::find(wanted, origin) == wanted.end()) continue;
        for (const record::Check& check : each.checks)
            checks.insert(identity_of_check(each, check));
    }
    return checks;
}

std::string only_in(const std::set<std::string>& these, const std::set<std::string>& those,
                    const std::string& name) {
    std::vector<std::string> only;
    std::ranges::set_difference(these, those, std::back_inserter(only));
    if (only.empty()) return "";
    return fmt::format("{} check{} only in {}, such as {}", only.size(),
                       only.size() == 1 ? " is" : "s are", name, only.front());
}

/// Compares the options that decide what is measured and how. Other code checks whether a launch
/// confirms another launch.
void compare_options(const Header& first, const Header& other,
                     std::vector<std::string>& differences) {
    for (const auto& [option, unused] : first.default_options) {
        const OptionValue& expected = option_in(first.options, option);
        const OptionValue& found = option_in(other.options, option);
        // An audit by an earlier version may lack an option of this one.
        const bool have_both =
            !is_one_of<std::monostate>(expected) && !is_one_of<std::monostate>(found);
        if (have_both && expected != found && !may_differ_between_launches(option))
            differences.push_back(fmt::format("--{} is {} there, {} here", option,
                                              in_words(expected), in_words(found)));
    }
}

/// Two audits must have the same planned checks; the chosen checks may differ. A confirmation must
/// have a subset of all checks of its audit. \param is_confirmation true if `other` confirms
/// `first`
std::vector<std::string> differences_between(const NamedAudit& first, const NamedAudit& other,
                                             bool is_confirmation) {
    std::vector<std::string> differences;
    const Header& expected = first.audit.header;
    const Header& found = other.audit.header;
    if (expected.mpi.library != found.mpi.library)
        differences.push_back(fmt::format("the library is \"{}\" there, \"{}\" here",
                                          expected.mpi.library, found.mpi.library));
    if (expected.machine.ranks != found.machine.ranks)
        differences.push_back(fmt::format("the number of ranks is {} there, {} here",
                                          expected.machine.ranks, found.machine.ranks));
    if (expected.simulated != found.simulated)
        differences.push_back(
            fmt::format("simulated is {} there, {} here", expected.simulated, found.simulated));
    compare_options(expected, found, differences);
    constexpr const char* changed = "the {} have changed, see the first line of samples.jsonl";
    if (expected.guidelines != found.guidelines)
        differences.push_back(fmt::format(changed, "guidelines"));
    if (expected.distributions != found.distributions)
        differences.push_back(fmt::format(changed, "distributions"));
    auto there = checks_of(first, {ProblemOrigin::planned});
    const auto here = checks_of(other, {ProblemOrigin::planned});
    if (!is_confirmation) differences.push_back(only_in(there, here, first.name));
    // A confirmation plans checks that its audit chose.
    if (is_confirmation) there.merge(checks_of(first, {ProblemOrigin::chosen}));
    differences.push_back(only_in(here, there, other.name));
    std::erase(differences, "");
    return differences;
}

/// Throws UsageError if two launches have the same seed.
void require_independence(const std::vector<NamedAudit>& launches) {
    std::map<std::uint64_t, std::string> names;  // by seed
    for (const NamedAudit& each : launches) {
        const auto [twin, is_new] = names.try_emplace(each.audit.header.order_seed(), each.name);
        if (!is_new)
            throw UsageError(
                "{} and {} have the same order-seed {}: they are one launch, or not independent; "
                "launch again without --order-seed",
                twin->second, each.name, twin->first);
    }
}

void require_completeness(const std::vector<NamedAudit>& launches) {
    for (const NamedAudit& each : launches) {
        if (!each.audit.is_complete())
            throw UsageError(
                "{}: the audit is not complete, {} of {} problems are measured; go on with "
                "mpiaudit run --resume",
                each.name, each.audit.planned_and_measured(), each.audit.header.planned_problems);
    }
}

/// Returns the audit that a launch confirms; null if there is none.
const NamedAudit* confirmed_by(const NamedAudit& launch, const std::vector<NamedAudit>& audits) {
    const auto found = std::ranges::find_if(
        audits, [&](const NamedAudit& audit) { return confirms(launch, audit); });
    return found == audits.end() ? nullptr : &*found;
}

/// Puts audits first, then launches that confirm one of them. Returns the number of audits.
std::size_t put_in_order(std::vector<NamedAudit>& launches) {
    std::vector<NamedAudit> audits, confirmations;
    // Decides which launches are confirmations before any launch moves.
    std::vector<bool> is_confirmation;
    for (const NamedAudit& each : launches)
        is_confirmation.push_back(confirmed_by(each, launches) != nullptr);
    for (std::size_t i = 0; i < launches.size(); ++i)
        (is_confirmation[i] ? confirmations : audits).push_back(std::move(launches[i]));
    const std::size_t number = audits.size();
    launches = std::move(audits);
    std::ranges::move(confirmations, std::back_inserter(launches));
    return number;
}

/// Removes from each audit the checks that another audit has not chosen, and problems without
/// checks.
void leave_common_checks(std::span<NamedAudit> audits) {
    std::map<std::string, std::size_t> audits_with;  // by check
    for (const NamedAudit& each : audits)
        for (const std::string& check : checks_of(each, {ProblemOrigin::chosen}))
            ++audits_with[check];
    for (NamedAudit& each : audits) {
        std::erase_if(each.audit.problems, [&](record::ProblemRecord& problem) {
            if (!problem.problem.chosen) return false;
            std::erase_if(problem.checks, [&](const record::Check& check) {
                return audits_with[identity_of_check(problem, check)] < audits.size();
            });
            if (!problem.checks.empty()) return false;
            each.audit.measured_alone.push_back(problem.problem.id);
            return true;
        });
    }
}

}  // namespace

std::vector<record::Audit> joined_launches(std::vector<NamedAudit> launches) {
    const std::size_t audits = put_in_order(launches);
    if (launches.size() > 1) require_completeness(launches);
    require_independence(launches);
    for (std::size_t i = 1; i < launches.size(); ++i) {
        const NamedAudit* const confirmed = confirmed_by(launches[i], launches);
        const NamedAudit& first = confirmed != nullptr ? *confirmed : launches.front();
        const auto differences = differences_between(first, launches[i], confirmed != nullptr);
        if (differences.empty()) continue;
        throw UsageError("{} is not a launch of the same audit as {}: {}", launches[i].name,
                         first.name, fmt::join(differences, "; "));
    }
    if (audits > 1) leave_common_checks(std::span(launches).first(audits));
    std::vector<record::Audit> joined;
    for (NamedAudit& each : launches) joined.push_back(std::move(each.audit));
    return joined;
}

std::vector<std::string> with_confirmations(const std::string& folder) {
    std::vector<std::string> folders = {folder};
    const auto add = [&](const std::string& name) {
        const std::string path = std::filesystem::path(folder) / name;
        if (!has_samples(path)) return false;
        folders.push_back(path);
        return true;
    };
    add("confirmation");
    for (int number = 1; add(fmt::format("confirmation-{}", number)); ++number) continue;
    return folders;
}

std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders) {
    std::vector<NamedAudit> launches;
    for (const std::string& folder : folders) {
        SamplesFile samples = read_results(folder);
        if (samples.is_truncated)
            remark("warning: the last line of {}/samples.jsonl is incomplete and left out", folder);
        launches.push_back({folder, std::move(samples.audit)});
    }
    return launches;
}

std::vector<record::Audit> launches_of(const std::vector<std::string>& folders) {
    if (folders.size() != 1) return joined_launches(read_launches(folders));
    std::vector<NamedAudit> launches = read_launches(with_confirmations(folders.front()));
    std::erase_if(launches, [&](const NamedAudit& each) {
        return &each != launches.data() && !each.audit.is_complete();
    });
    return joined_launches(std::move(launches));
}

}  // namespace mpiaudit
