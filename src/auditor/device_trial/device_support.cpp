// SPDX-License-Identifier: BSD-3-Clause
#include "device_trial/device_support.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "collectives/patterns/node_communicators.h"
#include "device/device.h"
#include "messages/messages.h"
#include "mpi/environment.h"
#include "mpi/library_algorithms.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "operations/functions_by_name.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

constexpr const char* cuda_queries[] = {"MPIX_Query_cuda_support"};
// {Open MPI, MPICH}
constexpr const char* hip_queries[] = {"MPIX_Query_rocm_support", "MPIX_Query_hip_support"};

/// The key of MPI 4.1 whose value lists memory kinds: "mpi,system,cuda:device".
constexpr const char* kinds_key = "mpi_memory_alloc_kinds";

/// A control variable that tells whether the library supports buffers of a vendor.
struct TellingVariable {
    const char* name;
    bool is_of_cuda, is_of_hip;
    bool can_say_yes;  ///< if false, only the value 0 says something
};
// Open MPI's variables say what was built; MPICH's variable says what is switched on.
constexpr std::array telling_variables = {
    TellingVariable{"opal_built_with_cuda_support", true, false, true},
    TellingVariable{"opal_built_with_rocm_support", false, true, true},
    TellingVariable{"MPIR_CVAR_ENABLE_GPU", true, true, false},
};

/// Returns the value of the key for MPI_COMM_WORLD; empty if the library does not have the key.
std::string memory_kinds_of_library() {
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    MPI_Info info = MPI_INFO_NULL;
    if (MPI_Comm_get_info(MPI_COMM_WORLD, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return "";
    int is_there = 0;
    MPI_Info_get(info, kinds_key, MPI_MAX_INFO_VAL, value.data(), &is_there);
    MPI_Info_free(&info);
    return is_there != 0 ? value.data() : "";
}

/// Returns whether the list has the kind, with or without restrictions: "cuda" or "cuda:device".
bool lists(std::string_view kinds, std::string_view wanted) {
    while (!kinds.empty()) {
        const std::string_view kind = kinds.substr(0, kinds.find(','));
        if (kind.substr(0, kind.find(':')) == wanted) return true;
        kinds.remove_prefix(std::min(kinds.size(), kind.size() + 1));
    }
    return false;
}

}  // namespace

KnownSupport support_by_variables(const ControlVariables& variables, MemoryKind kind) {
    for (const TellingVariable& each : telling_variables) {
        const auto found = variables.find(each.name);
        const bool is_of_kind = kind == MemoryKind::hip ? each.is_of_hip : each.is_of_cuda;
        if (found == variables.end() || !is_of_kind) continue;
        const bool is_off = found->second.value == "0";
        if (is_off || each.can_say_yes)
            return {is_off ? Support::no : Support::yes,
                    fmt::format("the variable {} is {}", each.name, found->second.value)};
    }
    return {};
}

KnownSupport support_of_library(MemoryKind kind) {
    if (kind == MemoryKind::host) return {Support::yes, ""};
    const bool is_hip = kind == MemoryKind::hip;
    const std::string kinds = memory_kinds_of_library();
    if (lists(kinds, is_hip ? "rocm" : "cuda"))
        return {Support::yes, fmt::format("{} is \"{}\"", kinds_key, kinds)};
    const auto queries = is_hip ? std::span<const char* const>(hip_queries)
                                : std::span<const char* const>(cuda_queries);
    for (const char* query : queries) {
        const auto function = reinterpret_cast<int (*)()>(function_by_name(query));
        if (function == nullptr) continue;
        const int answer = function();
        return {answer != 0 ? Support::yes : Support::no,
                fmt::format("{}() returns {}", query, answer)};
    }
    if (!kinds.empty()) return {Support::no, fmt::format("{} is \"{}\"", kinds_key, kinds)};
    return support_by_variables(control_variables(), kind);
}

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
