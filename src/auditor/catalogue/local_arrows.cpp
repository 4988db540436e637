// SPDX-License-Identifier: BSD-3-Clause
// Defines local_arrows() of operation_arrows.h.
#include <memory>

#include "catalogue/operation_arrows.h"
#include "device/device.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// MPI_Allreduce(1): every rank contributes the size of its block, one MPI_INT, and learns the
/// largest size. The blocks stay in place; from here on they count as padded to that size.
Step agree_on_largest_block(const Instance& instance, const Place& from, Layout to) {
    struct Sizes {
        int own, largest;
    };
    const auto own = static_cast<std::size_t>(instance.rank());
    const auto sizes = std::make_shared<Sizes>(Sizes{narrow(instance.problem().counts[own]), 0});
    // The block of a rank may grow in its buffer. Vectors of several blocks need padding from the
    // start, so only a source can be such a vector.
    return {[sizes, comm = instance.comm] {
                under_test::look_at(
                    MPI_Allreduce(&sizes->own, &sizes->largest, 1, MPI_INT, MPI_MAX, comm));
            },
            from.layout.holding == scattered ? instance.workspace.view(from, to)
                                             : instance.workspace.source(to),
            {},
            {agreement_on(std::shared_ptr<int>(sizes, &sizes->largest),
                          narrow(instance.problem().largest()), instance.rank())}};
}

/// replicated -> rooted, replicated -> scattered, padded X -> X: the blocks are in place already.
Step see(const Instance& instance, const Place& from, Layout to) {
    return {{}, instance.workspace.view(from, to)};
}

/// scattered, rooted or contributed by the first half -> contributed: the data of the rank, and
/// zeros elsewhere.
Step fill_with_zeros(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const std::size_t bytes = static_cast<std::size_t>(result.span()) * result.extent;
    const bool has_vector = from.layout.holding != scattered && !from.counts.empty();
    if (has_vector) {
        Place own = from;
        own.layout = to;
        return {{}, own};
    }
    const bool has_block = from.layout.holding == scattered;
    std::byte* block =
        has_block ? result.block(static_cast<std::size_t>(instance.rank())) : nullptr;
    const std::size_t block_bytes =
        has_block ? static_cast<std::size_t>(from.counts.front()) * from.extent : 0;
    return {[=, data = result.data, own = from.data] {
                if (bytes > 0) messages::fill(data, std::byte{0}, bytes);
                if (block_bytes > 0) messages::copy(block, own, block_bytes);
            },
            result};
}

/// Packs each block of the rank by MPI_Pack.
Step pack(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int bytes = int_bytes(result, result.span());
    return {[=, comm = instance.comm] {
                for (std::size_t k = 0; k < from.counts.size(); ++k) {
                    int position = int_bytes(result, result.displacements[k]);
                    under_test::look_at(MPI_Pack(from.block(k), from.counts[k], from.type,
                                                 result.data, bytes, &position, comm));
                }
            },
            result};
}

/// Unpacks each block of the rank by MPI_Unpack.
Step unpack(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int bytes = int_bytes(from, from.span());
    return {[=, comm = instance.comm] {
                for (std::size_t k = 0; k < from.counts.size(); ++k) {
                    int position = int_bytes(from, from.displacements[k]);
                    under_test::look_at(MPI_Unpack(from.data, bytes, &position, result.block(k),
                                                   result.counts[k], result.type, comm));
                }
            },
            result};
}

/// Copies each stretch of data of the elements of all blocks by one operation of the device, as a
/// program that packs by hand does. \tparam packs from elements with gaps to elements without gaps
template <bool packs>
Step copy_stretches(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    return {[=, stretches = instance.problem().element->stretches()] {
                for (std::size_t k = 0; k < from.counts.size(); ++k) {
                    std::size_t packed_bytes = 0;
                    for (const auto& [offset, bytes] : stretches) {
                        const std::size_t given = packs ? offset : packed_bytes;
                        const std::size_t made = packs ? packed_bytes : offset;
                        if (from.counts[k] > 0)
                            device::copy_column({result.block(k) + made, result.extent},
                                                {from.block(k) + given, from.extent}, bytes,
                                                static_cast<std::size_t>(from.counts[k]));
                        packed_bytes += bytes;
                    }
                }
            },
            result};
}

}  // namespace

std::vector<Arrow> local_arrows() {
    std::vector<Arrow> all;
    const auto add = [&](const char* name, const char* collective, Kind kind, Holding from,
                         Holding to, const char* says, Prepare prepare, unsigned needs = anything) {
        all.push_back({parse_form(name), collective, kind, from, to, says, prepare, needs});
    };
    for (const Holding each : {scattered, rooted, outgoing, contributed})
        add("MPI_Allreduce", "allreduce", Kind::agreement, each, each,
            "all ranks learn the size of the largest block", agree_on_largest_block);
    const auto add_view = [&](Holding from, Holding to, const char* says) {
        add("view", "local", Kind::view, from, to, says, see);
    };
    add_view(replicated, rooted, "the root has all blocks");
    add_view(replicated, scattered, "each rank has its block among all");
    add_view(replicated, half_replicated, "so do the first half of the ranks");
    add_view(together, half_together, "so are the first half of the ranks");
    for (const Holding each : {scattered, rooted, replicated, incoming})
        add_view(each, each, "padding is ignored");
    for (const Holding each : {scattered, rooted, half_contributed})
        add("zero fill", "local", Kind::local, each, contributed,
            "every rank fills a vector with zeros around what it has", fill_with_zeros,
            defined_operator | zero_identity);
    for (const Holding each : {scattered, rooted, outgoing})
        add("MPI_Pack", "local", Kind::packing, each, each, "every rank packs what it has", pack,
            gaps_in_elements | bytes_in_int);
    for (const Holding each : {scattered, rooted, replicated, incoming})
        add("MPI_Unpack", "local", Kind::unpacking, each, each, "every rank unpacks what it has",
            unpack, gaps_in_elements | bytes_in_int);
    for (const Holding each : {scattered, rooted, outgoing})
        add("MPI_Pack[on the device]", "local", Kind::packing, each, each,
            "every rank packs what it has by copies of the device", copy_stretches<true>,
            gaps_in_elements | device_memory);
    for (const Holding each : {scattered, rooted, replicated, incoming})
        add("MPI_Unpack[on the device]", "local", Kind::unpacking, each, each,
            "every rank unpacks what it has by copies of the device", copy_stretches<false>,
            gaps_in_elements | device_memory);
    return all;
}

}  // namespace mpiaudit
