// SPDX-License-Identifier: BSD-3-Clause
// The arrows of the table of operations and of the table of algorithms.
#include "catalogue/operation_arrows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <tuple>
#include <utility>

#include "catalogue/bind.h"
#include "collectives/nodes/nodes.h"
#include "collectives/patterns/node_communicators.h"
#include "messages/messages.h"
#include "messages/owned.h"
#include "mpi/environment.h"
#include "operations/functions_by_name.h"
#include "text/release.h"

namespace mpiaudit {
namespace {

using enum Holding;

constexpr const auto& rows = operation_table::rows;

// The arguments of a call, by their names in the standard.

/// Arrays that a call reads.
using Owners = std::vector<std::shared_ptr<const void>>;

/// The places and counts from which the arguments of a call are taken.
struct Sides {
    Place from, result;  ///< counts and displacements are those of the call
    const void* sent;
    void* received;
    int elements;  ///< of a vector
    /// The elements of the own block, and of all where they are equal.
    int sent_block, received_block;
};

constexpr int no_number = 0;

/// An array as the function takes it: `factor` times what the place has.
template <class Number>
const Number* numbers(std::span<const int> given, std::size_t factor, Owners& owners) {
    if constexpr (std::is_same_v<Number, int>) {
        if (given.empty()) return &no_number;
        if (factor == 1) return given.data();
    }
    const auto own = std::make_shared<std::vector<Number>>();
    for (const int each : given) {
        if constexpr (std::is_same_v<Number, int>)
            own->push_back(narrow(Count{each} * static_cast<Count>(factor), "bytes"));
        else
            own->push_back(static_cast<Number>(each) * static_cast<Number>(factor));
    }
    own->resize(own->size() + 1);  // an address of nothing
    owners.push_back(own);
    return own->data();
}

const MPI_Datatype* types(const Place& place, Owners& owners) {
    const auto own =
        std::make_shared<std::vector<MPI_Datatype>>(place.counts.size() + 1, place.type);
    owners.push_back(own);
    return own->data();
}

template <std::size_t row, bool is_large, std::size_t k>
auto argument(const Instance& instance, const Sides& sides, Owners& owners) {
    constexpr MpiOperation operation = mpi_operations[row];
    constexpr std::string_view name = operation.argument(k);
    constexpr bool in_bytes = operation.takes("sendtypes");
    using CountType = std::conditional_t<is_large, MPI_Count, int>;
    using Displacement =
        std::conditional_t<is_large || (in_bytes && operation.is_among_neighbours()), MPI_Aint,
                           int>;
    const auto counts = [&](const Place& place) {
        return numbers<CountType>(place.counts, 1, owners);
    };
    const auto displacements = [&](const Place& place) {
        return numbers<Displacement>(place.displacements, in_bytes ? place.extent : 1, owners);
    };
    // The side that has the blocks of all ranks.
    const Place& blocks =
        operation.takes("sendcounts") || operation.from == contributed ? sides.from : sides.result;
    if constexpr (name == "sendbuf")
        return sides.sent;
    else if constexpr (name == "recvbuf" || name == "buffer")
        return sides.received;
    else if constexpr (name == "count")
        return CountType{sides.elements};
    else if constexpr (name == "sendcount")
        return CountType{sides.sent_block};
    else if constexpr (name == "recvcount")
        return CountType{sides.received_block};
    else if constexpr (name == "sendcounts")
        return counts(sides.from);
    else if constexpr (name == "recvcounts")
        return counts(operation.from == contributed ? sides.from : sides.result);
    else if constexpr (name == "displs")
        return displacements(blocks);
    else if constexpr (name == "sdispls")
        return displacements(sides.from);
    else if constexpr (name == "rdispls")
        return displacements(sides.result);
    else if constexpr (name == "recvtype" || (name == "datatype" && operation.takes("buffer")))
        return sides.result.type;
    else if constexpr (name == "sendtype" || name == "datatype")
        return sides.from.type;
    else if constexpr (name == "sendtypes")
        return types(sides.from, owners);
    else if constexpr (name == "recvtypes")
        return types(sides.result, owners);
    else if constexpr (name == "op")
        return instance.op();
    else {
        static_assert(name == "root", "an argument of a row that no call can be given");
        return instance.root();
    }
}

template <std::size_t row, bool is_large>
auto arguments(const Instance& instance, const Sides& sides, Owners& owners) {
    constexpr std::size_t number = mpi_operations[row].argument_count();
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
        return std::tuple{argument<row, is_large, k>(instance, sides, owners)...};
    }
    (std::make_index_sequence<number>{});
}

Sides sides_of(const MpiOperation& operation, const Instance& instance, const Place& from,
               Layout to) {
    Sides sides{from,      operation.shape == Shape::nothing ? from : instance.target(to),
                from.data, nullptr,
                0,         0,
                0};
    Place& result = sides.result;
    sides.elements = (operation.from == contributed ? from : result).span();
    // MPI_Bcast leaves the root's data where they are.
    if (operation.takes("buffer") && instance.is_root()) result = from;
    result.layout = to;
    sides.received = result.data;
    sides.sent_block = sides.received_block =
        operation.to == scattered ? (result.counts.empty() ? 0 : result.counts.front())
        : from.counts.empty()     ? narrow(instance.problem().largest())
                                  : from.counts.front();
    if (operation.is_among_neighbours()) {
        sides.sent = buffer_of(from);
        sides.received = buffer_of(result);
    }
    // Rank 0 has no exclusive prefix. Its receive buffer is not significant, but MPICH wants one.
    if (operation.to == exclusively_prefixed) sides.received = buffer_of(result);
    return sides;
}

Sides sides_in_place(const MpiOperation& operation, const Instance& instance, const Place& from,
                     Layout to) {
    Sides sides = sides_of(operation, instance, from, to);
    Place& result = sides.result;
    if (operation.in_place == InPlace::received_by_root) {
        // The root's own block stays among the others.
        if (!instance.is_root()) return sides;
        result = instance.workspace.view(from, to);
        sides.received = MPI_IN_PLACE;
        return sides;
    }
    const bool is_here = operation.in_place == InPlace::everywhere || instance.is_root();
    if (operation.from == scattered) {
        result = instance.workspace.all_blocks_of(from, to);
        sides.received = result.data;
    } else if (is_here) {
        if (result.data != nullptr) result.data = from.data;
        sides.received = from.data;
    }
    if (is_here) sides.sent = MPI_IN_PLACE;
    return sides;
}

/// Where the data of an operation in place are.
Place input_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    if (from.layout.holding == scattered) return instance.workspace.view(result, from.layout);
    // A contribution that is longer than the result, or of a rank without one.
    if (to.holding == scattered || result.data == nullptr)
        return instance.workspace.target(from.layout);
    Place there = from;
    there.data = result.data;
    return there;
}

Place input_in_place_at_root(const Instance& instance, const Place& from, Layout to) {
    return instance.is_root() ? input_in_place(instance, from, to) : from;
}

Place with_blocks(const Place& place, std::vector<int> counts, std::vector<int> displacements,
                  Owners& owners) {
    const auto own_counts = std::make_shared<const std::vector<int>>(std::move(counts));
    const auto own_displacements =
        std::make_shared<const std::vector<int>>(std::move(displacements));
    owners.insert(owners.end(), {own_counts, own_displacements});
    Place with = place;
    with.counts = *own_counts;
    with.displacements = *own_displacements;
    return with;
}

/// Block k is that of the process with rank k in the communicator.
Place renumbered(const Instance& instance, const Place& place, Owners& owners) {
    const std::size_t blocks = place.counts.size();
    std::vector<int> counts(blocks), displacements(blocks);
    for (std::size_t k = 0; k < blocks; ++k) {
        const auto to = static_cast<std::size_t>(
            position(instance.called_as->origin, static_cast<int>(k), static_cast<int>(blocks),
                     instance.problem().node_of_rank));
        counts[to] = place.counts[k];
        displacements[to] = place.displacements[k];
    }
    return with_blocks(place, std::move(counts), std::move(displacements), owners);
}

// Parts that are all in flight.

/// Part i of n elements: where it begins.
int begin_of_part(int n, int part, int parts) {
    return static_cast<int>(static_cast<long>(n) * part / parts);
}

/// The same stretch of every block.
Place part_of_blocks(const Place& place, int part, int parts, Owners& owners) {
    std::vector<int> counts(place.counts.begin(), place.counts.end());
    std::vector<int> displacements(place.displacements.begin(), place.displacements.end());
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const int begin = begin_of_part(place.counts[k], part, parts);
        counts[k] = begin_of_part(place.counts[k], part + 1, parts) - begin;
        displacements[k] += begin;
    }
    return with_blocks(place, std::move(counts), std::move(displacements), owners);
}

Sides part_of(const Sides& whole, const MpiOperation& operation, int part, int parts,
              Owners& owners) {
    Sides piece = whole;
    const auto shorten = [&](int& number) {
        const int begin = begin_of_part(number, part, parts);
        number = begin_of_part(number, part + 1, parts) - begin;
        return static_cast<std::size_t>(begin) * std::max(whole.from.extent, whole.result.extent);
    };
    const std::size_t offset_bytes =
        operation.shape == Shape::vector ? shorten(piece.elements) : shorten(piece.sent_block);
    piece.received_block = piece.sent_block;
    if (operation.takes("sendcounts"))
        piece.from = part_of_blocks(whole.from, part, parts, owners);
    else if (whole.from.data != nullptr)
        piece.sent = whole.from.data + offset_bytes;
    if (operation.takes("recvcounts"))
        piece.result = part_of_blocks(whole.result, part, parts, owners);
    else if (whole.result.data != nullptr)
        piece.received = whole.result.data + offset_bytes;
    return piece;
}

/// Prepares a call in parts: starts nonblocking calls for all parts and then waits for all of them.
template <std::size_t row>
Step in_parts(const Instance& instance, const Place& from, Layout to, Function erased) {
    using F = decltype(std::get<row>(rows).functions.nonblocking);
    const Sides whole = sides_of(mpi_operations[row], instance, from, to);
    const int parts = instance.called_as->parts;
    Owners owners;
    std::vector<decltype(arguments<row, false>(instance, whole, owners))> pieces;
    for (int i = 0; i < parts; ++i)
        pieces.push_back(arguments<row, false>(
            instance, part_of(whole, mpi_operations[row], i, parts, owners), owners));
    return {in_flight(parts,
                      [owners = std::move(owners), pieces = std::move(pieces),
                       start = reinterpret_cast<F>(erased),
                       comm = instance.comm](int i, MPI_Request* request) {
                          return std::apply(
                              [&](auto... each) { return start(each..., comm, request); },
                              pieces[static_cast<std::size_t>(i)]);
                      }),
            whole.result};
}

// Other types and counts on a side.

MPI_Datatype committed(MPI_Datatype type, Owners& owners) {
    MPI_Type_commit(&type);
    owners.push_back(std::make_shared<const OwnedDatatype>(type));
    return type;
}

/// MPI_Type_contiguous is the normal form of this type: it has the same type map.
MPI_Datatype type_that_lists(int elements, const Place& side) {
    std::vector<MPI_Aint> displacements;
    for (int i = 0; i < elements; ++i)
        displacements.push_back(i * static_cast<MPI_Aint>(side.extent));
    MPI_Datatype list = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed_block(elements, 1, displacements.data(), side.type, &list);
    return list;
}

/// Describes the data of one side in another way.
/// \param number the number of elements of an operation with one count; null if counts are of
/// blocks \param data what the call gets; null if this rank has no data on the side
void describe_side(Described how, Place& side, const void* data, int* number, Owners& owners) {
    if (how == Described::as_usual || data == nullptr || side.counts.empty()) return;
    int unit = number != nullptr ? *number : 0;
    if (number == nullptr) {
        for (std::size_t k = 0; k < side.counts.size(); ++k) {
            unit = std::gcd(unit, side.counts[k]);
            if (side.counts[k] > 0) unit = std::gcd(unit, side.displacements[k]);
        }
    }
    if (unit == 0) return;
    MPI_Datatype all = MPI_DATATYPE_NULL;
    if (how == Described::as_list)
        all = type_that_lists(unit, side);
    else
        MPI_Type_contiguous(unit, side.type, &all);
    side.type = committed(all, owners);
    side.extent *= static_cast<std::size_t>(unit);
    if (number != nullptr) {
        *number = 1;
        return;
    }
    std::vector<int> counts, displacements;
    for (std::size_t k = 0; k < side.counts.size(); ++k) {
        counts.push_back(side.counts[k] / unit);
        displacements.push_back(side.counts[k] > 0 ? side.displacements[k] / unit : 0);
    }
    side = with_blocks(side, std::move(counts), std::move(displacements), owners);
}

/// Describes both sides of a call as the variant of the arrow does.
void describe_sides(const MpiOperation& operation, const Instance& instance, Sides& sides,
                    Owners& owners) {
    const Variant& how = *instance.called_as;
    if (operation.takes("buffer")) {
        describe_side(instance.is_root() ? how.sent : how.received, sides.result, sides.received,
                      &sides.elements, owners);
        return;
    }
    describe_side(how.sent, sides.from, sides.sent,
                  operation.takes("sendcount") ? &sides.sent_block : nullptr, owners);
    describe_side(how.received, sides.result, sides.received,
                  operation.takes("recvcount") ? &sides.received_block : nullptr, owners);
}

// One call.

/// Returns a communicator in which ranks have the neighbours of the problem: made as a distributed
/// graph, or with MPI_Cart_create for the variant [Cartesian]. In layouts of all ranks every rank
/// is a neighbour.
MPI_Comm communicator_of_neighbours(const Instance& instance, Layout to) {
    if (!is_over_graph(to.holding)) return complete_communicator(instance.comm);
    const Graph& graph = *instance.problem().graph;
    return instance.called_as != nullptr && instance.called_as->is_cartesian
               ? cartesian_communicator(instance.comm, graph.dimensions)
               : graph_communicator(instance.comm, graph);
}

enum class Way { as_it_is, used_once, in_place, on_nodes };

/// Binds the arguments of an operation to its function.
using BindCall = Call (*)(const Instance& instance, const Sides& sides, Owners& owners,
                          MPI_Comm comm, Function function);

/// Prepares a call of any operation. The part that depends on the signature is `bind`; this part is
/// compiled once.
Step prepare_call(const MpiOperation& operation, Way way, BindCall bind, const Instance& instance,
                  const Place& from, Layout to, Function function) {
    const MPI_Comm comm =
        operation.is_among_neighbours() ? communicator_of_neighbours(instance, to) : instance.comm;
    // The communicators of nodes and lanes are made now, so that no call is timed with them.
    if (way == Way::on_nodes && node_split(comm).has_lanes()) make_node_communicators(comm);
    Sides sides = way == Way::in_place ? sides_in_place(operation, instance, from, to)
                                       : sides_of(operation, instance, from, to);
    const Place result = sides.result;
    Owners owners;
    if (operation.is_irregular() && instance.called_as != nullptr &&
        !instance.called_as->is_reordered && renumbers(instance.called_as->origin)) {
        if (operation.takes("sendcounts")) sides.from = renumbered(instance, sides.from, owners);
        if (operation.takes("recvcounts"))
            sides.result = renumbered(instance, sides.result, owners);
    }
    if (instance.called_as != nullptr && !operation.is_reduction())
        describe_sides(operation, instance, sides, owners);
    Step step{bind(instance, sides, owners, comm, function), result};
    if (!owners.empty())
        step.call = [owners = std::move(owners), call = std::move(step.call)] { call(); };
    // Buffers on a reordered communicator have the same length on all ranks.
    if (instance.called_as != nullptr && instance.called_as->is_reordered)
        step.data_of_rank = messages::rank_in(comm);
    return step;
}

/// Compiled for each signature, not for each row.
template <bool is_used_once, class F, class Arguments>
Call bind_arguments(F function, MPI_Comm comm, const Arguments& arguments) {
    return std::apply(
        [&](auto... each) {
            if constexpr (is_used_once)
                return bound_call(UsedOnce<F>{function}, comm, each...);
            else
                return bound_call(function, comm, each...);
        },
        arguments);
}

template <std::size_t row, class F, bool is_used_once>
Call bind_call(const Instance& instance, const Sides& sides, Owners& owners, MPI_Comm comm,
               Function erased) {
    constexpr bool is_large = std::get<row>(rows).functions.has_large_counts &&
                              std::is_same_v<F, typename SignaturesOf<row>::LargeCount>;
    return bind_arguments<is_used_once>(reinterpret_cast<F>(erased), comm,
                                        arguments<row, is_large>(instance, sides, owners));
}

template <std::size_t row, class F, Way way>
Step one_call(const Instance& instance, const Place& from, Layout to, Function function) {
    return prepare_call(mpi_operations[row], way, bind_call<row, F, way == Way::used_once>,
                        instance, from, to, function);
}

/// Stands for a function that this library lacks: there is no call.
Step not_there(const Instance& instance, const Place& /*from*/, Layout to) {
    return {{}, instance.target(to)};
}

/// The forms of an operation; not_there where this library lacks the function.
struct Forms {
    Prepare blocking, nonblocking, persistent, used_once, in_parts;
    Prepare in_place, nonblocking_in_place, persistent_in_place;
    std::optional<Prepare> large_count;  ///< nothing where MPI has no such function
    /// Prepare any function with the signature of the blocking function; null if there is none.
    Prepare::OfFunction of_function = nullptr, on_nodes = nullptr;
};

template <std::size_t row, Way way = Way::as_it_is, class F>
Prepare prepare_of(F function) {
    if constexpr (std::is_pointer_v<F>) {
        if (function != nullptr) return {one_call<row, F, way>, any(function)};
    }
    return not_there;
}

/// Returns the function as one of type F; null if the library lacks the function.
template <class F>
F function_of_type(const NamedFunction& named) {
    if constexpr (std::is_pointer_v<F>)
        return reinterpret_cast<F>(named.function);
    else
        return nullptr;
}

/// Returns the forms of the operation in this row. A form that the MPI library or the operation
/// lacks is not_there or missing.
template <std::size_t row>
Forms forms_of_row() {
    constexpr const auto& functions = std::get<row>(rows).functions;
    using Blocking = std::remove_const_t<decltype(functions.blocking)>;
    const std::string_view name = mpi_operations[row].name;
    const auto persistent =
        function_of_type<typename SignaturesOf<row>::Persistent>(persistent_function(name));
    Forms forms{.blocking = prepare_of<row>(functions.blocking),
                .nonblocking = prepare_of<row>(functions.nonblocking),
                .persistent = prepare_of<row>(persistent),
                .used_once = prepare_of<row, Way::used_once>(persistent),
                .in_parts = not_there,
                .in_place = not_there,
                .nonblocking_in_place = not_there,
                .persistent_in_place = not_there,
                .large_count = {}};
    if constexpr (mpi_operations[row].has_parts())
        forms.in_parts = {in_parts<row>, any(functions.nonblocking)};
    if constexpr (mpi_operations[row].in_place != InPlace::nowhere) {
        forms.in_place = prepare_of<row, Way::in_place>(functions.blocking);
        forms.nonblocking_in_place = prepare_of<row, Way::in_place>(functions.nonblocking);
        forms.persistent_in_place = prepare_of<row, Way::in_place>(persistent);
    }
    if constexpr (functions.has_large_counts)
        forms.large_count = prepare_of<row>(
            function_of_type<typename SignaturesOf<row>::LargeCount>(large_count_function(name)));
    if constexpr (std::is_pointer_v<Blocking>) {
        forms.of_function = one_call<row, Blocking, Way::as_it_is>;
        forms.on_nodes = one_call<row, Blocking, Way::on_nodes>;
    }
    return forms;
}

/// \param operation of the table of operations
const Forms& forms_of(const MpiOperation& operation) {
    static const auto all = []<std::size_t... row>(std::index_sequence<row...>) {
        return std::array{forms_of_row<row>()...};
    }
    (std::make_index_sequence<operation_count>{});
    return all[static_cast<std::size_t>(&operation - mpi_operations.data())];
}

const Forms& forms_of(std::string_view operation) {
    return forms_of(*find_mpi_operation(operation));
}

unsigned presence(const Prepare& form) {
    return form == Prepare(not_there) ? not_in_this_mpi : anything;
}

// The arrows.

Arrow arrow_of(const MpiOperation& operation, Form form, Kind kind, std::string summary,
               Prepare prepare, unsigned more_needs) {
    return {std::move(form), operation.collective, kind,    operation.from,
            operation.to,    std::move(summary),   prepare, needs_of(operation) | more_needs};
}

/// Adds the blocking, nonblocking and persistent calls, and the persistent call that is used once.
void add_started_forms(const MpiOperation& operation, std::vector<Arrow>& arrows) {
    const std::string name(operation.name);
    const auto add = [&](Kind kind, Start start, std::string says, const Prepare& prepare) {
        arrows.push_back(arrow_of(operation, {.operation = name, .start = start}, kind,
                                  std::move(says), prepare, presence(prepare)));
    };
    const Forms& forms = forms_of(operation);
    add(Kind::native, Start::blocking, std::string(operation.summary), forms.blocking);
    add(Kind::nonblocking, Start::nonblocking,
        fmt::format("{} started without blocking, and MPI_Wait", name), forms.nonblocking);
    add(Kind::persistent, Start::persistent,
        fmt::format("{} initialised before; MPI_Start and MPI_Wait", name), forms.persistent);
    add(Kind::variant, Start::persistent_once,
        fmt::format("{} initialised, started, waited for and freed", name), forms.used_once);
}

void add_large_count_form(const MpiOperation& operation, std::vector<Arrow>& arrows) {
    if (const auto& prepare = forms_of(operation).large_count)
        arrows.push_back(arrow_of(
            operation, {.operation = std::string(operation.name), .has_large_counts = true},
            Kind::variant, "the same operation with counts of type MPI_Count", *prepare,
            presence(*prepare)));
}

/// Returns a clause that tells which data MPI_IN_PLACE leaves in the receive buffer.
std::string_view what_is_in_place(const MpiOperation& operation) {
    if (operation.in_place == InPlace::received_by_root)
        return "that leaves the root's block in its place";
    if (operation.from == outgoing) return "that replaces what it sends";
    if (operation.from == scattered)
        return operation.to == rooted ? "with the root's block in its place"
                                      : "with all blocks in their places";
    switch (operation.to) {
        case rooted:
            return "whose result replaces the root's contribution";
        case replicated:
            return "whose result replaces the contributions";
        case scattered:
            return "whose result replaces part of the contribution";
        default:
            return "whose result replaces the contribution";
    }
}

// MPICH before 4.1 reads MPI_IN_PLACE as an address when long vectors are reduced to another root.
unsigned needs_in_place(const MpiOperation& operation) {
    static const bool reads_in_place =
        is_release_up_to(Environment::name_of_library(), "MPICH", {"3.999.0", "4.0.999"});
    return reads_in_place && operation.name == "MPI_Reduce" ? root_zero : anything;
}

/// Adds the calls with MPI_IN_PLACE. Adds nothing for operations without MPI_IN_PLACE.
void add_in_place_forms(const MpiOperation& operation, std::vector<Arrow>& arrows) {
    if (operation.in_place == InPlace::nowhere) return;
    const auto add = [&](Kind kind, Start start, std::string_view says, const Prepare& prepare) {
        Form form{.operation = std::string(operation.name), .start = start, .is_in_place = true};
        Arrow arrow =
            arrow_of(operation, std::move(form), kind,
                     fmt::format("{} {}{}", operation.name, what_is_in_place(operation), says),
                     prepare, needs_in_place(operation) | presence(prepare));
        if (operation.in_place != InPlace::received_by_root)
            arrow.input =
                operation.in_place == InPlace::everywhere ? input_in_place : input_in_place_at_root;
        // The contribution is longer than the result, or a rank has none.
        if (operation.from == contributed && operation.to != rooted && operation.to != replicated)
            arrow.scratch = contributed;
        arrows.push_back(std::move(arrow));
    };
    const Forms& forms = forms_of(operation);
    add(Kind::in_place, Start::blocking, "", forms.in_place);
    add(Kind::nonblocking, Start::nonblocking, ", and MPI_Wait", forms.nonblocking_in_place);
    add(Kind::persistent, Start::persistent, "; MPI_Start and MPI_Wait", forms.persistent_in_place);
}

// The same where rows of a rectangle pass for nodes, whatever is known about nodes.
constexpr Variant rows_and_columns{.name = "rows and columns", .origin = Origin::rectangle};
constexpr Variant rows_and_one_column{.name = "rows and one column", .origin = Origin::rectangle};

void add_on_rectangle(std::vector<Arrow>& arrows, const Arrow& on_nodes_as_usual) {
    const bool is_by_lanes = on_nodes_as_usual.form.variant == "lane";
    const Variant& variant = is_by_lanes ? rows_and_columns : rows_and_one_column;
    Arrow arrow = on_nodes_as_usual;
    arrow.rename({.operation = arrow.form.operation, .variant = std::string(variant.name)});
    arrow.summary =
        fmt::format("the library's operations on the rows and {} of a rectangle of all ranks",
                    is_by_lanes ? "the columns" : "one column");
    arrow.needs = (arrow.needs & ~several_nodes) | rectangle;
    arrow.called_as = &variant;
    arrows.push_back(std::move(arrow));
}

/// Returns whether the algorithm reduces by MPI_Reduce_local, which need not reach the memory of a
/// device. Scans on nodes add the prefixes of nodes themselves.
bool computes(const MpiOperation& operation, const Algorithm& algorithm) {
    const bool leaves_it_to_library = (algorithm.traits & of_library) != 0;
    return operation.is_reduction() && (!leaves_it_to_library || operation.collective == "scan");
}

/// Adds the algorithms of mpiaudit for this operation. Adds the library's operations on nodes a
/// second time, on the rows and columns of a rectangle.
void add_algorithms(const MpiOperation& operation, std::vector<Arrow>& arrows) {
    const Forms& forms = forms_of(operation);
    if (forms.of_function == nullptr) return;
    for (const Algorithm& each : algorithms()) {
        if (each.operation != operation.name) continue;
        const bool is_on_nodes = (each.traits & on_nodes) != 0;
        const bool is_of_library = (each.traits & of_library) != 0;
        arrows.push_back(
            arrow_of(operation, parse_form(each.name),
                     is_of_library ? Kind::variant : Kind::reference, std::string(each.summary),
                     {is_on_nodes ? forms.on_nodes : forms.of_function, each.function},
                     ((each.traits & reorders_operands) != 0 ? commutative : anything) |
                         ((each.traits & order_of_each_rank) != 0 ? exact_results : anything) |
                         (is_on_nodes ? several_nodes : anything) |
                         (computes(operation, each) ? computes_on_host : anything)));
        if (is_of_library) add_on_rectangle(arrows, Arrow(arrows.back()));
    }
}

}  // namespace

unsigned needs_of(const MpiOperation& operation) {
    unsigned needs = anything;
    if (!operation.is_irregular() && operation.takes("recvcount")) needs |= equal_blocks;
    if (operation.is_reduction()) needs |= defined_operator;
    if (operation.shape == Shape::rows_of_types) needs |= bytes_in_int;
    return needs;
}

void* buffer_of(const Place& place) {
    static std::byte nothing_there{};
    return place.data != nullptr ? static_cast<void*>(place.data) : &nothing_there;
}

unsigned presence_of(std::string_view operation) {
    return presence(prepare_blocking(operation));
}

Prepare prepare_as(std::string_view operation, Function function) {
    const Prepare::OfFunction of_function = forms_of(operation).of_function;
    return of_function != nullptr ? Prepare{of_function, function} : not_there;
}

Prepare prepare_blocking(std::string_view operation) {
    return forms_of(operation).blocking;
}

Prepare prepare_nonblocking(std::string_view operation) {
    return forms_of(operation).nonblocking;
}

Prepare prepare_in_parts(std::string_view operation) {
    return forms_of(operation).in_parts;
}

Arrow arrow_between_ends_of(Form form, Kind kind, std::string summary, Prepare prepare,
                            unsigned more_needs) {
    const MpiOperation& operation = *form.mpi_operation();
    return arrow_of(operation, std::move(form), kind, std::move(summary), prepare, more_needs);
}

Arrow variant_of_operation(std::string_view name, std::string summary, Prepare prepare,
                           unsigned more_needs) {
    return arrow_between_ends_of(parse_form(name), Kind::variant, std::move(summary), prepare,
                                 more_needs);
}

std::vector<Arrow> operation_arrows() {
    std::vector<Arrow> all;
    const std::vector<Arrow> others = other_uses();
    std::string_view before;
    for (const MpiOperation& each : mpi_operations) {
        if (each.collective == std::exchange(before, each.collective)) continue;
        const std::string_view collective = each.collective;
        const auto add = [&](auto* add_forms) {
            for (const MpiOperation& row : mpi_operations)
                if (row.collective == collective) add_forms(row, all);
        };
        add(add_started_forms);
        add(add_large_count_form);
        std::ranges::copy_if(others, std::back_inserter(all),
                             [&](const Arrow& arrow) { return arrow.collective == collective; });
        add(add_in_place_forms);
        add(add_algorithms);
    }
    return all;
}

}  // namespace mpiaudit
