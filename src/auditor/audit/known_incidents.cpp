// SPDX-License-Identifier: BSD-3-Clause
#include "audit/known_incidents.h"

#include <algorithm>
#include <optional>

#include "messages/under_test.h"
#include "mpi/texts.h"

namespace mpiaudit {

Incidents known_incidents(const Session* session) {
    std::vector<record::Incident> all;
    if (session != nullptr) all = session->audit().incidents;
    Incidents incidents;
    for (const record::Incident& each : from_rank_0(all))
        if (!each.is_unclear) incidents[each.problem].push_back({each.operation, each.what});
    return incidents;
}

std::vector<KnownIncident> forms_that_end_launches(const Session* session) {
    std::optional<record::GeneratedCalls> generated;
    if (session != nullptr) generated = session->audit().generated_calls;
    generated = from_rank_0(generated);
    std::vector<KnownIncident> forms;
    if (!generated) return forms;
    for (const record::CallFinding& each : generated->findings) {
        if (each.what.ends_launch() && each.conditions.empty())
            forms.push_back({each.form, each.what, parse_form(each.form)});
    }
    return forms;
}

Protocol with_trusted_barrier(Protocol protocol, const Session* session) {
    const auto is_of_barrier = [](const record::Incident& each) {
        return !each.is_unclear && each.operation == under_test::name_of_barrier;
    };
    protocol.avoids_native_barrier = from_rank_0(
        session != nullptr && std::ranges::any_of(session->audit().incidents, is_of_barrier));
    return protocol;
}

}  // namespace mpiaudit
