// SPDX-License-Identifier: BSD-3-Clause
#include "record/launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

#include "options/recorded_options.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

json order_seed(const NamedSamples& launch) {
    return launch.samples.header["options"]["order-seed"];
}

bool confirms(const NamedSamples& launch, const NamedSamples& audit) {
    const json& header = launch.samples.header;
    return header.contains("confirms") && header["confirms"]["order_seed"] == order_seed(audit) &&
           header["confirms"]["started"] == audit.samples.header["started"];
}

/// Each check in words that say what it is: problem, block sizes and guideline.
std::set<std::string> checks_of(const NamedSamples& launch) {
    std::set<std::string> checks;
    for (const json& problem : launch.samples.problems) {
        const std::string on =
            fmt::format(" on {} (root {}, counts {})", problem["id"].get<std::string>(),
                        problem["root"].dump(), problem["counts"].dump());
        for (const json& check : problem["checks"])
            checks.insert(check["guideline"].get<std::string>() + on);
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

/// The options that decide what is measured and how. Whether a launch confirms another one is
/// looked at elsewhere.
void compare_options(const NamedSamples& first, const NamedSamples& other,
                     std::vector<std::string>& differences) {
    const json& expected = first.samples.header["options"];
    const json& found = other.samples.header["options"];
    for (const auto& [option, unused] : first.samples.header["default_options"].items()) {
        // An audit by an earlier version may lack an option of this one.
        if (may_differ_between_launches(option) || !expected.contains(option) ||
            !found.contains(option))
            continue;
        if (expected[option] != found[option])
            differences.push_back(fmt::format("--{} is {} there, {} here", option,
                                              expected[option].dump(), found[option].dump()));
    }
}

std::vector<std::string> differences_between(const NamedSamples& first, const NamedSamples& other) {
    std::vector<std::string> differences;
    const json& expected = first.samples.header;
    const json& found = other.samples.header;
    const auto compare = [&](const std::string& what, const json& there, const json& here) {
        if (there != here)
            differences.push_back(
                fmt::format("{} is {} there, {} here", what, there.dump(), here.dump()));
    };
    compare("the library", expected["mpi"]["library"], found["mpi"]["library"]);
    compare("the number of ranks", expected["machine"]["ranks"], found["machine"]["ranks"]);
    compare("simulated", expected["simulated"], found["simulated"]);
    compare_options(first, other, differences);
    for (const char* part : {"guidelines", "distributions"}) {
        if (expected[part] != found[part])
            differences.push_back(
                fmt::format("the {} have changed, see the first line of samples.jsonl", part));
    }
    const auto there = checks_of(first), here = checks_of(other);
    differences.push_back(only_in(here, there, other.name));
    if (!confirms(other, first)) differences.push_back(only_in(there, here, first.name));
    std::erase(differences, "");
    return differences;
}

void require_independence(const std::vector<NamedSamples>& launches) {
    for (auto it = launches.begin(); it != launches.end(); ++it) {
        const auto twin = std::find_if(launches.begin(), it, [&](const NamedSamples& each) {
            return order_seed(each) == order_seed(*it);
        });
        if (twin != it)
            throw std::invalid_argument(
                fmt::format("{} and {} have the same order-seed {}: they are one launch, or not "
                            "independent; launch again without --order-seed",
                            twin->name, it->name, order_seed(*it).dump()));
    }
}

}  // namespace

std::vector<SamplesFile> joined_launches(std::vector<NamedSamples> launches) {
    std::ranges::stable_partition(launches, [&](const NamedSamples& each) {
        return std::ranges::none_of(
            launches, [&](const NamedSamples& audit) { return confirms(each, audit); });
    });
    for (const NamedSamples& each : launches) {
        if (launches.size() > 1 && !is_complete(each.samples))
            throw std::invalid_argument(fmt::format(
                "{}: the audit is not complete, {} of {} problems are measured; go on with "
                "mpiaudit run --resume",
                each.name, each.samples.problems.size(),
                each.samples.header["planned_problems"].dump()));
    }
    require_independence(launches);
    for (auto it = std::next(launches.begin()); it != launches.end(); ++it) {
        const auto differences = differences_between(launches.front(), *it);
        if (differences.empty()) continue;
        throw std::invalid_argument(fmt::format("{} is not a launch of the same audit as {}: {}",
                                                it->name, launches.front().name,
                                                fmt::join(differences, "; ")));
    }
    std::vector<SamplesFile> joined;
    for (NamedSamples& each : launches) joined.push_back(std::move(each.samples));
    return joined;
}

}  // namespace mpiaudit
