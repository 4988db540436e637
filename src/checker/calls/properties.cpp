// SPDX-License-Identifier: BSD-3-Clause
#include "calls/properties.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "calls/basic_types.h"
#include "text/plain.h"

namespace mpiaudit::calls {
namespace {

template <class Range, class Member>
std::vector<Value> values_from(const Range& range, Member member, std::string_view before) {
    std::vector<Value> values;
    for (const auto& each : range)
        values.push_back({std::string(each.*member),
                          values.empty() ? "" : fmt::format("{}{}", before, each.*member)});
    return values;
}

std::vector<Value> types_of_side(std::string_view side) {
    const auto with = [&](std::string_view words) { return fmt::format("{} {}", side, words); };
    return {{"plain", ""},
            {"contiguous", with("in a contiguous type")},
            {"vector", with("in a vector type with gaps")},
            {"gap-in-front", with("in a type whose first element is behind the buffer's address")},
            {"negative-bound", with("in a type with a lower bound below 0")},
            {"backwards", with("in a type that lists elements backwards")},
            {"subarray", with("in a subarray type")},
            {"nested", with("in a nested type")},
            {"structure", with("in a structure of two types")},
            {"interleaved", with("in a type whose instances interleave")},
            {"by-rank", with("in a contiguous type on odd ranks only")}};
}

std::array<PropertyRow, property_count> make_properties() {
    std::vector<Value> operations = values_from(mpi_operations, &MpiOperation::name, "");
    for (Value& each : operations) each.condition.clear();
    return {{
        {"operation", std::move(operations)},
        {"start", {{"blocking", ""}, {"nonblocking", ""}, {"persistent", ""}, {"large-count", ""}}},
        {"completion",
         {{"wait", ""},
          {"test", "completed by MPI_Test"},
          {"waitall", "completed by MPI_Waitall with another request"}}},
        {"in_place", {{"separate", ""}, {"in-place", ""}}},
        {"communicator",
         {{"duplicate", ""},
          {"world", "on MPI_COMM_WORLD"},
          {"self", "on MPI_COMM_SELF"},
          {"reversed", "on a communicator with reversed ranks"},
          {"duplicate-later", "on a communicator of MPI_Comm_idup"},
          {"without-first", "on a communicator without rank 0"},
          {"disjoint-groups", "on communicators of disjoint groups"},
          {"group-of-members", "on a communicator of MPI_Comm_create_group"},
          {"merged", "on a merged intercommunicator"},
          {"session", "on a communicator from a session"},
          {"ring", "on a periodic Cartesian ring"},
          {"line", "on a Cartesian line that is not periodic"},
          {"torus", "on a two-dimensional periodic Cartesian grid"},
          {"box", "on a three-dimensional Cartesian grid"},
          {"rows", "on a row of a Cartesian grid"},
          {"graph", "on a distributed graph"},
          {"star", "on a distributed graph with rank 0 in the middle"},
          {"multigraph", "on a distributed graph with double edges and loops"},
          {"old-graph", "on a graph of MPI_Graph_create"},
          {"inter", "on an intercommunicator"}}},
        {"counts",
         {{"one", ""},
          {"three", "3 elements in a block"},
          {"none", "no elements"},
          {"power-of-two", "1024 elements in a block"},
          {"above-power-of-two", "1025 elements in a block"},
          {"odd", "12987 elements in a block"},
          {"large", "about 1 MiB"},
          {"some-empty", "some empty blocks"},
          {"increasing", "blocks of increasing size"},
          {"spike", "one block much larger than the others"}}},
        {"displacements",
         {{"contiguous", ""},
          {"gaps", "gaps in front of the blocks"},
          {"reversed", "the blocks in reversed order in memory"}}},
        {"buffers",
         {{"aligned", ""},
          {"unaligned", "buffers not aligned to 64 bytes"},
          {"bottom", "MPI_BOTTOM with absolute addresses"},
          {"null", "null buffers"}}},
        {"sent_type", types_of_side("sent")},
        {"received_type", types_of_side("received")},
        {"empty_types", {{"usual", ""}, {"null", "MPI_DATATYPE_NULL for empty blocks"}}},
        {"unused_arguments",
         {{"given", ""}, {"null", "null arguments where they have no meaning"}}},
        {"basic", values_from(basic_types(), &BasicType::name, "")},
        {"op", values_from(operators(), &OperatorRow::name, "")},
        {"contents",
         {{"exact", ""},
          {"rounding", "sums that round"},
          {"subnormal", "subnormal numbers"},
          {"infinite", "infinite numbers"},
          {"not-a-number", "elements that are not a number"},
          {"negative-zero", "elements that are -0"},
          {"wrapping", "unsigned sums beyond the largest value of the type"}}},
        {"root",
         {{"first", ""},
          {"last", "the last rank is the root"},
          {"middle", "a root in the middle"}}},
        {"arrival",
         {{"together", ""},
          {"first-late", "rank 0 arrives late"},
          {"last-late", "the last rank arrives late"},
          {"first-completes-late", "rank 0 completes late"},
          {"first-second-late", "rank 0 arrives a second late", true}}},
        {"meanwhile",
         {{"nothing", ""},
          {"barrier", "while MPI_Ibarrier is pending on the communicator"},
          {"bcast", "while MPI_Ibcast is pending on the communicator"},
          {"gather", "while MPI_Igather is pending on the communicator"},
          {"reduce", "while MPI_Ireduce is pending on the communicator"},
          {"allreduce", "while MPI_Iallreduce is pending on the communicator"},
          {"alltoall", "while MPI_Ialltoall is pending on the communicator"},
          {"same-operation", "while another call is pending on the communicator"},
          {"same-on-duplicate", "while another call is pending on a duplicate"},
          {"thread", "while another thread makes calls on a duplicate"},
          {"wildcard", "while a receive from any source is pending"},
          {"freed-handles", "types and operator freed before completion"},
          {"freed-communicator", "the communicator freed before completion"}}},
        {"repetition",
         {{"once", ""},
          {"thrice", "in the 2nd or 3rd of 3 calls"},
          {"twelve", "in one of 12 calls"}}},
    }};
}

std::size_t index_of(const PropertyRow& row, std::string_view name) {
    const auto found = std::ranges::find(row.values, name, &Value::name);
    if (found == row.values.end())
        throw std::invalid_argument(
            unknown_name(row.name, name, names_of(row.values, &Value::name)));
    return static_cast<std::size_t>(found - row.values.begin());
}

/// Facts of an operation that are needed for each of millions of combinations.
struct Traits {
    bool has_root, is_reduction, is_irregular, has_displacements, has_types, is_among_neighbours,
        moves_nothing, is_scan;
};
const Traits& traits_of(const ChosenCall& call) {
    static const std::vector<Traits> all = [] {
        std::vector<Traits> made;
        for (const MpiOperation& each : mpi_operations)
            made.push_back({each.has_root(), each.is_reduction(), each.is_irregular(),
                            each.takes("displs") || each.takes("sdispls"), each.takes("sendtypes"),
                            each.is_among_neighbours(), each.arguments.empty(),
                            each.collective == "scan"});
        return made;
    }();
    return all[call[Property::operation]];
}

bool has_neighbours(Communicator communicator) {
    using enum Communicator;
    return communicator >= ring && communicator <= old_graph;
}

bool is_irregular(Counts counts) {
    return counts >= Counts::some_empty;
}

const char* obstacle_of_start(const ChosenCall& call, const Setting& setting) {
    const Traits& operation = traits_of(call);
    if (call.start() == CallStart::persistent && !setting.has_persistent)
        return "the library has no persistent collectives";
    if (call.start() == CallStart::large_count) {
        if (!setting.has_large_counts) return "the library has no large counts";
        if (operation.moves_nothing || operation.has_types || operation.is_among_neighbours)
            return "no function with large counts in the table";
    }
    if (call.completion() != Completion::wait && !call.has_request())
        return "a blocking call completes when it returns";
    // MPI 4.1, sections 5.1.9, 6.9.7 and 7.4.3: what is freed lives until the operation completes.
    const bool frees = call.meanwhile() == Meanwhile::freed_handles ||
                       call.meanwhile() == Meanwhile::freed_communicator;
    if (frees && call.start() != CallStart::nonblocking)
        return "nothing can be freed before a blocking operation completes";
    if (call.meanwhile() == Meanwhile::freed_handles && !call.has_handles())
        return "no derived type or operator of the user can be freed";
    if (call.arrival() == Arrival::first_completes_late && !call.has_request())
        return "a blocking call completes when it returns";
    return nullptr;
}

const char* obstacle_of_communicator(const ChosenCall& call, const Setting& setting) {
    const Traits& operation = traits_of(call);
    const Communicator communicator = call.communicator();
    if (operation.is_among_neighbours && !has_neighbours(communicator))
        return "a neighbourhood collective needs a topology";
    if (communicator == Communicator::world && setting.leaves_out_world)
        return "a failed call may have left messages on MPI_COMM_WORLD";
    if ((communicator == Communicator::inter || communicator == Communicator::merged ||
         communicator == Communicator::without_first ||
         communicator == Communicator::group_of_members ||
         communicator == Communicator::disjoint_groups) &&
        setting.ranks < 2)
        return "needs 2 ranks";
    if (communicator == Communicator::session && !setting.has_sessions)
        return "the library or the launch has no sessions";
    // MPI 4.1, section 11.6: threads may call MPI at one time with MPI_THREAD_MULTIPLE only.
    if (call.meanwhile() == Meanwhile::thread && !setting.has_threads)
        return "the launch does not offer MPI_THREAD_MULTIPLE";
    if (communicator == Communicator::inter) {
        if (operation.is_scan || operation.is_among_neighbours)
            return "not defined on intercommunicators";
        if (call.in_place()) return "MPI_IN_PLACE is not defined on intercommunicators";
        if (call.meanwhile() == Meanwhile::wildcard) return "not generated on intercommunicators";
    }
    if (call.meanwhile() == Meanwhile::freed_communicator &&
        (call.repetition() != Repetition::once || communicator == Communicator::world ||
         communicator == Communicator::self))
        return "a communicator that is freed serves one call";
    return nullptr;
}

const char* obstacle_of_data(const ChosenCall& call, const Setting& setting) {
    const Traits& operation = traits_of(call);
    const BasicType& basic = basic_types()[call.basic()];
    const bool moves_nothing = operation.moves_nothing;
    const bool is_mixed = call.sent_type() == TypeShape::structure;
    if (!setting.has_basic.empty() && !setting.has_basic[call.basic()])
        return "the library lacks the type";
    if (call.counts() == Counts::large && call.repetition() == Repetition::twelve)
        return "takes too long";
    if (moves_nothing && (call.basic() != 0 || call.counts() != Counts::one ||
                          call.buffers() != Buffers::aligned || call.contents() != Contents::exact))
        return "the operation has no data";
    if (is_irregular(call.counts()) && !operation.is_irregular)
        return "the operation has equal blocks";
    if (call.displacements() != Displacements::contiguous && !operation.has_displacements)
        return "the operation takes no displacements";
    if (call.in_place() && call.operation().in_place == InPlace::nowhere)
        return "MPI_IN_PLACE is not defined for the operation";
    if (call.buffers() == Buffers::bottom && (operation.is_reduction || call.in_place()))
        return "MPI_BOTTOM needs a derived type and two buffers";
    if (call.buffers() == Buffers::null &&
        (call.counts() != Counts::none || operation.is_reduction || call.in_place()))
        return "a null buffer needs empty blocks";
    if (call.empty_types() == EmptyTypes::null &&
        (!operation.has_types || call.in_place() ||
         (call.counts() != Counts::none && call.counts() != Counts::some_empty)))
        return "MPI_DATATYPE_NULL needs a list of types and empty blocks";
    // MPI 4.1, sections 6.5 to 6.10: arguments that are significant at the root alone, or ignored
    // where MPI_IN_PLACE is passed.
    const InPlace place = call.operation().in_place;
    if (call.unused_arguments() == UnusedArguments::null &&
        (place == InPlace::nowhere ||
         (place == InPlace::everywhere && (!call.in_place() || operation.is_reduction))))
        return "all arguments have a meaning on all ranks";
    if (operation.is_reduction) {
        const OperatorRow& op = operators()[call.op()];
        if (!is_defined(op, basic)) return "the operator is not defined for the type";
        if (call.received_type() != TypeShape::plain) return "a reduction has one type";
        if (call.sent_type() != TypeShape::plain && !op.is_of_user())
            return "a predefined operator needs a predefined type";
        if (call.sent_type() == TypeShape::by_rank) return "a reduction has one type";
        if (call.sent_type() == TypeShape::interleaved)
            return "not generated: operands of user functions interleave";
    } else if (call.op() != 0) {
        return "the operation takes no operator";
    }
    if (moves_nothing &&
        (call.sent_type() != TypeShape::plain || call.received_type() != TypeShape::plain))
        return "the operation has no data";
    if (call.in_place() && call.operation().in_place == InPlace::everywhere &&
        call.sent_type() != TypeShape::plain && !operation.is_reduction)
        return "the sent type is not significant";
    // MPI 4.1, section 3.3.1: the signatures of both sides are equal.
    const bool has_two_types =
        !operation.is_reduction &&
        (!call.in_place() || call.operation().in_place != InPlace::everywhere);
    if (has_two_types && is_mixed != (call.received_type() == TypeShape::structure))
        return "both sides have the same signature";
    return nullptr;
}

const char* obstacle_of_contents(const ChosenCall& call) {
    const Traits& operation = traits_of(call);
    const BasicType& basic = basic_types()[call.basic()];
    const Arithmetic arithmetic = operators()[call.op()].arithmetic;
    const bool is_sum = operation.is_reduction && arithmetic == Arithmetic::sum;
    const bool is_extreme =
        operation.is_reduction && (arithmetic == Arithmetic::min || arithmetic == Arithmetic::max);
    switch (call.contents()) {
        case Contents::exact:
            return nullptr;
        case Contents::rounding:
            return is_sum && basic.is_floating() && !basic.is_pair() && basic.cell != Cell::extended
                       ? nullptr
                       : "only sums of floating-point numbers round";
        case Contents::wrapping:
            return is_sum && basic.is_unsigned() && basic.type_class == TypeClass::c_integer
                       ? nullptr
                       : "only unsigned sums wrap";
        case Contents::subnormal:
        case Contents::infinite:
        case Contents::negative_zero:
            if (!basic.is_floating()) return "only floating-point numbers are special";
            return !operation.is_reduction || is_sum || is_extreme ? nullptr : "not exact";
        case Contents::not_a_number:
            if (!basic.is_floating()) return "only floating-point numbers are special";
            return !operation.is_reduction || (is_sum && basic.type_class == TypeClass::floating)
                       ? nullptr
                       : "the result is not defined";
    }
    return nullptr;
}

}  // namespace

const std::array<PropertyRow, property_count>& properties() {
    static const std::array<PropertyRow, property_count> all = make_properties();
    return all;
}

std::size_t place_of_property(std::string_view name) {
    const auto row = std::ranges::find(properties(), name, &PropertyRow::name);
    if (row == properties().end())
        throw std::invalid_argument(
            unknown_name("property", name, names_of(properties(), &PropertyRow::name)));
    return static_cast<std::size_t>(row - properties().begin());
}

bool ChosenCall::has_handles() const {
    return sent_type() != TypeShape::plain || received_type() != TypeShape::plain ||
           operators()[op()].is_of_user();
}

std::string print(const ChosenCall& call) {
    std::string text;
    for (std::size_t i = 0; i < property_count; ++i) {
        if (i > 0 && call.values[i] == 0) continue;
        const PropertyRow& row = properties()[i];
        text += fmt::format("{}{}={}", i > 0 ? " " : "", row.name, row.values[call.values[i]].name);
    }
    return text;
}

ChosenCall parse_call(std::string_view text) {
    ChosenCall call;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (word.empty()) continue;
        const std::string_view property = word.substr(0, word.find('='));
        const std::size_t place = place_of_property(property);
        call.values[place] = static_cast<std::uint8_t>(
            index_of(properties()[place], word.substr(std::min(word.size(), property.size() + 1))));
    }
    return call;
}

Form form_of(const ChosenCall& call) {
    Form form{.operation = std::string(call.operation().name)};
    form.start = call.start() == CallStart::nonblocking  ? Start::nonblocking
                 : call.start() == CallStart::persistent ? Start::persistent
                                                         : Start::blocking;
    form.has_large_counts = call.start() == CallStart::large_count;
    form.is_in_place = call.in_place();
    return form;
}

std::string conditions_of(const ChosenCall& call) {
    std::string text;
    for (std::size_t i = 1; i < property_count; ++i) {
        const std::string& condition = properties()[i].values[call.values[i]].condition;
        if (!condition.empty()) text += (text.empty() ? "" : ", ") + condition;
    }
    return text;
}

std::string sentence(const ChosenCall& call) {
    const std::string conditions = conditions_of(call);
    return form_of(call).name() + (conditions.empty() ? "" : ", " + conditions);
}

const char* obstacle(const ChosenCall& call, const Setting& setting) {
    if (const char* reason = obstacle_of_start(call, setting)) return reason;
    if (const char* reason = obstacle_of_communicator(call, setting)) return reason;
    if (const char* reason = obstacle_of_data(call, setting)) return reason;
    if (const char* reason = obstacle_of_contents(call)) return reason;
    const bool has_root = traits_of(call).has_root;
    if (call.root() != RootRank::first && (!has_root || setting.ranks < 2))
        return "the operation has no other root";
    if (call.arrival() != Arrival::together && setting.ranks < 2) return "needs 2 ranks";
    return nullptr;
}

}  // namespace mpiaudit::calls
