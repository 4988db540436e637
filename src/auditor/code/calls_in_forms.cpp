// SPDX-License-Identifier: BSD-3-Clause
// Defines calls_in_form() and calls_making_communicator() of calls.h: the calls of
// catalogue/call_arrows.cpp, variant_arrows.cpp and communicator_arrows.cpp.
#include <algorithm>
#include <map>
#include <string_view>

#include "code/calls.h"
#include "code/pasted_calls.h"

namespace mpiaudit {
namespace {

using namespace c_text;
using Id = c_text::Name;

Block whole(const UsualCall& usual) {
    return joined(usual.start, usual.wait);
}
bool has_one_buffer(const UsualCall& usual) {
    return usual.operation.takes("buffer");
}

template <bool has_barriers>
Block in_a_row(const UsualCall& usual) {
    Block body = whole(usual);
    if (has_barriers)
        body.insert(body.begin(), If{binary(Id::i, ">", 0), {call("MPI_Barrier", {Id::comm})}});
    return {loop_over(Id::i, 8, std::move(body))};
}

Block new_communicator(const UsualCall& usual) {
    return joined({Declaration{"MPI_Comm", Id::usual, {Id::comm}},
                   call("MPI_Comm_dup", {Id::usual, address_of(Id::comm)})},
                  joined(whole(usual), {call("MPI_Comm_free", {address_of(Id::comm)}),
                                        Assignment{Id::comm, "=", Id::usual}}));
}

Block beside_new_communicator(const UsualCall& usual) {
    return joined(
        {Declaration{"MPI_Comm", Id::made}, call("MPI_Comm_dup", {Id::comm, address_of(Id::made)})},
        joined(whole(usual), {call("MPI_Comm_free", {address_of(Id::made)})}));
}

/// The call in other buffers.
Block elsewhere(const UsualCall& usual) {
    if (has_one_buffer(usual)) return renamed(whole(usual), Id::buffer, Id::made);
    return renamed(renamed(whole(usual), Id::sendbuf, Id::in), Id::recvbuf, Id::out);
}

Declaration fresh(Id name, const Expression& data, const Expression& copied,
                  const Expression& size) {
    return {"char *", name, {value_of("fresh", {data, copied, size})}};
}

template <bool is_used>
Block new_buffers(const UsualCall& usual) {
    const Block calls = is_used ? elsewhere(usual) : whole(usual);
    const auto copy = [](Id user, Id memory, const Expression& bytes) {
        return is_used ? call("memcpy", {user, memory, bytes})
                       : call("memcpy", {memory, user, bytes});
    };
    if (has_one_buffer(usual))
        return joined(joined({fresh(Id::made, Id::buffer, usual.sent, Id::bytes)}, calls),
                      {copy(Id::buffer, Id::made, Id::bytes)});
    const Statement out = fresh(Id::out, constant("NULL"), 0, usual.received);
    Block begin{fresh(Id::in, Id::sendbuf, usual.sent, usual.sent), out};
    if (!is_used) begin.front() = call("fresh", {Id::sendbuf, usual.sent, usual.sent});
    return joined(joined(std::move(begin), calls), {copy(Id::recvbuf, Id::out, usual.received)});
}

/// On buffers that are made once.
Block on_other_memory(const UsualCall& usual, const char* allocate) {
    const auto made = [&](Id name, const Expression& bytes) {
        return Assignment{name, "=", value_of(allocate, {bytes})};
    };
    const auto copy = [](Id to, Id from, const Expression& bytes) {
        return call("device_copy", {to, from, bytes});
    };
    const auto is_first = [](Id name) { return binary(name, "==", constant("NULL")); };
    if (has_one_buffer(usual))
        return joined(joined({Declaration{"static char *", Id::made},
                              If{is_first(Id::made), {made(Id::made, Id::bytes)}},
                              copy(Id::made, Id::buffer, Id::bytes)},
                             elsewhere(usual)),
                      {copy(Id::buffer, Id::made, Id::bytes)});
    return joined(
        joined({Declaration{"static char *", Id::in}, Declaration{"static char *", Id::out},
                If{is_first(Id::in),
                   {made(Id::in, usual.sent + 1), made(Id::out, usual.received + 1)}},
                copy(Id::in, Id::sendbuf, usual.sent)},
               elsewhere(usual)),
        {copy(Id::recvbuf, Id::out, usual.received)});
}
Block staged(const UsualCall& usual) {
    return on_other_memory(usual, "malloc");
}
Block on_device(const UsualCall& usual) {
    return on_other_memory(usual, "device_malloc");
}

Expression steps_of_computation() {
    return 1000 + Id::total * cast("long", Id::extent) / 8;
}

Block computing(const UsualCall& usual) {
    return joined(joined(usual.start, {call("compute", {steps_of_computation()})}), usual.wait);
}

Block computing_and_testing(const UsualCall& usual) {
    const Statement pieces = loop_over(
        Id::i, 16,
        {Declaration{"int", Id::done}, call("compute", {steps_of_computation() / 16}),
         call("MPI_Test",
              {address_of(Id::request), address_of(Id::done), constant("MPI_STATUS_IGNORE")})});
    return joined(joined(usual.start, {pieces}), usual.wait);
}

/// Describes the data of one side as one element of a type that is made once. Returns nothing if
/// the side has several blocks.
template <bool is_sent>
Block as_one_type(const UsualCall& usual) {
    const bool has_one = has_one_buffer(usual);
    if (!has_one && !usual.operation.takes(is_sent ? "sendcount" : "recvcount")) return {};
    const Expression number = has_one ? Id::total : Id::count;
    Block calls = whole(usual);
    auto& arguments = std::get<c_text::Call>(calls.front().is).arguments;
    std::size_t buffer = 0;
    while (!has_one && usual.operation.argument(buffer) != (is_sent ? "sendbuf" : "recvbuf"))
        ++buffer;
    const Expression is_described = binary(Id::rank, is_sent ? "==" : "!=", Id::root);
    const auto here = [&](const Expression& described, const Expression& otherwise) {
        return has_one ? choice(is_described, described, otherwise) : described;
    };
    arguments[buffer + 1] = here(1, number);
    arguments[buffer + 2] = here(Id::one_type, Id::type);
    const Expression made = address_of(Id::one_type);
    return joined({If{binary(Id::one_type, "==", constant("MPI_DATATYPE_NULL")),
                      {call("MPI_Type_contiguous", {number, Id::type, made}),
                       call("MPI_Type_commit", {made})}}},
                  std::move(calls));
}

template <Id comm>
Block on_communicator(const UsualCall& usual) {
    return renamed(whole(usual), Id::comm, comm);
}
template <Id op>
Block with_operator(const UsualCall& usual) {
    return renamed(whole(usual), Id::op, op);
}

using InForm = Block (*)(const UsualCall&);
const std::map<std::string_view, InForm> forms{
    {"in a row", in_a_row<false>},
    {"in a row with barriers", in_a_row<true>},
    {"new communicator", new_communicator},
    {"beside a new communicator", beside_new_communicator},
    {"new buffers", new_buffers<true>},
    {"beside new buffers", new_buffers<false>},
    {"staged", staged},
    {"on the device", on_device},
    {"computing", computing},
    {"computing and testing", computing_and_testing},
    {"world", whole},
    {"dup", on_communicator<Id::dup_comm>},
    {"split", on_communicator<Id::split_comm>},
    {"create_group", on_communicator<Id::create_group_comm>},
    {"merged", on_communicator<Id::merged_comm>},
    {"session", on_communicator<Id::session_comm>},
    {"sent as one type", as_one_type<true>},
    {"received as one type", as_one_type<false>},
    {"user function", with_operator<Id::by_function>},
    {"order kept", with_operator<Id::kept_order>},
};

/// Calls that make a communicator, and free it.
Block made_by(Block calls) {
    return joined({Declaration{"MPI_Comm", Id::made}},
                  joined(std::move(calls), {call("MPI_Comm_free", {address_of(Id::made)})}));
}

Block of_group(const char* function, std::vector<Expression> more) {
    std::vector<Expression> arguments{Id::comm, Id::group};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back(address_of(Id::made));
    return made_by({Declaration{"MPI_Group", Id::group},
                    call("MPI_Comm_group", {Id::comm, address_of(Id::group)}),
                    call(function, std::move(arguments)),
                    call("MPI_Group_free", {address_of(Id::group)})});
}

Block made_by_torus() {
    const auto two = [](Id name, const char* values) {
        return Declaration{"int", item(name, 2), {constant(values)}};
    };
    return made_by(
        {two(Id::sizes, "{0, 0}"), two(Id::around, "{1, 1}"),
         call("MPI_Dims_create", {Id::p, 2, Id::sizes}),
         call("MPI_Cart_create", {Id::comm, 2, Id::sizes, Id::around, 0, address_of(Id::made)})});
}

Block agreement_on_number() {
    const auto reduced = [](int number, const char* op) {
        return call("MPI_Allreduce",
                    {Id::own, Id::of_all, number, constant("MPI_INT"), constant(op), Id::comm});
    };
    return {Declaration{"int", item(Id::own, 64), {constant("{0}")}},
            Declaration{"int", item(Id::of_all, 64)}, reduced(64, "MPI_BAND"),
            reduced(1, "MPI_MAX")};
}

Block split_by_allgather() {
    const Expression of_int = constant("MPI_INT");
    return joined({Declaration{"int", item(Id::asked, 2), {constant("{0, rank}")}},
                   Declaration{"int", item(Id::answers, 2 * Expression(Id::p))},
                   call("MPI_Allgather", {Id::asked, 2, of_int, Id::answers, 2, of_int, Id::comm})},
                  agreement_on_number());
}

}  // namespace

std::optional<Block> calls_making_communicator(const std::string& form) {
    const Expression made = address_of(Id::made);
    if (form == "MPI_Comm_split")
        return made_by({call("MPI_Comm_split", {Id::comm, 0, Id::rank, made})});
    if (form == "MPI_Comm_dup") return made_by({call("MPI_Comm_dup", {Id::comm, made})});
    if (form == "MPI_Comm_create") return of_group("MPI_Comm_create", {});
    if (form == "MPI_Comm_create_group") return of_group("MPI_Comm_create_group", {1});
    if (form == "MPI_Cart_create") return made_by_torus();
    if (form == "MPI_Comm_split[by MPI_Allgather]") return split_by_allgather();
    if (form == "MPI_Comm_dup[by MPI_Allreduce]") return agreement_on_number();
    return std::nullopt;
}

std::optional<Block> calls_in_form(const Form& form, const UsualCall& usual) {
    const auto known = std::ranges::find(forms, form.variant, &decltype(forms)::value_type::first);
    if (known == forms.end()) return std::nullopt;
    Block calls = known->second(usual);
    if (calls.empty()) return std::nullopt;
    return calls;
}

}  // namespace mpiaudit
