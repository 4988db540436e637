// SPDX-License-Identifier: BSD-3-Clause
// Defines the places of Workspace in workspace.h.
#include "problem/workspace.h"

#include <fmt/format.h>

#include "messages/messages.h"

namespace mpiaudit {

Workspace::Extents Workspace::make_extents(Layout layout) const {
    Extents extents;
    const Count slot = layout.padded ? problem_.largest() : 0;
    const std::size_t blocks = problem_.blocks_held(layout.holding, rank_);
    Count displacement = 0;
    for (std::size_t k = 0; k < blocks; ++k) {
        const Count count = layout.padded ? slot : problem_.size_of_block(layout.holding, rank_, k);
        extents.counts.push_back(narrow(count));
        extents.displacements.push_back(narrow(displacement));
        displacement += count;
    }
    return extents;
}

const Workspace::Extents& Workspace::extents(Layout layout) const {
    layout.packed = false;
    const auto found = extents_.find(layout);
    return found != extents_.end() ? found->second
                                   : extents_.emplace(layout, make_extents(layout)).first->second;
}

std::size_t Workspace::extent(Layout layout) const {
    return element_bytes(problem_, layout);
}

Place Workspace::place(const Region& region, Layout layout) const {
    const Extents& blocks = extents(layout);
    return {layout,
            blocks.counts.empty() ? nullptr : region.memory.get(),
            blocks.counts,
            blocks.displacements,
            layout.packed ? packed_type_.get() : problem_.element->type(),
            extent(layout)};
}

Place Workspace::view(const Place& place, Layout to) const {
    const Extents& blocks = extents(to);
    Place seen = place;
    seen.layout = to;
    seen.counts = blocks.counts;
    if (blocks.counts.empty()) {
        seen.data = nullptr;
        seen.displacements = {};
    } else if (to.holding == Holding::scattered && place.layout.holding != Holding::scattered) {
        seen.data = place.block(static_cast<std::size_t>(rank_));
        seen.displacements = blocks.displacements;
    }
    return seen;
}

Place Workspace::all_blocks_of(const Place& own, Layout to) const {
    const Extents& blocks = extents(to);
    Place all = own;
    all.layout = to;
    all.counts = blocks.counts;
    all.displacements = blocks.displacements;
    if (blocks.counts.empty())
        all.data = nullptr;
    else
        all.data -=
            static_cast<std::size_t>(blocks.displacements[static_cast<std::size_t>(rank_)]) *
            own.extent;
    return all;
}

bool Workspace::restore_extents() {
    bool has_changed = false;
    for (auto& [layout, known] : extents_) {
        const Extents right = make_extents(layout);
        has_changed = has_changed || known.counts != right.counts ||
                      known.displacements != right.displacements;
        // The arrays stay where they are, because places point to them.
        std::ranges::copy(right.counts, known.counts.begin());
        std::ranges::copy(right.displacements, known.displacements.begin());
    }
    return has_changed;
}

MemoryBlocks memory_of(std::span<const Place> places) {
    MemoryBlocks blocks;
    for (const Place& place : places) {
        for (std::size_t k = 0; k < place.counts.size(); ++k) {
            const std::span block(place.block(k),
                                  static_cast<std::size_t>(place.counts[k]) * place.extent);
            if (!blocks.empty() && blocks.back().data() + blocks.back().size() == block.data())
                blocks.back() = {blocks.back().data(), blocks.back().size() + block.size()};
            else if (!block.empty())
                blocks.push_back(block);
        }
    }
    return blocks;
}

std::string oversize(const Problem& problem, Layout layout) {
    const Count elements = elements_held(problem, layout, -1);
    if (fits_int(elements)) return {};
    return fmt::format("{} elements {} exceed the int counts of MPI", elements, name(layout));
}

}  // namespace mpiaudit
