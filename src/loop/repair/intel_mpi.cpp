// SPDX-License-Identifier: BSD-3-Clause
#include "repair/intel_mpi.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "text/mpi_name.h"

namespace mpiaudit::repair {
namespace {

/// Numbers of algorithms in the reference of Intel MPI 2019 and, for those that it leaves out, 4.1.
/// Later versions have more.
struct Adjustable {
    std::string_view name;
    int algorithms;
};
constexpr std::array adjustable = {
    Adjustable{"MPI_Allgather", 5},  Adjustable{"MPI_Allgatherv", 4},
    Adjustable{"MPI_Allreduce", 12}, Adjustable{"MPI_Alltoall", 4},
    Adjustable{"MPI_Alltoallv", 2},  Adjustable{"MPI_Bcast", 7},
    Adjustable{"MPI_Gather", 3},     Adjustable{"MPI_Gatherv", 3},
    Adjustable{"MPI_Reduce", 6},     Adjustable{"MPI_Reduce_scatter", 5},
    Adjustable{"MPI_Scatter", 3},    Adjustable{"MPI_Scatterv", 2},
};

constexpr int largest_size = 2147483647;

/// Whether all ranks of a call know its size. Of MPI_Gather and MPI_Scatter libraries have been
/// seen to read counts that do not count.
bool has_sizes(const std::string& collective) {
    return collective != "MPI_Gather" && collective != "MPI_Scatter" &&
           rules::find_collective(collective)->known != rules::Known::nothing;
}

/// 40-400@4-4 for each stretch of sizes on which something is faster.
std::vector<std::string> conditions_of(const std::string& collective,
                                       const std::vector<AuditedSize>& sizes, int ranks) {
    if (!has_sizes(collective)) return {fmt::format("0-{}@{}-{}", largest_size, ranks, ranks)};
    std::vector<std::string> conditions;
    for (std::size_t first = 0; first < sizes.size(); ++first) {
        if (sizes[first].faster.empty()) continue;
        std::size_t last = first;
        while (last + 1 < sizes.size() && !sizes[last + 1].faster.empty()) ++last;
        conditions.push_back(
            fmt::format("{}-{}@{}-{}", sizes[first].bytes, sizes[last].bytes, ranks, ranks));
        first = last;
    }
    return conditions;
}

}  // namespace

bool is_intel_mpi(const std::string& library) {
    return library.starts_with("Intel(R) MPI");
}

std::vector<Setting> intel_settings(const std::string& collective,
                                    const std::vector<AuditedSize>& sizes, int ranks) {
    const auto is = std::ranges::find(adjustable, collective, &Adjustable::name);
    if (is == adjustable.end()) return {};
    std::string variable = "I_MPI_ADJUST_" + std::string(without_mpi(collective));
    for (char& letter : variable) letter = static_cast<char>(std::toupper(letter));
    const std::vector<std::string> conditions = conditions_of(collective, sizes, ranks);
    std::vector<Setting> settings;
    for (int number = 1; number <= is->algorithms; ++number) {
        Setting setting{.collective = collective, .ranks = ranks};
        std::string value;
        for (const std::string& each : conditions)
            value += fmt::format("{}{}:{}", value.empty() ? "" : ";", number, each);
        setting.variables = {variable + "=" + value};
        setting.algorithms = fmt::format("its number {}", number);
        for (const AuditedSize& size : sizes) {
            if (size.faster.empty()) continue;
            setting.problems.push_back(size.problem->problem.id);
            double most_s = 0;
            for (const FasterWay& way : size.faster) most_s = std::max(most_s, way.saved_s);
            setting.saved_s += size.calls * most_s;
        }
        settings.push_back(std::move(setting));
    }
    return settings;
}

}  // namespace mpiaudit::repair
