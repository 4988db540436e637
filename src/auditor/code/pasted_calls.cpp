// SPDX-License-Identifier: BSD-3-Clause
#include "code/pasted_calls.h"

#include <fmt/format.h>

#include <string_view>

#include "code/calls.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using enum Holding;

constexpr std::string_view wait = " MPI_Wait(&request, MPI_STATUS_IGNORE);";

/// The arguments of a call beside its function.
struct Arguments {
    std::string sent = {}, received = {};  ///< addresses
    std::string number = {};               ///< elements of the own block, or of the vector
    /// The lists of both sides; an operation with one list has both names alike.
    std::string sendcounts = {}, sdispls = {}, recvcounts = {}, rdispls = {};
};

/// Returns the arguments in the order of the operation.
std::string in_order(const MpiOperation& operation, const Arguments& given) {
    std::string text;
    for (std::size_t k = 0; k < operation.argument_count(); ++k) {
        const std::string_view name = operation.argument(k);
        const bool is_sent = operation.to == scattered;
        if (name == "sendbuf")
            text += given.sent;
        else if (name == "recvbuf" || name == "buffer")
            text += given.received;
        else if (name.ends_with("count"))
            text += given.number;
        else if (name == "sendcounts")
            text += given.sendcounts;
        else if (name == "recvcounts")
            text += given.recvcounts;
        else if (name == "displs")
            text += is_sent ? given.sdispls : given.rdispls;
        else if (name == "sdispls")
            text += given.sdispls;
        else if (name == "rdispls")
            text += given.rdispls;
        else if (name == "sendtypes" || name == "recvtypes")
            text += name;
        else
            text += name.ends_with("type") ? "type" : name;
        text += ", ";
    }
    return text + "comm";
}

/// Returns the lists of an operation with blocks of any size.
void add_lists(const PastedStep& step, const PastedEnds& ends, PastedNames& names,
               Arguments& arguments) {
    const MpiOperation& operation = *step.operation;
    if (!operation.is_irregular()) return;
    if (names.has_rows()) {
        arguments.sendcounts = "sendcounts";
        arguments.recvcounts = "recvcounts";
        arguments.sdispls = "sdispls";
        arguments.rdispls = "rdispls";
        return;
    }
    // The root alone has these arguments in both operations.
    const bool is_same = names.replaced().shape == operation.shape;
    const std::string numbers = is_same && operation.has_root() ? "counts" : names.numbers();
    arguments.sendcounts = arguments.recvcounts = numbers;
    if (operation.shape == Shape::reduced_blocks) return;
    const std::string& offsets = operation.to == scattered ? ends.in.offsets : ends.out.offsets;
    arguments.sdispls = arguments.rdispls = offsets == "offsets" ? names.offsets() : offsets;
}

Arguments arguments_of(const PastedStep& step, const PastedEnds& ends, PastedNames& names) {
    const MpiOperation& operation = *step.operation;
    Arguments arguments{.sent = ends.in.address, .received = ends.out.address};
    if (operation.takes("count"))
        arguments.number = names.all();
    else if (operation.takes("recvcount") || operation.takes("sendcount"))
        arguments.number = names.own();
    if (step.is_in_place(InPlace::everywhere)) arguments.sent = "MPI_IN_PLACE";
    if (step.is_in_place(InPlace::sent_by_root))
        arguments.sent = root_or("MPI_IN_PLACE", arguments.sent);
    if (step.is_in_place(InPlace::received_by_root))
        arguments.received = root_or("MPI_IN_PLACE", arguments.received);
    add_lists(step, ends, names, arguments);
    return arguments;
}

/// Returns the displacements of MPI_Alltoallw in bytes.
void add_types(PastedNames& names, Arguments& arguments) {
    if (names.replaced().takes("sendtypes")) return;
    names.define("types", "MPI_Datatype types[p]; for (int k = 0; k < p; ++k) types[k] = type;");
    for (std::string* list : {&arguments.sdispls, &arguments.rdispls}) {
        const std::string in_bytes = *list + "_in_bytes";
        names.define(in_bytes, fmt::format("int {0}[p]; for (int k = 0; k < p; ++k) {0}[k] = "
                                           "(int)(extent * {1}[k]);",
                                           in_bytes, *list));
        *list = in_bytes;
    }
}

std::string started(const PastedStep& step, const std::string& arguments, PastedNames& names) {
    switch (step.form.start) {
        case Start::nonblocking:
            return fmt::format("{}({}, &request);{}", step.function, arguments, wait);
        case Start::persistent:
            if (step.function.starts_with("MPIX_")) names.need("#include <mpi-ext.h>");
            names.need("the _init function once");
            return fmt::format(
                "{}({}, MPI_INFO_NULL, &request); MPI_Start(&request);{} "
                "MPI_Request_free(&request);",
                step.function, arguments, wait);
        default:
            return fmt::format("{}({});", step.function, arguments);
    }
}

std::string single_call(const PastedStep& step, const PastedEnds& ends, PastedNames& names) {
    Arguments arguments = arguments_of(step, ends, names);
    std::string text;
    if (step.operation->takes("sendtypes")) {
        add_types(names, arguments);
        text = in_order(*step.operation, arguments);
        if (!names.replaced().takes("sendtypes"))
            for (const char* types : {"sendtypes", "recvtypes"}) replace_all(text, types, "types");
    } else {
        text = in_order(*step.operation, arguments);
    }
    return started(step, text, names);
}

/// Defines the lists of each part, and sets the lists to those of part i.
/// \param side a word in the names of the lists
void cut_list(std::string& counts, std::string& offsets, const std::string& side, bool is_at_root,
              int parts, PastedNames& names) {
    const std::string of_part = side + "_numbers", at_part = side + "_offsets";
    names.define(
        of_part,
        fmt::format("int {0}[{2}][p], {1}[{2}][p]; for (int i = 0; i < {2}; ++i) for (int k = 0; "
                    "{5}k < p; ++k) {{ const int at = (int)((long long){3}[k] * i / {2}), end = "
                    "(int)((long long){3}[k] * (i + 1) / {2}); {0}[i][k] = end - at; {1}[i][k] = "
                    "{4}[k] + at; }}",
                    of_part, at_part, parts, counts, offsets,
                    is_at_root ? "rank == root && " : ""));
    counts = of_part + "[i]";
    offsets = at_part + "[i]";
}

/// Returns one call for each part of the data, in a loop.
std::optional<std::string> calls_of_parts(const PastedStep& step, const PastedEnds& ends,
                                          PastedNames& names) {
    const MpiOperation& operation = *step.operation;
    const bool are_in_flight = step.form.parts > 1;
    const int parts = are_in_flight ? step.form.parts : step.parts;
    if (!operation.has_parts() || operation.shape == Shape::nothing) return std::nullopt;
    Arguments arguments = arguments_of(step, ends, names);
    std::string stretch;
    if (!arguments.number.empty()) {
        stretch = fmt::format(
            "const int at = (int)((long long){0} * i / {1}), end = (int)((long long){0} * (i + 1) "
            "/ {1}); ",
            arguments.number, parts);
        arguments.number = "end - at";
        // The side with lists has its offsets there.
        if (!operation.takes("sendcounts")) arguments.sent = names.behind(arguments.sent, "at");
        if (!operation.takes("recvcounts"))
            arguments.received = names.behind(arguments.received, "at");
    }
    if (operation.is_irregular()) {
        const bool has_rows = operation.takes("sdispls");
        std::string &counts = arguments.recvcounts, &offsets = arguments.rdispls;
        if (has_rows)
            cut_list(arguments.sendcounts, arguments.sdispls, "sent", false, parts, names);
        cut_list(counts, offsets, has_rows ? "received" : "part", operation.has_root(), parts,
                 names);
        if (!has_rows) arguments.sendcounts = counts, arguments.sdispls = offsets;
    }
    const std::string text = in_order(operation, arguments);
    if (!are_in_flight)
        return fmt::format("for (int i = 0; i < {}; ++i) {{ {}{}({}); }}", parts, stretch,
                           step.function, text);
    return fmt::format(
        "MPI_Request requests[{0}]; for (int i = 0; i < {0}; ++i) {{ {1}{2}({3}, &requests[i]); }} "
        "MPI_Waitall({0}, requests, MPI_STATUSES_IGNORE);",
        parts, stretch, step.function, text);
}

std::string zero_fill(const PastedStep& step, const PastedEnds& ends, PastedNames& names) {
    names.need("a type of numbers");
    const std::string fill =
        fmt::format("memset({}, 0, extent * {});", ends.out.address, names.all());
    if (step.from == name(rooted)) {
        const std::string rest = "if (rank != root) " + fill;
        // The data of the root of a broadcast may be in place already.
        if (has_word(ends.out.address, "buffer")) return rest;
        return rest + " else { " + names.copy(ends.out.address, ends.in.address, names.all()) +
               " }";
    }
    return fill + " " + names.copy(names.block_in(ends.out, "rank"), ends.in.address, names.own());
}

}  // namespace

std::string root_or(const std::string& there, const std::string& elsewhere) {
    return fmt::format("(rank == root ? {} : {})", there, elsewhere);
}

std::string for_each_rank(const std::string& code) {
    return "for (int k = 0; k < p; ++k) { " + code + " }";
}

std::string without_padding(const std::string& layout) {
    constexpr std::string_view padding = "padded ";
    return layout.starts_with(padding) ? layout.substr(padding.size()) : layout;
}

bool PastedStep::has_equal_blocks() const {
    return operation != nullptr && !operation->is_irregular() && operation->takes("recvcount");
}

bool PastedStep::has_one_buffer() const {
    if (kind == PastedStep::Kind::zero_fill) return false;
    return (operation != nullptr && operation->takes("buffer")) ||
           (from == name(rooted) && to == name(replicated)) || form.operation == "MPI_Reduce_local";
}

std::optional<PastedStep> pasted_step(const record::Step& step,
                                      const std::vector<record::Implementation>& implementations) {
    PastedStep made{
        .form = step.form, .from = without_padding(step.from), .to = without_padding(step.to)};
    if (step.arrow == "zero fill") {
        made.kind = PastedStep::Kind::zero_fill;
        return made;
    }
    const Form& form = made.form;
    made.operation = form.mpi_operation();
    if (!form.is_of_mpi() || form.has_large_counts || form.start == Start::persistent_once)
        return std::nullopt;
    const auto* const known = find_in(implementations, step.arrow, &record::Implementation::name);
    made.function =
        known != nullptr && !known->written_as.empty() ? known->written_as : form.function();
    const bool is_usual = made.operation != nullptr && form.variant.empty() &&
                          without_padding(step.from) == name(made.operation->from) &&
                          without_padding(step.to) == name(made.operation->to);
    made.kind = is_usual ? PastedStep::Kind::call : PastedStep::Kind::other_use;
    const bool is_known = is_usual ? !made.operation->is_among_neighbours() : has_code_of_use(made);
    if (!is_known || (form.is_in_place && form.start != Start::blocking)) return std::nullopt;
    return made;
}

std::optional<std::string> code_of(const PastedStep& step, const PastedEnds& ends,
                                   PastedNames& names) {
    if (step.kind == PastedStep::Kind::zero_fill) return zero_fill(step, ends, names);
    if (step.kind == PastedStep::Kind::other_use) return code_of_use(step, ends, names);
    if (step.form.parts > 1 || step.parts > 1) return calls_of_parts(step, ends, names);
    return single_call(step, ends, names);
}

std::string call_on_rest(PastedNames& names) {
    const MpiOperation& replaced = names.replaced();
    const auto last = [&](const PastedData& data) {
        return names.behind(data.address, "(count - rest)");
    };
    Arguments arguments{
        .sent = last(names.input()), .received = last(names.result()), .number = "rest"};
    return fmt::format("{}({});", replaced.name, in_order(replaced, arguments));
}

}  // namespace mpiaudit
