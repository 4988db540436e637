// SPDX-License-Identifier: BSD-3-Clause
// lent_by() of audit/steps.h.
#include "audit/steps.h"
#include "mpi/texts.h"

namespace mpiaudit {

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

}  // namespace mpiaudit
