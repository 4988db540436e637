// SPDX-License-Identifier: BSD-3-Clause
#include "audit/audit_loop.h"

#include <algorithm>

#include "audit/commands.h"
#include "measure/measurement.h"
#include "plan/plan.h"
#include "report/console.h"
#include "report/progress.h"
#include "simulation/simulation.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

// Clear cases take 10 to 20 rounds, close ones 40 to all; what the audits of this suite took.
constexpr int typical_rounds = 40;
constexpr int typical_warm_up = 10;

/// Not further than the budget, where the audit ends whatever comes behind. Collective.
double estimated_s(const Plan& plan, const Protocol& protocol, double budget_s) {
    const bool stops_early = protocol.rule.criterion == judge::Criterion::evidence;
    const int rounds =
        stops_early ? std::min(typical_rounds, protocol.max_rounds) : protocol.max_rounds;
    double estimate_s = 0.0;
    for (std::size_t i = 0; i < plan.problems.size(); ++i) {
        if (estimate_s > budget_s) break;
        const auto planned = simulation::alike<PlannedProblem>(
            [&] { return std::make_shared<const PlannedProblem>(plan.in_turn(i)); }, i);
        estimate_s += probe_round(*planned, protocol) *
                      (protocol.warmup.value_or(typical_warm_up) + rounds + 1);
    }
    return estimate_s;
}

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

int dry_run(const Plan& plan, const Inputs& inputs, const RunOptions& options,
            const Protocol& protocol) {
    int ranks = 0;
    int rank = 0;
    MPI_Comm_size(protocol.comm, &ranks);
    MPI_Comm_rank(protocol.comm, &rank);
    const double budget_s = options.budget_s();
    const bool can_be_tried = ranks_of_plan(options, ranks) == ranks;
    const double estimate_s = can_be_tried ? estimated_s(plan, protocol, budget_s) : 0.0;
    if (rank != 0) return exit_done;
    std::size_t checks = 0;
    show_problems(plan);
    if (inputs.selection && !inputs.selection->left_out.empty())
        say("not audited: {}\n", left_out_in_words(*inputs.selection));
    for (const ProblemOutline& planned : plan.problems) checks += planned.checks.size();
    say("{}, {}, {} of them to be measured", counted(plan.problems.size(), "problem"),
        counted(checks, "check"), plan.checkable);
    if (!can_be_tried)
        say(" on {} ranks", options.ranks);
    else if (estimate_s <= budget_s)
        say("; about {}", time_in_words(estimate_s));
    if (estimate_s > budget_s)
        say("; more than there is time for, --budget {}", options.budget.text());
    else if (!options.budget.empty())
        say(", at most --budget {}", options.budget.text());
    say("\n");
    return exit_done;
}

}  // namespace mpiaudit
