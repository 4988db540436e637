// SPDX-License-Identifier: BSD-3-Clause
#include "repair/tuned_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "text/plain.h"

namespace mpiaudit::repair {
namespace {

/// What is compared, in bytes. Nothing where it differs between ranks: they read counts that do not
/// count, such as those of MPI_Gather at a root in place, and then take different algorithms.
enum class TunedBy { nothing, vector, all_blocks, mean_block };

/// As the file numbers them. It has MPI_Alltoallw, MPI_Gatherv and MPI_Scatterv, too, and what it
/// says of them has no effect.
struct TunedCollective {
    std::string_view name;
    int number;
    TunedBy by = TunedBy::nothing;
};
constexpr std::array tuned_collectives = {
    TunedCollective{"MPI_Allgather", 0, TunedBy::all_blocks},
    TunedCollective{"MPI_Allgatherv", 1, TunedBy::mean_block},
    TunedCollective{"MPI_Allreduce", 2, TunedBy::vector},
    TunedCollective{"MPI_Alltoall", 3, TunedBy::all_blocks},
    TunedCollective{"MPI_Alltoallv", 4},
    TunedCollective{"MPI_Barrier", 6},
    TunedCollective{"MPI_Bcast", 7, TunedBy::vector},
    TunedCollective{"MPI_Exscan", 8},
    TunedCollective{"MPI_Gather", 9},
    TunedCollective{"MPI_Reduce", 11},
    TunedCollective{"MPI_Reduce_scatter", 12},
    TunedCollective{"MPI_Reduce_scatter_block", 13},
    TunedCollective{"MPI_Scan", 14},
    TunedCollective{"MPI_Scatter", 15},
};

const TunedCollective* find_tuned(std::string_view name) {
    const auto found = std::ranges::find(tuned_collectives, name, &TunedCollective::name);
    return found == tuned_collectives.end() ? nullptr : &*found;
}

/// "SIZE ALGORITHM 0 0" for each size from which another algorithm is taken; 0 is the library's own
/// choice.
std::string messages_of(const std::vector<SelectedAlgorithm>& selected) {
    std::map<std::int64_t, int> from = {{0, 0}};
    for (const SelectedAlgorithm& each : selected) {
        from[each.from] = each.number;
        if (each.to < any_size) from.emplace(each.to + 1, 0);
    }
    std::string text = fmt::format("{}", from.size());
    if (selected.empty()) return text + "\n0 0 0 0\n";
    text += " # ranks\n";
    for (const auto& [size, number] : from) text += fmt::format("{} {} 0 0\n", size, number);
    return text;
}

/// An entry of the file holds from its number of ranks up to the next one's, and the first one for
/// fewer ranks, too.
std::string by_ranks(const std::map<int, std::vector<SelectedAlgorithm>>& selected) {
    std::map<int, std::string> entries = {{0, messages_of({})}};
    for (const auto& [ranks, algorithms] : selected) entries[ranks] = messages_of(algorithms);
    for (const auto& [ranks, algorithms] : selected) entries.emplace(ranks + 1, messages_of({}));
    std::string text = fmt::format("{}\n", entries.size());
    for (const auto& [ranks, entry] : entries) text += fmt::format("{} {}", ranks, entry);
    return text;
}

using Selections = std::map<std::string, std::map<int, std::vector<SelectedAlgorithm>>>;

/// In JSON; the limits of sizes are among the sizes.
std::string rules_of_version_3(const Selections& collectives) {
    std::string all;
    for (const auto& [name, selected] : collectives) {
        std::string key(without_mpi(name));
        key[0] = static_cast<char>(key[0] + 'a' - 'A');
        std::string sizes;
        for (const auto& [ranks, algorithms] : selected) {
            std::string rules;
            for (const SelectedAlgorithm& each : algorithms) {
                const std::string to = each.to < any_size ? std::to_string(each.to) : "\"inf\"";
                rules +=
                    fmt::format("{}{{\"msg_size_min\": {}, \"msg_size_max\": {}, \"alg\": \"{}\"}}",
                                rules.empty() ? "" : ", ", each.from, to, each.algorithm);
            }
            sizes += fmt::format(
                "{}\n  {{\"comm_size_min\": {}, \"comm_size_max\": {}, \"rules\": [{}]}}",
                sizes.empty() ? "" : ",", ranks, ranks, rules);
        }
        all += fmt::format("{}\n \"{}\": [{}]", all.empty() ? "" : ",", key, sizes);
    }
    return fmt::format(
        "{{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {{{}}}}}\n", all);
}

}  // namespace

bool has_tuned_rules(const std::string& library, const std::string& collective) {
    constexpr std::array<std::string_view, 3> tried = {"Open MPI v4.1", "Open MPI v5.0",
                                                       "Open MPI v6.0"};
    return std::ranges::any_of(tried, [&](auto each) { return library.starts_with(each); }) &&
           find_tuned(collective) != nullptr;
}

std::optional<std::int64_t> tuned_size(const std::string& collective, std::int64_t bytes,
                                       int ranks) {
    const TunedCollective* const tuned = find_tuned(collective);
    if (tuned == nullptr || tuned->by == TunedBy::nothing) return std::nullopt;
    if (tuned->by == TunedBy::all_blocks) return bytes * ranks;
    return tuned->by == TunedBy::mean_block ? bytes / ranks : bytes;
}

std::string tuned_rules_file(const std::vector<Setting>& settings, const std::string& library) {
    Selections collectives;
    for (const Setting& each : settings) {
        if (each.file == SelectionFile::tuned_rules)
            collectives[each.collective][each.ranks] = each.selected;
    }
    if (library.starts_with("Open MPI v6")) return rules_of_version_3(collectives);
    std::string text = fmt::format("{} # collectives\n", collectives.size());
    for (const auto& [name, selected] : collectives)
        text += fmt::format("{} # {}\n{}", find_tuned(name)->number, name, by_ranks(selected));
    return text;
}

}  // namespace mpiaudit::repair
