// SPDX-License-Identifier: BSD-3-Clause
#include "code/pasted_names.h"

#include <algorithm>
#include <array>

#include "text/plain.h"

namespace mpiaudit {
namespace {

using namespace c_text;
using Id = c_text::Name;

Block constant_of(Id variable, const Expression& value) {
    return {Declaration{"const int", variable, {value}}};
}

}  // namespace

PastedNames::PastedNames(const MpiOperation& replaced, bool has_equal_blocks, bool is_padded)
    : replaced_{replaced}, has_equal_blocks_{has_equal_blocks}, is_padded_{is_padded} {
    define_all();
    define_blocks();
    if (has_equal_blocks_ && replaced_.is_irregular())
        need(replaced_.takes("displs") || replaced_.takes("sdispls") ? "equal blocks without gaps"
                                                                     : "equal blocks");
}

void PastedNames::define_all() {
    const auto get = [](const char* function, Expression of, Id variable) -> Block {
        return {Declaration{"int", variable},
                call(function, {std::move(of), address_of(variable)})};
    };
    const auto bounds = [](const char* function, Id low, Id bytes) -> Block {
        return {Declaration{"MPI_Aint", low}, Declaration{"MPI_Aint", bytes},
                call(function, {Id::type, address_of(low), address_of(bytes)})};
    };
    define(Id::p, get("MPI_Comm_size", Id::comm, Id::p));
    define(Id::rank, get("MPI_Comm_rank", Id::comm, Id::rank));
    if (!replaced_.has_root()) define(Id::root, constant_of(Id::root, 0));
    if (!replaced_.is_reduction())
        define(Id::op, {Declaration{"const MPI_Op", Id::op, {constant("MPI_SUM")}}});
    define(Id::extent, bounds("MPI_Type_get_extent", Id::lower, Id::extent));
    define(Id::true_extent, bounds("MPI_Type_get_true_extent", Id::true_lower, Id::true_extent));
    define(
        Id::is_dense,
        joined(get("MPI_Type_size", Id::type, Id::size),
               constant_of(Id::is_dense, binary(binary(binary(Id::size, "==", Id::extent), "&&",
                                                       binary(Id::true_extent, "==", Id::extent)),
                                                "&&", binary(Id::true_lower, "==", 0)))));
    define(Id::request, {Declaration{"MPI_Request", Id::request}});
}

void PastedNames::define_blocks() {
    if (cuts_vector()) {
        define(Id::block, joined(constant_of(Id::block, Id::count / Id::p),
                                 constant_of(Id::rest, Id::count % Id::p)));
        if (has_equal_blocks_) {
            list(Id::numbers, Id::block);
            list(Id::offsets, Id::k * Id::block);
        } else {
            const auto begin_of = [](const Expression& rank) {
                return in_64_bits(Id::count) * rank / Id::p;
            };
            list(Id::numbers, cast("int", begin_of(Id::k + 1) - begin_of(Id::k)));
            list(Id::offsets, cast("int", begin_of(Id::k)));
        }
        define(Id::own, constant_of(Id::own, item(Id::numbers, Id::rank)));
        return;
    }
    if (!replaced_.is_irregular()) {
        list(Id::numbers, Id::count);
        list(Id::offsets, Id::k * Id::count);
        return;
    }
    define(Id::own, constant_of(Id::own, item(Id::counts, Id::rank)));
    if (is_padded_) {
        const Expression sent = item(Id::sendcounts, Id::k);
        Block begin{Declaration{"int", Id::largest, {has_rows() ? Expression(0) : given()}}};
        if (has_rows())
            begin.push_back(loop_over(
                Id::k, Id::p,
                {If{binary(sent, ">", Id::largest), {Assignment{Id::largest, "=", sent}}}}));
        begin.push_back(
            call("MPI_Allreduce", {constant("MPI_IN_PLACE"), address_of(Id::largest), 1,
                                   constant("MPI_INT"), constant("MPI_MAX"), Id::comm}));
        define(Id::largest, std::move(begin));
        need("copies of all blocks");
    }
    list(Id::offsets, choice(binary(Id::k, ">", 0),
                             item(Id::offsets, Id::k - 1) + item(Id::counts, Id::k - 1), 0));
    define(Id::all,
           {Declaration{"int", Id::all, {0}},
            loop_over(Id::k, Id::p, {Assignment{Id::all, "+=", item(Id::counts, Id::k)}})});
}

bool PastedNames::has_lists_at_root() const {
    return replaced_.shape == Shape::gathered_blocks || replaced_.shape == Shape::scattered_blocks;
}

Expression PastedNames::own() {
    return is_padded_ ? Id::largest : given();
}

Expression PastedNames::given() const {
    if (cuts_vector()) return has_equal_blocks_ ? Id::block : Id::own;
    if (has_rows()) return item(Id::sendcounts, 0);
    return replaced_.shape == Shape::reduced_blocks ? Id::own : Id::count;
}

Expression PastedNames::all() {
    if (replaced_.takes("displs") && !has_equal_blocks_ && !is_padded_) need("blocks without gaps");
    return room_for_all();
}

Expression PastedNames::room_for_all() {
    if (is_padded_) return Id::p * Id::largest;
    if (cuts_vector()) return has_equal_blocks_ ? Id::p * Id::block : Id::count;
    if (!replaced_.is_irregular() || has_equal_blocks_) return Id::p * own();
    numbers();
    return Id::all;
}

Expression PastedNames::numbers() {
    if (!replaced_.is_irregular()) return Id::numbers;
    if (has_lists_at_root()) need("counts on all ranks");
    return Id::counts;
}

Expression PastedNames::offsets() {
    if (replaced_.is_irregular()) numbers();
    return Id::offsets;
}

Expression PastedNames::numbers_at_root() {
    // The root alone has these arguments.
    return replaced_.takes("displs") && replaced_.has_root() ? Expression(Id::counts) : numbers();
}

Lists PastedNames::lists_of(const MpiOperation& operation, const StepEnds& ends) {
    if (has_rows()) return {Id::sendcounts, Id::sdispls, Id::recvcounts, Id::rdispls};
    // The root alone has these arguments in both operations.
    const bool is_same = replaced_.shape == operation.shape;
    const Expression both = is_same && operation.has_root() ? Expression(Id::counts) : numbers();
    if (operation.shape == Shape::reduced_blocks) return {both, both, both, both};
    const StepData& side = operation.to == Holding::scattered ? ends.in : ends.out;
    const Expression places = side.has_gaps() ? side.offsets : offsets();
    return {both, places, both, places};
}

Lists PastedNames::types_of(Lists lists) {
    if (replaced_.takes("sendtypes")) return lists;
    define(Id::types,
           {Declaration{"MPI_Datatype", item(Id::types, Id::p)},
            loop_over(Id::k, Id::p, {Assignment{item(Id::types, Id::k), "=", Id::type}})});
    lists.sendtypes = lists.recvtypes = Id::types;
    const std::vector<std::pair<Id, Id>> in_bytes{{Id::offsets, Id::offsets_in_bytes},
                                                  {Id::displs, Id::displs_in_bytes},
                                                  {Id::sdispls, Id::sdispls_in_bytes},
                                                  {Id::rdispls, Id::rdispls_in_bytes}};
    for (Expression* const each : {&lists.sdispls, &lists.rdispls}) {
        const auto* const known = find_in(in_bytes, each->name, &std::pair<Id, Id>::first);
        *each = list(known->second, cast("int", Id::extent * item(*each, Id::k)));
    }
    return lists;
}

StepData PastedNames::input() const {
    const bool has_list = replaced_.takes("displs") && replaced_.from == Holding::rooted;
    return {replaced_.takes("buffer") ? Id::buffer : Id::sendbuf,
            has_list ? Id::displs : Id::offsets};
}

StepData PastedNames::result() const {
    const bool has_list = replaced_.takes("displs") && replaced_.to != Holding::scattered;
    return {replaced_.takes("buffer") ? Id::buffer : Id::recvbuf,
            has_list ? Id::displs : Id::offsets};
}

Expression PastedNames::as_bytes(const Expression& address) const {
    return is_of_bytes(address) ? address : cast("char *", address);
}

Expression PastedNames::block_in(const StepData& data, const Expression& rank) {
    if (is_padded_) return behind(data.address, rank * Id::largest);
    const bool is_equal = has_equal_blocks_ || !replaced_.is_irregular();
    if (is_equal && (!cuts_vector() || has_equal_blocks_))
        return behind(data.address, rank * own());
    if (!data.has_gaps()) offsets();
    return behind(data.address, item(data.offsets, rank));
}

Expression PastedNames::memory(const Expression& elements, bool is_zero) {
    constexpr std::array all_memory{Id::tmp, Id::tmp2, Id::tmp3, Id::tmp4, Id::tmp5};
    const Id made = all_memory.at(memories_.size());
    memories_.push_back(made);
    const Expression bytes = in_bytes(elements) + Id::true_extent;
    define(made,
           {Declaration{"char *",
                        made,
                        {cast("char *", is_zero ? value_of("calloc", {bytes, 1})
                                                : value_of("malloc", {bytes}))}},
            // The first byte of the data may lie behind or before the address of the elements.
            Assignment{made, "-=", Id::true_lower}});
    return made;
}

Block PastedNames::copy(const Expression& to, const Expression& from, const Expression& elements) {
    return {If{Id::is_dense,
               {call("memcpy", {to, from, in_bytes(elements)})},
               {call("MPI_Sendrecv", {from, elements, Id::type, 0, 0, to, elements, Id::type, 0, 0,
                                      constant("MPI_COMM_SELF"), constant("MPI_STATUS_IGNORE")})}}};
}

Block PastedNames::communicator_without_first() {
    const Expression made = Id::all_but_rank_0;
    return {
        Declaration{"MPI_Comm", made},
        call("MPI_Comm_split", {Id::comm, binary(Id::rank, ">", 0), Id::rank, address_of(made)})};
}

Block PastedNames::without_communicator() {
    return {call("MPI_Comm_free", {address_of(Id::all_but_rank_0)})};
}

void PastedNames::need(const std::string& what) {
    if (!is_among(needs_, what)) needs_.push_back(what);
}

void PastedNames::define(Id name, Block code) {
    if (find_in(definitions_, name, &std::pair<Id, Block>::first) == nullptr)
        definitions_.emplace_back(name, std::move(code));
}

Block PastedNames::block(Block code) const {
    for (const Id each : memories_) code.push_back(call("free", {each + Id::true_lower}));
    std::set<Id> names = names_in(code);
    std::vector<const Block*> needed;
    // A definition may use the names of earlier definitions.
    for (auto each = definitions_.rbegin(); each != definitions_.rend(); ++each) {
        if (!names.contains(each->first)) continue;
        names.merge(names_in(each->second));
        needed.push_back(&each->second);
    }
    if (needed.empty()) return code;
    Block all;
    for (auto each = needed.rbegin(); each != needed.rend(); ++each) add(all, **each);
    add(all, std::move(code));
    return {Scope{std::move(all)}};
}

}  // namespace mpiaudit
