// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/arrow.h"

#include <fmt/format.h>

namespace mpiaudit {

namespace {

/// Of MPI_Pack and MPI_Unpack only the packed end is counted in bytes.
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

}  // namespace

Layout Arrow::source(Layout variant) const {
    return {from, variant.padded && kind != Kind::agreement,
            variant.packed && kind != Kind::packing};
}

Layout Arrow::target(Layout variant) const {
    return {to, variant.padded && !drops_padding(), variant.packed && kind != Kind::unpacking};
}

Argument Arrow::argument() const {
    return kind == Kind::agreement || to == Holding::together ? Argument::one : Argument::whole;
}

std::optional<std::string> Arrow::obstacle(const Problem& problem, bool padded, bool packed) const {
    if (needs & not_in_this_mpi) return fmt::format("{}: not in this MPI library", name);
    if ((needs & a_network) && !problem.has_network)
        return fmt::format("{} needs a network (see --network)", name);
    if ((needs & equal_blocks) && !padded && !problem.is_regular())
        return fmt::format("{} needs equal blocks", name);
    if ((needs & gaps_in_elements) && problem.element->extent() == problem.element->data_bytes())
        return fmt::format("{}: the elements have no gaps (see --element)", name);
    if ((needs & defined_operator) && !problem.op->is_defined_for(*problem.element))
        return fmt::format("{}: the operator {} is not defined for {}", name, problem.op->name(),
                           problem.element->name());
    if ((needs & commutative) && !problem.op->is_commutative())
        return fmt::format("{} needs a commutative operator", name);
    if ((needs & zero_identity) && !problem.op->has_zero_identity())
        return fmt::format("{} needs an operator with the neutral element 0", name);
    if ((needs & root_zero) && problem.root != 0)
        return fmt::format("{} crashes in this MPI library unless the root is rank 0", name);
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
    add(zero_identity, "needs an operator with the neutral element 0");
    add(gaps_in_elements, "needs elements with gaps");
    add(a_network, "needs a network, see --network");
    add(not_in_this_mpi, "not in this MPI library");
    add(root_zero, "in this MPI library only with root 0");
    return text;
}

}  // namespace mpiaudit
