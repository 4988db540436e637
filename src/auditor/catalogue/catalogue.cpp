// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/catalogue.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "catalogue/operation_arrows.h"

namespace mpiaudit {
namespace {

std::deque<Arrow> tables() {
    std::deque<Arrow> joined;
    for (const auto table : {operation_arrows, neighbor_arrows, local_arrows, composed_arrows,
                             first_half_arrows, call_arrows, communicator_arrows}) {
        for (Arrow& arrow : table()) joined.push_back(std::move(arrow));
    }
    for (Arrow& arrow : variant_arrows(joined)) joined.push_back(std::move(arrow));
    return joined;
}

/// A deque keeps pointers of paths to arrows valid when other arrows join.
std::deque<Arrow>& all_arrows() {
    static std::deque<Arrow> all = tables();
    return all;
}

std::set<std::string_view>& products() {
    static std::set<std::string_view> joined;
    return joined;
}

/// Arrows by name; rebuilt when arrows join or leave. An index is needed because each rank resolves
/// all guidelines, and a simulation has all ranks in one process.
struct Index {
    std::unordered_map<std::string_view, std::vector<const Arrow*>> by_name;
    std::vector<const Arrow*> silent;
};
Index& kept_index() {
    static Index index;
    return index;
}
const Index& index() {
    Index& index = kept_index();
    if (!index.by_name.empty()) return index;
    for (const Arrow& arrow : all_arrows()) {
        index.by_name[arrow.name].push_back(&arrow);
        if (arrow.is_silent()) index.silent.push_back(&arrow);
    }
    return index;
}

}  // namespace

const std::deque<Arrow>& catalogue() {
    return all_arrows();
}

void join_catalogue(const std::vector<Arrow>& arrows) {
    kept_index() = {};
    all_arrows().insert(all_arrows().end(), arrows.begin(), arrows.end());
}

void join_product(std::string_view product, const std::vector<Arrow>& arrows) {
    products().insert(product);
    join_catalogue(arrows);
}

bool has_product(std::string_view product) {
    return products().contains(product);
}

void join_types_only(std::string_view name, Prepare types_only) {
    for (Arrow& arrow : all_arrows())
        if (arrow.name == name) arrow.types_only = types_only;
}

void shorten_catalogue(std::size_t size) {
    kept_index() = {};
    all_arrows().erase(all_arrows().begin() + static_cast<std::ptrdiff_t>(size),
                       all_arrows().end());
}

std::vector<const Arrow*> find_arrows(std::string_view name, Argument argument) {
    std::vector<const Arrow*> found;
    const auto named = index().by_name.find(name);
    if (named == index().by_name.end()) return found;
    for (const Arrow* const each : named->second) {
        const Arrow& arrow = *each;
        const bool takes_one = arrow.argument() == Argument::one;
        // A statement writes MPI_Barrier without an argument.
        const bool fits = takes_one == (argument == Argument::one) ||
                          (is_barrier(arrow.to) && argument == Argument::whole &&
                           arrow.form.operation == "MPI_Barrier");
        if (fits && !arrow.is_silent()) found.push_back(&arrow);
    }
    return found;
}

const std::vector<const Arrow*>& silent_arrows() {
    return index().silent;
}

std::vector<std::string> arrow_names() {
    std::vector<std::string> names;
    for (const Arrow& arrow : catalogue()) {
        if (!arrow.is_silent() && std::ranges::find(names, arrow.name) == names.end())
            names.emplace_back(arrow.name);
    }
    return names;
}

}  // namespace mpiaudit
