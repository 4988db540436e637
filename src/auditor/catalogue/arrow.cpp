// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/arrow.h"

#include <fmt/format.h>

#include <bit>

#include "catalogue/moved.h"
#include "mpi/environment.h"
#include "operations/functions_by_name.h"
#include "simulation/simulation.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns why the bytes of one end exceed int; nullopt if they do not. MPI_Pack and MPI_Unpack
/// count only their packed end in bytes.
std::optional<std::string> oversize_in_bytes(const Arrow& arrow, const Problem& problem,
                                             Layout variant) {
    const bool packs = arrow.kind == Kind::packing || arrow.kind == Kind::unpacking;
    for (const Layout end : {arrow.source(variant), arrow.target(variant)}) {
        if (packs && !end.packed) continue;
        const Count bytes =
            elements_held(problem, end, -1) * static_cast<Count>(element_bytes(problem, end));
        if (!fits_int(bytes))
            return fmt::format("{}: {} bytes {} exceed int", arrow.name, bytes, name(end));
    }
    return std::nullopt;
}

/// The limit of memory that no workspace counts; small beside the memory of a machine.
constexpr Count most_bytes_of_all_vectors = 64 << 20;

Count bytes_of_all_vectors(const Problem& problem) {
    const Count holders = platform().ranks_share_memory ? problem.ranks() : 1;
    return holders * problem.padded_total() * problem.ranks() *
           static_cast<Count>(problem.element->extent());
}

/// Returns the elements that can be split: those of each block, or those of the vector.
Count elements_to_split(const Arrow& arrow, const Problem& problem) {
    if (arrow.called_as->parts == 1) return 1;
    const bool has_vectors = arrow.from == Holding::contributed ||
                             (arrow.from == Holding::rooted && arrow.to == Holding::replicated);
    return has_vectors ? problem.total() : problem.largest();
}

/// Returns why the nodes do not fit operations on nodes; nullopt if they do.
std::optional<std::string> obstacle_of_nodes(const std::string& name, const Problem& problem) {
    if (problem.nodes <= 1)
        return fmt::format("{} needs ranks on several nodes (see --node-size)", name);
    if (problem.ranks_per_node == 0)
        return fmt::format(
            "{} needs the same number of ranks on every node, with consecutive numbers (see "
            "--node-size)",
            name);
    if (problem.ranks_per_node == 1)
        return fmt::format("{} needs several ranks on every node (see --node-size)", name);
    return std::nullopt;
}

/// Returns why the arrow does not fit the memory of the buffers; nullopt if it does.
std::optional<std::string> obstacle_of_memory(const Arrow& arrow, const Problem& problem) {
    if (problem.memory.are_host()) {
        if ((arrow.needs & (device_memory | other_memory)) == 0) return std::nullopt;
        return fmt::format("{} needs a buffer on a device (see --memory-kind)", arrow.name);
    }
    if ((arrow.needs & other_memory) && problem.memory.are_of_device())
        return fmt::format("{}: both buffers are in the device's own memory (see --memory-kind)",
                           arrow.name);
    const bool has_function =
        !problem.op->is_predefined() ||
        (arrow.called_as != nullptr && arrow.called_as->op != OperatorForm::plain);
    if ((arrow.needs & defined_operator) && has_function && !arrow.is_staged(problem))
        return fmt::format(
            "{}: the operator is a function of mpiaudit that runs on the host (see --memory-kind)",
            arrow.name);
    return std::nullopt;
}

std::optional<std::string> obstacle_of_order(const Arrow& arrow, const Problem& problem) {
    if (arrow.called_as == nullptr || !is_by_nodes(arrow.called_as->origin)) return std::nullopt;
    if (problem.nodes <= 1)
        return fmt::format("{} needs ranks on several nodes (see --node-size)", arrow.name);
    if (renumbers(arrow.called_as->origin, problem.node_of_rank)) return std::nullopt;
    return fmt::format("{}: the ranks are in this order already", arrow.name);
}

}  // namespace

Agreement agreement_on(std::shared_ptr<int> learnt, int right, int rank) {
    // A number that the call did not write must not pass for the right one.
    return {[=] { *learnt = ~right; },
            [=]() -> std::optional<Fault> {
                if (*learnt == right) return std::nullopt;
                return Fault{FaultKind::wrong_value,
                             fmt::format("rank {}: MPI_Allreduce(1) agrees on {}, not {}", rank,
                                         *learnt, right)};
            }};
}

std::string Arrow::stands_for() const {
    return called_as == nullptr ? "" : std::string(called_as->stands_for);
}

Layout Arrow::source(Layout variant) const {
    return {from, variant.padded && kind != Kind::agreement,
            variant.packed && kind != Kind::packing};
}

Layout Arrow::target(Layout variant) const {
    return {to, variant.padded && !drops_padding(), variant.packed && kind != Kind::unpacking};
}

bool Arrow::accepts_destination() const {
    switch (kind) {
        case Kind::native:
        case Kind::nonblocking:
        case Kind::persistent:
        case Kind::chosen:
        case Kind::reference:
        case Kind::packing:
            return true;
        case Kind::in_place:
            // The root of MPI_Scatter leaves its block among all blocks.
            return input == nullptr;
        case Kind::local:
            // Zeros are written around data that are in place already.
            return from == Holding::scattered;
        case Kind::variant:
        case Kind::agreement:
        case Kind::view:
        case Kind::unpacking:
            return false;
    }
    return false;
}

Argument Arrow::argument() const {
    return kind == Kind::agreement || is_barrier(to) ? Argument::one : Argument::whole;
}

Step Arrow::prepared(const Instance& instance, const Place& given, Layout layout) const {
    Step step = prepare(instance, given, layout);
    if (!is_staged(instance.problem())) return step;
    return moved(MemoryKind::host, instance, given, layout, std::move(step), prepare);
}

std::optional<Fault> Arrow::known_fault(const Problem& problem) const {
    const auto told = [](FaultKind fault, std::string_view what) {
        return Fault{fault, fmt::format("is known to {} in {}; not tested here", what,
                                        Environment::name_of_library())};
    };
    if ((needs & equal_types) && !problem.is_regular())
        return told(FaultKind::hangs, "hang where ranks send different types");
    if ((needs & root_zero) && problem.root != 0)
        return told(FaultKind::crashes, "crash where the root is not rank 0");
    return std::nullopt;
}

std::optional<std::string> Arrow::obstacle(const Problem& problem, bool padded, bool packed) const {
    if (needs & not_in_this_mpi) return fmt::format("{}: not in this MPI library", name);
    if ((needs & a_network) && !problem.has_network)
        return fmt::format("{} needs a network (see --network)", name);
    if (needs & several_nodes) {
        if (auto reason = obstacle_of_nodes(name, problem)) return reason;
    }
    if ((needs & equal_blocks) && !padded && !problem.is_regular())
        return fmt::format("{} needs equal blocks", name);
    if ((needs & gaps_in_elements) && problem.element->extent() == problem.element->data_bytes())
        return fmt::format("{}: the elements have no gaps (see --element)", name);
    if ((needs & defined_operator) && !problem.op->is_defined_for(*problem.element))
        return fmt::format("{}: the operator {} is not defined for {}", name, problem.op->name(),
                           problem.element->name());
    if (auto reason = obstacle_of_memory(*this, problem)) return reason;
    if ((needs & commutative) && !problem.op->is_commutative())
        return fmt::format("{} needs a commutative operator", name);
    if ((needs & exact_results) && problem.op->rounds(*problem.element))
        return fmt::format("{} gives ranks different results where sums round", name);
    if ((needs & zero_identity) && !problem.op->has_zero_identity())
        return fmt::format("{} needs an operator with the neutral element 0", name);
    if (auto fault = known_fault(problem)) return fmt::format("{} {}", name, fault->text);
    if ((needs & predefined_operator) && !problem.op->is_predefined())
        return fmt::format("{} needs a predefined operator", name);
    if ((needs & another_root) && problem.root == 0)
        return fmt::format("{} needs another root than rank 0 (see --root)", name);
    if ((needs & ranks_to_fold) && std::has_single_bit(static_cast<unsigned>(problem.ranks())))
        return fmt::format("{}: {} ranks are a power of two", name, problem.ranks());
    if ((needs & rectangle) && rows_nearest_to_square(problem.ranks()) == 1)
        return fmt::format("{} needs a number of ranks that is no prime", name);
    if ((needs & root_in_half) && problem.root >= problem.first_half())
        return fmt::format("{} needs a root among the first half of the ranks (see --root)", name);
    if (auto reason = obstacle_of_order(*this, problem)) return reason;
    if ((needs & torus) && (problem.graph == nullptr || problem.graph->dimensions.empty()))
        return fmt::format(
            "{} needs a torus of at least 3 ranks in each dimension (--graph ring or 5-point)",
            name);
    if ((needs & room_for_all) && bytes_of_all_vectors(problem) > most_bytes_of_all_vectors)
        return fmt::format("{}: the vectors of all ranks are longer than 64 MiB", name);
    if (called_as != nullptr && elements_to_split(*this, problem) < called_as->parts)
        return fmt::format("{}: too few elements for {} parts", name, called_as->parts);
    if (needs & bytes_in_int) return oversize_in_bytes(*this, problem, {{}, padded, packed});
    return std::nullopt;
}

std::string needs_in_words(unsigned needs) {
    std::string text;
    const auto add = [&](Need need, std::string_view words) {
        if (needs & need) text += fmt::format("{}{}", text.empty() ? "" : ", ", words);
    };
    add(equal_blocks, "needs equal blocks");
    add(commutative, "needs a commutative operator");
    add(exact_results, "needs results that do not round");
    add(zero_identity, "needs an operator with the neutral element 0");
    add(gaps_in_elements, "needs elements with gaps");
    add(a_network, "needs a network, see --network");
    add(several_nodes, "needs nodes with equally many consecutive ranks, see --node-size");
    add(device_memory, "needs a buffer on a device, see --memory-kind");
    add(other_memory, "needs managed buffers, or one side on a device, see --memory-kind");
    add(not_in_this_mpi, "not in this MPI library");
    add(equal_types, "in this MPI library only where all ranks send the same type");
    add(root_zero, "in this MPI library only with root 0");
    add(predefined_operator, "needs a predefined operator");
    add(another_root, "needs another root than rank 0");
    add(ranks_to_fold, "needs a number of ranks that is no power of two");
    add(torus, "needs a torus of at least 3 ranks in each dimension");
    add(rectangle, "needs a number of ranks that is no prime");
    add(root_in_half, "needs a root among the first half of the ranks");
    add(room_for_all, "needs room for the vectors of all ranks");
    return text;
}

namespace {

/// Returns the function that the form calls. Open MPI 4 has persistent functions as extensions.
std::string function_of(const Form& form) {
    const bool is_persistent =
        form.start == Start::persistent || form.start == Start::persistent_once;
    return is_persistent ? persistent_function(form.operation).name : form.function();
}

std::string reference_name(const Arrow& arrow) {
    // Programs cannot call algorithms for one network, or stand-ins.
    if ((arrow.needs & a_network) != 0 || !arrow.stands_for().empty()) return "";
    // Persistent algorithms are timed without their preparation.
    const bool is_prepared = arrow.name.starts_with("persBruck");
    return "mpiaudit::" + arrow.name + (is_prepared ? "_init" : "");
}

}  // namespace

std::string written_as(const Arrow& arrow) {
    switch (arrow.kind) {
        case Kind::chosen:
            return arrow.algorithm->environment();
        case Kind::reference:
            return reference_name(arrow);
        case Kind::view:
            return "";
        case Kind::local:
            return arrow.is_silent() ? "" : arrow.name;
        case Kind::native:
        case Kind::nonblocking:
        case Kind::persistent:
        case Kind::in_place:
        case Kind::variant:
        case Kind::agreement:
        case Kind::packing:
        case Kind::unpacking:
            break;
    }
    return function_of(arrow.form);
}

}  // namespace mpiaudit
