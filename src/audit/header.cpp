// SPDX-License-Identifier: BSD-3-Clause
#include "audit/header.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "options/option_table.h"
#include "options/recorded_options.h"
#include "record/options_json.h"
#include "record/session.h"
#include "machine/job.h"
#include "mpi/environment.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

// Half of a microsecond is about the fastest small collective; such a clock cannot time it.
constexpr double coarse_clock_s = 0.5e-6;

json guidelines_json(const std::vector<Guideline>& guidelines) {
    json all = json::array();
    for (const Guideline& each : guidelines) {
        all.push_back({{"id", each.id},
                       {"statement", each.statement},
                       {"source", each.source},
                       {"advice", each.advice},
                       {"file", each.file}});
    }
    return all;
}

json distributions_json(const std::vector<Distribution>& distributions) {
    json all = json::array();
    for (const Distribution& each : distributions) {
        json entry = {{"name", each.name}, {"summary", each.summary}, {"source", each.source}};
        if (each.is_explicit())
            entry["counts"] = each.counts;
        else
            entry["formula"] = each.formula;
        entry["parameters"] = json::object();
        for (const auto& [name, value] : each.parameters) entry["parameters"][name] = value;
        all.push_back(std::move(entry));
    }
    return all;
}

json implementations_json(const std::vector<Guideline>& guidelines) {
    json all = json::array();
    std::set<const Arrow*> known;
    for (const Guideline& each : guidelines) {
        for (const Path* path : {&each.inequality.left, &each.inequality.right}) {
            for (const PathStep& step : path->steps) {
                const Arrow& arrow = *step.arrow;
                if (arrow.kind == Kind::view || !known.insert(&arrow).second) continue;
                all.push_back(
                    {{"name", arrow.name},
                     {"collective", arrow.collective},
                     {"from", name(arrow.from)},
                     {"to", name(arrow.to)},
                     {"native", arrow.kind == Kind::native || arrow.kind == Kind::chosen ||
                                    arrow.kind == Kind::agreement},
                     {"summary", arrow.summary}});
            }
        }
    }
    return all;
}

}  // namespace

json make_header(const Command& command, const Inputs& inputs, const Plan& plan,
                 const Machine& machine, const Protocol& protocol, const ClockQuality& clock) {
    std::vector<std::string> warnings = machine.warnings;
    const json job = describe_job(warnings);
    warnings.insert(warnings.end(), inputs.warnings.begin(), inputs.warnings.end());
    // Simulated time moves with messages only, but then by any amount.
    if (!simulation::is_running() &&
        (clock.resolution_s > coarse_clock_s || clock.resolution_s <= 0.0))
        warnings.push_back(
            fmt::format("the clock {} has steps of {:.2g} us, too coarse for small "
                        "problems; try --clock {}",
                        protocol.clock.name, clock.resolution_s * 1e6,
                        protocol.clock.name == "mpi" ? "monotonic" : "mpi"));
    json options = as_json(all_options(command.run));
    options["order-seed"] = protocol.order_seed;
    return {{"kind", "header"},
            {"schema_version", "1.0"},
            {"tool",
             {{"name", "mpiaudit"}, {"version", MPIAUDIT_VERSION}, {"commit", MPIAUDIT_COMMIT}}},
            {"started", time_now()},
            {"command", command.arguments},
            {"options", std::move(options)},
            {"default_options", as_json(audit_options(default_run_options()))},
            {"mpi",
             {{"library", Environment::library_version()},
              {"standard", Environment::standard_version()}}},
            {"machine", json::parse(machine.description_json)},
            {"job", job},
            {"simulated", simulation::is_running()},
            {"clock",
             {{"name", protocol.clock.name},
              {"resolution_s", clock.resolution_s},
              {"read_s", clock.read_s},
              {"synchronisation", command.run.sync}}},
            {"environment", steering_variables()},
            {"warnings", warnings},
            {"rule",
             {{"criterion", judge::name(protocol.rule.criterion)},
              {"tolerance", protocol.rule.tolerance},
              {"alpha", protocol.rule.alpha},
              {"checks", protocol.rule.checks},
              {"max_rounds", protocol.max_rounds}}},
            {"distributions", distributions_json(inputs.distributions)},
            {"guidelines", guidelines_json(inputs.guidelines)},
            {"implementations", implementations_json(inputs.guidelines)},
            {"planned_problems", plan.problems.size()}};
}

}  // namespace mpiaudit
