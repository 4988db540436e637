// SPDX-License-Identifier: BSD-3-Clause
// check_library() of audit/steps.h.
#include "audit/steps.h"
#include "mpi/incident.h"
#include "mpi/texts.h"

namespace mpiaudit {
namespace {

constexpr const char* remedy_of_generated_calls =
    "The report of the measurements is complete. The call counts only if it fails alone, which "
    "this "
    "tries:";

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

}  // namespace

int check_library(OpenAudit& opened) {
    watch_folder(opened, remedy_of_generated_calls);
    incident::end_crashes_with(exit_interrupted);
    const Activity activity("checking generated calls");
    return opened.known.joined.after_measuring.run(lent_by(opened.options(), opened.session.get()));
}

}  // namespace mpiaudit
