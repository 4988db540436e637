// SPDX-License-Identifier: BSD-3-Clause
// Defines match() of session.h.
#include "repairer/session.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "interposition/library.h"

namespace mpiaudit::repairer {
namespace {

using interposition::Arguments;
using interposition::Shape;

std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
    if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
    return count * interposition::type_bytes(type);
}

/// The size of a call, as far as all ranks know it.
struct Size {
    std::int64_t bytes = 0;    ///< bytes of the block or vector, or of all blocks
    std::int64_t all = 0;      ///< bytes of all ranks together
    std::int64_t element = 0;  ///< bytes of an element, if blocks differ
    interposition::Counts counts = {};
};

Size size_of(const MpiOperation& collective, Shape shape, const Arguments& call,
             const Communicator& comm) {
    Size size;
    const auto amount = interposition::amount_of(shape, call, call.root == comm.rank);
    if (collective.known_size() == KnownSize::block) {
        size.bytes = bytes_of(amount.count, amount.type);
        size.all = shape == Shape::vector ? size.bytes : size.bytes * comm.size;
    } else if (collective.known_size() == KnownSize::blocks) {
        size.counts = amount.counts;
        size.element = bytes_of(1, amount.type);
        for (int rank = 0; rank < comm.size; ++rank)
            size.bytes += size.counts[static_cast<std::size_t>(rank)] * size.element;
        size.all = size.bytes;
    }
    return size;
}

bool has_blocks(const rules::Rule& rule, const Size& size) {
    for (std::size_t rank = 0; rank < rule.blocks.size(); ++rank)
        if (size.counts[rank] * size.element != rule.blocks[rank]) return false;
    return true;
}

bool is_about(const rules::Rule& rule, const Size& size, const Arguments& call,
              const Communicator& comm) {
    return rule.is_for(comm.per_host) && (!rule.root || *rule.root == call.root) &&
           (!rule.bytes || (rule.bytes->from <= size.bytes && size.bytes <= rule.bytes->to)) &&
           has_blocks(rule, size);
}

/// Returns whether sums of the type depend on the order of the operands.
bool is_floating_point(std::string_view type) {
    for (const std::string_view part : {"FLOAT", "DOUBLE", "REAL", "COMPLEX"})
        if (type.find(part) != std::string_view::npos) return true;
    return false;
}

/// Returns whether sums of the type may saturate, and so depend on the order: in Open MPI 4.1.4
/// they do with the component op/avx.
bool is_short_integer(std::string_view type) {
    for (const std::string_view part : {"CHAR", "SHORT", "INT8", "INT16", "INTEGER1", "INTEGER2"})
        if (type.find(part) != std::string_view::npos) return true;
    return false;
}

/// Returns why a reduction must not take the path; nullopt if it may. All ranks have the same
/// operator and type, so all decide alike.
std::optional<Refusal> refusal_of_reduction(const AppliedRule& applied, const Arguments& call) {
    const auto op = interposition::predefined_op(call.op);
    const auto type = interposition::predefined_type(call.datatype);
    if (op.id == 0 || type.id == 0) return Refusal::operation;
    const std::string_view name = interposition::op_name(op.id);
    const bool adds = name == "MPI_SUM" || name == "MPI_PROD";
    const std::string_view of_type = interposition::type_name(type.id);
    if (adds && is_floating_point(of_type)) {
        // Programs rely on equal results on all ranks, so no option allows different ones.
        if (applied.path.needs_exact_sums) return Refusal::differing_ranks;
        if (!applied.rule.reassociates) return Refusal::floating_point;
    }
    if (adds && is_short_integer(of_type)) return Refusal::short_integers;
    return std::nullopt;
}

/// Returns why a call that matches the rule must not take the path; nullopt if it may. All ranks
/// decide alike.
std::optional<Refusal> refusal_of(const AppliedRule& applied, const MpiOperation& collective,
                                  const Size& size, const Arguments& call,
                                  const Communicator& comm) {
    if (collective.known_size() != KnownSize::nothing) {
        if (size.bytes <= 0) return Refusal::no_data;
        // Some paths count bytes by int.
        if (size.all > std::numeric_limits<int>::max()) return Refusal::too_large;
    }
    if (collective.is_reduction())
        if (const auto refusal = refusal_of_reduction(applied, call)) return refusal;
    if (session.mode == Mode::count) return Refusal::only_counted;
    if (applied.path.needs_duplicate && !comm.has_duplicate) return Refusal::no_duplicate;
    return std::nullopt;
}

}  // namespace

AppliedRule* match(OfCollective& own, Shape shape, const Arguments& arguments) {
    if (own.rules.empty() || arguments.comm == MPI_COMM_NULL) return nullptr;
    const Communicator& comm = interposition::attribute_of<Communicator>(arguments.comm);
    if (!comm.is_repairable || comm.size == 1) return nullptr;
    // Invalid calls are left to the library, which reports the error.
    const bool has_root = own.collective->has_root();
    if (has_root && (arguments.root < 0 || arguments.root >= comm.size)) return nullptr;
    const Size size = size_of(*own.collective, shape, arguments, comm);
    const auto found = std::ranges::find_if(own.rules, [&](const AppliedRule* each) {
        return is_about(each->rule, size, arguments, comm);
    });
    if (found == own.rules.end()) return nullptr;
    const auto refusal = refusal_of(**found, *own.collective, size, arguments, comm);
    if (!refusal) return *found;
    (*found)->refuse(*refusal);
    return nullptr;
}

}  // namespace mpiaudit::repairer
