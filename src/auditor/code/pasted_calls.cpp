// SPDX-License-Identifier: BSD-3-Clause
#include "code/pasted_calls.h"

#include <string_view>

#include "text/plain.h"

namespace mpiaudit {
namespace {

using namespace c_text;
using enum Holding;
using Id = c_text::Name;

Statement wait() {
    return call("MPI_Wait", {address_of(Id::request), constant("MPI_STATUS_IGNORE")});
}

Arguments arguments_of(const PastedStep& step, const StepEnds& ends, StepNames& names) {
    const MpiOperation& operation = *step.operation;
    Arguments arguments{.sent = ends.in.address, .received = ends.out.address};
    const Expression in_place = constant("MPI_IN_PLACE");
    if (operation.takes("count"))
        arguments.number = names.all();
    else if (operation.takes("recvcount") || operation.takes("sendcount"))
        arguments.number = names.own();
    if (step.is_in_place(InPlace::everywhere)) arguments.sent = in_place;
    if (step.is_in_place(InPlace::sent_by_root)) arguments.sent = root_or(in_place, arguments.sent);
    if (step.is_in_place(InPlace::received_by_root))
        arguments.received = root_or(in_place, arguments.received);
    if (operation.is_irregular()) arguments.lists = names.lists_of(operation, ends);
    return arguments;
}

Block started(const PastedStep& step, std::vector<Expression> arguments, StepNames& names) {
    const Expression request = address_of(Id::request);
    switch (step.form.start) {
        case Start::nonblocking:
            arguments.push_back(request);
            return {call(step.function, std::move(arguments)), wait()};
        case Start::persistent:
            if (step.is_extension) names.need("#include <mpi-ext.h>");
            names.need("the _init function once");
            arguments.push_back(constant("MPI_INFO_NULL"));
            arguments.push_back(request);
            return {call(step.function, std::move(arguments)), call("MPI_Start", {request}), wait(),
                    call("MPI_Request_free", {request})};
        default:
            return {call(step.function, std::move(arguments))};
    }
}

Block single_call(const PastedStep& step, const StepEnds& ends, StepNames& names) {
    Arguments arguments = arguments_of(step, ends, names);
    if (step.operation->takes("sendtypes")) arguments.lists = names.types_of(arguments.lists);
    return started(step, in_order(*step.operation, arguments), names);
}

/// Returns the declarations of where part i of some elements begins and ends.
Block stretch(const Expression& number, int parts) {
    const auto begin_of = [&](const Expression& part) {
        return cast("int", StepNames::in_64_bits(number) * part / parts);
    };
    return {Declaration{"const int", Id::at, {begin_of(Id::i)}},
            Declaration{"const int", Id::end, {begin_of(Id::i + 1)}}};
}

/// Defines the lists of each part, and sets the lists to those of part i.
void cut_list(Expression& counts, Expression& offsets, Id of_part, Id at_part, bool is_at_root,
              int parts, StepNames& names) {
    const auto part = [](Id list) { return item(item(list, Id::i), Id::k); };
    Block cut = joined(stretch(item(counts, Id::k), parts),
                       {Assignment{part(of_part), "=", Id::end - Id::at},
                        Assignment{part(at_part), "=", item(offsets, Id::k) + Id::at}});
    Block of_ranks = for_each_rank(std::move(cut));
    if (is_at_root) of_ranks = {If{is_root(), std::move(of_ranks)}};
    names.define(of_part, {Declaration{"int", item(item(of_part, parts), Id::p)},
                           Declaration{"int", item(item(at_part, parts), Id::p)},
                           loop_over(Id::i, parts, std::move(of_ranks))});
    counts = item(of_part, Id::i);
    offsets = item(at_part, Id::i);
}

/// Cuts the lists of a call into those of its parts.
void cut_lists(const MpiOperation& operation, Lists& lists, int parts, StepNames& names) {
    if (operation.takes("sdispls")) {
        cut_list(lists.sendcounts, lists.sdispls, Id::sent_numbers, Id::sent_offsets, false, parts,
                 names);
        cut_list(lists.recvcounts, lists.rdispls, Id::received_numbers, Id::received_offsets, false,
                 parts, names);
        return;
    }
    cut_list(lists.recvcounts, lists.rdispls, Id::part_numbers, Id::part_offsets,
             operation.has_root(), parts, names);
    lists.sendcounts = lists.recvcounts, lists.sdispls = lists.rdispls;
}

/// Returns one call for each part of the data, in a loop.
std::optional<Block> calls_of_parts(const PastedStep& step, const StepEnds& ends,
                                    StepNames& names) {
    const MpiOperation& operation = *step.operation;
    const bool are_in_flight = step.form.parts > 1;
    const int parts = are_in_flight ? step.form.parts : step.parts;
    if (!operation.has_parts() || operation.shape == Shape::nothing) return std::nullopt;
    Arguments arguments = arguments_of(step, ends, names);
    Block body;
    if (arguments.number != 0) {
        body = stretch(arguments.number, parts);
        arguments.number = Id::end - Id::at;
        // The side with lists has its offsets there.
        if (!operation.takes("sendcounts")) arguments.sent = names.behind(arguments.sent, Id::at);
        if (!operation.takes("recvcounts"))
            arguments.received = names.behind(arguments.received, Id::at);
    }
    if (operation.is_irregular()) cut_lists(operation, arguments.lists, parts, names);
    std::vector<Expression> given = in_order(operation, arguments);
    if (are_in_flight) given.push_back(address_of(item(Id::requests, Id::i)));
    body.push_back(call(step.function, std::move(given)));
    Block all{loop_over(Id::i, parts, std::move(body))};
    if (!are_in_flight) return all;
    names.define(Id::requests, {Declaration{"MPI_Request", item(Id::requests, parts)}});
    all.push_back(call("MPI_Waitall", {parts, Id::requests, constant("MPI_STATUSES_IGNORE")}));
    return all;
}

Block zero_fill(const PastedStep& step, const StepEnds& ends, StepNames& names) {
    names.need("a type of numbers");
    const Expression& result = ends.out.address;
    Block fill{call("memset", {result, 0, StepNames::in_bytes(names.all())})};
    if (step.from == name(rooted)) {
        // The data of the root of a broadcast may be in place already.
        Block moved;
        if (!uses(result, Id::buffer) && result != ends.in.address)
            moved = names.copy(result, ends.in.address, names.all());
        return {If{binary(Id::rank, "!=", Id::root), std::move(fill), std::move(moved)}};
    }
    return joined(std::move(fill),
                  names.copy(names.block_in(ends.out, Id::rank), ends.in.address, names.own()));
}

}  // namespace

std::vector<Expression> in_order(const MpiOperation& operation, const Arguments& given) {
    const Lists& lists = given.lists;
    const bool is_sent = operation.to == scattered;
    const std::pair<std::string_view, Expression> arguments[] = {
        {"sendbuf", given.sent},
        {"recvbuf", given.received},
        {"buffer", given.received},
        {"count", given.number},
        {"sendcount", given.number},
        {"recvcount", given.number},
        {"sendcounts", lists.sendcounts},
        {"recvcounts", lists.recvcounts},
        {"displs", is_sent ? lists.sdispls : lists.rdispls},
        {"sdispls", lists.sdispls},
        {"rdispls", lists.rdispls},
        {"sendtypes", lists.sendtypes},
        {"recvtypes", lists.recvtypes},
        {"datatype", Id::type},
        {"sendtype", Id::type},
        {"recvtype", Id::type},
        {"op", Id::op},
        {"root", Id::root}};
    std::vector<Expression> all;
    for (std::size_t k = 0; k < operation.argument_count(); ++k)
        all.push_back(find_in(arguments, operation.argument(k),
                              &std::pair<std::string_view, Expression>::first)
                          ->second);
    all.emplace_back(Id::comm);
    return all;
}

Expression is_root() {
    return binary(Id::rank, "==", Id::root);
}

Expression root_or(const Expression& there, const Expression& elsewhere) {
    return choice(is_root(), there, elsewhere);
}

Block for_each_rank(Block code) {
    return {loop_over(Id::k, Id::p, std::move(code))};
}

LayoutName::LayoutName(std::string_view name) {
    for (bool is_word = true; is_word;) {
        is_word = false;
        for (const auto& [word, member] :
             {std::pair<std::string_view, bool LayoutName::*>{"packed ", &LayoutName::is_packed},
              {"padded ", &LayoutName::is_padded}}) {
            if (!name.starts_with(word)) continue;
            name.remove_prefix(word.size());
            is_word = this->*member = true;
        }
    }
    holding = name;
}

bool is_agreement(const record::Step& step) {
    return step.form.operation == "MPI_Allreduce" && LayoutName(step.to).is_padded &&
           !LayoutName(step.from).is_padded;
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
    const LayoutName from(step.from), to(step.to);
    if (from.is_packed || to.is_packed) return std::nullopt;
    PastedStep made{.form = step.form, .from = from.holding, .to = to.holding};
    if (step.arrow == "zero fill") {
        if (made.from != name(scattered) && made.from != name(rooted)) return std::nullopt;
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
    made.is_extension = made.function != form.function();
    const bool is_usual = made.operation != nullptr && form.variant.empty() &&
                          made.from == name(made.operation->from) &&
                          made.to == name(made.operation->to);
    made.kind = is_usual ? PastedStep::Kind::call : PastedStep::Kind::other_use;
    const bool is_known = is_usual ? !made.operation->is_among_neighbours() : has_code_of_use(made);
    if (!is_known || (form.is_in_place && form.start != Start::blocking)) return std::nullopt;
    return made;
}

std::optional<Block> code_of(const PastedStep& step, const StepEnds& ends, StepNames& names) {
    if (step.kind == PastedStep::Kind::zero_fill) return zero_fill(step, ends, names);
    if (step.kind == PastedStep::Kind::other_use) return code_of_use(step, ends, names);
    if (step.form.parts > 1 || step.parts > 1) return calls_of_parts(step, ends, names);
    return single_call(step, ends, names);
}

}  // namespace mpiaudit
