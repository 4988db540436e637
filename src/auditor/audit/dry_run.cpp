// SPDX-License-Identifier: BSD-3-Clause
#include "audit/audit_loop.h"

#include "audit/commands.h"
#include "plan/plan.h"
#include "report/console.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

/// With more contestants than these, only their number.
constexpr std::size_t most_shown = 20;

void show_contestants(const ProblemOutline& planned) {
    for (const Contestant& each : planned.contestants)
        say("  {}{}\n", each.name, each.skipped ? "  skipped: " + *each.skipped : "");
}

/// In the order of the audit.
void show_problems(const Plan& plan) {
    bool is_short = true;
    for (const ProblemOutline& each : plan.problems)
        is_short = is_short && each.contestants.size() <= most_shown;
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

int ranks_of_plan(const LaunchOptions& options, int ranks) {
    const bool is_for_others = options.dry_run && ranks == 1 && options.ranks > 0;
    return is_for_others ? options.ranks : ranks;
}

void dry_run(const Plan& plan, const Inputs& inputs, const RunOptions& options, int ranks) {
    std::size_t checks = 0;
    show_problems(plan);
    if (inputs.selection && !inputs.selection->left_out.empty())
        say("not audited: {}\n", left_out_in_words(*inputs.selection));
    for (const ProblemOutline& planned : plan.problems) checks += planned.checks.size();
    say("{}, {}, {} of them to be measured", counted(plan.problems.size(), "problem"),
        counted(checks, "check"), plan.checkable);
    if (ranks_of_plan(options, ranks) != ranks) say(" on {} ranks", options.ranks);
    if (!options.budget.empty()) say(", at most --budget {}", options.budget.text());
    say("\n");
}

}  // namespace mpiaudit
