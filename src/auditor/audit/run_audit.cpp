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

/// A plan with the inputs and types that its problems refer to.
struct TypedPlan {
    TypedPlan(Inputs given, const RunOptions& options, const Surroundings& around,
              const NodeSplit& nodes)
        : inputs{std::move(given)},
          types{options.element, options.op, inputs.selection ? &*inputs.selection : nullptr,
                inputs.looks},
          plan{make_plan(inputs, options, types, around.launch.ranks, around.memory_bytes, nodes,
                         around.recorded_references)} {}
    Inputs inputs;
    Types types;
    Plan plan;
};

/// Numbers that all sessions of an audit share.
struct SharedNumbers {
    std::uint64_t order_seed = 0;
    int checks = 1;  ///< alpha is divided by this number
};

Protocol protocol_of(const Circumstances& known, GlobalClock* global_clock,
                     const SharedNumbers& shared) {
    const Surroundings& around = known.around;
    return {.options = known.options(),
            .comm = audited_ranks(),
            .global_clock = global_clock,
            .rule = known.options().rule(shared.checks),
            .order_seed = shared.order_seed,
            .network = around.network.get(),
            .arrivals = around.arrivals ? &*around.arrivals : nullptr,
            .rotation = rotation(known.options().buffers, around.memory_bytes, around.machine)};
}

/// Returns the ranks that an audit is planned for, with their hosts; for a job that is not
/// submitted yet, only their number. Collective.
application::Launch launch_of(const Machine& machine, int planned_ranks, int ranks) {
    application::Launch launch{planned_ranks, {}};
    if (planned_ranks != ranks) return launch;
    launch.hosts.resize(static_cast<std::size_t>(ranks));
    const auto& hosts = machine.description.hosts;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
        for (const int rank : hosts[host].ranks)
            launch.hosts[static_cast<std::size_t>(rank)] = static_cast<int>(host);
    }
    broadcast_bytes(launch.hosts.data(), launch.hosts.size() * sizeof(int));
    return launch;
}

/// Returns the pattern of arrivals; nothing if ranks arrive together.
std::optional<ArrivalPattern> arrivals_of(const Arrivals& arrivals,
                                          const application::Launch& launch) {
    if (arrivals.are_together) return std::nullopt;
    ArrivalPattern pattern{.formula = arrivals.formula, .host_of_rank = launch.hosts, .hosts = 1};
    pattern.host_of_rank.resize(static_cast<std::size_t>(launch.ranks));
    pattern.hosts += std::ranges::max(pattern.host_of_rank);
    return pattern;
}

/// Returns the nodes of the ranks. The nodes of a job that is not submitted yet follow from
/// --node-size alone.
NodeSplit nodes_of_plan(int node_size, int planned_ranks, int ranks) {
    set_ranks_per_node(node_size);
    if (planned_ranks == ranks) return node_split(audited_ranks());
    return node_size > 0 ? consecutive_nodes(node_size, planned_ranks) : NodeSplit{};
}

/// Returns the limits of the first session; nothing unless the audit is resumed. Collective.
std::optional<record::PlanLimits> recorded_limits(const RunOptions& options) {
    std::optional<record::PlanLimits> limits;
    if (!options.resume || options.output.empty()) return limits;
    on_rank_0([&] {
        if (const auto header = read_header(options.output)) limits = header->limits;
    });
    return from_rank_0(limits);
}

/// Examines machine, network and launch. Collective.
Surroundings examine_surroundings(const RunOptions& options, int ranks,
                                  const OtherProducts& other_products) {
    const int planned_ranks = ranks_of_plan(options, ranks);
    // A job that is not submitted yet has no links.
    auto network = planned_ranks == ranks ? other_products.network(options.network) : nullptr;
    Machine machine = examine_machine(*options.bind);
    application::Launch launch = launch_of(machine, planned_ranks, ranks);
    std::uint64_t memory_bytes = options.memory_bytes(machine.memory_limit_bytes);
    const std::optional<record::PlanLimits> limits = recorded_limits(options);
    std::optional<int> references;
    if (limits) memory_bytes = std::min(memory_bytes, limits->memory_bytes);
    if (limits) references = limits->references;
    auto arrivals = arrivals_of(*options.arrivals, launch);
    return {std::move(network),  std::move(machine), std::move(launch), memory_bytes,
            std::move(arrivals), references,         read_settings()};
}

/// Makes the plan; of a confirmation, with the suspects and controls alone. Collective.
std::shared_ptr<const TypedPlan> plan_for(const Surroundings& around, const RunOptions& options,
                                          Inputs inputs, const Suspicions* suspicions, int ranks) {
    const int planned_ranks = around.launch.ranks;
    if (inputs.recording) select_problems(inputs, around.launch, options.problems);
    const NodeSplit nodes = nodes_of_plan(options.node_size, planned_ranks, ranks);
    return simulation::alike<TypedPlan>([&] {
        const auto made = std::make_shared<TypedPlan>(std::move(inputs), options, around, nodes);
        if (suspicions) keep_suspicions(made->plan, made->inputs.guidelines, *suspicions);
        return made;
    });
}

/// Throws UsageError if a resumed session has planned more checks than the number by which the
/// first session divided alpha.
void require_checks_within_bound(const Session& session, const Plan& plan,
                                 const SessionOptions& options) {
    const int bound = session.header().rule.checks, needed = divisor_of_alpha(plan, options);
    if (needed <= bound) return;
    throw UsageError(
        "--resume: the audit in {} divides alpha by {} checks, and this session has {}: the hosts, "
        "the --budget, or the numbers of --ranks or --nodes differ; give those of the first "
        "session, or another --output",
        session.folder(), bound, needed);
}

/// Returns the session on rank 0 and null on other ranks. An error on rank 0 is thrown on all
/// ranks. Collective.
std::unique_ptr<Session> open_session(const Circumstances& known, const AuditClock& clock) {
    const Activity activity("fitting the cost model");
    const auto model = known.options().no_communication
                           ? std::nullopt
                           : fit_model(audited_ranks(), known.types.element, known.types.op,
                                       known.around.machine.processors_of_a_rank);
    std::unique_ptr<Session> session;
    on_rank_0([&] {
        const RunOptions& options = known.options();
        record::Header header = make_header(known, clock, model);
        if (known.suspicions) require_same_inputs(*known.suspicions, header);
        const std::string folder = options.output.empty() ? default_folder() : options.output;
        session = std::make_unique<Session>(folder, options, std::move(header));
        require_checks_within_bound(*session, known.plan, options);
        if (!session->warning().empty()) remark("warning: {}", session->warning());
    });
    return session;
}

constexpr const char* remedy_of_operations =
    "All measurements are kept; this continues, without the operation that hangs or crashes:";
constexpr const char* remedy_of_generated_calls =
    "The report of the measurements is complete. The call counts only if it fails alone, which "
    "this "
    "tries:";

/// Notes operations that hang or crash in the folder of the session. Collective.
void watch_folder(const Session* session, const std::string& folder_of_scales,
                  const char* words = remedy_of_operations) {
    std::string folder, remedy;
    if (session != nullptr) {
        folder = session->folder();
        remedy = fmt::format("{}\n  {}", words,
                             resume_command(session->header(),
                                            folder_of_scales.empty() ? folder : folder_of_scales));
    }
    folder = broadcast(folder);
    note_incidents_in(folder, broadcast(remedy));
}

/// Returns what the check behind the measurements is lent. Collective.
AfterMeasuring::Lent lent_by(const RunOptions& options, Session* session) {
    record::GeneratedCalls state;
    std::optional<record::Incident> incident;
    AfterMeasuring::Lent lent{.options = options, .so_far = {}, .ended_by = {}, .keep = {}};
    if (session != nullptr) {
        state = session->audit().generated_calls.value_or(
            record::GeneratedCalls{.seed = session->header().order_seed()});
        incident = session->call_incident();
        lent.keep = [session](const record::GeneratedCalls& found) { session->add(found); };
    }
    lent.so_far = from_rank_0(state);
    lent.ended_by = from_rank_0(incident);
    return lent;
}

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

/// Sets the heap as --heap says.
void set_heap(HeapChoice heap) {
    if (heap != HeapChoice::free) set_heap(heap == HeapChoice::young ? Heap::young : Heap::grown);
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
