// SPDX-License-Identifier: BSD-3-Clause
// run_audit() of audit/commands.h: the stages of an audit, each of which gets what the one before
// has made.
#include <optional>
#include <utility>

#include "answer/answer.h"
#include "audit/commands.h"
#include "audit/steps.h"
#include "mpi/texts.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

/// Reads the files that the options name. Throws UsageError on all ranks alike. Collective.
Asked asked_for(const Command& given, const OtherProducts& joined, const Suspicions* suspicions) {
    on_rank_0([&] { check_gate(given.run); });
    return {given, joined, suspicions, read_inputs(given.run)};
}

int nothing_selected(const Environment& environment, const std::string& why) {
    if (speaks_for_all(environment)) remark("nothing selected: {}", why);
    return exit_nothing_selected;
}

/// Shows what is measured, then checks generated calls: a call that crashes or damages memory harms
/// no measurement. Returns the exit code, alike on every rank. Collective.
int conclude(OpenAudit& opened, int signal) {
    std::optional<Conclusion> conclusion;
    if (opened.session)
        conclusion.emplace(*opened.session, opened.options(), opened.known.suspicions,
                           opened.protocol.rule);
    const AfterMeasuring& check = opened.known.joined.after_measuring;
    const bool calls_follow =
        signal == 0 && check.run != nullptr && check.is_wanted(opened.options());
    on_rank_0([&] { conclusion->show(calls_follow); });
    opened.watchdog.set_report(nullptr);
    if (calls_follow) {
        signal = check_library(opened);
        on_rank_0([&] { conclusion->show_generated_calls(); });
    }
    int code = exit_done;
    on_rank_0([&] { code = conclusion->end(signal); });
    return from_rank_0(code);
}

}  // namespace

int run_audit(const Command& command, const Environment& environment,
              const OtherProducts& other_products, const Suspicions* suspicions,
              Watchdog* of_launch) {
    Asked asked = asked_for(command, other_products, suspicions);
    if (asked.selects_nothing())
        return nothing_selected(environment, "no guideline is left after --only and --collectives");
    const Surroundings around = examine_surroundings(asked, environment.ranks());
    const Circumstances known = plan_audit(std::move(asked), around);
    const auto& selection = known.inputs.selection;
    if (selection && selection->problems.empty())
        return nothing_selected(environment, "no recorded problem can be audited here; " +
                                                 left_out_in_words(*selection));
    if (known.options().dry_run) {
        if (environment.rank() == 0) dry_run(known);
        return exit_done;
    }
    OpenAudit opened(known, of_launch);
    const Progression progression = measure_problems(opened);
    return conclude(opened, progression.signal);
}

}  // namespace mpiaudit
