// SPDX-License-Identifier: BSD-3-Clause
// support_of_library() of device.h.
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "device/device.h"

namespace mpiaudit::device {
namespace {

constexpr const char* cuda_queries[] = {"MPIX_Query_cuda_support"};
// The first name is that of Open MPI, the second one that of MPICH.
constexpr const char* hip_queries[] = {"MPIX_Query_rocm_support", "MPIX_Query_hip_support"};

/// The key of MPI 4.1 whose value lists memory kinds: "mpi,system,cuda:device".
constexpr const char* kinds_key = "mpi_memory_alloc_kinds";

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

KnownSupport support_of_library(MemoryKind kind) {
    if (kind == MemoryKind::host) return {Support::yes, ""};
    const bool is_hip = kind == MemoryKind::hip;
    const std::string kinds = memory_kinds_of_library();
    if (lists(kinds, is_hip ? "rocm" : "cuda"))
        return {Support::yes, fmt::format("{} is \"{}\"", kinds_key, kinds)};
    const auto queries = is_hip ? std::span<const char* const>(hip_queries)
                                : std::span<const char* const>(cuda_queries);
    for (const char* query : queries) {
        const auto function = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, query));
        if (function == nullptr) continue;
        const int answer = function();
        return {answer != 0 ? Support::yes : Support::no,
                fmt::format("{}() returns {}", query, answer)};
    }
    if (!kinds.empty()) return {Support::no, fmt::format("{} is \"{}\"", kinds_key, kinds)};
    return {};
}

}  // namespace mpiaudit::device
