// SPDX-License-Identifier: BSD-3-Clause
#include "options/protocols.h"

#include <algorithm>
#include <iterator>

#include "options/recorded_options.h"

namespace mpiaudit {
namespace {

std::span<const NamedProtocol>& joined() {
    static std::span<const NamedProtocol> protocols;
    return protocols;
}

}  // namespace

void join_protocols(std::span<const NamedProtocol> protocols) {
    joined() = protocols;
}

std::vector<std::string> protocol_names() {
    std::vector<std::string> names = {"none"};
    std::ranges::transform(joined(), std::back_inserter(names), &NamedProtocol::name);
    return names;
}

void settle_protocol(RunOptions& run) {
    const auto protocol = std::ranges::find(joined(), run.protocol, &NamedProtocol::name);
    if (protocol == joined().end()) return;
    OptionValues options = protocol->options();
    const bool has_own_guidelines = run.is_given("guidelines");
    const bool needs_rounds =
        (run.is_given("judge") && run.criterion == judge::Criterion::evidence) ||
        run.is_given("sync") || run.is_given("arrivals");
    std::erase_if(options, [&](const NamedOption& each) {
        const bool is_of_rounds = each.name == "in-a-row" && needs_rounds;
        return run.is_given(each.name) || is_of_rounds ||
               (each.name == "only" && has_own_guidelines);
    });
    take_audit_options(run, options);
    for (const NamedOption& each : options) run.given.insert(each.name);
}

}  // namespace mpiaudit
