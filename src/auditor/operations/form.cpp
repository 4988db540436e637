// SPDX-License-Identifier: BSD-3-Clause
#include "operations/form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace mpiaudit {
namespace {

constexpr std::string_view mpi = "MPI_", init = "_init", large_counts = "_c";
constexpr std::string_view once = "once", in_place = "in place", parts_word = " parts";

/// Variants that a program can call in place of another form. The variants of stand-ins in a
/// simulation begin with "as ", those of compositions with "by ".
constexpr std::string_view replacements[] = {"computing and testing",
                                             "folded",
                                             "hierarchical",
                                             "lane",
                                             "of copies",
                                             "on the device",
                                             "relayed",
                                             "rows and columns",
                                             "rows and one column",
                                             "staged"};

/// Variants that call one operation, with other arguments than usual.
constexpr std::string_view other_arguments[] = {"Cartesian",
                                                "complete",
                                                "create_group",
                                                "dup",
                                                "first half",
                                                "merged",
                                                "node by node",
                                                "order kept",
                                                "rotated",
                                                "received as a list",
                                                "received as one type",
                                                "reversed",
                                                "round-robin over nodes",
                                                "sent as a list",
                                                "sent as one type",
                                                "session",
                                                "shuffled",
                                                "split",
                                                "user function",
                                                "world"};

/// The operation with the longest name that is a word of the algorithm's name: Reduce_scatter in
/// ring_Reduce_scatter and Gatherv in TUW_Gatherv_k3. Empty if there is none.
std::string operation_of_algorithm(std::string_view algorithm) {
    std::string_view longest;
    for (const MpiOperation& each : mpi_operations) {
        const std::string_view word = each.name.substr(mpi.size());
        const std::size_t at = algorithm.rfind(word);
        if (at == std::string_view::npos || at == 0 || algorithm[at - 1] != '_') continue;
        const std::string_view behind = algorithm.substr(at + word.size());
        if ((behind.empty() || behind.front() == '_') && each.name.size() > longest.size())
            longest = each.name;
    }
    return std::string(longest);
}

/// MPI_Gather for MPI_Igather; empty for other names.
std::string blocking_name(std::string_view name) {
    if (name.size() <= mpi.size() + 1 || name[mpi.size()] != 'I') return "";
    std::string blocking(name.substr(mpi.size() + 1));
    blocking.front() =
        static_cast<char>(std::toupper(static_cast<unsigned char>(blocking.front())));
    blocking.insert(0, mpi);
    const bool is_name = find_mpi_operation(blocking) != nullptr;
    return is_name && nonblocking_name(blocking) == name ? blocking : "";
}

/// MPI_Gather for MPI_Gather_init and MPI_Gather_c; empty for other names.
std::string without(std::string_view suffix, std::string_view name) {
    if (!name.ends_with(suffix)) return "";
    name.remove_suffix(suffix.size());
    return find_mpi_operation(name) != nullptr ? std::string(name) : "";
}

/// Returns the form of a function of MPI or of an algorithm. Unknown names stay whole in
/// `operation`.
Form form_of_function(std::string_view function) {
    Form form;
    const auto is = [&](std::string operation) {
        form.operation = std::move(operation);
        return !form.operation.empty();
    };
    if (!function.starts_with(mpi)) {
        form.algorithm = function;
        form.operation = operation_of_algorithm(function);
    } else if (is(blocking_name(function))) {
        form.start = Start::nonblocking;
    } else if (is(without(init, function))) {
        form.start = Start::persistent;
    } else if (is(without(large_counts, function))) {
        form.has_large_counts = true;
    } else {
        form.operation = function;
    }
    return form;
}

/// The n of "n parts"; nothing for other words.
std::optional<int> parts_in(std::string_view words) {
    if (!words.ends_with(parts_word)) return std::nullopt;
    words.remove_suffix(parts_word.size());
    int parts = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), parts);
    const bool is_number = error == std::errc() && end == words.data() + words.size() &&
                           !words.empty() && words.front() != '0' && parts > 1;
    return is_number ? std::optional(parts) : std::nullopt;
}

/// Stores the words between brackets: how the call starts, its parts, its place, or else its
/// variant.
void read_brackets(std::string_view words, Form& form) {
    if (words == once && form.start == Start::persistent) {
        form.start = Start::persistent_once;
    } else if (const auto parts = parts_in(words)) {
        form.parts = *parts;
    } else if (words == in_place || (words.starts_with(in_place) && words[in_place.size()] == ' ' &&
                                     words.size() > in_place.size() + 1)) {
        form.is_in_place = true;
        form.variant = words.substr(std::min(in_place.size() + 1, words.size()));
    } else {
        form.variant = words;
    }
}

/// Returns the text in the parentheses of a term.
std::string argument_text(const Term& term, const Scale& scale) {
    if (term.argument == Argument::one) return "1";
    if (term.argument == Argument::padded) return "m'";
    if (scale.is_next) return "m+k";
    return scale.parts > 1 ? "m/" + std::to_string(scale.parts) : "m";
}

std::string text_of_way(const Way& way, bool with_sizes) {
    std::string text;
    for (const Term& term : way.terms) {
        if (!text.empty()) text += " + ";
        text += term.form.name();
        if (with_sizes && !term.is_bare) text += "(" + argument_text(term, way.scale) + ")";
        if (!term.completion.empty()) text += " + " + term.completion;
    }
    return way.scale.repeats > 1 ? std::to_string(way.scale.repeats) + " " + text : text;
}

}  // namespace

std::string_view name(Start start) {
    // The order is that of the declaration.
    static constexpr std::array names{"blocking", "nonblocking", "persistent", "persistent once"};
    static_assert(names.size() == static_cast<std::size_t>(Start::persistent_once) + 1);
    return names[static_cast<std::size_t>(start)];
}

std::string Form::function() const {
    if (!algorithm.empty()) return algorithm;
    switch (start) {
        case Start::nonblocking:
            return nonblocking_name(operation);
        case Start::persistent:
        case Start::persistent_once:
            return operation + std::string(init);
        case Start::blocking:
            break;
    }
    return has_large_counts ? operation + std::string(large_counts) : operation;
}

std::string Form::name() const {
    std::string words;
    const auto add = [&](std::string_view word) {
        if (word.empty()) return;
        if (!words.empty()) words += ' ';
        words += word;
    };
    if (start == Start::persistent_once) add(once);
    if (is_in_place) add(in_place);
    if (parts > 1) add(std::to_string(parts) + std::string(parts_word));
    add(variant);
    return words.empty() ? function() : function() + "[" + words + "]";
}

bool Form::has_no_brackets() const {
    return start != Start::persistent_once && !is_in_place && parts == 1 && variant.empty();
}

bool Form::is_in_a_row() const {
    return variant.starts_with("in a row");
}

bool Form::is_operation() const {
    return is_of_mpi() && parts == 1 &&
           (variant.empty() ||
            std::ranges::find(other_arguments, variant) != std::end(other_arguments));
}

bool Form::is_plain() const {
    return *this == Form{.operation = operation} && mpi_operation() != nullptr;
}

bool Form::makes_communicator() const {
    return is_of_mpi() &&
           (operation.starts_with("MPI_Comm_") || operation.starts_with("MPI_Cart_") ||
            operation.starts_with("MPI_Dist_graph_"));
}

bool Form::is_consistency_test() const {
    if (start == Start::persistent_once) return true;
    return !variant.empty() && !variant.starts_with("by ") && !variant.starts_with("as ") &&
           std::ranges::find(replacements, variant) == std::end(replacements);
}

Form parse_form(std::string_view name) {
    const std::size_t bracket = name.find('[');
    if (bracket == std::string_view::npos || !name.ends_with(']') || bracket + 2 >= name.size())
        return form_of_function(name);
    Form form = form_of_function(name.substr(0, bracket));
    read_brackets(name.substr(bracket + 1, name.size() - bracket - 2), form);
    return form;
}

std::string Way::name() const {
    const std::string text = text_of_way(*this, true);
    return copy > 1 ? text + " #" + std::to_string(copy) : text;
}

std::string Way::operations() const {
    return text_of_way(*this, false);
}

bool Way::is_one_call() const {
    return only() != nullptr && scale.is_plain() && terms.front().argument == Argument::whole &&
           terms.front().completion.empty();
}

bool Way::is_other_form() const {
    if (terms.empty()) return false;
    const Term& first = terms.front();
    if (!first.form.is_of_mpi() || first.form.mpi_operation() == nullptr)
        return first.form.makes_communicator();
    return only() == nullptr || !first.form.is_plain() || !first.completion.empty();
}

bool Way::makes_communicator() const {
    return std::ranges::any_of(terms,
                               [](const Term& each) { return each.form.makes_communicator(); });
}

}  // namespace mpiaudit
