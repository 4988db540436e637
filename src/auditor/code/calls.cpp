// SPDX-License-Identifier: BSD-3-Clause
#include "code/calls.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "code/pasted_calls.h"
#include "code/program_names.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using namespace c_text;
using Id = c_text::Name;

/// A step of a way that is written: all steps but views.
struct Written {
    enum class Kind { call, algorithm, packing, agreement, communicator };
    Kind kind = Kind::call;
    PastedStep step;
    LayoutName from;

    bool is_in_place(InPlace where) const { return step.is_in_place(where); }
    /// Whether the step has another buffer for its result than for its input.
    bool moves() const {
        if (kind == Kind::agreement || kind == Kind::communicator) return false;
        if (step.kind == PastedStep::Kind::zero_fill) return true;
        return kind == Kind::packing || !step.has_one_buffer();
    }
};

Written::Kind kind_of(const record::Step& step) {
    const Form& form = step.form;
    if (is_agreement(step)) return Written::Kind::agreement;
    if (!form.is_of_mpi() && !form.is_move()) return Written::Kind::algorithm;
    const bool is_packing = form.operation == "MPI_Pack" || form.operation == "MPI_Unpack";
    return is_packing ? Written::Kind::packing : Written::Kind::call;
}

/// Returns nothing for a step that cannot be written.
std::optional<Written> written_step(const record::Step& step,
                                    const std::vector<record::Implementation>& implementations) {
    if (step.to.empty()) return std::nullopt;
    const LayoutName from(step.from);
    Written written{.kind = kind_of(step), .step = {.form = step.form}, .from = from};
    const Form& form = step.form;
    const MpiOperation* const operation = form.mpi_operation();
    if (written.kind == Written::Kind::algorithm) {
        const auto* const known =
            find_in(implementations, step.arrow, &record::Implementation::name);
        if (known == nullptr || known->written_as.empty() || operation == nullptr)
            return std::nullopt;
        written.step.operation = operation;
        written.step.from = from.holding, written.step.to = LayoutName(step.to).holding;
        return written;
    }
    if (written.kind == Written::Kind::packing) {
        if (!form.variant.empty()) return std::nullopt;
        return written;
    }
    if (written.kind == Written::Kind::agreement) return written;
    auto call =
        pasted_step({step.arrow, from.holding, LayoutName(step.to).holding}, implementations);
    if (!call) return std::nullopt;
    written.step = std::move(*call);
    return written;
}

Expression own_block_in(const Expression& buffer) {
    return buffer + StepNames::in_bytes(item(Id::displs, Id::rank));
}

/// Returns sendbuf, tmp, tmp2 ..., recvbuf. A broadcast has one buffer at both ends. So has a way
/// that begins with a block which stays among the gathered blocks.
std::vector<Expression> buffers(const std::vector<Written>& moving, bool is_broadcast,
                                bool has_result, ProgramNames& names) {
    std::vector<Expression> all{is_broadcast ? Id::buffer : Id::sendbuf};
    for (std::size_t i = 1; i < moving.size(); ++i) all.push_back(names.next_memory());
    if (has_result) all.emplace_back(is_broadcast ? Id::buffer : Id::recvbuf);
    for (std::size_t i = 1; i < moving.size(); ++i) {
        if (moving[i - 1].is_in_place(InPlace::received_by_root) &&
            moving[i].is_in_place(InPlace::everywhere))
            all[i - 1] = all[i + 1];
    }
    return all;
}

/// Returns where an operation in place has its input in its result: a block, or all of it.
Expression input_in(const Expression& result, const Written& step) {
    return step.step.operation->from == Holding::scattered ? own_block_in(result) : result;
}

StepEnds ends_at(const Expression& in, const Expression& out) {
    return {{in, Id::displs}, {out, Id::displs}};
}

/// Returns input and output of each step. A step writes to the place where the next step expects
/// its input, if the next step is in place.
std::vector<StepEnds> ends_of(const std::vector<Written>& moving,
                              const std::vector<Expression>& names) {
    std::vector<StepEnds> all;
    for (std::size_t i = 0; i < moving.size(); ++i) {
        StepEnds ends = ends_at(names[i], names[i + 1]);
        if (i > 0 && moving[i - 1].is_in_place(InPlace::received_by_root))
            ends.in.address = root_or(own_block_in(names[i - 1]), names[i]);
        // A view between both: each rank has its block among all.
        if (i > 0 && moving[i - 1].step.to == name(Holding::replicated) &&
            moving[i].from.holding == name(Holding::scattered))
            ends.in.address = own_block_in(names[i]);
        if (i + 1 < moving.size() && moving[i + 1].step.form.is_in_place) {
            const Expression input = input_in(names[i + 2], moving[i + 1]);
            if (moving[i + 1].is_in_place(InPlace::everywhere)) ends.out.address = input;
            if (moving[i + 1].is_in_place(InPlace::sent_by_root))
                ends.out.address = root_or(input, names[i + 1]);
        }
        all.push_back(std::move(ends));
    }
    return all;
}

/// Returns MPI_Pack or MPI_Unpack of all blocks that a rank has, which are consecutive.
Block packing(const Written& step, const StepEnds& ends, ProgramNames& names) {
    const std::string& holding = step.from.holding;
    const Expression number = holding == name(Holding::scattered) ? names.own()
                              : holding == name(Holding::rooted)  ? root_or(names.all(), 0)
                                                                  : names.all();
    const Expression bytes = number * Id::packed_bytes, position = address_of(Id::position),
                     &in = ends.in.address, &out = ends.out.address;
    const Assignment begin{Id::position, "=", 0};
    if (step.step.form.operation == "MPI_Pack")
        return {begin, call("MPI_Pack", {in, number, Id::type, out, bytes, position, Id::comm})};
    return {begin, call("MPI_Unpack", {in, bytes, position, out, number, Id::type, Id::comm})};
}

/// Returns nothing if there is no code for the step.
std::optional<Block> calls_of_step(const Written& step, const StepEnds& ends, ProgramNames& names) {
    names.set_padded(step.from.is_padded);
    switch (step.kind) {
        case Written::Kind::algorithm:
            return Block{
                call(function_in_c(step.step.form.algorithm), {ends.in.address, ends.out.address})};
        case Written::Kind::packing:
            return packing(step, ends, names);
        case Written::Kind::agreement:
            return Block{
                call("MPI_Allreduce", {address_of(Id::count), address_of(Id::largest), 1,
                                       constant("MPI_INT"), constant("MPI_MAX"), Id::comm})};
        default:
            break;
    }
    auto calls = code_of(step.step, ends, names);
    if (calls && step.from.is_packed) *calls = renamed(*calls, Id::type, Id::packed_type);
    return calls;
}

/// Sets the buffers of a way that has one step.
void set_ends_in_place(const Written& only, CallsOfWay& calls) {
    const Expression in = calls.in, out = calls.out;
    if (only.is_in_place(InPlace::everywhere)) calls.in = input_in(out, only);
    if (only.is_in_place(InPlace::sent_by_root)) calls.in = root_or(input_in(out, only), in);
    if (only.is_in_place(InPlace::received_by_root)) calls.out = root_or(own_block_in(in), out);
}

std::optional<CallsOfWay> calls_of_steps(const std::vector<Written>& steps,
                                         const record::ContestantDescription& way) {
    const bool is_broadcast =
        way.from == name(Holding::rooted) && way.to == name(Holding::replicated);
    std::vector<Written> moving;
    std::ranges::copy_if(steps, std::back_inserter(moving), &Written::moves);
    ProgramNames names;
    const std::vector<Expression> all = buffers(moving, is_broadcast, !moving.empty(), names);
    CallsOfWay calls{.calls = {}, .in = all.front(), .out = all.back()};
    if (steps.size() == 1) set_ends_in_place(steps.front(), calls);
    const std::vector<StepEnds> ends = ends_of(moving, all);
    std::size_t at = 0;
    for (const Written& each : steps) {
        const StepEnds here = each.moves() ? ends[at++] : ends_at(all[at], all[at]);
        auto code = calls_of_step(each, here, names);
        if (!code || names.lacks_memory()) return std::nullopt;
        add(calls.calls, std::move(*code));
        calls.is_extension = calls.is_extension || each.step.is_extension;
    }
    calls.definitions = names.definitions();
    calls.needs_room_for_all = names.needs_room_for_all();
    return calls;
}

std::optional<CallsOfWay> calls_of_path(
    const record::ContestantDescription& way,
    const std::vector<record::Implementation>& implementations) {
    std::vector<Written> steps;
    for (const record::Step& each : way.steps) {
        if (each.is_view()) continue;
        auto step = written_step(each, implementations);
        if (!step || step->step.form.start == Start::persistent) return std::nullopt;
        // The zeros would be in the place of the block that stays among the others.
        if (!steps.empty() && steps.back().is_in_place(InPlace::received_by_root) &&
            step->step.kind == PastedStep::Kind::zero_fill)
            return std::nullopt;
        steps.push_back(std::move(*step));
    }
    if (steps.empty()) return std::nullopt;
    // MPI_IN_PLACE at the beginning is written for single calls only.
    const Written& first = steps.front();
    if (steps.size() > 1 && first.step.form.is_in_place &&
        !first.is_in_place(InPlace::received_by_root))
        return std::nullopt;
    auto calls = calls_of_steps(steps, way);
    if (!calls) return std::nullopt;
    for (const record::Step& each : way.steps)
        if (!each.form.is_of_mpi() && !each.form.is_move()) calls->algorithms.push_back(each);
    return calls;
}

/// Returns the calls of a persistent operation, which is made once.
Block persistent(const PastedStep& step, Block usual) {
    auto& arguments = std::get<c_text::Call>(usual.front().is).arguments;
    const Expression started = address_of(Id::started);
    arguments.push_back(constant("MPI_INFO_NULL"));
    arguments.push_back(started);
    return {If{binary(Id::started, "==", constant("MPI_REQUEST_NULL")),
               {call(step.function, arguments)}},
            call("MPI_Start", {started}),
            call("MPI_Wait", {started, constant("MPI_STATUS_IGNORE")})};
}

/// Returns the calls of one operation in a form that only tests a library.
std::optional<CallsOfWay> calls_of_form(
    const record::ContestantDescription& way,
    const std::vector<record::Implementation>& implementations) {
    const record::Step& step = way.steps.front();
    const Form& form = step.form;
    if (step.to.empty() || !form.is_of_mpi()) return std::nullopt;
    if (form.makes_communicator()) {
        auto calls = calls_making_communicator(form.name());
        if (!calls) return std::nullopt;
        return CallsOfWay{.calls = std::move(*calls), .in = Id::sendbuf, .out = Id::recvbuf};
    }
    record::ContestantDescription usual = way;
    usual.steps.front() = {usual_form(form).name(), step.from, step.to};
    usual.to = step.to;  // without words for what such calls do besides
    const MpiOperation* const operation = form.mpi_operation();
    auto all = calls_of_path(usual, implementations);
    if (operation == nullptr || !all) return std::nullopt;
    if (form.start == Start::persistent) {
        const auto made = pasted_step(step, implementations);
        if (!made) return std::nullopt;
        all->calls = persistent(*made, all->calls);
        all->is_extension = made->is_extension;
        return all;
    }
    UsualCall call{*operation, {all->calls.front()}, {}, bytes_in(way.from), bytes_in(step.to)};
    call.wait.assign(all->calls.begin() + 1, all->calls.end());
    auto calls = calls_in_form(form, call);
    if (!calls) return std::nullopt;
    all->calls = std::move(*calls);
    return all;
}

}  // namespace

std::optional<CallsOfWay> calls_of_way(const record::ContestantDescription& way,
                                       const std::vector<record::Implementation>& implementations) {
    if (way.forced) return std::nullopt;
    if (auto usual = calls_of_path(way, implementations)) return usual;
    if (way.steps.size() != 1) return std::nullopt;
    return calls_of_form(way, implementations);
}

std::string function_in_c(const std::string& algorithm) {
    std::string name = algorithm;
    for (char& each : name)
        if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
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

Expression bytes_in(std::string_view layout) {
    if (layout == "scattered") return Id::block_bytes;
    if (layout == "rooted") return root_or(Id::bytes, 0);
    if (layout == "exclusively prefixed") return choice(binary(Id::rank, ">", 0), Id::bytes, 0);
    return condition_of_block(layout) == "0" ? Expression(0) : Id::bytes;
}

}  // namespace mpiaudit
