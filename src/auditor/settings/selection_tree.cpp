// SPDX-License-Identifier: BSD-3-Clause
#include "settings/selection_tree.h"

#include <link.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>

#include "text/plain.h"

namespace mpiaudit::settings {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view of_collective = "collective=", of_algorithm = "algorithm=";

int add_mpich(dl_phdr_info* object, std::size_t, void* data) {
    const std::string_view path = object->dlpi_name;
    if (path.substr(path.rfind('/') + 1).starts_with("libmpich.so"))
        *static_cast<std::string*>(data) = path;
    return 0;
}

/// Returns collective=bcast for MPI_Bcast.
std::string key_of(const std::string& collective) {
    return lower_case(std::string(of_collective) + std::string(without_mpi(collective)));
}

/// Returns binomial for algorithm=MPIR_Bcast_intra_binomial, and nb for
/// algorithm=MPIR_Bcast_allcomm_nb.
std::string algorithm_of(std::string_view key) {
    for (const std::string_view kind : {"_intra_", "_allcomm_"}) {
        const std::size_t at = key.find(kind);
        if (at != key.npos) return std::string(key.substr(at + kind.size()));
    }
    return std::string(key.substr(of_algorithm.size()));
}

/// Returns the size in bytes that a condition about this key compares; nullopt for other keys.
std::optional<std::int64_t> compared(std::string_view key, const Call& call) {
    const bool is_of_blocks = call.collective == "MPI_Alltoall";
    if (key == "comm_size") return call.ranks;
    if (key == "avg_msg_size")
        return is_of_blocks ? call.total_bytes / call.ranks : call.total_bytes;
    // MPI_Gather and MPI_Scatter compare numbers of elements here.
    const bool counts_elements =
        call.collective == "MPI_Gather" || call.collective == "MPI_Scatter";
    if (key == "total_msg_size")
        return counts_elements ? call.total_bytes / call.element_bytes : call.total_bytes;
    if (key == "count")
        return (is_of_blocks ? call.total_bytes / call.ranks : call.total_bytes) /
               call.element_bytes;
    return std::nullopt;
}

/// A condition of the tree: a key, an operator and a value.
struct Condition {
    std::string_view key, comparison, value;
    explicit Condition(std::string_view text) {
        const std::size_t at = std::min(text.find_first_of("<="), text.size());
        const std::size_t end = text.substr(at).starts_with("<=") ? at + 2 : at + 1;
        key = text.substr(0, at);
        comparison = text.substr(at, end - at);
        value = text.substr(std::min(end, text.size()));
    }
    std::optional<std::int64_t> number(int ranks) const {
        if (value == "pow2") return std::bit_floor(static_cast<unsigned>(ranks));
        std::int64_t read = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), read);
        if (error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
        return read;
    }
    /// Returns whether the condition holds for a call; nullopt if the call does not tell.
    std::optional<bool> holds(const Call& call) const {
        if (value == "any") return true;
        if (key == "comm_type") return value == "intra";
        const auto size = compared(key, call);
        if (!size) return std::nullopt;
        if (value == "pow2" && comparison == "=")
            return std::has_single_bit(static_cast<unsigned>(call.ranks));
        const auto limit = number(call.ranks);
        if (!limit) return std::nullopt;
        if (comparison == "=") return *size == *limit;
        return comparison == "<=" ? *size <= *limit : *size < *limit;
    }
};

void add_limits(const Json& node, const std::string& collective, int ranks,
                std::set<std::int64_t>& limits) {
    for (const auto& [text, branch] : node.items()) {
        const Condition condition(text);
        const auto limit = condition.number(ranks);
        if (condition.key.ends_with("msg_size") && limit) {
            const bool is_of_blocks =
                collective == "MPI_Alltoall" && condition.key == "avg_msg_size";
            limits.insert(is_of_blocks ? *limit * ranks : *limit);
        }
        add_limits(branch, collective, ranks, limits);
    }
}

}  // namespace

std::optional<std::string> own_selection() {
    std::string path;
    dl_iterate_phdr(add_mpich, &path);
    if (path.empty()) return std::nullopt;
    std::ifstream file{path, std::ios::binary};
    const std::string library{std::istreambuf_iterator<char>(file), {}};
    // Texts end with a zero byte. The tree of the general algorithms is the one with nonblocking
    // collectives.
    constexpr std::string_view begin = "{\"collective=";
    for (std::size_t at = library.find(begin); at != library.npos;
         at = library.find(begin, at + 1)) {
        const std::string text = library.substr(at, library.find('\0', at) - at);
        if (text.find("\"collective=iallreduce\"") != text.npos && Json::accept(text)) return text;
    }
    return std::nullopt;
}

SelectionTree::SelectionTree(const std::string& text) {
    Json tree = Json::parse(text, nullptr, false);
    if (tree.is_discarded() || !tree.is_object())
        throw std::invalid_argument("it is no JSON object");
    for (const auto& [key, branch] : tree.items()) {
        if (!key.starts_with(of_collective))
            throw std::invalid_argument("its key '" + plain_line(key) +
                                        "' does not begin with collective=");
    }
    tree_ = std::make_shared<const Json>(std::move(tree));
}

std::vector<std::string> SelectionTree::collectives() const {
    std::vector<std::string> names;
    for (const auto& [key, branch] : tree_->items()) {
        std::string name = "MPI_" + key.substr(of_collective.size());
        if (name.size() > 4) name[4] = static_cast<char>(std::toupper(name[4]));
        names.push_back(std::move(name));
    }
    return names;
}

std::string SelectionTree::choice(const Call& call) const {
    const auto own = tree_->find(key_of(call.collective));
    const Json* node = own == tree_->end() ? nullptr : &*own;
    while (node != nullptr && node->is_object()) {
        const Json* next = nullptr;
        for (const auto& [text, branch] : node->items()) {
            if (text.starts_with(of_algorithm)) return algorithm_of(text);
            const std::optional<bool> holds = Condition(text).holds(call);
            if (!holds) return node->dump();
            if (!*holds) continue;
            next = &branch;
            break;
        }
        node = next;
    }
    return "";
}

std::vector<std::int64_t> SelectionTree::limits(const std::string& collective, int ranks) const {
    std::set<std::int64_t> limits;
    const auto own = tree_->find(key_of(collective));
    if (own != tree_->end()) add_limits(*own, collective, ranks, limits);
    return {limits.begin(), limits.end()};
}

}  // namespace mpiaudit::settings
