// SPDX-License-Identifier: BSD-3-Clause
// Defines variant_arrows() and first_half_arrows() of operation_arrows.h: other communicators,
// operators of which the library knows less, and parts that are all in flight.
#include <fmt/format.h>

#include <array>
#include <deque>
#include <set>

#include "catalogue/operation_arrows.h"
#include "mpi/environment.h"
#include "text/release.h"

namespace mpiaudit {
namespace {

using enum Holding;

constexpr std::array origins{
    Variant{.name = "world", .says = "MPI_COMM_WORLD", .origin = Origin::world},
    Variant{.name = "dup", .says = "a communicator of MPI_Comm_dup", .origin = Origin::duplicate},
    Variant{.name = "split",
            .says = "a communicator of MPI_Comm_split, with all ranks",
            .origin = Origin::split},
    Variant{.name = "create_group",
            .says = "a communicator of MPI_Comm_create_group, with all ranks",
            .origin = Origin::create_group},
    Variant{.name = "merged",
            .says = "a communicator of MPI_Intercomm_merge, with all ranks",
            .origin = Origin::merged},
    Variant{.name = "session",
            .says = "a communicator of MPI_Comm_create_from_group, with all ranks",
            .origin = Origin::session},
};
constexpr std::array orders{
    Variant{.name = "reversed",
            .says = "a communicator with the ranks in reverse order",
            .origin = Origin::reversed},
    Variant{.name = "rotated",
            .says = "a communicator that begins with rank p/2",
            .origin = Origin::rotated},
    Variant{.name = "shuffled",
            .says = "a communicator with the ranks in a random order",
            .origin = Origin::shuffled},
    Variant{.name = "node by node",
            .says = "a communicator with the ranks of one node after those of another",
            .origin = Origin::node_by_node},
    Variant{.name = "round-robin over nodes",
            .says = "a communicator with a rank of every node in turn",
            .origin = Origin::round_robin},
};
/// Operations whose blocks are in the order of the ranks.
constexpr auto orders_with_data = [] {
    auto all = orders;
    for (Variant& each : all) each.is_reordered = true;
    return all;
}();
constexpr std::array descriptions{
    Variant{.name = "sent as one type", .sent = Described::as_one_type},
    Variant{.name = "received as one type", .received = Described::as_one_type},
    Variant{.name = "sent as a list", .sent = Described::as_list},
    Variant{.name = "received as a list", .received = Described::as_list},
};
constexpr Variant cartesian{.name = "Cartesian", .is_cartesian = true};
constexpr Variant user_function{.name = "user function", .op = OperatorForm::user_function};
constexpr Variant order_kept{.name = "order kept", .op = OperatorForm::order_kept};
constexpr std::array splits{
    Variant{.parts = 2},
    Variant{.parts = 4},
    Variant{.parts = 8},
};

Arrow varied(const Variant& variant, const Arrow& usual, std::string summary) {
    Arrow arrow = usual;
    arrow.rename({.operation = usual.form.operation,
                  .parts = variant.parts,
                  .variant = std::string(variant.name)});
    arrow.kind = Kind::variant;
    arrow.summary = std::move(summary);
    arrow.called_as = &variant;
    return arrow;
}

/// Adds communicators of other origins, on which operations may lack hardware or short cuts.
void add_origins(const Arrow& operation, std::vector<Arrow>& arrows) {
    const MpiOperation& row = *find_mpi_operation(operation.name);
    // Equal blocks stand for blocks of any size, neighbours have communicators of their own, and
    // MPI_Scan stands for MPI_Exscan.
    if (row.is_irregular() || row.is_among_neighbours() || row.to == exclusively_prefixed) return;
    for (const Variant& each : origins) {
        Arrow arrow = varied(each, operation, fmt::format("{} on {}", operation.name, each.says));
        if (!is_available(each.origin)) arrow.needs |= not_in_this_mpi;
        arrows.push_back(std::move(arrow));
    }
}

/// Adds the operation on communicators with other orders of the ranks. Adds nothing for neighbours
/// and exclusive scans.
void add_orders(const Arrow& operation, std::vector<Arrow>& arrows) {
    const MpiOperation& row = *find_mpi_operation(operation.name);
    // Neighbours have communicators of their own; one rank has no exclusive prefix.
    if (row.is_among_neighbours() || row.to == exclusively_prefixed) return;
    const bool moves_data = !has_orders(row);
    for (const Variant& each : moves_data ? orders_with_data : orders) {
        Arrow arrow = varied(each, operation,
                             fmt::format("{} on {}{}", operation.name, each.says,
                                         moves_data ? ", each with the data of its new rank" : ""));
        if (moves_data)
            arrow.needs |= row.shape == Shape::vector ? anything : equal_blocks;
        else if (arrow.needs & defined_operator)
            arrow.needs |= commutative;
        arrows.push_back(std::move(arrow));
    }
}

/// Adds other descriptions of the data: both sides of a call need the same elements, but may give
/// other counts and types.
void add_descriptions(const Arrow& operation, std::vector<Arrow>& arrows) {
    const MpiOperation& row = *find_mpi_operation(operation.name);
    if (row.is_reduction() || row.shape == Shape::nothing) return;
    for (const Variant& each : descriptions) {
        arrows.push_back(varied(each, operation,
                                fmt::format("{} of data that a rank describes as elements {}",
                                            operation.name, each.name)));
        // Open MPI chooses an algorithm by the counts of all ranks times the size of the type of
        // this rank. Later releases than these are tried, because their developers may have
        // corrected this.
        const bool is_one = each.sent != Described::as_usual;
        if (operation.name == "MPI_Allgatherv" && is_one &&
            is_release_up_to(Environment::name_of_library(), "Open MPI",
                             {"4.1.99", "5.0.7", "6.0.0rc2"}))
            arrows.back().needs |= equal_types;
    }
}

/// Adds a reduction with two user functions, one that commutes and one that may not. Adds nothing
/// for operations without an operator.
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

/// Adds the operation in parts, for operations that have parts.
void add_parts(const Arrow& operation, std::vector<Arrow>& arrows) {
    if (!find_mpi_operation(operation.name)->has_parts()) return;
    for (const Variant& each : splits) {
        Arrow arrow = varied(each, operation,
                             fmt::format("the data in {} parts that are all started before any "
                                         "is waited for",
                                         each.parts));
        arrow.rename(
            {.operation = operation.name, .start = Start::nonblocking, .parts = each.parts});
        arrow.prepare = prepare_in_parts(operation.name);
        arrows.push_back(std::move(arrow));
    }
}

// On the first half of the ranks: has to be no slower than on all ranks, because the first half has
// the same data whatever the others contribute.

template <std::size_t operation>
Step in_first_half(const Instance& instance, const Place& from, Layout to) {
    constexpr std::array names{"MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Barrier"};
    const int members = instance.problem().first_half();
    Instance half = instance;
    half.comm = communicator_of_first(instance.comm, members);
    Step step = prepare_blocking(names[operation])(half, from, to);
    if (instance.rank() >= members) step.call = [] {};
    return step;
}

}  // namespace

std::vector<Arrow> first_half_arrows() {
    const auto row = [](const char* name, std::string_view collective, Holding from, Holding to,
                        Prepare prepare, unsigned needs) {
        return Arrow{
            parse_form(name), collective, Kind::variant, from, to, "on the first half of the ranks",
            prepare,          needs};
    };
    return {
        row("MPI_Bcast[first half]", "bcast", rooted, half_replicated, in_first_half<0>,
            root_in_half),
        row("MPI_Reduce[first half]", "reduce", half_contributed, rooted, in_first_half<1>,
            defined_operator | root_in_half),
        row("MPI_Allreduce[first half]", "allreduce", half_contributed, half_replicated,
            in_first_half<2>, defined_operator),
        row("MPI_Barrier[first half]", "barrier", apart, half_together, in_first_half<3>, anything),
    };
}

std::vector<Arrow> variant_arrows(const std::deque<Arrow>& usual) {
    std::vector<Arrow> arrows;
    std::set<std::string> known;
    for (const Arrow& each : usual) {
        // The first use of an operation is its natural use.
        if (each.kind != Kind::native || !known.insert(each.name).second) continue;
        add_origins(each, arrows);
        add_orders(each, arrows);
        add_descriptions(each, arrows);
        add_operators(each, arrows);
        add_cartesian(each, arrows);
        add_parts(each, arrows);
    }
    return arrows;
}

}  // namespace mpiaudit
