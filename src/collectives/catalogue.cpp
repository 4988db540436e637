// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/catalogue.h"

#include <algorithm>
#include <array>

#include "collectives/agreement.h"
#include "collectives/gather/gather.h"
#include "collectives/gather_arrows.h"

namespace mpiaudit {
namespace {

constexpr Condition equal_blocks{"needs equal blocks",
                                 [](const Problem& p) { return p.is_regular(); }};

/// replicated -> rooted, replicated -> scattered, padded X -> X: the blocks are there already.
template <Holding to>
Step prepare_view(const Setting& setting, const Place& from, bool padded) {
    return {{}, setting.workspace.view(from, to, padded)};
}

template <Holding holding>
Step prepare_unpadded(const Setting& setting, const Place& from, bool) {
    return {{}, setting.workspace.view(from, holding, false)};
}

using enum Kind;
using enum Holding;

constexpr std::array arrows = {
    Arrow{"MPI_Gather", "gather", native, scattered, rooted, "the library's gather of equal blocks",
          prepare_gather<MPI_Gather>, equal_blocks},
    Arrow{"MPI_Gatherv", "gather", native, scattered, rooted,
          "the library's gather of blocks of any size", prepare_gatherv<MPI_Gatherv>},
    Arrow{"MPI_Allreduce", "allreduce", agreement, scattered, scattered,
          "all ranks learn the size of the largest block", agree_on_largest_block},
    Arrow{"linear_Gatherv", "gather", reference, scattered, rooted,
          "every rank sends its block directly to the root", prepare_gatherv<linear_Gatherv>},
    Arrow{"binomial_Gatherv", "gather", reference, scattered, rooted,
          "blocks travel up a fixed binomial tree that ignores their sizes",
          prepare_gatherv<binomial_Gatherv>},
    Arrow{
        "TUW_Gatherv", "gather", reference, scattered, rooted,
        "blocks travel up an ordered binomial tree built from their sizes, so that ranks with less "
        "data send to ranks with more",
        prepare_gatherv<TUW_Gatherv>},
};

constexpr std::array silent = {
    Arrow{"view", "", view, replicated, rooted, "the root has all blocks", prepare_view<rooted>},
    Arrow{"view", "", view, replicated, scattered, "each rank has its block among all",
          prepare_view<scattered>},
    Arrow{"view", "", view, scattered, scattered, "padding is ignored",
          prepare_unpadded<scattered>},
    Arrow{"view", "", view, rooted, rooted, "padding is ignored", prepare_unpadded<rooted>},
    Arrow{"view", "", view, replicated, replicated, "padding is ignored",
          prepare_unpadded<replicated>},
};

}  // namespace

std::span<const Arrow> catalogue() {
    return arrows;
}
std::span<const Arrow> silent_arrows() {
    return silent;
}

std::vector<const Arrow*> find_arrows(std::string_view name, Argument argument) {
    std::vector<const Arrow*> found;
    for (const Arrow& arrow : arrows) {
        const bool agrees = arrow.kind == agreement;
        if (arrow.name == name && agrees == (argument == Argument::one)) found.push_back(&arrow);
    }
    return found;
}

std::vector<std::string> arrow_names() {
    std::vector<std::string> names;
    for (const Arrow& arrow : arrows) {
        if (std::ranges::find(names, arrow.name) == names.end()) names.emplace_back(arrow.name);
    }
    return names;
}

}  // namespace mpiaudit
