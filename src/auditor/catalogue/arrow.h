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
#include "messages/under_test.h"
#include "mpi/library_algorithms.h"
#include "operations/form.h"
#include "problem/workspace.h"

namespace mpiaudit {

/// What is known about the links between the ranks, where --network names it: arrows that need it
/// are of another product than the auditor, and know what it is.
class RankNetwork {
  public:
    virtual ~RankNetwork() = default;
    /// What a user should know before believing results with it; on rank 0, else empty.
    virtual std::vector<std::string> warnings() const = 0;
};

/// An instance of a problem, for which arrows are prepared: its buffers on this rank and the
/// communicator that runs it.
struct Instance {
    Workspace& workspace;
    MPI_Comm comm;
    /// Null when the problem has none.
    const RankNetwork* network = nullptr;
    /// How the operation is called; null for as usual.
    const Variant* called_as = nullptr;
    /// Where the next operation, which is in place, takes its data from; null for anywhere.
    const Place* destination = nullptr;

    /// Where a result in this layout has to be put.
    Place target(Layout to) const { return destination ? *destination : workspace.target(to); }
    const Problem& problem() const { return workspace.problem(); }
    /// As a rank of the communicator.
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

/// What a call learns beside the data that it moves: the size that the ranks agree on.
struct Agreement {
    std::function<void()> forget;
    /// What is wrong with what this rank has learnt since; nothing when it is right.
    std::function<std::optional<std::string>()> find_error;
};

/// The ranks agree on a number that is known beforehand, by MPI_Allreduce(1). \param learnt where
/// the call puts it
Agreement agreement_on(std::shared_ptr<int> learnt, int right, int rank);

/// A prepared arrow: the call that moves the data (empty for a free view) and where it puts them.
struct Step {
    Call call;
    Place result;
    /// Where a path takes its data from, when that is not a source: operations in place work on the
    /// buffer of their result, and may overwrite their input.
    std::optional<Place> source = {};
    std::vector<Agreement> agreements = {};
    /// Whose data this process has, where that is not its own rank: on a communicator in which the
    /// library has given it another one.
    std::optional<int> data_of_rank = {};
    std::set<Layout> targets = {};  ///< that a path writes, its result among them
    /// What a program has between two calls of a path: it reads its result, then writes its data.
    std::vector<Place> used = {};
};

/// The bytes of `elements` of a place, for a function that takes an int. Throws where they do not
/// fit: an arrow that asks for them needs bytes_in_int.
inline int int_bytes(const Place& place, int elements) {
    return narrow(Count{elements} * static_cast<Count>(place.extent), "bytes");
}

/// What an arrow is, and so where it may stand.
enum class Kind {
    native,       ///< an operation of the MPI library, blocking
    nonblocking,  ///< its non-blocking form and MPI_Wait
    persistent,   ///< its persistent form: initialised before, MPI_Start and MPI_Wait timed
    in_place,     ///< its form with MPI_IN_PLACE
    chosen,       ///< a native operation with one of the library's own algorithms, forced
    variant,      ///< another way to call natives, whose name begins with that of the operation
    reference,    ///< an algorithm of the literature with the signature of its MPI counterpart
    agreement,    ///< the ranks agree on the largest block: X -> padded X
    view,         ///< costs nothing: the data are there already
    local,        ///< moves data within each rank, at a cost
    packing,      ///< MPI_Pack: X -> packed X
    unpacking,    ///< MPI_Unpack: packed X -> X
};

/// What an arrow needs of a problem, as a set.
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
    isomorphic = 1U << 17,          ///< a torus whose ranks have neighbours at the same offsets
    equal_degrees = 1U << 18,       ///< a graph where all ranks have as many neighbours
    equal_types = 1U << 19,         ///< this MPI library hangs where ranks send different types
    exact_results = 1U << 20,       ///< reductions that do not round
};

/// Allocates whatever the call will need and binds its arguments. Collective. `from` is where the
/// data are; `to` the layout that they are to get.
class Prepare {
  public:
    using Plain = Step (*)(const Instance& instance, const Place& from, Layout to);
    /// For functions with one signature.
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

/// Where an operation in place takes from what would else be in `from`: in the buffer of its
/// result.
using Input = Place (*)(const Instance& instance, const Place& from, Layout to);

/// One way to turn a layout into another. Its ends are the holdings, both padded or both not, but
/// for an agreement, which pads, and a view that drops the padding.
struct Arrow {
    Form form;
    std::string_view collective;  ///< the family, which is the folder of its algorithms
    Kind kind;
    Holding from;
    Holding to;
    std::string summary;  ///< one sentence that says how it moves data
    Prepare prepare;
    unsigned needs = anything;
    /// A layout whose target buffer the arrow uses besides that of `to`.
    std::optional<Holding> scratch = {};
    /// Of a chosen operation: the algorithm that is forced while it runs.
    std::shared_ptr<const LibraryAlgorithm> algorithm = {};
    /// How natives are called, for prepare(); null for as usual.
    const Variant* called_as = nullptr;
    /// Of an operation in place, which has to find its data there; null for others, and where only
    /// results are in place.
    Input input = nullptr;
    /// Makes the datatypes of a call alone, where it makes some (--no-communication).
    std::optional<Prepare> types_only = {};
    /// What `prepare` calls, as C text for users (code/calls.h). Empty if the text follows from the
    /// form: a single call with the arguments of the operation. sendbuf, recvbuf, count (elements
    /// of a block) and elements (of a vector) are replaced in the text. $call is the usual call of
    /// the operation, $call(WORD -> OTHER; ...) that call with other words, $start and $wait are
    /// its halves; $sent and $received are bytes on this rank. $operands is the sendbuf of the
    /// whole way.
    std::string code = {};
    /// As in the MPI standard or in the paper; rename() keeps it the name of the form.
    std::string name = form.name();

    void rename(Form other) {
        form = std::move(other);
        name = form.name();
    }

    /// The ends of the arrow when it stands for padded or packed blocks. What `variant` says of
    /// padding and packing is that of the arrow's inner side: behind an agreement or MPI_Pack,
    /// before MPI_Unpack or the end of padding.
    Layout source(Layout variant) const;
    Layout target(Layout variant) const;
    Argument argument() const;
    /// Whether processes may have the data of other ranks than their own.
    bool is_reordered() const { return called_as != nullptr && called_as->is_reordered; }
    /// Whether a call has other types or counts on one of its sides than elements.
    bool has_custom_datatype() const {
        return called_as != nullptr && (called_as->sent != Described::as_usual ||
                                        called_as->received != Described::as_usual);
    }
    /// The operation of the library in whose place the arrow is in a simulation; empty for others.
    std::string stands_for() const;
    /// How this MPI library is known from elsewhere to fail in it on this problem: "is known to
    /// crash in ..."; nothing where it is not. It is never tried then.
    std::optional<std::string> known_fault(const Problem& problem) const;
    bool drops_padding() const { return kind == Kind::view && from == to; }
    /// Whether an operation in place can be behind it.
    bool accepts_destination() const;
    /// True for what a path may use without naming it; MPI_Reduce_local is local, but has a name.
    bool is_silent() const {
        return kind == Kind::view || (kind == Kind::local && !form.is_of_mpi());
    }
    /// Why the arrow cannot be used on a problem; nothing when it can.
    std::optional<std::string> obstacle(const Problem& problem, bool padded,
                                        bool packed = false) const;
};

/// The needs in words: "needs equal blocks", and so on.
std::string needs_in_words(unsigned needs);

/// What a program has to have in order to take this arrow: the function that it calls, with the
/// name that this MPI library has for it, or for a forced algorithm the variables of the
/// environment that it is started with. Empty where there is nothing of the kind, as for what is
/// scheduled for one network.
std::string written_as(const Arrow& arrow);

}  // namespace mpiaudit
