// SPDX-License-Identifier: BSD-3-Clause
#include "audit/dry_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/commands.h"
#include "measure/measurement.h"
#include "report/progress.h"
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
    for (const PlannedProblem& planned : plan.problems) {
        if (estimate_s > budget_s) break;
        estimate_s += probe_round(planned, protocol) *
                      (protocol.warmup.value_or(typical_warm_up) + rounds + 1);
    }
    return estimate_s;
}

void print(const PlannedProblem& planned) {
    say("{}: m = {}, m' = {}\n", planned.problem().id(), planned.problem().total(),
        planned.problem().padded_total());
    for (const Contestant& each : planned.contestants)
        say("  {}{}\n", each.name, each.skipped ? "  skipped: " + *each.skipped : "");
}

}  // namespace

int ranks_of_plan(const RunOptions& options, int ranks) {
    const bool is_for_others = options.dry_run && ranks == 1 && options.ranks > 0;
    return is_for_others ? options.ranks : ranks;
}

int dry_run(const Plan& plan, const RunOptions& options, const Protocol& protocol,
            double budget_s) {
    int ranks = 0;
    int rank = 0;
    MPI_Comm_size(protocol.comm, &ranks);
    MPI_Comm_rank(protocol.comm, &rank);
    const bool can_be_tried = ranks_of_plan(options, ranks) == ranks;
    const double estimate_s = can_be_tried ? estimated_s(plan, protocol, budget_s) : 0.0;
    if (rank != 0) return exit_done;
    std::size_t checks = 0;
    for (const PlannedProblem& planned : plan.problems) {
        checks += planned.checks.size();
        print(planned);
    }
    say("{} problems, {} checks, {} of them to be measured", plan.problems.size(), checks,
        plan.checkable);
    if (!can_be_tried)
        say(" on {} ranks", options.ranks);
    else if (estimate_s <= budget_s)
        say("; about {}", clock_time(estimate_s));
    if (estimate_s > budget_s)
        say("; more than there is time for, --budget {}", options.budget);
    else if (!options.budget.empty())
        say(", at most --budget {}", options.budget);
    say("\n");
    return exit_done;
}

}  // namespace mpiaudit
