// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <memory>

#include "catalogue/operation_arrows.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// MPI_Allreduce(1): every rank contributes the size of its block, one MPI_INT, and learns the
/// largest. The blocks stay where they are; from here on they count as padded to that size.
Step agree_on_largest_block(const Instance& instance, const Place& from, Layout to) {
    struct Sizes {
        int own, largest;
    };
    const auto own = static_cast<std::size_t>(instance.rank());
    const auto sizes = std::make_shared<Sizes>(Sizes{narrow(instance.problem().counts[own]), 0});
    // A rank's own block may grow where it lies. Longer vectors have to be laid out with padding
    // from the start, so only a source can be one.
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

/// replicated -> rooted, replicated -> scattered, padded X -> X: the blocks are there already.
Step see(const Instance& instance, const Place& from, Layout to) {
    return {{}, instance.workspace.view(from, to)};
}

/// scattered, rooted or contributed by the first half -> contributed: what the rank has, and zeros
/// elsewhere.
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
                if (bytes > 0) std::memset(data, 0, bytes);
                if (block_bytes > 0) std::memcpy(block, own, block_bytes);
            },
            result};
}

/// MPI_Pack of each block the rank holds.
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

/// MPI_Unpack of each block the rank holds.
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

}  // namespace

std::vector<Arrow> local_arrows() {
    using enum Kind;
    constexpr auto agree = "all ranks learn the size of the largest block";
    constexpr auto no_padding = "padding is ignored";
    constexpr auto zeros = "every rank fills a vector with zeros around what it has";
    constexpr auto packs = "every rank packs what it has";
    constexpr auto unpacks = "every rank unpacks what it has";
    return {
        Arrow{"MPI_Allreduce", "allreduce", agreement, scattered, scattered, agree,
              agree_on_largest_block},
        Arrow{"MPI_Allreduce", "allreduce", agreement, rooted, rooted, agree,
              agree_on_largest_block},
        Arrow{"MPI_Allreduce", "allreduce", agreement, outgoing, outgoing, agree,
              agree_on_largest_block},
        Arrow{"MPI_Allreduce", "allreduce", agreement, contributed, contributed, agree,
              agree_on_largest_block},
        Arrow{"view", "local", view, replicated, rooted, "the root has all blocks", see},
        Arrow{"view", "local", view, replicated, scattered, "each rank has its block among all",
              see},
        Arrow{"view", "local", view, replicated, half_replicated,
              "so do the first half of the ranks", see},
        Arrow{"view", "local", view, together, half_together, "so are the first half of the ranks",
              see},
        Arrow{"view", "local", view, scattered, scattered, no_padding, see},
        Arrow{"view", "local", view, rooted, rooted, no_padding, see},
        Arrow{"view", "local", view, replicated, replicated, no_padding, see},
        Arrow{"view", "local", view, incoming, incoming, no_padding, see},
        Arrow{"zero fill", "local", local, scattered, contributed, zeros, fill_with_zeros,
              defined_operator | zero_identity},
        Arrow{"zero fill", "local", local, rooted, contributed, zeros, fill_with_zeros,
              defined_operator | zero_identity},
        Arrow{"zero fill", "local", local, half_contributed, contributed, zeros, fill_with_zeros,
              defined_operator | zero_identity},
        Arrow{"MPI_Pack", "local", packing, scattered, scattered, packs, pack,
              gaps_in_elements | bytes_in_int},
        Arrow{"MPI_Pack", "local", packing, rooted, rooted, packs, pack,
              gaps_in_elements | bytes_in_int},
        Arrow{"MPI_Pack", "local", packing, outgoing, outgoing, packs, pack,
              gaps_in_elements | bytes_in_int},
        Arrow{"MPI_Unpack", "local", unpacking, scattered, scattered, unpacks, unpack,
              gaps_in_elements | bytes_in_int},
        Arrow{"MPI_Unpack", "local", unpacking, rooted, rooted, unpacks, unpack,
              gaps_in_elements | bytes_in_int},
        Arrow{"MPI_Unpack", "local", unpacking, replicated, replicated, unpacks, unpack,
              gaps_in_elements | bytes_in_int},
        Arrow{"MPI_Unpack", "local", unpacking, incoming, incoming, unpacks, unpack,
              gaps_in_elements | bytes_in_int},
    };
}

}  // namespace mpiaudit
