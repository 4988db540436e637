// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "answer/answer.h"
#include "audit/commands.h"
#include "audit/confirmation.h"
#include "audit/steps.h"
#include "cost/prediction.h"
#include "device_trial/device_buffers.h"
#include "machine/machine.h"
#include "measure/measurement.h"
#include "measure/protocol.h"
#include "messages/interruption.h"
#include "mpi/incident.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "record/samples_file.h"
#include "screens/console.h"
#include "simulation/simulation.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

/// Measures the plan, then checks generated calls: a call that crashes or damages memory harms no
/// measurement. Returns the exit code, alike on every rank. Collective.
int measure(const Circumstances& known, Watchdog& watchdog) {
    const RunOptions& options = known.options();
    AuditClock clock(*options.clock, options.sync);
    const std::unique_ptr<Session> session = open_session(known, clock);
    watch_folder(session.get(), known.options().folder_of_scales);
    if (session)
        watchdog.set_report([folder = session->folder()] { return report_what_is_kept(folder); });
    const auto shared = from_rank_0(
        session ? SharedNumbers{session->header().order_seed(), session->header().rule.checks}
                : SharedNumbers{});
    const Protocol protocol = protocol_of(known, clock.global ? &*clock.global : nullptr, shared);
    if (protocol.options.shared_buffers) simulation::leave_data_out();
    Plan plan = known.plan;
    Progression progression;
    // The last session had measured all that its budget had time for when a call ended it.
    if (from_rank_0(session && session->call_incident() ? 1 : 0) == 0)
        progression = measure_problems(plan, known.inputs.guidelines, protocol, options.budget_s(),
                                       session.get(), options.progress);
    if (progression.measured > 0) {
        std::optional<MachineAfter> after = examine_again(known.around.machine);
        if (after) session->end(std::move(*after));
    }
    std::optional<Conclusion> conclusion;
    if (session) conclusion.emplace(*session, options, known.suspicions, protocol.rule);
    const AfterMeasuring& after_measuring = known.joined.after_measuring;
    const bool calls_follow = progression.signal == 0 && after_measuring.run != nullptr &&
                              after_measuring.is_wanted(options);
    on_rank_0([&] { conclusion->show(calls_follow); });
    watchdog.set_report(nullptr);
    if (calls_follow) {
        watch_folder(session.get(), options.folder_of_scales, remedy_of_generated_calls);
        incident::end_crashes_with(exit_interrupted);
        const Activity activity("checking generated calls");
        progression.signal = after_measuring.run(lent_by(options, session.get()));
        on_rank_0([&] { conclusion->show_generated_calls(); });
    }
    int code = exit_done;
    on_rank_0([&] { code = conclusion->end(progression.signal); });
    return from_rank_0(code);
}

int nothing_selected(const Environment& environment, const std::string& why) {
    if (speaks_for_all(environment)) remark("nothing selected: {}", why);
    return exit_nothing_selected;
}

}  // namespace

int run_audit(const Command& command, const Environment& environment,
              const OtherProducts& other_products, const Suspicions* suspicions,
              Watchdog* of_launch) {
    const RunOptions& options = command.run;
    on_rank_0([&] { check_gate(options); });
    Inputs inputs = read_inputs(options);
    const bool is_empty = inputs.guidelines.empty() && inputs.timed.empty();
    if (is_empty || (inputs.distributions.empty() && !inputs.recording))
        return nothing_selected(environment, "no guideline is left after --only and --collectives");
    const Surroundings around = examine_surroundings(options, environment.ranks(), other_products);
    const auto planned =
        plan_for(around, options, std::move(inputs), suspicions, environment.ranks());
    const Circumstances known = {command,        suspicions,    around,        planned->inputs,
                                 planned->types, planned->plan, other_products};
    const auto& selection = known.inputs.selection;
    if (selection && selection->problems.empty())
        return nothing_selected(environment, "no recorded problem can be audited here; " +
                                                 left_out_in_words(*selection));
    if (options.dry_run) {
        if (environment.rank() == 0) dry_run(known, environment.ranks());
        return exit_done;
    }
    use_devices(*options.memory_kind);
    std::optional<Watchdog> own;
    simulation::limit_attempts(options.hang_limit_s(), options.budget_s());
    if (of_launch == nullptr) own.emplace(options.hang_limit_s(), exit_hang, audited_ranks());
    set_heap(options.heap);
    return measure(known, own ? *own : *of_launch);
}

}  // namespace mpiaudit
