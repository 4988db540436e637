// SPDX-License-Identifier: BSD-3-Clause
#include "device_trial/device_buffers.h"

#include <fmt/format.h>

#include <optional>

#include "collectives/patterns/node_communicators.h"
#include "device/device.h"
#include "device_trial/device_support.h"
#include "messages/messages.h"
#include "mpi/environment.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

/// Returns the kinds of both buffers, each once, without `host`.
std::vector<MemoryKind> kinds_of_devices(MemoryKinds kinds) {
    std::vector<MemoryKind> all;
    for (const MemoryKind each : {kinds.sent, kinds.received}) {
        if (each != MemoryKind::host && (all.empty() || all.front() != each)) all.push_back(each);
    }
    return all;
}

/// What the trial on the node of this rank has shown, on the first rank of the node.
KnownSupport& trial() {
    static KnownSupport answer;
    return answer;
}

std::string no_support(const std::string& kinds, const KnownSupport& support) {
    return fmt::format(
        "--memory-kind {}: {} does not support such buffers: {}; use a library that is built with "
        "support for the device, or give --memory-kind host",
        kinds, Environment::name_of_library(), support.source);
}

/// Returns why this rank cannot have buffers of these kinds; nullopt if it can.
std::optional<std::string> obstacle_on_this_rank(MemoryKinds kinds, int local_rank) {
    for (const MemoryKind each : kinds_of_devices(kinds)) {
        const KnownSupport support = support_of_library(each);
        if (support.answer == Support::no) return no_support(std::string(name(each)), support);
    }
    // A library that claims support can still crash. The trial comes first: a device may admit one
    // process only.
    if (local_rank == 0) trial() = support_by_trial(kinds);
    if (trial().answer == Support::no) return no_support(kinds.text(), trial());
    if (const auto reason = device::use(kinds.of_device(), local_rank))
        return fmt::format("--memory-kind {}: {}, or give --memory-kind host",
                           name(kinds.of_device()), *reason);
    return std::nullopt;
}

}  // namespace

void use_devices(MemoryKinds kinds) {
    if (kinds.are_host()) return;
    send_if_trial(kinds);
    const OwnedComm node = ranks_of_processor(audited_ranks());
    const auto obstacle = obstacle_on_this_rank(kinds, messages::rank_in(node.get()));
    if (const auto error = text_of_lowest_rank(obstacle, audited_ranks()))
        throw UsageError("{}", *error);
}

std::vector<std::string> device_warnings(MemoryKinds kinds) {
    std::vector<std::string> warnings;
    if (kinds.are_host()) return warnings;
    warnings.push_back(
        fmt::format("send buffers are in {} memory and receive buffers in {} memory "
                    "(--memory-kind); algorithms of mpiaudit that reduce work on copies on the "
                    "host, and their times include the copies",
                    name(kinds.sent), name(kinds.received)));
    for (const MemoryKind each : kinds_of_devices(kinds)) {
        if (trial().answer == Support::unknown &&
            support_of_library(each).answer == Support::unknown)
            warnings.push_back(fmt::format(
                "{} does not say whether it supports buffers in {} memory; if the first calls "
                "crash, it does not",
                Environment::name_of_library(), name(each)));
    }
    return warnings;
}

}  // namespace mpiaudit
