// SPDX-License-Identifier: BSD-3-Clause
// Other ways to call one operation of the library: on other communicators, with operators of which
// it knows less, or in parts that are all in flight.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "catalogue/bind.h"
#include "catalogue/in_flight.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"

namespace mpiaudit {
namespace {

using enum Holding;

constexpr std::array origins{
    Variant{.name = "world", .origin = Origin::world},
    Variant{.name = "dup", .origin = Origin::duplicate},
    Variant{.name = "split", .origin = Origin::split},
    Variant{.name = "create_group", .origin = Origin::create_group},
    Variant{.name = "session", .origin = Origin::session},
};
constexpr std::array orders{
    Variant{.name = "reversed", .origin = Origin::reversed},
    Variant{.name = "rotated", .origin = Origin::rotated},
    Variant{.name = "shuffled", .origin = Origin::shuffled},
    Variant{.name = "node by node", .origin = Origin::node_by_node},
    Variant{.name = "round-robin over nodes", .origin = Origin::round_robin},
};
constexpr Variant cartesian{.name = "Cartesian", .is_cartesian = true};
constexpr std::array reordered{
    Variant{.name = "reordered", .is_reordered = true},
    Variant{.name = "Cartesian reordered", .is_cartesian = true, .is_reordered = true},
};
constexpr Variant user_function{.name = "user function", .op = OperatorForm::user_function};
constexpr Variant order_kept{.name = "order kept", .op = OperatorForm::order_kept};
constexpr std::array splits{
    Variant{.name = "2 parts", .parts = 2},
    Variant{.name = "4 parts", .parts = 4},
    Variant{.name = "8 parts", .parts = 8},
};

Arrow varied(const Variant& variant, const Arrow& usual, std::string summary) {
    Arrow arrow = usual;
    arrow.name = fmt::format("{}[{}]", usual.name, variant.name);
    arrow.kind = Kind::variant;
    arrow.summary = std::move(summary);
    arrow.called_as = &variant;
    return arrow;
}

std::string_view made_by(Origin origin) {
    switch (origin) {
        case Origin::world:
            return "on MPI_COMM_WORLD";
        case Origin::duplicate:
            return "on a communicator of MPI_Comm_dup";
        case Origin::split:
            return "on a communicator of MPI_Comm_split, with all ranks";
        case Origin::create_group:
            return "on a communicator of MPI_Comm_create_group, with all ranks";
        case Origin::session:
            return "on a communicator of MPI_Comm_create_from_group, with all ranks";
        case Origin::reversed:
            return "on a communicator with the ranks in reverse order";
        case Origin::rotated:
            return "on a communicator that begins with rank p/2";
        case Origin::shuffled:
            return "on a communicator with the ranks in a random order";
        case Origin::node_by_node:
            return "on a communicator with the ranks of one node after those of another";
        case Origin::round_robin:
            return "on a communicator with a rank of every node in turn";
        default:
            return "";
    }
}

// Operations that leave the order of the ranks to their arguments: blocks are where displacements
// say, so that another numbering of the ranks costs nothing.

/// Counts and displacements, block k of the arguments is that of rank k of the communicator.
struct Renumbered {
    std::vector<int> counts, displacements;
    Renumbered(const Instance& instance, const Place& place)
        : counts(place.counts.size()), displacements(place.counts.size()) {
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const auto to = static_cast<std::size_t>(
                position(instance.called_as->origin, static_cast<int>(k),
                         static_cast<int>(counts.size()), instance.problem().node_of_rank));
            counts[to] = place.counts[k];
            displacements[to] = place.displacements[k];
        }
    }
    static std::shared_ptr<const Renumbered> of(const Instance& instance, const Place& place) {
        return std::make_shared<const Renumbered>(instance, place);
    }
};

Step renumbered_gatherv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto blocks = Renumbered::of(instance, result);
    return {[=, comm = instance.comm, root = instance.root()] {
                under_test::look_at(MPI_Gatherv(
                    from.data, from.counts.front(), from.type, result.data, blocks->counts.data(),
                    blocks->displacements.data(), from.type, root, comm));
            },
            result};
}

Step renumbered_scatterv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto blocks = Renumbered::of(instance, from);
    return {[=, comm = instance.comm, root = instance.root()] {
                under_test::look_at(MPI_Scatterv(
                    from.data, blocks->counts.data(), blocks->displacements.data(), from.type,
                    result.data, result.counts.front(), from.type, root, comm));
            },
            result};
}

Step renumbered_allgatherv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto blocks = Renumbered::of(instance, result);
    return {[=, comm = instance.comm] {
                under_test::look_at(MPI_Allgatherv(from.data, from.counts.front(), from.type,
                                                   result.data, blocks->counts.data(),
                                                   blocks->displacements.data(), from.type, comm));
            },
            result};
}

Step renumbered_alltoallv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto sent = Renumbered::of(instance, from);
    const auto received = Renumbered::of(instance, result);
    return {[=, comm = instance.comm] {
                under_test::look_at(MPI_Alltoallv(from.data, sent->counts.data(),
                                                  sent->displacements.data(), from.type,
                                                  result.data, received->counts.data(),
                                                  received->displacements.data(), from.type, comm));
            },
            result};
}

/// How an operation is called on renumbered ranks; null where this is not possible without moving
/// the blocks.
Prepare on_renumbered(const Arrow& operation) {
    static const std::map<std::string_view, Prepare> by_displacements{
        {"MPI_Gatherv", renumbered_gatherv},
        {"MPI_Scatterv", renumbered_scatterv},
        {"MPI_Allgatherv", renumbered_allgatherv},
        {"MPI_Alltoallv", renumbered_alltoallv}};
    if (const auto found = by_displacements.find(operation.name); found != by_displacements.end())
        return found->second;
    static const std::set<std::string_view> without_blocks{"MPI_Bcast", "MPI_Reduce",
                                                           "MPI_Allreduce", "MPI_Barrier"};
    return without_blocks.contains(operation.name) ? operation.prepare : nullptr;
}

// Parts that are all in flight.

/// Part i of n elements: where it begins.
int begin_of_part(int n, int part, int parts) {
    return static_cast<int>(static_cast<long>(n) * part / parts);
}

/// The same stretch of every block.
struct PartOfBlocks {
    std::vector<int> counts, displacements;
    PartOfBlocks(const Place& place, int part, int parts)
        : counts(place.counts.begin(), place.counts.end()), displacements(counts) {
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const int begin = begin_of_part(place.counts[k], part, parts);
            counts[k] = begin_of_part(place.counts[k], part + 1, parts) - begin;
            displacements[k] = place.displacements[k] + begin;
        }
    }
};

/// A stretch of a vector.
struct Stretch {
    std::size_t offset_bytes;
    int count;
    Stretch(const Place& vector, int part, int parts)
        : offset_bytes{static_cast<std::size_t>(begin_of_part(vector.span(), part, parts)) *
                       vector.extent},
          count{begin_of_part(vector.span(), part + 1, parts) -
                begin_of_part(vector.span(), part, parts)} {}
};

std::shared_ptr<const std::vector<Stretch>> stretches(const Instance& instance,
                                                      const Place& vector) {
    auto all = std::make_shared<std::vector<Stretch>>();
    for (int i = 0; i < instance.called_as->parts; ++i)
        all->emplace_back(vector, i, instance.called_as->parts);
    return all;
}

std::shared_ptr<const std::vector<PartOfBlocks>> parts_of_blocks(const Instance& instance,
                                                                 const Place& place) {
    auto all = std::make_shared<std::vector<PartOfBlocks>>();
    for (int i = 0; i < instance.called_as->parts; ++i)
        all->emplace_back(place, i, instance.called_as->parts);
    return all;
}

Step bcast_in_parts(const Instance& instance, const Place& from, Layout to) {
    const Place all = instance.target(to);
    Place result = instance.is_root() ? from : all;
    result.layout = to;
    const auto pieces = stretches(instance, all);
    return {
        in_flight(instance.called_as->parts,
                  [=, root = instance.root(), comm = instance.comm](int i, MPI_Request* request) {
                      const Stretch& piece = (*pieces)[static_cast<std::size_t>(i)];
                      return MPI_Ibcast(result.data + piece.offset_bytes, piece.count, all.type,
                                        root, comm, request);
                  }),
        result};
}

/// Null stays null: ranks that receive nothing have no buffer.
std::byte* at(std::byte* data, std::size_t offset_bytes) {
    return data == nullptr ? nullptr : data + offset_bytes;
}

Step reduce_in_parts(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto pieces = stretches(instance, from);
    return {in_flight(instance.called_as->parts,
                      [=, op = instance.op(), root = instance.root(), comm = instance.comm](
                          int i, MPI_Request* request) {
                          const Stretch& piece = (*pieces)[static_cast<std::size_t>(i)];
                          return MPI_Ireduce(from.data + piece.offset_bytes,
                                             at(result.data, piece.offset_bytes), piece.count,
                                             from.type, op, root, comm, request);
                      }),
            result};
}

template <auto function>
Step reduction_in_parts(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto pieces = stretches(instance, from);
    // Rank 0 has no exclusive prefix, but MPICH wants a buffer.
    static std::byte insignificant{};
    return {in_flight(instance.called_as->parts,
                      [=, op = instance.op(), comm = instance.comm](int i, MPI_Request* request) {
                          const Stretch& piece = (*pieces)[static_cast<std::size_t>(i)];
                          std::byte* into = result.data == nullptr
                                                ? &insignificant
                                                : result.data + piece.offset_bytes;
                          return function(from.data + piece.offset_bytes, into, piece.count,
                                          from.type, op, comm, request);
                      }),
            result};
}

Step gatherv_in_parts(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto sent = parts_of_blocks(instance, from);
    const auto received = parts_of_blocks(instance, result);
    return {
        in_flight(instance.called_as->parts,
                  [=, root = instance.root(), comm = instance.comm](int i, MPI_Request* request) {
                      const PartOfBlocks& own = (*sent)[static_cast<std::size_t>(i)];
                      const PartOfBlocks& all = (*received)[static_cast<std::size_t>(i)];
                      const std::size_t begin =
                          static_cast<std::size_t>(own.displacements[0]) * from.extent;
                      return MPI_Igatherv(from.data + begin, own.counts[0], from.type, result.data,
                                          all.counts.data(), all.displacements.data(), from.type,
                                          root, comm, request);
                  }),
        result};
}

Step scatterv_in_parts(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto sent = parts_of_blocks(instance, from);
    const auto received = parts_of_blocks(instance, result);
    return {
        in_flight(instance.called_as->parts,
                  [=, root = instance.root(), comm = instance.comm](int i, MPI_Request* request) {
                      const PartOfBlocks& all = (*sent)[static_cast<std::size_t>(i)];
                      const PartOfBlocks& own = (*received)[static_cast<std::size_t>(i)];
                      const std::size_t begin =
                          static_cast<std::size_t>(own.displacements[0]) * result.extent;
                      return MPI_Iscatterv(from.data, all.counts.data(), all.displacements.data(),
                                           from.type, result.data + begin, own.counts[0], from.type,
                                           root, comm, request);
                  }),
        result};
}

Step allgatherv_in_parts(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto sent = parts_of_blocks(instance, from);
    const auto received = parts_of_blocks(instance, result);
    return {in_flight(instance.called_as->parts,
                      [=, comm = instance.comm](int i, MPI_Request* request) {
                          const PartOfBlocks& own = (*sent)[static_cast<std::size_t>(i)];
                          const PartOfBlocks& all = (*received)[static_cast<std::size_t>(i)];
                          const std::size_t begin =
                              static_cast<std::size_t>(own.displacements[0]) * from.extent;
                          return MPI_Iallgatherv(from.data + begin, own.counts[0], from.type,
                                                 result.data, all.counts.data(),
                                                 all.displacements.data(), from.type, comm,
                                                 request);
                      }),
            result};
}

Step alltoallv_in_parts(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const auto sent = parts_of_blocks(instance, from);
    const auto received = parts_of_blocks(instance, result);
    return {in_flight(instance.called_as->parts,
                      [=, comm = instance.comm](int i, MPI_Request* request) {
                          const PartOfBlocks& out = (*sent)[static_cast<std::size_t>(i)];
                          const PartOfBlocks& in = (*received)[static_cast<std::size_t>(i)];
                          return MPI_Ialltoallv(from.data, out.counts.data(),
                                                out.displacements.data(), from.type, result.data,
                                                in.counts.data(), in.displacements.data(),
                                                from.type, comm, request);
                      }),
            result};
}

/// By the name of the blocking operation; null where parts of its data would have to be moved.
Prepare in_parts(const Arrow& operation) {
    static const std::map<std::string_view, Prepare> all{
        {"MPI_Bcast", bcast_in_parts},
        {"MPI_Reduce", reduce_in_parts},
        {"MPI_Allreduce", reduction_in_parts<&MPI_Iallreduce>},
        {"MPI_Scan", reduction_in_parts<&MPI_Iscan>},
        {"MPI_Exscan", reduction_in_parts<&MPI_Iexscan>},
        {"MPI_Gatherv", gatherv_in_parts},
        {"MPI_Scatterv", scatterv_in_parts},
        {"MPI_Allgatherv", allgatherv_in_parts},
        {"MPI_Alltoallv", alltoallv_in_parts}};
    const auto found = all.find(operation.name);
    return found == all.end() ? nullptr : found->second;
}

/// Communicators of other origins, for operations that have hardware or short cuts of their own.
void add_origins(const Arrow& operation, std::vector<Arrow>& arrows) {
    static const std::set<std::string_view> usual{
        "MPI_Barrier",   "MPI_Bcast",    "MPI_Reduce", "MPI_Allreduce", "MPI_Gather",
        "MPI_Allgather", "MPI_Alltoall", "MPI_Scan",   "MPI_Scatter",   "MPI_Reduce_scatter_block"};
    if (!usual.contains(operation.name)) return;
    for (const Variant& each : origins) {
        Arrow arrow =
            varied(each, operation, fmt::format("{} {}", operation.name, made_by(each.origin)));
        if (!is_available(each.origin)) arrow.needs |= not_in_this_mpi;
        arrows.push_back(std::move(arrow));
    }
}

void add_orders(const Arrow& operation, std::vector<Arrow>& arrows) {
    const Prepare prepare = on_renumbered(operation);
    if (prepare == nullptr) return;
    for (const Variant& each : orders) {
        Arrow arrow =
            varied(each, operation, fmt::format("{} {}", operation.name, made_by(each.origin)));
        arrow.prepare = prepare;
        if (arrow.needs & defined_operator) arrow.needs |= commutative;
        arrows.push_back(std::move(arrow));
    }
}

void add_operators(const Arrow& operation, std::vector<Arrow>& arrows) {
    if ((operation.needs & defined_operator) == 0) return;
    arrows.push_back(
        varied(user_function, operation,
               fmt::format("{} with a function that does what the operator does", operation.name)));
    arrows.push_back(
        varied(order_kept, operation,
               fmt::format("{} with such a function that may not commute", operation.name)));
    for (auto arrow = arrows.end() - 2; arrow != arrows.end(); ++arrow)
        arrow->needs |= predefined_operator;
}

void add_cartesian(const Arrow& operation, std::vector<Arrow>& arrows) {
    if (operation.collective != "neighbor") return;
    arrows.push_back(
        varied(cartesian, operation,
               fmt::format("{} on a communicator of MPI_Cart_create", operation.name)));
    arrows.back().needs |= torus;
}

/// On a graph whose processes the library may renumber. Each then has the data of its new rank,
/// which fit into its buffers where all ranks have as many blocks of one size.
void add_reordered(const Arrow& operation, std::vector<Arrow>& arrows) {
    if (operation.collective != "neighbor") return;
    for (const Variant& each : reordered) {
        arrows.push_back(
            varied(each, operation,
                   fmt::format("{} on a communicator{} in which the library may reorder the ranks",
                               operation.name, each.is_cartesian ? " of MPI_Cart_create" : "")));
        arrows.back().needs |=
            equal_blocks | equal_degrees | (each.is_cartesian ? torus : anything);
    }
}

void add_parts(const Arrow& operation, std::vector<Arrow>& arrows) {
    const Prepare prepare = in_parts(operation);
    if (prepare == nullptr) return;
    for (const Variant& each : splits) {
        Arrow arrow = varied(each, operation,
                             fmt::format("the data in {} parts that are all started before any "
                                         "is waited for",
                                         each.parts));
        arrow.name = fmt::format("{}[{}]", nonblocking_name(operation.name), each.name);
        arrow.prepare = prepare;
        arrows.push_back(std::move(arrow));
    }
}

}  // namespace

std::vector<Arrow> variant_arrows(const std::deque<Arrow>& usual) {
    std::vector<Arrow> arrows;
    std::set<std::string> known;
    for (const Arrow& each : usual) {
        // The first use of an operation is the natural one.
        if (each.kind != Kind::native || !known.insert(each.name).second) continue;
        add_origins(each, arrows);
        add_orders(each, arrows);
        add_operators(each, arrows);
        add_cartesian(each, arrows);
        add_reordered(each, arrows);
        add_parts(each, arrows);
    }
    return arrows;
}

}  // namespace mpiaudit
