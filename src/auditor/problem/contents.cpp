// SPDX-License-Identifier: BSD-3-Clause
// Defines class Contents of workspace.h.
#include "problem/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "random/random_bits.h"

namespace mpiaudit {

std::uint64_t Contents::identity(Holding holding, int rank, std::size_t block) const {
    const auto own = static_cast<std::uint64_t>(rank);
    const auto ranks = static_cast<std::uint64_t>(problem_.ranks());
    std::uint64_t identity = block;
    // A block over a graph has the identity of the corresponding block between all ranks.
    if (is_over_graph(holding))
        identity = static_cast<std::uint64_t>(problem_.neighbours(holding, rank)[block]);
    if (holding == Holding::scattered) identity = own;
    if (holding == Holding::outgoing || holding == Holding::outgoing_edges)
        identity = own * ranks + identity;
    if (holding == Holding::incoming || holding == Holding::incoming_edges)
        identity = identity * ranks + own;
    return identity;
}

std::optional<Operator::Values> Contents::reduced(Holding holding, int rank) const {
    const bool is_of_half = origin_ == Holding::half_contributed;
    if (origin_ != Holding::contributed && !is_of_half) return std::nullopt;
    const Element& element = *problem_.element;
    if (holding == origin_) return problem_.op->contributions(element, rank);
    if (holding == Holding::prefixed) return problem_.op->reductions(element, rank);
    if (holding == Holding::exclusively_prefixed) return problem_.op->reductions(element, rank - 1);
    const int contributors = is_of_half ? problem_.first_half() : problem_.ranks();
    return problem_.op->reductions(element, contributors - 1);
}

template <class Visit>
void Contents::for_each_run(const Place& place, int rank, Visit visit) const {
    const Holding holding = place.layout.holding;
    std::array<std::uint64_t, 256> values;
    for (std::size_t block = 0; block < place.counts.size(); ++block) {
        // Padding has no known contents.
        const Count count = place.layout.padded ? problem_.size_of_block(holding, rank, block)
                                                : place.counts[block];
        if (count == 0) continue;
        // The values must be cheap for millions of elements: an odd step, whose upper bits are
        // folded into the lower ones, because the lower bits alone repeat after 256 elements.
        const std::uint64_t start = mix_bits(identity(holding, rank, block));
        constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
        const std::optional<Operator::Values> results = reduced(holding, rank);
        for (Count first = 0; first < count; first += std::ssize(values)) {
            const std::span run(values.data(),
                                std::min(values.size(), static_cast<std::size_t>(count - first)));
            std::uint64_t state = start + static_cast<std::uint64_t>(first) * step;
            for (std::uint64_t& value : run) {
                value = state ^ (state >> 32);
                state += step;
            }
            if (results) results->replace(run);
            if (!visit(place.block(block) + first * place.extent, run, block, first)) return;
        }
    }
}

void Contents::write(const Place& place, int rank, bool is_stale) const {
    const HostView view(place);
    for_each_run(view.place(), rank,
                 [&](std::byte* at, std::span<std::uint64_t> values, std::size_t, Count) {
                     if (is_stale)
                         for (std::uint64_t& value : values) value = ~value;
                     problem_.element->store(at, values);
                     return true;
                 });
    view.write_back();
}

void Contents::write_rounding(const Place& place, int rank) const {
    // The values use all bits of a significand: the sum of three values needs more bits, and so
    // rounds.
    const std::uint64_t of_rank = mix_bits(static_cast<std::uint64_t>(rank));
    const HostView view(place);
    for_each_run(
        view.place(), rank,
        [&](std::byte* at, std::span<std::uint64_t> values, std::size_t block, Count first) {
            for (std::uint64_t& value : values)
                value = mix_bits(mix_bits(of_rank, block), static_cast<std::uint64_t>(first++));
            problem_.element->store(at, values);
            return true;
        });
    view.write_back();
}

std::optional<std::string> Contents::find_error(const Place& place, int rank) const {
    std::optional<std::string> error;
    const HostView view(place);
    for_each_run(
        view.place(), rank,
        [&](std::byte* at, std::span<std::uint64_t> values, std::size_t block, Count first) {
            const Element& element = *problem_.element;
            const std::size_t i = element.first_difference(at, values);
            if (i == values.size()) return true;
            std::vector<std::byte> expected(element.extent());
            element.store(expected.data(), values[i]);
            const std::byte* found = at + i * element.extent();
            const bool saturates = reduced(place.layout.holding, rank) &&
                                   problem_.op->wraps_around(element) &&
                                   element.holds(found, ~std::uint64_t{0});
            error = fmt::format("rank {}, {}: element {} of block {} is {}, not {}{}", rank,
                                name(place.layout), first + static_cast<Count>(i), block,
                                element.describe(found), element.describe(expected.data()),
                                saturates ? sum_saturates : "");
            return false;
        });
    return error;
}

}  // namespace mpiaudit
