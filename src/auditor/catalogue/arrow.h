// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/algorithms.h"
#include "catalogue/variant.h"
#include "causes/fault.h"
#include "messages/under_test.h"
#include "mpi/library_algorithms.h"
#include "operations/form.h"
#include "problem/workspace.h"

namespace mpiaudit {

/// The links between the ranks, as the file of --network describes them. The auditor passes this
/// object on; only arrows from src/papers look inside.
class RankNetwork {
  public:
    virtual ~RankNetwork() = default;
    /// Returns sentences that a user should read before believing results with this network; empty
    /// on ranks other than 0.
    virtual std::vector<std::string> warnings() const = 0;
};

/// A problem for which arrows are prepared: the buffers of this rank, and the communicator of the
/// call.
struct Instance {
    Workspace& workspace;
    MPI_Comm comm;
    /// Null if the problem has no network.
    const RankNetwork* network = nullptr;
    /// The variant in which natives are called; null for the usual call.
    const Variant* called_as = nullptr;
    /// Where the next operation of the path, which is in place, expects its input; null if any
    /// place will do.
    const Place* destination = nullptr;
    /// The call works on copies in the memory of the host, and so does its temporary memory.
    bool is_on_host = false;

    /// Returns temporary memory of the call (Workspace::scratch).
    std::shared_ptr<std::byte> scratch(std::size_t bytes) const {
        return workspace.scratch(bytes,
                                 is_on_host ? std::optional(MemoryKind::host) : std::nullopt);
    }
    /// Returns where a result in this layout has to be put: the destination if there is one, else
    /// the target buffer of the workspace.
    Place target(Layout to) const { return destination ? *destination : workspace.target(to); }
    const Problem& problem() const { return workspace.problem(); }
    /// Returns the rank of the root in the communicator of the call.
    int root() const {
        const int rank_of_root = problem().root;
        return called_as ? position(called_as->origin, rank_of_root, problem().ranks(),
                                    problem().node_of_rank)
                         : rank_of_root;
    }
    int rank() const { return workspace.rank(); }
    bool is_root() const { return rank() == problem().root; }
    MPI_Op op() const { return problem().op->op(called_as ? called_as->op : OperatorForm::plain); }
};

/// A number that a call learns beside the data that it moves: the size that the ranks agree on.
struct Agreement {
    std::function<void()> forget;  ///< makes the number wrong until the call writes it
    /// Returns an error if this rank has learnt a wrong number since forget(); nothing if the
    /// number is right.
    std::function<std::optional<Fault>()> find_error;
};

/// Describes an agreement, by MPI_Allreduce(1), on a number that is known beforehand. \param learnt
/// where the call puts the number
Agreement agreement_on(std::shared_ptr<int> learnt, int right, int rank);

/// A prepared arrow: the call that moves the data (empty for a free view), and the place of the
/// result.
struct Step {
    Call call;
    Place result;
    /// Where a path expects its input, if that is not a source buffer. Operations in place work on
    /// the buffer of their result, and may overwrite their input.
    std::optional<Place> source = {};
    std::vector<Agreement> agreements = {};
    /// The rank whose data this process has, if the library has given the process another rank in a
    /// new communicator.
    std::optional<int> data_of_rank = {};
    std::set<Layout> targets = {};  ///< layouts that a path writes, including its result
    /// Buffers that a program uses between two calls of a path: it reads the result, then writes
    /// new data.
    std::vector<Place> used = {};
};

/// Returns the bytes of `elements` elements of a place as an int. Throws std::overflow_error if
/// they do not fit: arrows that call this function need bytes_in_int.
inline int int_bytes(const Place& place, int elements) {
    return narrow(Count{elements} * static_cast<Count>(place.extent), "bytes");
}

/// The kind of an arrow, which decides where the arrow may stand in a path.
enum class Kind {
    native,       ///< an operation of the MPI library, blocking
    nonblocking,  ///< the non-blocking form and MPI_Wait
    persistent,   ///< the persistent form: initialised before; MPI_Start and MPI_Wait are timed
    in_place,     ///< the form with MPI_IN_PLACE
    chosen,       ///< a native operation with a forced algorithm of the library
    variant,      ///< another way to call natives
    reference,    ///< an algorithm of the literature with the signature of an operation
    agreement,    ///< the ranks agree on the largest block: X -> padded X
    view,         ///< costs nothing: the data are in place already
    local,        ///< moves data within each rank, at a cost
    packing,      ///< MPI_Pack: X -> packed X
    unpacking,    ///< MPI_Unpack: packed X -> X
};

/// Conditions that a problem must meet for an arrow, as a set.
enum Need : unsigned {
    anything = 0,
    equal_blocks = 1U << 0,         ///< of the unpadded form: padded blocks are all equal
    defined_operator = 1U << 1,     ///< the operator is defined for the element type
    commutative = 1U << 2,          ///< the operator commutes
    zero_identity = 1U << 3,        ///< zeros change nothing
    gaps_in_elements = 1U << 4,     ///< the element type has gaps in memory
    not_in_this_mpi = 1U << 5,      ///< the library lacks the function
    bytes_in_int = 1U << 6,         ///< passes numbers of bytes as int
    a_network = 1U << 7,            ///< what is known about the links between the ranks
    root_zero = 1U << 8,            ///< this MPI library crashes with another root
    predefined_operator = 1U << 9,  ///< one that the library knows by its name
    another_root = 1U << 10,        ///< a root that is not rank 0
    ranks_to_fold = 1U << 11,       ///< a number of ranks that is no power of two
    room_for_all = 1U << 12,        ///< every rank holds the vectors of all ranks
    torus = 1U << 13,               ///< a graph that MPI_Cart_create makes, too
    rectangle = 1U << 14,           ///< a number of ranks that is no prime
    root_in_half = 1U << 15,        ///< the root among the first half of the ranks
    several_nodes = 1U << 16,       ///< nodes, each with the same number of consecutive ranks
    equal_types = 1U << 17,         ///< this MPI library hangs where ranks send different types
    exact_results = 1U << 18,       ///< reductions that do not round
    /// Not a condition: code of the host computes. On a device the arrow works on copies of its
    /// buffers in the memory of the host (prepared()).
    computes_on_host = 1U << 19,
    device_memory = 1U << 20,  ///< a buffer in the memory of a device
    other_memory = 1U << 21,   ///< beside a device, a buffer that is not in its own memory
};

/// Allocates whatever the call will need and binds its arguments. Collective. `from` is where the
/// data are; `to` the layout that they are to get.
class Prepare {
  public:
    using Plain = Step (*)(const Instance& instance, const Place& from, Layout to);
    /// Prepares any function with one signature.
    using OfFunction = Step (*)(const Instance& instance, const Place& from, Layout to,
                                Function function);

    Prepare(Plain plain) : plain_(plain) {}
    Prepare(OfFunction of, Function function) : of_(of), function_(function) {}
    Step operator()(const Instance& instance, const Place& from, Layout to) const {
        return plain_ != nullptr ? plain_(instance, from, to) : of_(instance, from, to, function_);
    }
    bool operator==(const Prepare&) const = default;

  private:
    Plain plain_ = nullptr;
    OfFunction of_ = nullptr;
    Function function_ = nullptr;
};

/// Returns where an operation in place expects the input that other operations read at `from`: in
/// the buffer of its result.
using Input = Place (*)(const Instance& instance, const Place& from, Layout to);

/// One way to turn a layout into another layout. Both ends are padded or both are not, except for
/// an agreement, which pads, and a view that drops the padding.
struct Arrow {
    Form form;
    std::string_view collective;  ///< the family, which is the folder of its algorithms
    Kind kind;
    Holding from;
    Holding to;
    std::string summary;  ///< one sentence that says how the arrow moves data
    Prepare prepare;
    unsigned needs = anything;
    /// A further layout whose target buffer the arrow uses.
    std::optional<Holding> scratch = {};
    /// The algorithm of the library that is forced while the arrow runs; null for other arrows.
    std::shared_ptr<const LibraryAlgorithm> algorithm = {};
    /// The variant in which natives are called, for prepare(); null for the usual call.
    const Variant* called_as = nullptr;
    /// Finds the input of an operation in place. Null for other operations, and if only the result
    /// is in place.
    Input input = nullptr;
    /// Makes only the datatypes of a call (--no-communication); nothing if the call makes none.
    std::optional<Prepare> types_only = {};
    /// The name of the form, as in the MPI standard or in the paper. rename() changes both.
    std::string name = form.name();

    void rename(Form other) {
        form = std::move(other);
        name = form.name();
    }

    /// Return the layouts before and after the arrow for padded or packed blocks. `variant` gives
    /// padding and packing of the target for agreements and MPI_Pack, and of the source for
    /// MPI_Unpack and views that drop padding. The holding of `variant` is ignored.
    Layout source(Layout variant) const;
    Layout target(Layout variant) const;
    /// Returns `one` for agreements and barriers, else `whole`.
    Argument argument() const;
    /// Returns true if processes may have the data of a rank other than their own.
    bool is_reordered() const { return called_as != nullptr && called_as->is_reordered; }
    /// Returns the operation of the library that the arrow stands for in a simulation; an empty
    /// text for other arrows.
    std::string stands_for() const;
    /// Returns the fault that this MPI library is known to have in the arrow on this problem: "is
    /// known to crash in ..."; nullopt otherwise. Such an arrow is never called.
    std::optional<Fault> known_fault(const Problem& problem) const;
    /// Returns true for a view of padded blocks without their padding.
    bool drops_padding() const { return kind == Kind::view && from == to; }
    /// Returns true if the arrow can put its result wherever a following operation in place expects
    /// its input.
    bool accepts_destination() const;
    /// Returns whether the arrow works on copies of its buffers in the memory of the host.
    bool is_staged(const Problem& problem) const {
        return (needs & computes_on_host) != 0 && !problem.memory.are_host();
    }
    /// Prepares the arrow. The call of a staged arrow includes the copies.
    Step prepared(const Instance& instance, const Place& given, Layout layout) const;
    /// Returns true for arrows that a path may use without naming them. MPI_Reduce_local is local,
    /// too, but has a name.
    bool is_silent() const {
        return kind == Kind::view || (kind == Kind::local && !form.is_of_mpi());
    }
    /// Returns the reason why the arrow cannot be used on a problem with padded or packed blocks;
    /// nullopt if it can. The reason begins with the name of the arrow.
    std::optional<std::string> obstacle(const Problem& problem, bool padded,
                                        bool packed = false) const;
};

/// Returns the needs in words: "needs equal blocks, needs a commutative operator". Empty without
/// needs; leaves out defined_operator, bytes_in_int and computes_on_host.
std::string needs_in_words(unsigned needs);

/// Returns the function that a program calls for this arrow, under the name that this MPI library
/// has; for a forced algorithm, the environment variables that select the algorithm; an empty text
/// if a program cannot call the arrow, as for algorithms scheduled for one network.
std::string written_as(const Arrow& arrow);

}  // namespace mpiaudit
