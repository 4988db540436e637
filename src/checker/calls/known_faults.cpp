// SPDX-License-Identifier: BSD-3-Clause
#include "calls/known_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "calls/sizes.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit::calls {
namespace {

KnownFault known_fault(const library_faults::Fault& fault) {
    KnownFault made{.ends_launch = fault.ends_launch,
                    .least_ranks = fault.least_ranks,
                    .most_ranks = fault.most_ranks,
                    .most_periodic_ranks = fault.most_periodic_ranks};
    for (const auto& [property, values] : fault.when) {
        const std::size_t place = place_of_property(property);
        for (const std::string& value : values) {
            const ChosenCall call = parse_call(fmt::format("{}={}", property, value));
            made.values[place].push_back(call.values[place]);
        }
    }
    if (!made.has(parse_call(fault.call), fault.call_ranks))
        throw make_invalid_argument("call: '{}' on {} ranks does not meet the conditions",
                                    fault.call, fault.call_ranks);
    return made;
}

bool is_small(std::optional<int> limit, std::optional<int> size) {
    return !limit || (size && *size <= *limit);
}

}  // namespace

bool KnownFault::has(const ChosenCall& call, int ranks) const {
    // Another call of the same operation is pending.
    if (call.meanwhile() == Meanwhile::same_operation ||
        call.meanwhile() == Meanwhile::same_on_duplicate) {
        ChosenCall pending = call;
        pending[Property::start] = static_cast<std::uint8_t>(CallStart::nonblocking);
        pending[Property::meanwhile] = 0;
        if (has(pending, ranks)) return true;
    }
    for (std::size_t property = 0; property < property_count; ++property)
        if (!values[property].empty() && !is_among(values[property], call.values[property]))
            return false;
    const int fewest = fewest_ranks(call.communicator(), ranks);
    return fewest >= least_ranks.value_or(0) && is_small(most_ranks, fewest) &&
           is_small(most_periodic_ranks, shortest_periodic(call.communicator(), ranks));
}

ChosenCall KnownFault::simplest_like(const ChosenCall& call) const {
    ChosenCall simplest;
    simplest[Property::operation] = call[Property::operation];
    for (std::size_t property = 0; property < property_count; ++property) {
        const auto& own = values[property];
        if (own.empty()) continue;
        const bool is_of_call = is_among(own, call.values[property]);
        simplest.values[property] = is_of_call ? call.values[property] : own.front();
    }
    // The communicator decides how many ranks it has.
    const bool is_limited = least_ranks || most_ranks || most_periodic_ranks;
    if (is_limited && values[static_cast<std::size_t>(Property::communicator)].empty())
        simplest[Property::communicator] = call[Property::communicator];
    return simplest;
}

std::vector<KnownFault> known_faults_of(const std::string& library,
                                        const library_faults::File& file) {
    std::vector<KnownFault> found;
    for (const library_faults::Fault& each : library_faults::read(file)) {
        const KnownFault fault = in_file(each.place, [&] { return known_fault(each); });
        if (each.is_of(library)) found.push_back(fault);
    }
    return found;
}

std::vector<KnownFault> known_faults_of(const std::string& library) {
    return known_faults_of(library, library_faults::shipped());
}

}  // namespace mpiaudit::calls
