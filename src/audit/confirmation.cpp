// SPDX-License-Identifier: BSD-3-Clause
#include "audit/confirmation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "record/recorded_audit.h"
#include "mpi/environment.h"
#include "random/random_bits.h"
#include "options/recorded_options.h"
#include "record/launches.h"
#include "record/options_json.h"
#include "report/report.h"
#include "random/seeds.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

constexpr std::size_t fewest_controls = 5;

using CheckKey = std::pair<std::string, std::string>;  // problem, guideline

void require_same_system(const json& header, const RunOptions& options, int ranks) {
    const std::string& folder = options.confirm;
    if (header["machine"]["ranks"] != ranks)
        throw UsageError(
            fmt::format("--confirm: the audit in {} ran on {} ranks, not {}; start as many", folder,
                        header["machine"]["ranks"].dump(), ranks));
    if (header["mpi"]["library"] != Environment::library_version())
        throw UsageError(fmt::format("--confirm: the audit in {} is about another MPI library: {}",
                                     folder, header["mpi"]["library"].get<std::string>()));
    // What steers the library acts before it starts, when nothing is known of the audit yet.
    require_same_before_mpi(options, as_options(header["options"]));
}

/// Some of the checks in an order that the seed decides.
json drawn(std::vector<json> checks, std::uint64_t seed, std::size_t number) {
    std::ranges::sort(checks, {}, [&](const json& check) {
        return mix_bits(coin_seed(seed, check["problem"], check["guideline"]));
    });
    checks.resize(std::min(checks.size(), number));
    return checks;
}

/// The places of the contestants that the checks need, ascending.
std::vector<std::size_t> needed_by(const std::vector<PlannedCheck>& checks) {
    std::set<std::size_t> needed;
    for (const PlannedCheck& check : checks) needed.insert({check.left, check.right});
    return {needed.begin(), needed.end()};
}

void keep_only(PlannedProblem& planned, const std::vector<Guideline>& guidelines,
               const std::set<CheckKey>& wanted) {
    std::erase_if(planned.checks, [&](const PlannedCheck& check) {
        return !wanted.contains({planned.problem().id(), guidelines[check.guideline].id});
    });
    const std::vector<std::size_t> kept = needed_by(planned.checks);
    const auto place = [&](std::size_t contestant) {
        return static_cast<std::size_t>(std::ranges::find(kept, contestant) - kept.begin());
    };
    for (PlannedCheck& check : planned.checks)
        check = {check.guideline, place(check.left), place(check.right)};
    std::vector<Contestant> contestants;
    for (const std::size_t contestant : kept)
        contestants.push_back(std::move(planned.contestants[contestant]));
    planned.contestants = std::move(contestants);
}

}  // namespace

json read_suspicions(const RunOptions& options, int ranks) {
    const SamplesFile audit = read_results(options.confirm);
    json suspects = json::array();
    std::vector<json> others;
    try {
        require_same_system(audit.header, options, ranks);
        if (!is_complete(audit))
            throw UsageError(fmt::format(
                "--confirm: the audit in {} is not complete; go on with it by --resume first",
                options.confirm));
        const json report = make_report(audit, recorded_rule(audit.header.at("rule")));
        for (const json& check : report["checks"]) {
            const json key = {{"problem", check["problem"]}, {"guideline", check["guideline"]}};
            if (check["verdict"] == "violated") suspects.push_back(key);
            if (check["verdict"] == "holds") others.push_back(key);
        }
    } catch (const json::exception& error) {
        throw UsageError(fmt::format("--confirm: {}: samples.jsonl is damaged: {}", options.confirm,
                                     error.what()));
    }
    const json& seed = audit.header["options"]["order-seed"];
    const std::size_t controls = std::max(fewest_controls, suspects.size());
    return {{"confirms",
             {{"folder", options.confirm},
              {"started", audit.header["started"]},
              {"order_seed", seed},
              {"suspects", suspects},
              {"controls", drawn(std::move(others), seed.get<std::uint64_t>(), controls)}}},
            {"options", audit.header["options"]},
            {"guidelines", audit.header["guidelines"]},
            {"distributions", audit.header["distributions"]}};
}

void require_same_inputs(const json& suspicions, const json& header) {
    for (const char* part : {"guidelines", "distributions"}) {
        if (suspicions[part] != header[part])
            throw UsageError(fmt::format(
                "--confirm: the {} of the audit in {} have changed since: see the first line of "
                "its samples.jsonl; audit again",
                part, suspicions["confirms"]["folder"].get<std::string>()));
    }
}

void keep_suspicions(Plan& plan, const std::vector<Guideline>& guidelines, const json& suspicions) {
    std::set<CheckKey> wanted;
    for (const char* list : {"suspects", "controls"}) {
        for (const json& each : suspicions["confirms"][list])
            wanted.emplace(each["problem"], each["guideline"]);
    }
    plan.checkable = 0;
    for (PlannedProblem& planned : plan.problems) {
        keep_only(planned, guidelines, wanted);
        for (const PlannedCheck& check : planned.checks)
            plan.checkable += planned.is_checkable(check);
    }
    std::erase_if(plan.problems,
                  [](const PlannedProblem& planned) { return planned.checks.empty(); });
}

json joint_report(const RunOptions& options, const SamplesFile& confirmation) {
    const std::vector<SamplesFile> launches = joined_launches(
        {{options.confirm, read_results(options.confirm)}, {"the confirmation", confirmation}});
    return make_report(launches, recorded_rule(launches.front().header["rule"]));
}

}  // namespace mpiaudit
