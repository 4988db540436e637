// SPDX-License-Identifier: BSD-3-Clause
#include "report/pasted_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "operations/operations.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// The arguments of an MPI function: < and > are the buffers, # the number of elements of a block,
/// * that of a whole vector.
struct Signature {
    std::string function;  ///< without MPI_
    std::string arguments;
    using enum InPlace;
    InPlace in_place = nowhere;
};

/// From the names that the standard has for arguments.
std::string arguments_of(const MpiOperation& operation) {
    static const std::map<std::string_view, std::string_view> written{
        {"sendbuf", "<"},     {"recvbuf", ">"},     {"buffer", ">"},
        {"sendcount", "#"},   {"recvcount", "#"},   {"count", "*"},
        {"sendtype", "type"}, {"recvtype", "type"}, {"datatype", "type"}};
    const bool has_two_sides = operation.takes("sendcounts") && operation.takes("recvcounts");
    std::string text;
    for (std::string_view left = operation.arguments; !left.empty();) {
        const std::string_view name = left.substr(0, left.find(','));
        left.remove_prefix(std::min(left.size(), name.size() + 2));
        const auto found = written.find(name);
        text += found != written.end()                       ? found->second
                : name.ends_with("counts") && !has_two_sides ? "counts"
                                                             : name;
        text += ", ";
    }
    return text + "comm";
}

const std::vector<Signature>& signatures() {
    static const std::vector<Signature> all = [] {
        std::vector<Signature> made{{"Reduce_local", "sendbuf, >, *, type, op"},
                                    {"Pack", "<, #, type, >, bytes, &position, comm"},
                                    {"Unpack", "<, bytes, &position, >, #, type, comm"}};
        for (const MpiOperation& each : mpi_operations)
            if (!each.is_among_neighbours())
                made.push_back(
                    {std::string(without_mpi(each.name)), arguments_of(each), each.in_place});
        return made;
    }();
    return all;
}

// What is no MPI function.
const Signature zero_fill{"zero fill", "<, >"};
const Signature zero_fill_but_at_root{"zero fill", "<, >"};
// Other uses of functions: the root alone gives all, or gets all.
const Signature allgatherv_from_root{
    "Allgatherv", "MPI_IN_PLACE, 0, type, >, root_counts, root_displs, type, comm"};
const Signature reduce_scatter_to_root{"Reduce_scatter", "<, >, root_counts, type, op, comm"};
const Signature composed_of_calls{"", "<, >"};
const Signature agreement{"Allreduce", "&count, &largest, 1, MPI_INT, MPI_MAX, comm"};
const Signature barrier{"Allreduce", "MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm"};

/// Operations that are put together of others (catalogue/composed_arrows.cpp), by the names of the
/// arrows; $ is the number of elements of a whole vector. All buffers are of type char *, and tmp
/// has room for the vectors of all ranks.
const std::map<std::string, std::string>& composed_operations() {
    static const std::string all_vectors = "MPI_Allgather(sendbuf, $, type, tmp, $, type, comm); ";
    const auto reduce_to = [](std::string_view last, std::string_view count,
                              std::string_view bytes) {
        return fmt::format(
            "memcpy(recvbuf, tmp + {0} * {2}, {2}); for (int k = {0} - 1; k >= 0; --k) "
            "MPI_Reduce_local(tmp + k * {2}, recvbuf, {1}, type, op);",
            last, count, bytes);
    };
    static const std::string wait_for_all = " MPI_Waitall(p, requests, MPI_STATUSES_IGNORE);";
    static const std::map<std::string, std::string> all{
        {"MPI_Bcast[relayed]",
         "if (rank == root) MPI_Send(buffer, $, type, 0, 0, comm); if (rank == 0) MPI_Recv(buffer, "
         "$, type, root, 0, comm, MPI_STATUS_IGNORE); MPI_Bcast(buffer, $, type, 0, comm);"},
        {"MPI_Reduce[relayed]",
         "MPI_Reduce(sendbuf, tmp, $, type, op, 0, comm); if (rank == 0) MPI_Send(tmp, $, type, "
         "root, 0, comm); if (rank == root) MPI_Recv(recvbuf, $, type, 0, 0, comm, "
         "MPI_STATUS_IGNORE);"},
        {"MPI_Gather[relayed]",
         "MPI_Gather(sendbuf, count, type, tmp, count, type, 0, comm); if (rank == 0) "
         "MPI_Send(tmp, p * count, type, root, 0, comm); if (rank == root) MPI_Recv(recvbuf, p * "
         "count, type, 0, 0, comm, MPI_STATUS_IGNORE);"},
        {"MPI_Scatter[relayed]",
         "if (rank == root) MPI_Send(sendbuf, p * count, type, 0, 0, comm); if (rank == 0) "
         "MPI_Recv(tmp, p * count, type, root, 0, comm, MPI_STATUS_IGNORE); MPI_Scatter(tmp, "
         "count, type, recvbuf, count, type, 0, comm);"},
        {"MPI_Allreduce[by MPI_Allgather]", all_vectors + reduce_to("(p - 1)", "$", "bytes")},
        {"MPI_Scan[by MPI_Allgather]", all_vectors + reduce_to("rank", "$", "bytes")},
        {"MPI_Exscan[by MPI_Allgather]",
         all_vectors + "if (rank > 0) { " + reduce_to("(rank - 1)", "$", "bytes") + " }"},
        {"MPI_Exscan[by MPI_Scan]",
         "MPI_Sendrecv(sendbuf, $, type, rank + 1 < p ? rank + 1 : MPI_PROC_NULL, 0, tmp, rank > 0 "
         "? $ : 0, type, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE); if "
         "(rank > 0) MPI_Scan(tmp, recvbuf, $, type, op, all_but_rank_0);"},
        {"MPI_Reduce_scatter_block[by MPI_Alltoall]",
         "MPI_Alltoall(sendbuf, count, type, tmp, count, type, comm); " +
             reduce_to("(p - 1)", "count", "block_bytes")},
        {"MPI_Reduce_scatter[by MPI_Alltoallv]",
         "/* recvcounts[k] = count, rdispls[k] = k * count */ MPI_Alltoallv(sendbuf, counts, "
         "displs, type, tmp, recvcounts, rdispls, type, comm); " +
             reduce_to("(p - 1)", "count", "block_bytes")},
        {"MPI_Allgatherv[by MPI_Ibcast]",
         "memcpy(own_block_in_recvbuf, sendbuf, block_bytes); for (int k = 0; k < p; ++k) "
         "MPI_Ibcast(recvbuf + displs[k] * extent, counts[k], type, k, comm, &requests[k]);" +
             wait_for_all},
        {"MPI_Alltoallv[by MPI_Iscatterv]",
         "for (int k = 0; k < p; ++k) MPI_Iscatterv(sendbuf, sendcounts, sdispls, type, recvbuf + "
         "rdispls[k] * extent, recvcounts[k], type, k, comm, &requests[k]);" +
             wait_for_all},
        {"MPI_Alltoall[by MPI_Allgather]",
         "MPI_Allgather(sendbuf, p * count, type, tmp, p * count, type, comm); for (int k = 0; k < "
         "p; ++k) memcpy(recvbuf + k * block_bytes, tmp + (k * p + rank) * block_bytes, "
         "block_bytes);"},
    };
    return all;
}

/// How the function of a step is called.
struct CallForm {
    enum { plain, nonblocking, persistent, in_place } way = plain;
    const Signature* signature = nullptr;
    int parts = 1;  ///< that are in flight at once
    /// The whole text of a composed operation, which has no signature of its own; else empty.
    std::string text = {};
};

const Signature* find_signature(std::string_view function) {
    return find_in(signatures(), function, &Signature::function);
}

/// Gatherv of TUW_Gatherv_k2: the longest operation that is a word of the name.
const Signature* counterpart(std::string_view name) {
    const Signature* longest = nullptr;
    for (const Signature& each : signatures()) {
        const std::size_t at = name.find(std::string("_").append(each.function));
        const std::size_t end = at + 1 + each.function.size();
        const bool is_word =
            at != std::string_view::npos && (end == name.size() || name[end] == '_');
        if (is_word && (longest == nullptr || each.function.size() > longest->function.size()))
            longest = &each;
    }
    return longest;
}

/// Igatherv -> Gatherv.
std::string blocking_name(std::string_view function) {
    std::string name(function.substr(1));
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

/// Of an arrow as the catalogue names it: MPI_Gather, MPI_Igather, MPI_Gather_init,
/// MPI_Gather[in place], TUW_Gather. \param function that is written for it
CallForm form_of(std::string_view arrow, std::string_view function) {
    constexpr std::string_view mpi = "MPI_", init = "_init", in_place = "[in place]";
    const auto& known = composed_operations();
    if (const auto found = known.find(std::string(arrow)); found != known.end())
        return {.signature = &composed_of_calls, .text = found->second};
    if (arrow.ends_with(in_place)) {
        arrow.remove_suffix(in_place.size());
        return {CallForm::in_place, find_signature(arrow.substr(mpi.size()))};
    }
    if (!arrow.starts_with(mpi))
        return {function.ends_with(init) ? CallForm::persistent : CallForm::plain,
                counterpart(arrow)};
    arrow.remove_prefix(mpi.size());
    if (arrow.ends_with(init)) {
        arrow.remove_suffix(init.size());
        return {CallForm::persistent, find_signature(arrow)};
    }
    if (const Signature* plain = find_signature(arrow)) return {CallForm::plain, plain};
    if (arrow.size() < 2 || arrow.front() != 'I') return {};
    CallForm form{CallForm::nonblocking,
                  find_signature(blocking_name(arrow.substr(0, arrow.find('['))))};
    if (const std::size_t bracket = arrow.find('['); bracket != std::string_view::npos) {
        if (!arrow.ends_with(" parts]")) return {};
        form.parts = std::stoi(std::string(arrow.substr(bracket + 1)));
    }
    return form;
}

/// A step that is written: all but views.
struct Written {
    std::string arrow, function;
    bool is_padded = false;
    bool is_copied = false;  ///< MPI_Alltoall of one block
    CallForm form;

    /// Whether MPI_IN_PLACE stands there.
    bool is_in_place(InPlace where) const {
        return form.way == CallForm::in_place && form.signature->in_place == where;
    }
};

/// Where the data are, and how much of them there is.
struct Data {
    std::string in = {}, out = {}, own_block = {}, block = {}, vector = {};
};

std::string at_root(const std::string& there, const std::string& elsewhere) {
    return fmt::format("rank == root ? {} : {}", there, elsewhere);
}

std::string own_block_in(const std::string& buffer) {
    return "own_block_in_" + buffer;
}

/// Whether the buffer has a block for each rank, so that the blocks of a part lie behind those of
/// the parts before.
bool has_all_blocks(const Signature& signature, char buffer) {
    if (signature.function == "Alltoall") return true;
    if (signature.function == "Scatter" || signature.function == "Reduce_scatter_block")
        return buffer == '<';
    return signature.function.ends_with("ather") && buffer == '>';
}

/// Part i of the data: a stretch of a buffer whose elements are given by their number, and of
/// blocks that have counts and displacements the same stretch of each. All parts are in flight, or
/// a call follows the other.
std::string call_in_parts(const Written& step, const Data& data) {
    const std::string_view signature = step.form.signature->arguments;
    std::string text, size;
    for (std::size_t i = 0; i < signature.size(); ++i) {
        const char c = signature[i];
        if (c == '<' || c == '>') {
            const std::size_t number = signature.find_first_of("#*", i),
                              counts = signature.find("counts", i);
            text += c == '<' ? data.in : data.out;
            if (number < counts)
                text += has_all_blocks(*step.form.signature, c) ? " + p * at * extent"
                                                                : " + at * extent";
        } else if (c == '#' || c == '*') {
            text += "end - at";
            size = c == '#' ? data.block : data.vector;
        } else {
            text += c;
        }
    }
    for (const char* list : {"sendcounts", "sdispls", "recvcounts", "rdispls"})
        replace_all(text, list, fmt::format("part_{}[i]", list));
    if (text.find("part_") == std::string::npos)
        for (const char* list : {"counts", "displs"})
            replace_all(text, list, fmt::format("part_{}[i]", list));
    const std::string stretch =
        size.empty()
            ? ""
            : fmt::format("const int at = (long){0} * i / {1}, end = (long){0} * (i + 1) / {1}; ",
                          size, step.form.parts);
    if (step.form.way == CallForm::plain)
        return fmt::format("for (int i = 0; i < {1}; ++i) {{ {0}{2}({3}); }}", stretch,
                           step.form.parts, step.function, text);
    return fmt::format(
        "for (int i = 0; i < {1}; ++i) {{ {0}{2}({3}, &requests[i]); }} MPI_Waitall({1}, requests, "
        "MPI_STATUSES_IGNORE);",
        stretch, step.form.parts, step.function, text);
}

std::string arguments(const Written& step, const Data& data) {
    const auto given = [&](const std::string& buffer, auto where) {
        return step.is_in_place(where) ? at_root("MPI_IN_PLACE", buffer) : buffer;
    };
    std::string text;
    for (const char c : step.form.signature->arguments) {
        if (c == '<' && step.is_in_place(Signature::everywhere))
            text += "MPI_IN_PLACE";
        else if (c == '<')
            text += given(data.in, Signature::sent_by_root);
        else if (c == '>')
            text += given(data.out, Signature::received_by_root);
        else if (c == '#')
            text += data.block;
        else if (c == '*')
            text += data.vector;
        else
            text += c;
    }
    return text;
}

std::string call(const Written& step, const Data& data) {
    if (step.form.signature == &zero_fill)
        return fmt::format("memset({1}, 0, bytes); memcpy({2}, {0}, block_bytes);", data.in,
                           data.out, data.own_block);
    if (step.form.signature == &zero_fill_but_at_root)
        return fmt::format("if (rank != root) memset({}, 0, bytes);", data.out);
    if (step.form.signature == &composed_of_calls) {
        std::string text = step.form.text;
        replace_all(text, "$", data.vector);
        return text;
    }
    if (step.form.parts > 1) return call_in_parts(step, data);
    // Every rank sends its block to all: copies of it are to be made first.
    if (step.is_copied)
        return fmt::format(
            "for (int k = 0; k < p; ++k) memcpy(copies + k * block_bytes, {}, block_bytes); "
            "MPI_Alltoall(copies, {});",
            data.in, arguments(step, data).substr(data.in.size() + 2));
    const std::string given = arguments(step, data);
    // Rank 0 has no prefix; it is the right operand, so that only operators that commute fit.
    if (step.form.signature->function == "Reduce_local")
        return fmt::format(
            "if (rank == 0) memcpy({}, sendbuf, bytes); else {}({}); /* op commutes */", data.out,
            step.function, given);
    if (step.form.way == CallForm::nonblocking)
        return fmt::format("{}({}, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);",
                           step.function, given);
    const char* const of_root = given.find("root_counts") != std::string::npos
                                    ? "/* root_counts[k]: total for the root, 0 elsewhere */ "
                                    : "";
    if (step.form.way != CallForm::persistent)
        return fmt::format("{}{}({});", of_root, step.function, given);
    if (step.arrow.starts_with("MPI_"))
        return fmt::format(
            "{}({}, MPI_INFO_NULL, &request); /* once */ MPI_Start(&request); MPI_Wait(&request, "
            "MPI_STATUS_IGNORE);",
            step.function, given);
    const std::string base = step.function.substr(0, step.function.rfind("_init"));
    return fmt::format("{0}_init({1}, &handle); /* once */ {0}_start(handle); {0}_wait(handle);",
                       base, given);
}

/// Nothing where there is no way to write it.
std::optional<Written> written_step(const record::Step& arrow,
                                    const std::vector<record::Implementation>& implementations) {
    const std::string &from = arrow.from, &to = arrow.to;
    if (to.empty()) return std::nullopt;
    Written step{
        .arrow = arrow.arrow,
        .function = {},
        .is_padded = arrow.is_padded(),
        .is_copied = arrow.arrow == "MPI_Alltoall" && from.find("scattered") != std::string::npos,
        .form = {}};
    if (step.arrow == "zero fill") {
        step.form.signature = from == "rooted" ? &zero_fill_but_at_root : &zero_fill;
        return step;
    }
    const record::Implementation* known =
        find_in(implementations, step.arrow, &record::Implementation::name);
    if (known != nullptr && !known->written_as.empty())
        step.function = known->written_as;
    else if (step.arrow.starts_with("MPI_"))
        step.function = step.arrow.substr(0, step.arrow.find('['));
    else
        return std::nullopt;
    step.form = form_of(step.arrow, step.function);
    if (to == "padded " + from) step.form.signature = &agreement;
    if (from == "apart" && step.arrow == "MPI_Allreduce") step.form.signature = &barrier;
    if (from == "rooted" && to == "replicated" && step.arrow == "MPI_Allgatherv")
        step.form.signature = &allgatherv_from_root;
    if (to == "rooted" && step.arrow == "MPI_Reduce_scatter")
        step.form.signature = &reduce_scatter_to_root;
    if (step.form.signature == nullptr) return std::nullopt;
    return step;
}

bool moves(const Written& step) {
    const Signature* const signature = step.form.signature;
    return signature != &agreement && signature != &barrier && signature->function != "Bcast" &&
           signature->function != "Reduce_local";
}

bool is_blockwise(const Written& step) {
    const std::string_view arguments = step.form.signature->arguments;
    return arguments.find('#') != std::string_view::npos ||
           arguments.find("counts") != std::string_view::npos;
}

/// sendbuf, tmp, tmp2 ..., recvbuf; a broadcast has one buffer at both ends. So has what begins
/// with a block that stays among those which are gathered.
std::vector<std::string> buffers(const std::vector<Written>& moving, bool is_broadcast) {
    std::vector<std::string> names = {is_broadcast ? "buffer" : "sendbuf"};
    for (std::size_t i = 1; i < moving.size(); ++i)
        names.push_back(i == 1 ? "tmp" : fmt::format("tmp{}", i));
    if (!moving.empty()) names.emplace_back(is_broadcast ? "buffer" : "recvbuf");
    for (std::size_t i = 1; i < moving.size(); ++i) {
        if (moving[i - 1].is_in_place(Signature::received_by_root) &&
            moving[i].is_in_place(Signature::everywhere))
            names[i - 1] = names[i + 1];
    }
    return names;
}

/// Where the operation, in place, takes its data from: of what gathers, a block of the result.
std::string input_in(const std::string& result, const Written& step) {
    const bool gathers = step.form.signature->function.find("ather") != std::string_view::npos;
    return gathers ? own_block_in(result) : result;
}

/// Where the steps that move data take them from and put them, of these buffers. What the next one
/// takes in place is put there.
std::vector<Data> ends(const std::vector<Written>& moving, const std::vector<std::string>& names) {
    std::vector<Data> all;
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const std::string& out = names[i + 1];
        Data data{.in = names[i], .out = out, .own_block = own_block_in(out)};
        if (i > 0 && moving[i - 1].is_in_place(Signature::received_by_root))
            data.in = at_root(own_block_in(names[i - 1]), names[i]);
        if (i + 1 < moving.size()) {
            const std::string& result = names[i + 2];
            const std::string input = input_in(result, moving[i + 1]);
            if (moving[i + 1].is_in_place(Signature::everywhere)) {
                data.out = input;
                data.own_block = own_block_in(result);
            }
            if (moving[i + 1].is_in_place(Signature::sent_by_root)) {
                data.out = at_root(input, out);
                data.own_block = at_root(own_block_in(result), own_block_in(out));
            }
        }
        all.push_back(std::move(data));
    }
    return all;
}

CallsOfWay calls(const std::vector<Written>& steps, const record::ContestantDescription& way,
                 bool says_total) {
    const bool is_broadcast = way.from == "rooted" && way.to == "replicated";
    std::vector<Written> moving;
    std::ranges::copy_if(steps, std::back_inserter(moving), moves);
    const std::vector<std::string> names = buffers(moving, is_broadcast);
    // Else a vector has count elements, as the operation has it that this way replaces.
    const bool has_blocks = says_total || std::ranges::any_of(steps, is_blockwise) ||
                            way.from == "scattered" || way.to == "scattered";
    CallsOfWay all{.text = {}, .in = names.front(), .out = names.back()};
    if (steps.size() == 1) {
        const Written& only = steps.front();
        if (only.is_in_place(Signature::everywhere)) all.in = input_in(all.out, only);
        if (only.is_in_place(Signature::sent_by_root))
            all.in = at_root(input_in(all.out, only), names.front());
        if (only.is_in_place(Signature::received_by_root))
            all.out = at_root(own_block_in(names.front()), names.back());
    }
    const std::vector<Data> ends_of_moves = ends(moving, names);
    std::size_t at = 0;
    for (const Written& step : steps) {
        Data data = moves(step) ? ends_of_moves[at++] : Data{.in = names[at], .out = names[at]};
        data.block = step.is_padded ? "largest" : "count";
        data.vector = has_blocks ? (step.is_padded ? "p * largest" : "total") : data.block;
        all.text += (all.text.empty() ? "" : " ") + call(step, data);
    }
    return all;
}

/// Nothing where a step cannot be written.
std::optional<std::vector<Written>> written_steps(
    const record::ContestantDescription& way,
    const std::vector<record::Implementation>& implementations) {
    std::vector<Written> steps;
    for (const record::Step& each : way.steps) {
        if (each.is_view()) continue;
        std::optional<Written> step = written_step(each, implementations);
        if (!step) return std::nullopt;
        steps.push_back(std::move(*step));
    }
    if (steps.empty()) return std::nullopt;
    return steps;
}

}  // namespace

std::string pasted_code(const record::ContestantDescription& way,
                        const std::vector<record::Implementation>& implementations) {
    if (way.forced) {
        for (const Form& each : way.forms()) {
            const record::Implementation* known =
                find_in(implementations, each.name(), &record::Implementation::name);
            if (known != nullptr && known->written_as.find('=') != std::string::npos)
                return known->written_as;
        }
        return "";
    }
    const Scale scale = record::scale_of(way.name);
    auto steps = written_steps(way, implementations);
    if (!steps) return "";
    // Of several operations the buffers between them would have to be cut, too.
    const bool is_in_parts = scale.repeats > 1 && scale.is_whole() && steps->size() == 1 &&
                             steps->front().form.way == CallForm::plain &&
                             steps->front().form.text.empty() && !steps->front().is_padded;
    if (!scale.is_plain() && !is_in_parts) return "";
    if (is_in_parts) steps->front().form.parts = scale.repeats;
    // Its blocks have no displacements, by which those of a part could be found.
    if (is_in_parts && steps->front().form.signature->function == "Reduce_scatter") return "";
    // The operation that it replaces takes less from this rank, or gives it less.
    const bool moves_more =
        way.steps.back().is_view() || std::ranges::any_of(*steps, &Written::is_padded);
    const std::string text = calls(*steps, way, false).text;
    if (text.find(" + p * at") != std::string::npos)
        return "/* the blocks of a part lie together */ " + text;
    return text + (moves_more ? " /* buffers have room for all that is moved */" : "");
}

std::optional<CallsOfWay> calls_of_mpi(const record::ContestantDescription& way,
                                       const std::vector<record::Implementation>& implementations) {
    if (way.forced) return std::nullopt;
    const auto steps = written_steps(way, implementations);
    const auto is_other = [](const Written& step) {
        return step.function.starts_with("mpiaudit::") || step.form.way == CallForm::persistent ||
               step.function.starts_with("MPIX_") || step.arrow == "MPI_Pack" ||
               step.arrow == "MPI_Unpack";
    };
    if (!steps || std::ranges::any_of(*steps, is_other)) return std::nullopt;
    // Its data are where its result is to be, which is written of one call.
    if (steps->size() > 1 && (steps->front().is_in_place(Signature::everywhere) ||
                              steps->front().is_in_place(Signature::sent_by_root)))
        return std::nullopt;
    return calls(*steps, way, true);
}

}  // namespace mpiaudit
