// SPDX-License-Identifier: BSD-3-Clause
#include "problem/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

namespace mpiaudit {
namespace {

constexpr std::size_t guard_bytes = 64;
constexpr std::size_t alignment_bytes = 4096;  // a page, so that all buffers are aligned alike
constexpr std::byte cleared{0xa5};

int narrow(Count count) {
    if (count > std::numeric_limits<int>::max())
        throw std::overflow_error(fmt::format("{} elements do not fit a count of type int", count));
    return static_cast<int>(count);
}

/// Blocks that are never padded apart from their neighbours share one source: a rank's own block
/// is at the same place whether its slot is longer or not.
Layout source_key(Layout layout) {
    return layout.holding == Holding::scattered ? Layout{Holding::scattered, true} : layout;
}

Count region_elements(const Problem& problem, Layout layout, int rank) {
    return elements_held(problem, source_key(layout), rank);
}

std::map<Holding, Count> target_elements(const Problem& problem, const std::set<Layout>& targets,
                                         int rank) {
    std::map<Holding, Count> elements;
    for (const Layout layout : targets) {
        Count& most = elements[layout.holding];
        most = std::max(most, region_elements(problem, layout, rank));
    }
    return elements;
}

}  // namespace

void Needs::add(const Needs& other) {
    sources.insert(other.sources.begin(), other.sources.end());
    targets.insert(other.targets.begin(), other.targets.end());
}

Count Needs::bytes(const Problem& problem) const {
    Count elements = 0;
    std::set<Layout> distinct;
    for (const Layout layout : sources) distinct.insert(source_key(layout));
    for (const Layout layout : distinct) elements += elements_held(problem, layout, -1);
    for (const auto& [holding, most] : target_elements(problem, targets, -1)) elements += most;
    return elements * static_cast<Count>(problem.element->extent());
}

Workspace::Workspace(const Problem& problem, int rank, const Needs& needs)
    : problem_{problem}, rank_{rank} {
    for (const Layout layout : needs.sources) {
        if (!sources_.contains(source_key(layout)))
            sources_[source_key(layout)] = allocate(region_elements(problem, layout, rank));
    }
    for (const auto& [holding, elements] : target_elements(problem, needs.targets, rank))
        targets_[holding] = allocate(elements);
    std::set<Layout> used = needs.sources;
    used.insert(needs.targets.begin(), needs.targets.end());
    for (const Layout layout : used) extents_[layout] = make_extents(layout);
    // What a view of a layout shows without its padding, or of all blocks.
    for (const Layout layout : used) {
        for (const Holding seen : {layout.holding, Holding::rooted, Holding::scattered}) {
            const Layout viewed{seen, layout.padded};
            if (!extents_.contains(viewed)) extents_[viewed] = make_extents(viewed);
            if (layout.padded && !extents_.contains({seen, false}))
                extents_[{seen, false}] = make_extents({seen, false});
        }
    }
    clear_targets();
}

Workspace::Region Workspace::allocate(Count elements) const {
    Region region;
    region.bytes = static_cast<std::size_t>(elements) * problem_.element->extent();
    const std::size_t whole =
        (region.bytes + guard_bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
    region.memory.reset(static_cast<std::byte*>(std::aligned_alloc(alignment_bytes, whole)));
    if (!region.memory) throw std::bad_alloc();
    std::fill_n(region.memory.get(), region.bytes + guard_bytes, cleared);
    return region;
}

Workspace::Extents Workspace::make_extents(Layout layout) const {
    Extents extents;
    const auto ranks = static_cast<std::size_t>(problem_.ranks());
    const Count slot = problem_.largest();
    const auto add = [&](Count count, Count displacement) {
        extents.counts.push_back(narrow(layout.padded ? slot : count));
        extents.displacements.push_back(narrow(displacement));
    };
    switch (layout.holding) {
        case Holding::scattered:
            add(problem_.counts[static_cast<std::size_t>(rank_)], 0);
            return extents;
        case Holding::rooted:
            if (rank_ != problem_.root) return extents;
            break;
        case Holding::exclusively_prefixed:
            if (rank_ == 0) return extents;
            break;
        default:
            break;
    }
    // The block from rank i to rank j has size m_((i+j) mod p): a rank sends and receives as much
    // as any other, however irregular the blocks are.
    const bool exchanged =
        layout.holding == Holding::outgoing || layout.holding == Holding::incoming;
    const std::size_t shift = exchanged ? static_cast<std::size_t>(rank_) : 0;
    Count displacement = 0;
    for (std::size_t k = 0; k < ranks; ++k) {
        const Count count = problem_.counts[(k + shift) % ranks];
        add(count, layout.padded ? static_cast<Count>(k) * slot : displacement);
        displacement += count;
    }
    return extents;
}

Place Workspace::place(const Region& region, Layout layout) const {
    const Extents& extents = extents_.at(layout);
    return {layout, extents.counts.empty() ? nullptr : region.memory.get(), extents.counts,
            extents.displacements};
}

Place Workspace::source(Layout layout) const {
    return place(sources_.at(source_key(layout)), layout);
}

Place Workspace::target(Layout layout) const {
    return place(targets_.at(layout.holding), layout);
}

Place Workspace::view(const Place& place, Holding to, bool padded) const {
    const Extents& sizes = extents_.at({to, padded});
    Place seen{{to, padded}, place.data, sizes.counts, place.displacements};
    if (sizes.counts.empty()) return {seen.layout, nullptr, {}, {}};
    if (to == Holding::scattered && place.layout.holding != Holding::scattered) {
        const auto own = static_cast<std::size_t>(rank_);
        seen.data +=
            static_cast<std::size_t>(place.displacements[own]) * problem_.element->extent();
        seen.displacements = sizes.displacements;
    }
    return seen;
}

void Workspace::clear_targets() {
    for (auto& [holding, region] : targets_)
        std::fill_n(region.memory.get(), region.bytes, cleared);
}

bool Workspace::is_intact() const {
    const auto guarded = [](const Region& region) {
        const std::byte* guard = region.memory.get() + region.bytes;
        return std::all_of(guard, guard + guard_bytes, [](std::byte b) { return b == cleared; });
    };
    const auto all_guarded = [&](const auto& regions) {
        return std::all_of(regions.begin(), regions.end(),
                           [&](const auto& entry) { return guarded(entry.second); });
    };
    return all_guarded(sources_) && all_guarded(targets_);
}

std::string oversize(const Problem& problem, Layout layout) {
    const Count elements = elements_held(problem, layout, -1);
    if (elements <= std::numeric_limits<int>::max()) return {};
    return fmt::format("{} elements {} exceed the int counts of MPI", elements, name(layout));
}

}  // namespace mpiaudit
