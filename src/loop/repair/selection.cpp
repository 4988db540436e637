// SPDX-License-Identifier: BSD-3-Clause
#include "repair/selection.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <map>
#include <stdexcept>
#include <string_view>

#include "text/plain.h"

namespace mpiaudit::repair {
namespace {

using Json = nlohmann::ordered_json;

/// Sizes that MPICH compares and that all ranks know. At MPI_Gather and MPI_Scatter, ranks may read
/// different sizes (nothing).
enum class SelectedBy { nothing, vector_or_block, all_blocks };

struct SelectableCollective {
    std::string_view name;
    SelectedBy by;
    /// JSON condition of calls that the algorithms accept, and its complement; empty if they accept
    /// all calls. MPICH aborts on any other key.
    std::string_view taken = {}, left = {};
};
constexpr std::array selectable_collectives = {
    SelectableCollective{"MPI_Bcast", SelectedBy::vector_or_block},
    // User-defined operators may be non-commutative.
    SelectableCollective{"MPI_Allreduce", SelectedBy::vector_or_block, "is_op_built_in=yes",
                         "is_op_built_in=no"},
    SelectableCollective{"MPI_Reduce", SelectedBy::vector_or_block, "is_op_built_in=yes",
                         "is_op_built_in=no"},
    SelectableCollective{"MPI_Alltoall", SelectedBy::vector_or_block, "is_sendbuf_inplace=no",
                         "is_sendbuf_inplace=yes"},
    SelectableCollective{"MPI_Allgather", SelectedBy::all_blocks},
    SelectableCollective{"MPI_Reduce_scatter_block", SelectedBy::all_blocks, "is_commutative=yes",
                         "is_commutative=no"},
    SelectableCollective{"MPI_Allgatherv", SelectedBy::nothing},
    SelectableCollective{"MPI_Alltoallv", SelectedBy::nothing, "is_sendbuf_inplace=no",
                         "is_sendbuf_inplace=yes"},
    SelectableCollective{"MPI_Alltoallw", SelectedBy::nothing, "is_sendbuf_inplace=no",
                         "is_sendbuf_inplace=yes"},
    SelectableCollective{"MPI_Barrier", SelectedBy::nothing},
    SelectableCollective{"MPI_Gather", SelectedBy::nothing},
    SelectableCollective{"MPI_Reduce_scatter", SelectedBy::nothing, "is_commutative=yes",
                         "is_commutative=no"},
    SelectableCollective{"MPI_Scan", SelectedBy::nothing},
    SelectableCollective{"MPI_Scatter", SelectedBy::nothing},
};

const SelectableCollective* find_selectable(std::string_view name) {
    const auto found = std::ranges::find(selectable_collectives, name, &SelectableCollective::name);
    return found == selectable_collectives.end() ? nullptr : &*found;
}

Json algorithm_node(const std::string& collective, const std::string& algorithm) {
    const std::string kind = algorithm == "nb" ? "allcomm" : "intra";
    return Json::object(
        {{fmt::format("algorithm=MPIR_{}_{}_{}", without_mpi(collective), kind, algorithm),
          Json::object()}});
}

/// Returns the algorithm for calls that it accepts, and the library's own choice for others.
Json guarded(const SelectableCollective& collective, const std::string& algorithm,
             const Json& own) {
    Json node = algorithm_node(std::string(collective.name), algorithm);
    if (collective.taken.empty()) return node;
    if (algorithm.find("reduce_scatter") != algorithm.npos)
        node = Json::object({{"count<pow2", own}, {"count=any", node}});
    return Json::object(
        {{std::string(collective.taken), node}, {std::string(collective.left), own}});
}

/// Returns the part of a selection file for one collective: the selected algorithm for each range
/// of sizes, and the library's own choice elsewhere.
Json by_size(const SelectableCollective& collective, const Setting& setting, const Json& own) {
    const SelectedAlgorithm& first = setting.selected.front();
    if (first.from == 0 && first.to == any_size) return guarded(collective, first.algorithm, own);
    const bool is_of_all_blocks = collective.by == SelectedBy::all_blocks;
    const std::string size = is_of_all_blocks ? "total_msg_size" : "avg_msg_size";
    Json node = Json::object();
    for (const SelectedAlgorithm& each : setting.selected) {
        // Sizes below `from` keep the preceding range's algorithm if that range ends there, else
        // the library's own.
        if (each.from > 0) {
            const std::string below = fmt::format("{}<={}", size, each.from - 1);
            if (!node.contains(below)) node[below] = own;
        }
        node[fmt::format("{}<={}", size, each.to)] = guarded(collective, each.algorithm, own);
    }
    node[size + "=any"] = own;
    return node;
}

}  // namespace

std::optional<std::int64_t> selection_size(const std::string& collective, std::int64_t bytes,
                                           int ranks) {
    const SelectableCollective* const found = find_selectable(collective);
    if (found == nullptr || found->by == SelectedBy::nothing) return std::nullopt;
    return found->by == SelectedBy::all_blocks ? bytes * ranks : bytes;
}

bool is_selectable(const std::string& collective, const std::string& algorithm, int ranks) {
    const bool needs_power_of_two =
        (collective.starts_with("MPI_Allgather") && algorithm == "recursive_doubling") ||
        (collective == "MPI_Bcast" && algorithm == "scatter_recursive_doubling_allgather");
    // These algorithms need a parameter without which MPICH hangs, and which an audit does not
    // know.
    const bool needs_width = algorithm.starts_with("k_") || algorithm.starts_with("recexch") ||
                             algorithm.ends_with("tree");
    return find_selectable(collective) != nullptr && !needs_width && algorithm != "auto" &&
           algorithm != "smp" && algorithm != "pairwise_sendrecv_replace" &&
           algorithm != "noncommutative" &&
           (!needs_power_of_two || std::has_single_bit(static_cast<unsigned>(ranks)));
}

std::string selection_file(const std::string& own, const std::vector<Setting>& settings) {
    Json tree = Json::parse(own);
    std::map<std::string, std::map<int, const Setting*>> collectives;
    for (const Setting& each : settings) {
        if (each.file == SelectionFile::selection) collectives[each.collective][each.ranks] = &each;
    }
    for (const auto& [name, settings_of] : collectives) {
        std::string key = "collective=" + std::string(without_mpi(name));
        for (char& letter : key) letter = static_cast<char>(std::tolower(letter));
        if (!tree.contains(key) || !tree[key].contains("comm_type=intra"))
            throw std::invalid_argument("the library's own selection has no branch " + key);
        Json& branch = tree[key]["comm_type=intra"];
        const Json own_branch = branch;
        branch = Json::object();
        // MPICH takes the first branch whose condition is true.
        for (const auto& [ranks, setting] : settings_of) {
            const std::string fewer = fmt::format("comm_size<={}", ranks - 1);
            if (!branch.contains(fewer)) branch[fewer] = own_branch;
            branch[fmt::format("comm_size<={}", ranks)] =
                by_size(*find_selectable(name), *setting, own_branch);
        }
        branch["comm_size=any"] = own_branch;
    }
    return tree.dump(1) + "\n";
}

namespace {

/// The size in bytes that coll/tuned compares with the sizes of a file.
enum class Compared {
    vector,      ///< the vector
    all_blocks,  ///< all blocks together
    mean_block,  ///< the mean of all blocks
    nothing,     ///< always 0: only the first size of a file can act
};

/// A collective whose algorithms a file of coll/tuned chooses.
struct TunedCollective {
    std::string_view name;  ///< MPI_Bcast
    int number;             ///< in files of the form before JSON
    Compared compared = Compared::nothing;
    /// False if ranks compare different sizes, such as MPI_Gather at a root in place, and would
    /// take different algorithms.
    bool is_known_to_all = false;
};

constexpr std::array tuned_collectives = {
    TunedCollective{"MPI_Allgather", 0, Compared::all_blocks, true},
    TunedCollective{"MPI_Allgatherv", 1, Compared::mean_block, true},
    TunedCollective{"MPI_Allreduce", 2, Compared::vector, true},
    TunedCollective{"MPI_Alltoall", 3, Compared::all_blocks, true},
    TunedCollective{"MPI_Alltoallv", 4},
    TunedCollective{"MPI_Barrier", 6},
    TunedCollective{"MPI_Bcast", 7, Compared::vector, true},
    TunedCollective{"MPI_Exscan", 8},
    TunedCollective{"MPI_Gather", 9, Compared::all_blocks},
    TunedCollective{"MPI_Reduce", 11, Compared::vector},
    TunedCollective{"MPI_Reduce_scatter", 12, Compared::all_blocks},
    TunedCollective{"MPI_Reduce_scatter_block", 13, Compared::all_blocks},
    TunedCollective{"MPI_Scan", 14},
    TunedCollective{"MPI_Scatter", 15, Compared::all_blocks},
};

/// Returns the collective if files choose its algorithms, else null.
const TunedCollective* tuned(std::string_view collective) {
    return find_in(tuned_collectives, collective, &TunedCollective::name);
}

/// Returns lines "SIZE ALGORITHM 0 0", one for each size from which on another algorithm is used; 0
/// is the library's own choice.
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

/// Returns the entries of all numbers of ranks. An entry holds from its number of ranks to that of
/// the next entry; the first entry also holds for fewer ranks.
std::string by_ranks(const std::map<int, std::vector<SelectedAlgorithm>>& selected) {
    std::map<int, std::string> entries = {{0, messages_of({})}};
    for (const auto& [ranks, algorithms] : selected) entries[ranks] = messages_of(algorithms);
    for (const auto& [ranks, algorithms] : selected) entries.emplace(ranks + 1, messages_of({}));
    std::string text = fmt::format("{}\n", entries.size());
    for (const auto& [ranks, entry] : entries) text += fmt::format("{} {}", ranks, entry);
    return text;
}

using Selections = std::map<std::string, std::map<int, std::vector<SelectedAlgorithm>>>;

/// Returns the file in JSON for Open MPI 6.0; both limits of sizes are included.
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
           tuned(collective) != nullptr;
}

std::optional<std::int64_t> tuned_size(const std::string& collective, std::int64_t bytes,
                                       int ranks) {
    const TunedCollective* const found = tuned(collective);
    if (found == nullptr || !found->is_known_to_all) return std::nullopt;
    if (found->compared == Compared::all_blocks) return bytes * ranks;
    // The bytes of an MPI_Allgatherv are those of all blocks.
    return found->compared == Compared::mean_block ? bytes / ranks : bytes;
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
        text += fmt::format("{} # {}\n{}", tuned(name)->number, name, by_ranks(selected));
    return text;
}

}  // namespace mpiaudit::repair
