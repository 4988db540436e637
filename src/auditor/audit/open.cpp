// SPDX-License-Identifier: BSD-3-Clause
// OpenAudit of audit/steps.h.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "audit/confirmation.h"
#include "audit/steps.h"
#include "cost/prediction.h"
#include "device_trial/device_support.h"
#include "machine/machine.h"
#include "measure/measurement.h"
#include "mpi/incident.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "simulation/simulation.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

constexpr const char* remedy_of_operations =
    "All measurements are kept; this continues, without the operation that hangs or crashes:";

/// Sets the heap as --heap says.
void set_heap(HeapChoice heap) {
    if (heap != HeapChoice::free) set_heap(heap == HeapChoice::young ? Heap::young : Heap::grown);
}

/// Makes this process ready to measure. Returns the watchdog of this audit; null if the launch has
/// one. Collective.
std::unique_ptr<Watchdog> own_watchdog_of(const RunOptions& options, const Watchdog* of_launch) {
    use_devices(*options.memory_kind);
    simulation::limit_attempts(options.hang_limit_s(), options.budget_s());
    std::unique_ptr<Watchdog> own;
    if (of_launch == nullptr)
        own = std::make_unique<Watchdog>(options.hang_limit_s(), exit_hang, audited_ranks());
    set_heap(options.heap);
    return own;
}

/// Throws UsageError if a resumed session has planned more checks than the number by which the
/// first session divided alpha.
void require_checks_within_bound(const Session& session, int needed) {
    const int bound = session.header().rule.checks;
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
        const int checks = header.rule.checks;
        session = std::make_unique<Session>(folder, options, std::move(header));
        require_checks_within_bound(*session, checks);
        if (!session->warning().empty()) remark("warning: {}", session->warning());
    });
    return session;
}

/// Numbers that all sessions of an audit share.
struct SharedNumbers {
    std::uint64_t order_seed = 0;
    int checks = 1;  ///< alpha is divided by this number
};

/// Collective. \param session null on all ranks but rank 0
Protocol protocol_of(const Circumstances& known, AuditClock& clock, const Session* session) {
    const Surroundings& around = known.around;
    const auto shared = from_rank_0(
        session ? SharedNumbers{session->header().order_seed(), session->header().rule.checks}
                : SharedNumbers{});
    return {.options = known.options(),
            .comm = audited_ranks(),
            .global_clock = clock.global ? &*clock.global : nullptr,
            .rule = known.options().rule(shared.checks),
            .order_seed = shared.order_seed,
            .network = around.network.get(),
            .arrivals = around.arrivals ? &*around.arrivals : nullptr,
            .rotation = rotation(known.options().buffers, around.memory_bytes, around.machine)};
}

}  // namespace

OpenAudit::OpenAudit(const Circumstances& circumstances, Watchdog* of_launch)
    : known{circumstances},
      own_watchdog{own_watchdog_of(known.options(), of_launch)},
      watchdog{own_watchdog ? *own_watchdog : *of_launch},
      clock{*known.options().clock, known.options().sync},
      session{open_session(known, clock)},
      protocol{protocol_of(known, clock, session.get())} {
    watch_folder(*this, remedy_of_operations);
    if (session)
        watchdog.set_report([folder = session->folder()] { return report_what_is_kept(folder); });
    if (options().shared_buffers) simulation::leave_data_out();
}

void watch_folder(const OpenAudit& opened, const char* remedy) {
    std::string folder, command;
    if (opened.session) {
        folder = opened.session->folder();
        const std::string& above = opened.options().folder_of_scales;
        command =
            fmt::format("{}\n  {}", remedy,
                        resume_command(opened.session->header(), above.empty() ? folder : above));
    }
    folder = broadcast(folder);
    note_incidents_in(folder, broadcast(command));
}

}  // namespace mpiaudit
