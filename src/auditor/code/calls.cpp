// SPDX-License-Identifier: BSD-3-Clause
#include "code/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <utility>

#include "catalogue/catalogue.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A step of a way that is written: all steps but views.
struct Written {
    Form form;
    const MpiOperation* operation = nullptr;  ///< null if the arrow has a text of its own
    std::string function;                     ///< has the name that the library has for it
    std::string text;                         ///< of the arrow (Arrow::code)
    bool is_padded = false;
    std::string from = {};  ///< layout before the step
    /// Whether a program shows the step: it has a function with the messages of an algorithm, and
    /// the type of packed elements.
    bool is_in_program = false;

    bool is_packed() const { return from.starts_with("packed "); }
    bool is_packing() const {
        return form.operation == "MPI_Pack" || form.operation == "MPI_Unpack";
    }
    bool is_of_mpiaudit() const { return function.starts_with("mpiaudit::"); }

    bool is_in_place(InPlace where) const {
        return form.is_in_place && operation->in_place == where;
    }
    /// Whether the step has another buffer for its result than for its input.
    bool moves() const {
        return operation != nullptr ? !operation->takes("buffer")
                                    : text.find("sendbuf") != std::string::npos;
    }
};

/// The buffers and numbers of a step, as C expressions.
struct Data {
    std::string in = {}, out = {}, own_block = {}, block = {}, vector = {};
};

std::string at_root(const std::string& there, const std::string& elsewhere) {
    return fmt::format("rank == root ? {} : {}", there, elsewhere);
}

std::string own_block_in(const std::string& buffer) {
    return "own_block_in_" + buffer;
}

std::string buffer_of(const Written& step, std::string_view argument, const Data& data) {
    if (argument == "sendbuf") {
        if (step.is_in_place(InPlace::everywhere)) return "MPI_IN_PLACE";
        return step.is_in_place(InPlace::sent_by_root) ? at_root("MPI_IN_PLACE", data.in) : data.in;
    }
    return step.is_in_place(InPlace::received_by_root) ? at_root("MPI_IN_PLACE", data.out)
                                                       : data.out;
}

/// Returns the number of elements that belongs to buffer `k` of the arguments; empty if counts of
/// blocks do.
std::string number_behind(const MpiOperation& operation, std::size_t k, const Data& data) {
    for (; k < operation.argument_count(); ++k) {
        const std::string_view name = operation.argument(k);
        if (name.ends_with("counts")) return "";
        if (name.ends_with("count")) return name == "count" ? data.vector : data.block;
    }
    return "";
}

/// The arguments of a call of the operation, from the names that the standard has for arguments.
/// \param parts of the data: the call is for part i, which has the elements from `at` to `end`
std::string arguments(const Written& step, const Data& data, int parts = 1) {
    const MpiOperation& operation = *step.operation;
    const bool has_two_sides = operation.takes("sendcounts") && operation.takes("recvcounts");
    std::string text;
    for (std::size_t k = 0; k < operation.argument_count(); ++k) {
        const std::string_view name = operation.argument(k);
        const bool is_list = name.ends_with("counts") || name.ends_with("displs");
        if (name.ends_with("buf") || name == "buffer") {
            text += buffer_of(step, name, data);
            if (parts > 1 && !number_behind(operation, k, data).empty()) text += " + at * extent";
        } else if (name.ends_with("count")) {
            text += parts > 1 ? "end - at" : number_behind(operation, k, data);
        } else if (name.ends_with("type")) {
            text += step.is_packed() ? "packed_type" : "type";
        } else {
            const std::string_view list =
                name.ends_with("counts") && !has_two_sides ? "counts" : name;
            text += is_list && parts > 1 ? fmt::format("part_{}[i]", list) : std::string(list);
        }
        text += ", ";
    }
    return text + "comm";
}

/// A call for each part of the data. Parts of nonblocking calls are all in flight, others follow
/// each other.
std::string call_in_parts(const Written& step, const Data& data) {
    const int parts = step.form.parts;
    std::string size;
    for (std::size_t k = 0; k < step.operation->argument_count() && size.empty(); ++k)
        if (step.operation->argument(k).ends_with("count"))
            size = number_behind(*step.operation, k, data);
    const std::string stretch =
        size.empty()
            ? ""
            : fmt::format("const int at = (long){0} * i / {1}, end = (long){0} * (i + 1) / {1}; ",
                          size, parts);
    const std::string call = fmt::format("for (int i = 0; i < {}; ++i) {{ {}{}({}", parts, stretch,
                                         step.function, arguments(step, data, parts));
    if (step.form.start == Start::blocking) return call + "); }";
    return fmt::format("{}, &requests[i]); }} MPI_Waitall({}, requests, MPI_STATUSES_IGNORE);",
                       call, parts);
}

/// Replaces the names of buffers and numbers in a text of the catalogue.
std::string with_data(std::string_view text, const Data& data) {
    const std::map<std::string_view, std::string_view> words{
        {"sendbuf", data.in}, {"recvbuf", data.out}, {"own_block_in_recvbuf", data.own_block},
        {"buffer", data.out}, {"count", data.block}, {"elements", data.vector}};
    std::string replaced;
    while (!text.empty()) {
        const auto end = std::ranges::find_if_not(text, is_of_word);
        const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        const auto found = words.find(word);
        replaced += found == words.end() ? word : found->second;
        text.remove_prefix(word.size());
        if (text.empty()) break;
        replaced += text.front();
        text.remove_prefix(1);
    }
    replace_all(replaced, "$operands", "sendbuf");
    return replaced;
}

/// The name of a layout without its padding and packing.
std::string_view holding_of(std::string_view layout) {
    for (const std::string_view word : {"packed ", "padded "})
        if (layout.starts_with(word)) layout.remove_prefix(word.size());
    return layout;
}

/// Returns MPI_Pack or MPI_Unpack of all blocks that a rank has, which are consecutive.
std::string packing(const Written& step, const Data& data) {
    const std::string_view holding = holding_of(step.from);
    const std::string number = holding == "scattered" ? data.block
                               : holding == "rooted"  ? at_root(data.vector, "0")
                                                      : data.vector;
    const std::string bytes = fmt::format("({}) * packed_bytes", number);
    if (step.form.operation == "MPI_Pack")
        return fmt::format("position = 0; MPI_Pack({}, {}, type, {}, {}, &position, comm);",
                           data.in, number, data.out, bytes);
    return fmt::format("position = 0; MPI_Unpack({}, {}, &position, {}, {}, type, comm);", data.in,
                       bytes, data.out, number);
}

std::string call(const Written& step, const Data& data) {
    if (step.is_in_program && step.is_of_mpiaudit())
        return fmt::format("{}({}, {});", function_in_c(step.form.algorithm), data.in, data.out);
    if (step.is_in_program && step.is_packing()) return packing(step, data);
    if (step.operation == nullptr) return with_data(step.text, data);
    if (step.form.parts > 1) return call_in_parts(step, data);
    const std::string given = arguments(step, data);
    if (step.form.start != Start::nonblocking) return fmt::format("{}({});", step.function, given);
    return fmt::format("{}({}, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);", step.function,
                       given);
}

/// Returns the text of an arrow in the catalogue; empty for arrows of one call.
std::string text_of_arrow(const record::Step& step) {
    const std::string_view from = holding_of(step.from), to = holding_of(step.to);
    const auto found = std::ranges::find_if(catalogue(), [&](const Arrow& each) {
        return each.name == step.arrow && name(each.from) == from && name(each.to) == to;
    });
    return found == catalogue().end() ? "" : found->code;
}

/// Returns nothing for a step that cannot be written.
std::optional<Written> written_step(const record::Step& step,
                                    const std::vector<record::Implementation>& implementations) {
    if (step.to.empty()) return std::nullopt;
    Written written;
    written.form = step.form;
    written.text = text_of_arrow(step);
    written.is_padded = step.is_padded();
    written.from = step.from;
    const record::Implementation* const known =
        find_in(implementations, step.arrow, &record::Implementation::name);
    if (known != nullptr && !known->written_as.empty())
        written.function = known->written_as;
    else if (written.form.is_of_mpi())
        written.function = written.form.function();
    if (!written.text.empty()) return written;
    const Form& form = written.form;
    const bool is_single_call = form.variant.empty() && !form.has_large_counts &&
                                form.start != Start::persistent_once &&
                                (!form.is_in_place || form.start == Start::blocking);
    written.operation = form.mpi_operation();
    if (written.function.empty() || !is_single_call || written.operation == nullptr ||
        written.operation->is_among_neighbours())
        return std::nullopt;
    return written;
}

/// Returns sendbuf, tmp, tmp2 ..., recvbuf. A broadcast has one buffer at both ends. So has a way
/// that begins with a block which stays among the gathered blocks.
std::vector<std::string> buffers(const std::vector<Written>& moving, bool is_broadcast,
                                 bool has_result) {
    std::vector<std::string> names = {is_broadcast ? "buffer" : "sendbuf"};
    for (std::size_t i = 1; i < moving.size(); ++i)
        names.push_back(i == 1 ? "tmp" : fmt::format("tmp{}", i));
    if (has_result) names.emplace_back(is_broadcast ? "buffer" : "recvbuf");
    for (std::size_t i = 1; i < moving.size(); ++i) {
        if (moving[i - 1].is_in_place(InPlace::received_by_root) &&
            moving[i].is_in_place(InPlace::everywhere))
            names[i - 1] = names[i + 1];
    }
    return names;
}

/// Returns where an operation in place has its input in its result: a block, or all of it.
std::string input_in(const std::string& result, const Written& step) {
    return step.operation->from == Holding::scattered ? own_block_in(result) : result;
}

/// Returns input and output of each step. A step writes to the place where the next step expects
/// its input, if the next step is in place.
std::vector<Data> ends(const std::vector<Written>& moving, const std::vector<std::string>& names) {
    std::vector<Data> all;
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const std::string& out = names[i + 1];
        Data data{.in = names[i], .out = out, .own_block = own_block_in(out)};
        if (i > 0 && moving[i - 1].is_in_place(InPlace::received_by_root))
            data.in = at_root(own_block_in(names[i - 1]), names[i]);
        if (i + 1 < moving.size() && moving[i + 1].form.is_in_place) {
            const std::string& result = names[i + 2];
            const std::string input = input_in(result, moving[i + 1]);
            if (moving[i + 1].is_in_place(InPlace::everywhere)) {
                data.out = input;
                data.own_block = own_block_in(result);
            }
            if (moving[i + 1].is_in_place(InPlace::sent_by_root)) {
                data.out = at_root(input, out);
                data.own_block = at_root(own_block_in(result), own_block_in(out));
            }
        }
        all.push_back(std::move(data));
    }
    return all;
}

CallsOfWay calls_of_steps(const std::vector<Written>& steps,
                          const record::ContestantDescription& way) {
    const bool is_broadcast = way.from == "rooted" && way.to == "replicated";
    std::vector<Written> moving;
    std::ranges::copy_if(steps, std::back_inserter(moving), &Written::moves);
    const bool makes_communicator = steps.front().form.makes_communicator();
    const std::vector<std::string> names =
        buffers(moving, is_broadcast, !moving.empty() || makes_communicator);
    CallsOfWay all{.text = {}, .in = names.front(), .out = names.back()};
    if (steps.size() == 1 && steps.front().form.is_in_place) {
        const Written& only = steps.front();
        if (only.is_in_place(InPlace::everywhere)) all.in = input_in(all.out, only);
        if (only.is_in_place(InPlace::sent_by_root))
            all.in = at_root(input_in(all.out, only), names.front());
        if (only.is_in_place(InPlace::received_by_root))
            all.out = at_root(own_block_in(names.front()), names.back());
    }
    const std::vector<Data> ends_of_moves = ends(moving, names);
    std::size_t at = 0;
    for (const Written& step : steps) {
        Data data = step.moves() ? ends_of_moves[at++] : Data{.in = names[at], .out = names[at]};
        data.block = step.is_padded ? "largest" : "count";
        data.vector = step.is_padded ? "p * largest" : "total";
        all.text += (all.text.empty() ? "" : " ") + call(step, data);
    }
    return all;
}

/// Whether a text is written around another form of the same operation.
bool is_around_call(const Written& step) {
    const auto has = [&](const char* place) { return step.text.find(place) != std::string::npos; };
    return has("$call") || has("$start");
}

/// Whether a step stands in programs that show a finding, and in no other program.
bool is_only_shown(const Written& step) {
    return is_around_call(step) || step.form.makes_communicator();
}

/// Returns nothing if there is a step that cannot be written.
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

/// Puts a call into the places of a text: $call, $call(WORD -> OTHER; WORD -> OTHER), and $start
/// and $wait for the halves of a nonblocking call. A blocking call has only the first half.
std::string around_call(std::string text, const std::string& call) {
    constexpr std::string_view with = "$call(", sign = " -> ", end_of_pair = "; ";
    if (const std::size_t begin = text.find(with); begin != std::string::npos) {
        const std::size_t first = begin + with.size(), end = text.find(')', first);
        std::string changed = call;
        std::string_view left = std::string_view(text).substr(first, end - first);
        while (!left.empty()) {
            const std::string_view pair = left.substr(0, left.find(end_of_pair));
            left.remove_prefix(std::min(left.size(), pair.size() + end_of_pair.size()));
            const std::size_t middle = pair.find(sign);
            replace_word(changed, std::string(pair.substr(0, middle)),
                         std::string(pair.substr(middle + sign.size())));
        }
        text.replace(begin, end + 1 - begin, changed);
    }
    const std::size_t wait = std::min(call.find("MPI_Wait("), call.size());
    replace_all(text, "$start", call.substr(0, wait));
    replace_all(text, "$wait", call.substr(wait));
    replace_all(text, "$call", call);
    return text;
}

/// Returns where `word` begins as a word of its own, from `begin` on; npos if there is none.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t begin = 0) {
    for (std::size_t at = text.find(word, begin); at != std::string::npos;
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_of_word(text[at - 1])) &&
            (end == text.size() || !is_of_word(text[end])))
            return at;
    }
    return std::string::npos;
}

/// \param is_in_program the calls may be functions with the messages of algorithms, and may pack
std::optional<CallsOfWay> calls_of_path(const record::ContestantDescription& way,
                                        const std::vector<record::Implementation>& implementations,
                                        bool is_in_program) {
    if (way.forced) return std::nullopt;
    auto steps = written_steps(way, implementations);
    const auto is_other = [&](const Written& step) {
        return (!is_in_program && (step.is_of_mpiaudit() || step.is_packing())) ||
               step.form.start == Start::persistent || step.function.starts_with("MPIX_") ||
               is_only_shown(step);
    };
    if (!steps || std::ranges::any_of(*steps, is_other)) return std::nullopt;
    // MPI_IN_PLACE at the beginning is written for single calls only.
    const Written& first = steps->front();
    if (steps->size() > 1 && first.form.is_in_place &&
        first.operation->in_place != InPlace::received_by_root)
        return std::nullopt;
    for (Written& each : *steps) each.is_in_program = is_in_program;
    CallsOfWay calls = calls_of_steps(*steps, way);
    for (const record::Step& each : way.steps)
        if (!each.form.is_of_mpi() && !each.form.is_move()) calls.algorithms.push_back(each);
    return calls;
}

}  // namespace

std::optional<CallsOfWay> calls_of_mpi(const record::ContestantDescription& way,
                                       const std::vector<record::Implementation>& implementations) {
    return calls_of_path(way, implementations, false);
}

std::optional<CallsOfWay> calls_with_algorithms(
    const record::ContestantDescription& way,
    const std::vector<record::Implementation>& implementations) {
    if (auto form = calls_of_form(way, implementations)) return form;
    return calls_of_path(way, implementations, true);
}

std::optional<CallsOfWay> calls_of_form(
    const record::ContestantDescription& way,
    const std::vector<record::Implementation>& implementations) {
    if (auto usual = calls_of_mpi(way, implementations)) return usual;
    if (way.steps.size() != 1) return std::nullopt;
    const record::Step& step = way.steps.front();
    const auto form = written_step(step, implementations);
    if (!form || !form->form.is_of_mpi()) return std::nullopt;
    if (form->form.makes_communicator()) return calls_of_steps({*form}, way);
    const bool is_persistent = form->operation != nullptr && form->form.start == Start::persistent;
    if (!is_persistent && !is_around_call(*form)) return std::nullopt;
    record::ContestantDescription usual = way;
    usual.steps.front() = {usual_form(form->form).name(), step.from, step.to};
    usual.to = step.to;  // without words for what such calls do besides
    auto all = calls_of_mpi(usual, implementations);
    if (!all) return std::nullopt;
    if (is_persistent) {
        const std::size_t begin = all->text.find("(") + 1;
        all->text = fmt::format(
            "if (started == MPI_REQUEST_NULL) {}({}, MPI_INFO_NULL, &started); "
            "MPI_Start(&started); MPI_Wait(&started, MPI_STATUS_IGNORE);",
            form->function, all->text.substr(begin, all->text.size() - begin - 2));
        return all;
    }
    std::string text = form->text;
    replace_all(text, "$sent", bytes_in(way.from));
    replace_all(text, "$received", bytes_in(step.to));
    all->text = around_call(std::move(text), all->text);
    return all;
}

std::string function_in_c(const std::string& algorithm) {
    std::string name = algorithm;
    for (char& each : name)
        if (!is_of_word(each)) each = '_';
    return name;
}

Form usual_form(const Form& form) {
    return {.operation = form.operation,
            .start = form.start == Start::nonblocking ? form.start : Start::blocking,
            .algorithm = form.algorithm};
}

std::string condition_of_block(std::string_view layout) {
    if (layout == "apart" || layout == "together" || layout == "grouped") return "0";
    if (layout == "scattered") return "b == rank";
    if (layout == "rooted") return "rank == root";
    return layout == "exclusively prefixed" ? "rank > 0" : "1";
}

std::string bytes_in(std::string_view layout) {
    if (layout == "scattered") return "block_bytes";
    const std::string condition = condition_of_block(layout);
    return condition == "1" ? "bytes" : condition == "0" ? "0" : condition + " ? bytes : 0";
}

Exchange exchange_between(std::string_view from, std::string_view to) {
    if (from == "outgoing") return {"count", "k * count", "count", "k * count"};
    if (from == "contributed") return {"counts[k]", "displs[k]", "count", "k * count"};
    if (from == "rooted")
        return {"rank == root ? counts[k] : 0", "displs[k]", "k == root ? count : 0", "0"};
    if (to == "rooted")
        return {"k == root ? count : 0", "0", "rank == root ? counts[k] : 0", "displs[k]"};
    return {"count", "0", "counts[k]", "displs[k]"};
}

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool has_word(const std::string& text, const std::string& word) {
    return find_word(text, word) != std::string::npos;
}

void replace_word(std::string& text, const std::string& word, const std::string& by) {
    for (std::size_t at = find_word(text, word); at != std::string::npos;
         at = find_word(text, word, at + by.size()))
        text.replace(at, word.size(), by);
}

}  // namespace mpiaudit
