// SPDX-License-Identifier: BSD-3-Clause
#include "problem/contents.h"

#include <fmt/format.h>

#include "problem/random_bits.h"

namespace mpiaudit {

std::uint64_t Contents::value(Holding holding, int rank, std::size_t block, Count position) const {
    const auto own = static_cast<std::uint64_t>(rank);
    const auto ranks = static_cast<std::uint64_t>(problem_.ranks());
    std::uint64_t identity = block;
    if (holding == Holding::scattered) identity = own;
    if (holding == Holding::outgoing) identity = own * ranks + block;
    if (holding == Holding::incoming) identity = block * ranks + own;
    return mix_bits(identity, static_cast<std::uint64_t>(position));
}

template <class Visit>
void Contents::for_each_element(const Place& place, int rank, Visit visit) const {
    const std::size_t extent = problem_.element->extent();
    for (std::size_t block = 0; block < place.counts.size(); ++block) {
        std::byte* at = place.data + static_cast<std::size_t>(place.displacements[block]) * extent;
        // Padding has no contents.
        const Count count = place.layout.padded
                                ? problem_.counts[place.layout.holding == Holding::scattered
                                                      ? static_cast<std::size_t>(rank)
                                                      : block]
                                : place.counts[block];
        for (Count k = 0; k < count; ++k, at += extent) {
            if (!visit(at, value(place.layout.holding, rank, block, k), block, k)) return;
        }
    }
}

void Contents::write(const Place& place, int rank) const {
    for_each_element(place, rank, [&](std::byte* at, std::uint64_t value, std::size_t, Count) {
        problem_.element->store(at, value);
        return true;
    });
}

void Contents::write_stale(const Place& place, int rank) const {
    for_each_element(place, rank, [&](std::byte* at, std::uint64_t value, std::size_t, Count) {
        problem_.element->store(at, ~value);
        return true;
    });
}

std::optional<std::string> Contents::find_error(const Place& place, int rank) const {
    std::optional<std::string> error;
    for_each_element(
        place, rank, [&](std::byte* at, std::uint64_t value, std::size_t block, Count position) {
            const Element& element = *problem_.element;
            if (element.holds(at, value)) return true;
            std::vector<std::byte> expected(element.extent());
            element.store(expected.data(), value);
            error = fmt::format("rank {}, {}: element {} of block {} is {}, not {}", rank,
                                name(place.layout), position, block, element.describe(at),
                                element.describe(expected.data()));
            return false;
        });
    return error;
}

}  // namespace mpiaudit
