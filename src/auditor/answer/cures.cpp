// SPDX-License-Identifier: BSD-3-Clause
#include "answer/cures.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "text/plain.h"

namespace mpiaudit {
namespace {

/// What a program does with a form; {} is the function. Empty words: the name of the form says it.
struct CureRow {
    std::string_view variant, words;
};
constexpr CureRow words_of_variants[] = {
    {"Cartesian", "{} on a communicator of MPI_Cart_create"},
    {"beside a new communicator", "keep the communicator"},
    {"beside new buffers", "keep the buffers, and copy"},
    {"complete", "{} on the complete graph"},
    {"computing and testing", "MPI_Test meanwhile"},
    {"create_group", "{} on a communicator of MPI_Comm_create_group"},
    {"dup", "{} on a communicator of MPI_Comm_dup"},
    {"first half", "{} on the first half of the ranks"},
    {"folded", ""},
    {"hierarchical", ""},
    {"in a row", "the calls without MPI_Barrier between them"},
    {"in a row with barriers", "MPI_Barrier between the calls"},
    {"lane", ""},
    {"merged", "{} on a communicator of MPI_Intercomm_merge"},
    {"new buffers", "{} in new buffers"},
    {"new communicator", "{} on a new communicator"},
    {"node by node", "number the ranks node by node (MPI_Comm_split)"},
    {"of copies", ""},
    {"on the device", ""},
    {"order kept", "MPI_Op_create with commute = 0"},
    {"received as a list", "receive one element of a type that lists the data"},
    {"received as one type", "receive one element of a type with all data"},
    {"relayed", ""},
    {"reversed", "number the ranks in reverse (MPI_Comm_split)"},
    {"rotated", "number the ranks from the middle on (MPI_Comm_split)"},
    {"round-robin over nodes", "number the ranks round-robin over nodes (MPI_Comm_split)"},
    {"rows and columns", ""},
    {"rows and one column", ""},
    {"sent as a list", "send one element of a type that lists the data"},
    {"sent as one type", "send one element of a type with all data"},
    {"session", "{} on a communicator of a session"},
    {"shuffled", "number the ranks in another order (MPI_Comm_split)"},
    {"split", "{} on a communicator of MPI_Comm_split"},
    {"staged", ""},
    {"user function", "an operator of your own (MPI_Op_create)"},
    {"world", "{} on MPI_COMM_WORLD"}};

/// What a program does without a form, if the other side is called as usual.
constexpr CureRow words_without[] = {
    {"Cartesian", "{} on a communicator of MPI_Dist_graph_create_adjacent"},
    {"first half", "{} on all ranks"},
    {"order kept", "MPI_Op_create with commute = 1"},
    {"received as a list", "receive a number of elements"},
    {"received as one type", "receive a number of elements"},
    {"sent as a list", "send a number of elements"},
    {"sent as one type", "send a number of elements"}};

template <std::size_t size>
const CureRow* words_in(const CureRow (&table)[size], std::string_view variant) {
    const auto* const found = std::ranges::find(table, variant, &CureRow::variant);
    return found == std::end(table) ? nullptr : found;
}

std::string filled(std::string_view words, const Form& form) {
    return fmt::format(fmt::runtime(words), form.function());
}

/// Returns MPI_Allgather + MPI_Reduce_local of MPI_Allreduce[by MPI_Allgather], and the names of
/// other ways without "(m)".
std::string calls_in_short(const Way& way) {
    constexpr std::string_view by = "by ";
    const Form* const form = way.only();
    const MpiOperation* const known = form != nullptr ? form->mpi_operation() : nullptr;
    if (known == nullptr || known->is_among_neighbours() || !form->variant.starts_with(by)) {
        std::string text = way.name();
        replace_all(text, "(m)", "");
        return text;
    }
    const std::string inner = form->variant.substr(by.size());
    const bool reduces_afterwards = known->is_reduction() && inner.starts_with("MPI_All");
    return inner + (reduces_afterwards ? " + MPI_Reduce_local" : "");
}

/// Returns the words for a single form beside the only form of the left side, which may be null;
/// empty if the name of the way says all.
std::string cure_of_form(const Form* left, const Form& right) {
    const std::string_view before = left != nullptr ? std::string_view(left->variant) : "";
    const bool has_one_function = left != nullptr && left->function() == right.function();
    if (right.start == Start::persistent_once)
        return right.function() + ", MPI_Start, MPI_Wait, MPI_Request_free";
    if (right.variant == "computing")
        return filled(right.start == Start::blocking ? "call {}, then compute"
                                                     : "compute between {} and MPI_Wait",
                      right);
    // The left side of this form keeps the order of the ranks, too.
    if (right.variant == "user function" && before == "order kept")
        return std::string(words_in(words_without, before)->words);
    if (right.variant.empty() && has_one_function) {
        if (left->is_in_place && !right.is_in_place)
            return filled("{} without MPI_IN_PLACE", right);
        const CureRow* const without = words_in(words_without, before);
        return without != nullptr ? filled(without->words, right) : "";
    }
    const CureRow* const words = words_in(words_of_variants, right.variant);
    return words != nullptr ? filled(words->words, right) : "";
}

}  // namespace

bool has_words(const Form& form) {
    return form.variant.empty() || form.variant == "computing" || form.variant.starts_with("by ") ||
           form.variant.starts_with("as ") || words_in(words_of_variants, form.variant) != nullptr;
}

std::string cure(const Way& left, const Way& right) {
    if (right.scale.is_next) return "pad the data to the next larger size";
    const int parts = right.scale.parts;
    if (right.scale.repeats > 1 && right.only() != nullptr) {
        const bool is_same = left.only() != nullptr && *left.only() == *right.only();
        return fmt::format("{} {} of {} the size", parts, is_same ? "calls" : right.only()->name(),
                           parts == 2 ? "half" : fmt::format("1/{}", parts));
    }
    if (right.only() != nullptr) {
        const std::string words = cure_of_form(left.only(), *right.only());
        if (!words.empty()) return words;
    }
    return calls_in_short(right);
}

}  // namespace mpiaudit
