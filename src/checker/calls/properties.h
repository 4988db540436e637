// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operations/form.h"
#include "operations/operations.h"

/// The space of valid calls of collective operations: a call takes one value of each property.
namespace mpiaudit::calls {

// The values of each property, from simple to unusual, in the order of its row in properties().

enum class CallStart {
    blocking,
    nonblocking,
    persistent,  ///< initialised once, then started several times
    large_count  ///< blocking, with counts of type MPI_Count
};
/// How a nonblocking or persistent call is completed.
enum class Completion {
    wait,
    test,    ///< by a loop of MPI_Test
    waitall  ///< by MPI_Waitall with another request
};
enum class InPlaceUse { separate, in_place };
enum class Communicator {
    duplicate,
    world,
    self,
    reversed,          ///< MPI_Comm_split, last rank first
    duplicate_later,   ///< MPI_Comm_idup
    without_first,     ///< all ranks but rank 0
    disjoint_groups,   ///< MPI_Comm_create, even ranks apart from odd ranks
    group_of_members,  ///< MPI_Comm_create_group, which only the members call; all but rank 0
    merged,            ///< MPI_Intercomm_merge of two halves
    session,           ///< MPI_Comm_create_from_group
    ring,              ///< MPI_Cart_create, one periodic dimension
    line,              ///< MPI_Cart_create, one dimension that is not periodic
    torus,             ///< MPI_Cart_create, two periodic dimensions
    box,               ///< MPI_Cart_create, three dimensions, the second one not periodic
    rows,              ///< MPI_Cart_sub of the torus
    graph,             ///< MPI_Dist_graph_create_adjacent, equal degrees
    star,              ///< MPI_Dist_graph_create_adjacent, rank 0 and all others
    multigraph,        ///< MPI_Dist_graph_create_adjacent, double edges and loops
    old_graph,         ///< MPI_Graph_create, each rank with its two neighbours
    inter              ///< the first half of the ranks against the second half
};
enum class Counts {
    one,
    three,
    none,
    power_of_two,
    above_power_of_two,
    odd,    ///< 12987, divisible by no number of ranks in use but 3
    large,  ///< about 1 MiB in all
    some_empty,
    increasing,
    spike
};
enum class Displacements { contiguous, gaps, reversed };
enum class Buffers { aligned, unaligned, bottom, null };
enum class TypeShape {
    plain,
    contiguous,
    vector,          ///< with a gap between two elements
    gap_in_front,    ///< the first element is behind the address of the buffer
    negative_bound,  ///< MPI_Type_create_resized with a lower bound below 0
    backwards,       ///< the elements in decreasing order of their addresses
    subarray,        ///< a column of a matrix with two rows
    nested,          ///< a vector of contiguous types
    structure,       ///< an element and a short
    interleaved,     ///< instances lie between the elements of others, as columns of a matrix do
    by_rank          ///< contiguous on odd ranks, plain on even ranks
};
enum class EmptyTypes { usual, null };
/// The arguments that have no meaning on a rank, such as the receive buffer of MPI_Gather on other
/// ranks than the root.
enum class UnusedArguments { given, null };
enum class Contents {
    exact,
    rounding,  ///< sums of floating-point numbers that round
    subnormal,
    infinite,
    not_a_number,
    negative_zero,
    wrapping  ///< unsigned sums beyond the largest value of the type
};
enum class RootRank { first, last, middle };
enum class Arrival {
    together,
    first_late,
    last_late,
    first_completes_late,  ///< rank 0 starts in time
    first_second_late      ///< rank 0 arrives a second late; rarely tried
};
enum class Meanwhile {
    nothing,
    // A nonblocking operation is pending on the same communicator.
    barrier,
    bcast,
    gather,
    reduce,
    allreduce,
    alltoall,
    same_operation,
    same_on_duplicate,  ///< the same operation, nonblocking, is pending on a duplicate
    thread,             ///< another thread calls the same operation on a duplicate
    wildcard,           ///< a receive from any source with any tag is pending
    freed_handles,      ///< derived types and the user's operator are freed before completion
    freed_communicator  ///< before completion
};
enum class Repetition { once, thrice, twelve };

enum class Property {
    operation,
    start,
    completion,
    in_place,
    communicator,
    counts,
    displacements,
    buffers,
    sent_type,
    received_type,
    empty_types,
    unused_arguments,
    basic,
    op,
    contents,
    root,
    arrival,
    meanwhile,
    repetition
};
inline constexpr std::size_t property_count = static_cast<std::size_t>(Property::repetition) + 1;

struct Value {
    std::string name;       ///< one word or a name of the MPI standard, as options give it
    std::string condition;  ///< words for a finding, such as "in place"; empty for the simplest
    bool is_rare = false;   ///< takes long: random calls have this value rarely, pairs never
};
struct PropertyRow {
    std::string name;
    std::vector<Value> values;
};

/// Returns a row for each Property, in order.
const std::array<PropertyRow, property_count>& properties();
/// Returns the place of the property with this name. Throws std::invalid_argument with the valid
/// names if there is none.
std::size_t place_of_property(std::string_view name);

/// One value of each property, as an index into the values of its row.
struct ChosenCall {
    std::array<std::uint8_t, property_count> values{};

    std::uint8_t& operator[](Property property) {
        return values[static_cast<std::size_t>(property)];
    }
    std::uint8_t operator[](Property property) const {
        return values[static_cast<std::size_t>(property)];
    }
    bool operator==(const ChosenCall&) const = default;
    auto operator<=>(const ChosenCall&) const = default;

    const MpiOperation& operation() const { return mpi_operations[(*this)[Property::operation]]; }
    CallStart start() const { return as<CallStart>(Property::start); }
    Completion completion() const { return as<Completion>(Property::completion); }
    /// Whether the call returns before the operation completes.
    bool has_request() const {
        return start() == CallStart::nonblocking || start() == CallStart::persistent;
    }
    /// Whether the call needs derived types or an operator of the user.
    bool has_handles() const;
    bool in_place() const { return as<InPlaceUse>(Property::in_place) == InPlaceUse::in_place; }
    Communicator communicator() const { return as<Communicator>(Property::communicator); }
    Counts counts() const { return as<Counts>(Property::counts); }
    Displacements displacements() const { return as<Displacements>(Property::displacements); }
    Buffers buffers() const { return as<Buffers>(Property::buffers); }
    TypeShape sent_type() const { return as<TypeShape>(Property::sent_type); }
    TypeShape received_type() const { return as<TypeShape>(Property::received_type); }
    EmptyTypes empty_types() const { return as<EmptyTypes>(Property::empty_types); }
    UnusedArguments unused_arguments() const {
        return as<UnusedArguments>(Property::unused_arguments);
    }
    std::size_t basic() const { return (*this)[Property::basic]; }  ///< index into basic_types()
    std::size_t op() const { return (*this)[Property::op]; }        ///< index into operators()
    Contents contents() const { return as<Contents>(Property::contents); }
    RootRank root() const { return as<RootRank>(Property::root); }
    Arrival arrival() const { return as<Arrival>(Property::arrival); }
    Meanwhile meanwhile() const { return as<Meanwhile>(Property::meanwhile); }
    Repetition repetition() const { return as<Repetition>(Property::repetition); }

  private:
    template <class Enum>
    Enum as(Property property) const {
        return static_cast<Enum>((*this)[property]);
    }
};

/// Returns the operation and the values that are not the simplest: "operation=MPI_Gather
/// counts=three"; parse_call() reads the text.
std::string print(const ChosenCall& call);
/// Throws std::invalid_argument with the valid names if a name is unknown.
ChosenCall parse_call(std::string_view text);

/// Returns the form of the operation that is called.
Form form_of(const ChosenCall& call);
/// Returns the values that are not the simplest, in words: "0 elements, root 1".
std::string conditions_of(const ChosenCall& call);
/// Returns the form and the conditions: "MPI_Igather, 0 elements, root 1".
std::string sentence(const ChosenCall& call);

/// The capabilities of this MPI library and this launch.
struct Setting {
    int ranks = 1;
    bool has_persistent = false;
    bool has_large_counts = false;
    bool has_sessions = false;
    bool has_threads = false;          ///< MPI_THREAD_MULTIPLE
    std::vector<bool> has_basic = {};  ///< by index into basic_types()
    /// No call uses MPI_COMM_WORLD: messages of a failed call may still arrive there, or would
    /// disturb a measurement.
    bool leaves_out_world = false;
};

/// Returns why the standard or this setting excludes the combination; nullptr if the call is valid.
const char* obstacle(const ChosenCall& call, const Setting& setting);

}  // namespace mpiaudit::calls
