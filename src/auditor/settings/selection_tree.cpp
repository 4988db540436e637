// SPDX-License-Identifier: BSD-3-Clause
#include "settings/selection_tree.h"

#include <link.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "text/plain.h"

namespace mpiaudit::settings {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view of_collective = "collective=";

int add_mpich(dl_phdr_info* object, std::size_t, void* data) {
    const std::string_view path = object->dlpi_name;
    if (path.substr(path.rfind('/') + 1).starts_with("libmpich.so"))
        *static_cast<std::string*>(data) = path;
    return 0;
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

}  // namespace mpiaudit::settings
