// SPDX-License-Identifier: BSD-3-Clause
// The plan of an audit, declared in audit/steps.h.
#include <memory>

#include "answer/answer.h"
#include "audit/steps.h"
#include "plan/plan.h"
#include "simulation/simulation.h"
#include "text/console.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// A dry run prints the contestants of a problem up to this number, then only how many there are.
constexpr std::size_t most_contestants_shown = 20;

void show_contestants(const ProblemOutline& planned) {
    for (const Contestant& each : planned.contestants)
        say("  {}{}\n", each.name, each.skipped ? "  skipped: " + in_words(*each.skipped) : "");
}

/// Prints the problems in the order in which the audit measures them.
void show_problems(const Plan& plan) {
    bool is_short = true;
    for (const ProblemOutline& each : plan.problems)
        is_short = is_short && each.contestants.size() <= most_contestants_shown;
    for (const std::size_t i : by_value(plan)) {
        const ProblemOutline& planned = plan.problems[i];
        say("{}: m = {}, m' = {}", planned.id, planned.total, planned.padded_total);
        if (is_short)
            say("\n");
        else
            say(", {} contestants\n", planned.contestants.size());
        if (is_short) show_contestants(planned);
    }
    for (const Duplicate& each : plan.duplicates)
        say("{}: the same as {}\n", each.problem, each.equal_to);
    if (!is_short) say("To see all contestants, choose fewer by --collectives or --only\n");
}

}  // namespace

bool Asked::selects_nothing() const {
    return (inputs.guidelines.empty() && inputs.timed.empty()) ||
           (inputs.distributions.empty() && !inputs.recording);
}

TypedPlan::TypedPlan(Inputs given, const RunOptions& options, const Surroundings& around)
    : inputs{std::move(given)},
      types{options.element, options.op, inputs.selection ? &*inputs.selection : nullptr,
            inputs.looks},
      plan{make_plan(inputs, options, types, around.launch.ranks, around.memory_bytes, around.nodes,
                     around.recorded_references)} {}

Circumstances plan_audit(Asked asked, const Surroundings& around) {
    const RunOptions& options = asked.options();
    Inputs inputs = std::move(asked.inputs);
    if (inputs.recording) select_problems(inputs, around.launch, options.problems);
    auto typed = simulation::alike<TypedPlan>([&] {
        const auto made = std::make_shared<TypedPlan>(std::move(inputs), options, around);
        if (asked.suspicions)
            keep_suspicions(made->plan, made->inputs.guidelines, *asked.suspicions);
        return made;
    });
    return {asked.command, asked.joined, asked.suspicions, around, std::move(typed)};
}

void dry_run(const Circumstances& known) {
    const Plan& plan = known.plan;
    const Inputs& inputs = known.inputs;
    const RunOptions& options = known.options();
    for (const std::string& line : settings::lines(outcomes_of(known.around.settings)))
        say("{}\n", line);
    std::size_t checks = 0;
    show_problems(plan);
    if (inputs.selection && !inputs.selection->left_out.empty())
        say("not audited: {}\n", left_out_in_words(*inputs.selection));
    for (const ProblemOutline& planned : plan.problems) checks += planned.checks.size();
    say("{}, {}, {} of them to be measured", counted(plan.problems.size(), "problem"),
        counted(checks, "check"), plan.checkable);
    const int ranks = known.around.launch.ranks;
    if (ranks != known.around.ranks || options.scales > 1)
        say(" on {}", counted(static_cast<std::size_t>(ranks), "rank"));
    if (!options.budget.empty()) say(", at most --budget {}", options.budget.text());
    say("\n");
}

}  // namespace mpiaudit
