// SPDX-License-Identifier: BSD-3-Clause
// The opening of an audit, declared in audit/steps.h.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "audit/confirmation.h"
#include "audit/steps.h"
#include "cost/prediction.h"
#include "measure/measurement.h"
#include "mpi/incident.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "simulation/simulation.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

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

}  // namespace

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

void watch_folder(const Session* session, const std::string& folder_of_scales, const char* words) {
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

void set_heap(HeapChoice heap) {
    if (heap != HeapChoice::free) set_heap(heap == HeapChoice::young ? Heap::young : Heap::grown);
}

}  // namespace mpiaudit
