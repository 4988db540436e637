// SPDX-License-Identifier: BSD-3-Clause
#include "device_trial/device_support.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "mpi/library_algorithms.h"
#include "operations/functions_by_name.h"

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

}  // namespace mpiaudit
